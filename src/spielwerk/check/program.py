"""The program that is checked: started as its author starts it, watched, and stopped for certain.

It runs in its author's folder and environment, with no input. What contests know about processes
holds here: limits, process trees, orphans. Unlike there, what a program leaves behind when it ends
is looked at before it is cleared away.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from spielwerk.contests import commands
from spielwerk.contests.contest import Resources
from spielwerk.contests.keys import Unfit
from spielwerk.contests.programs.processes import ProcessTree, excess, in_words, restrain
from spielwerk.contests.programs.program import CannotRun, Output, explained
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEPT: Final = 65_536  # bytes of each of its outputs
LIMITS: Final = Resources(output=16_000_000)
GRACE: Final = 0.5  # seconds for it to end when it is asked to
_BETWEEN_LOOKS: Final = 0.1


def command_words(typed: Sequence[str], known: Mapping[str, str], folder: Path) -> list[str]:
    """The words of a command as they are started, or UsageError if that cannot be.

    Placeholders are those of contests. A command that is typed as one word is split as there.
    """
    try:
        words = commands.split(typed[0]) if len(typed) == 1 else list(typed)
        filled = [commands.filled(word, known) for word in words]
    except Unfit as unfit:
        raise UsageError(f"the command to check: {unfit}") from None
    search = os.environ.get("PATH", os.defpath)
    if problem := commands.obstacle(filled[0], folder, search):
        raise UsageError(str(CannotRun(filled[0], problem)))
    return filled


class CheckedProgram:
    """One run of the program, from its start until nothing is left of it."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        self._words = words
        self._folder = folder
        self.scratch = Path(tempfile.mkdtemp(prefix="spielwerk-check-"))  # its TMPDIR
        self.code: int | None = None  # negative for a signal
        self.over_limit = ""  # the limit that it was stopped for, in a sentence
        self.dismissed = False  # we have asked it to end
        self.left: list[str] = []  # the processes that outlived the first one
        self._ended = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start it, or UsageError."""
        self.stdout = Output(LIMITS.output, self._flooded, KEPT)
        self.stderr = Output(LIMITS.output, self._flooded, KEPT)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - that is what we are here for
                self._words,
                cwd=self._folder,
                env={**os.environ, "TMPDIR": str(self.scratch)},
                stdin=subprocess.DEVNULL,
                stdout=self.stdout.writer,
                stderr=self.stderr.writer,
                start_new_session=True,
            )
        except OSError as error:
            self._close_outputs()
            shutil.rmtree(self.scratch, ignore_errors=True)
            raise UsageError(str(explained(self._words, error))) from None
        finally:
            os.close(self.stdout.writer)
            os.close(self.stderr.writer)
        restrain(self._process.pid, LIMITS)
        self.tree = ProcessTree(self._process.pid)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._wait, args=(loop,), daemon=True).start()
        self._watching = asyncio.create_task(self._watch())

    @property
    def pid(self) -> int:
        """The number of its first process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether its first process has not ended."""
        return self.code is None

    @property
    def status(self) -> str:
        """How it ended, in words."""
        if self.over_limit:
            return f"stopped: {self.over_limit}"
        return "running" if self.code is None else in_words(self.code)

    async def ended(self, patience: float) -> bool:
        """Whether it ends within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._ended.wait()
        return self._ended.is_set()

    def send_signal(self, number: int) -> None:
        """Send a signal to its first process."""
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, number)

    async def stop(self) -> None:
        """End it and all its processes, and clear away what is left."""
        if self.running:
            self.dismissed = True
            self.send_signal(signal.SIGTERM)
            await self.ended(GRACE)
        if self._watching:
            self._watching.cancel()
        await asyncio.to_thread(self.tree.kill)
        await self.ended(GRACE)
        await asyncio.to_thread(self._process.wait)
        self._close_outputs()
        shutil.rmtree(self.scratch, ignore_errors=True)

    # while it runs

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hear of its end and leave it as a zombie: until it is reaped its number is its own."""
        with suppress(ChildProcessError):
            ending = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
            status = ending.si_status if ending else 0
            killed = ending is not None and ending.si_code != os.CLD_EXITED
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._over, -status if killed else status)

    def _over(self, code: int) -> None:
        self.stdout.catch_up()
        self.stderr.catch_up()
        self.code = code
        self._ended.set()

    async def _watch(self) -> None:
        while self.running:
            self.tree.find()
            if problem := excess(self.tree, LIMITS):
                await self._exceeded(problem)
            await asyncio.sleep(_BETWEEN_LOOKS)

    def others(self) -> list[str]:
        """The processes besides the first that are there now, by number and name."""
        found = []
        for one in self.tree.find():
            with suppress(psutil.Error):
                if one.pid != self.pid and one.status() != psutil.STATUS_ZOMBIE:
                    found.append(f"{one.pid} {one.name()}")
        return found

    async def _exceeded(self, problem: str) -> None:
        self.over_limit = self.over_limit or problem
        await asyncio.to_thread(self.tree.kill)

    def _flooded(self) -> None:
        self.over_limit = self.over_limit or f"wrote more than {LIMITS.output:,} bytes"
        self.send_signal(signal.SIGKILL)

    def _close_outputs(self) -> None:
        self.stdout.close()
        self.stderr.close()
