"""Which modules of Spielwerk a piece of work passes: those whose functions run meanwhile."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import spielwerk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

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
        if not self._open or event != "call" or frame.f_code.co_name == "<module>":
            return
        file = frame.f_code.co_filename
        if file not in self._names:
            path = Path(file)
            ours = path.is_relative_to(ROOT)
            self._names[file] = path.relative_to(ROOT).with_suffix("").as_posix() if ours else ""
        name = self._names[file].removesuffix("/__init__")
        if name and name not in self.modules:
            self.modules.append(name)


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
