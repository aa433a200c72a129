"""Which modules of Spielwerk a piece of work passes: those whose functions run meanwhile.

`python -c "from tests.ways import trace; ..."` has a process of its own note its way in a file.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import spielwerk

ROOT = Path(spielwerk.__file__).parent


class Way:
    """Notes the modules that are passed between `begin` and `end`, in all threads."""

    def __init__(self) -> None:
        self.modules: list[str] = []  # in the order of the first call
        self._names: dict[str, str] = {}  # by file; empty: not ours
        self._open = False

    def begin(self) -> None:
        self.modules.clear()
        self._open = True

    def end(self) -> None:
        self._open = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if self._open and event == "call" and frame.f_code.co_name != "<module>":
            name = self._name(frame.f_code.co_filename)
            if name and name not in self.modules:
                self.modules.append(name)

    def _name(self, file: str) -> str:
        if file not in self._names:
            path = Path(file)
            ours = path.is_relative_to(ROOT)
            name = path.relative_to(ROOT).with_suffix("").as_posix() if ours else ""
            self._names[file] = name.removesuffix("/__init__")
        return self._names[file]


class WayOfAGame(Way):
    """Notes in a file what a contest's game passes in this process, from one call to another."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def __call__(self, frame: FrameType, event: str, extra: object) -> None:
        name = frame.f_code.co_name
        if event == "call" and name in STARTS and self._name(frame.f_code.co_filename):
            self._open = True
        known = len(self.modules)
        super().__call__(frame, event, extra)
        if len(self.modules) > known:
            with open(self._file, "a", encoding="utf-8") as file:  # noqa: PTH123 - quick
                file.write(f"{self.modules[-1]}\n")
        if event == "return" and name == END and self._name(frame.f_code.co_filename):
            self.end()


STARTS = ("assign", "_serve")  # where a game is taken from the schedule; where a worker gets it
END = "rank"


def trace(file: str) -> None:
    """Have this process note its way."""
    way = WayOfAGame(file)
    threading.setprofile(way)
    sys.setprofile(way)


@contextmanager
def traced() -> Iterator[Way]:
    """A way that threads begin to note which start meanwhile, and this one."""
    way = Way()
    threading.setprofile(way)
    sys.setprofile(way)
    try:
        yield way
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
