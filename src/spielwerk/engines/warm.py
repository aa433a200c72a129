"""Engines made ready before they are needed: a few processes compile their kernels to the disk.

`prepare(game)` says how far that is, and `compile_elsewhere(game)` waits for it. However many ask,
an engine is compiled once, by `python -m spielwerk.engines.warm GAME [OPTION=VALUE ...]`. That
process has our end of a pipe for its input and ends when we do, even if we are killed.
"""

from __future__ import annotations

import inspect
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import find_engine
from spielwerk.engines.compiled import cache_problem, compiled_share, is_compiled, note_compiled
from spielwerk.errors import SpielwerkError
from spielwerk.games import find_game, kits

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.engines.interface import Engine
    from spielwerk.games import Game

log = logging.getLogger(__name__)

TOGETHER: Final = 2  # processes that compile at the same time
GLANCE: Final = 0.2  # seconds between two words about the progress
NICE: Final = 10  # how far the processes stand back behind the server


class NotPrepared(SpielwerkError):
    """An engine could not be compiled."""


class Preparation:
    """An engine that is being compiled, and those who want to hear how far it is."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.share = 0.0
        self.settled = threading.Event()  # whether it went well or not
        self.problem = ""
        self._listeners: list[Callable[[], None]] = []

    @property
    def percent(self) -> int:
        """How far it is, as people read it; 100 is said by being ready."""
        return min(99, int(100 * self.share))

    def listen(self, changed: Callable[[], None]) -> None:
        """Have this called, in a thread of ours, whenever there is progress, and at the end."""
        self._listeners.append(changed)
        if self.settled.is_set():
            changed()

    def wait(self) -> None:
        """Return when the engine is ready, or raise NotPrepared."""
        self.settled.wait()
        if self.problem:
            raise NotPrepared(self.complaint)

    @property
    def complaint(self) -> str:
        """What went wrong, as a sentence."""
        return f"cannot compile the {self.game.name} engine: {self.problem}"

    def run(self) -> None:
        """Have it compiled, and tell the progress."""
        command = [sys.executable, "-m", __name__, self.game.name, *self.game.assignments()]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        try:
            with subprocess.Popen(command, text=True, **pipes) as process:  # type: ignore[call-overload] # noqa: S603
                last = self._hear(process.stdout)
            self.problem = last if process.returncode else ""
        except OSError as error:
            self.problem = str(error)

    def _hear(self, lines: Any) -> str:
        """Tell the progress until the process ends; its last words."""
        last = "it said nothing"
        for line in lines:
            word, _, share = line.strip().partition(" ")
            if word == "share":
                self.share = float(share)
                self.tell()
            else:
                last = line.strip() or last
        return last

    def tell(self) -> None:
        """Call all who listen."""
        for changed in list(self._listeners):
            changed()


class Workshop:
    """What is to be compiled, and a few threads that wait for the processes that do it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Preparation] = {}  # by the engine's file
        self._waiting: list[Preparation] = []
        self._busy = 0

    def prepare(self, game: Game[Any], *, soon: bool) -> Preparation | None:
        """What compiles the engine of the game; None if that is done. `soon` goes before others.

        If it went wrong it is not tried again: a process that needs the engine compiles it.
        """
        source = inspect.getfile(find_engine(game))
        with self._lock:
            known = self._known.get(source)
            if known is None:
                if is_compiled(source):
                    return None
                known = self._known[source] = Preparation(game)
                self._waiting.append(known)
                self._begin()
            if soon and known in self._waiting:
                self._waiting.remove(known)
                self._waiting.insert(0, known)
        return None if known.settled.is_set() else known

    def _begin(self) -> None:
        if self._busy < TOGETHER:
            self._busy += 1
            threading.Thread(target=self._work, name="compiling", daemon=True).start()

    def _work(self) -> None:
        while preparation := self._next():
            preparation.run()
            if preparation.problem:
                log.warning("%s", preparation.complaint)
            preparation.settled.set()
            preparation.tell()

    def _next(self) -> Preparation | None:
        with self._lock:
            if self._waiting:
                return self._waiting.pop(0)
            self._busy -= 1
            return None


_workshop = Workshop()


def prepare(game: Game[Any], *, soon: bool = True) -> Preparation | None:
    """Begin to compile the game's engine, if that is necessary; None if it is ready."""
    return _workshop.prepare(game, soon=soon)


def compile_elsewhere(game: Game[Any]) -> None:
    """Have the engine's kernels compiled in a process of its own, unless they are, if possible."""
    if preparation := prepare(game):
        preparation.settled.wait()


def warm_up(engine: Engine[Any]) -> None:
    """Compile or load the engine's kernels, and remember that they are all there."""
    engine.warm_up()
    note_compiled(inspect.getfile(type(engine)))


def variants(name: str) -> list[Game[Any]]:
    """Games of this name, one for each of its engines."""
    part = find_game(name) and kits()[name].part("engine")
    if part is None:
        return []
    games: list[Game[Any]] = part.variants() if hasattr(part, "variants") else [find_game(name)()]
    return games


def load_all() -> None:
    """Compile every engine that is not compiled, and load each into this process when it is."""
    games = [game for name in kits() for game in variants(name)]
    for game in games:
        prepare(game, soon=False)
    for game in games:
        compile_elsewhere(game)
        find_engine(game)().warm_up()


# the process that compiles


def main(arguments: list[str]) -> None:
    """Compile the engine of the named game with these options."""
    name, *assignments = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for those who wait for us
    with suppress(AttributeError):  # not everywhere
        os.nice(NICE)
    for work in (_end_with_parent, _tell_progress):
        threading.Thread(target=work, daemon=True).start()
    warm_up(find_engine(find_game(name).from_text(assignments))())
    sys.exit(cache_problem() or None)


def _end_with_parent() -> None:
    """Nothing is written to our input; it ends when the process does that started us."""
    os.read(0, 1)
    os._exit(1)


def _tell_progress() -> None:
    told = 0.0
    while True:
        time.sleep(GLANCE)
        if problem := cache_problem():
            print(problem, flush=True)  # noqa: T201 - for the process that started us
            os._exit(1)
        share = compiled_share()
        if share > told:
            told = share
            print(f"share {share:.3f}", flush=True)  # noqa: T201 - for the process that started us


if __name__ == "__main__":
    main(sys.argv[1:])
