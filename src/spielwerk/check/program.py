"""The program that is checked: started as its author starts it, watched, and stopped for certain.

It runs in its author's folder and environment, with no input. What contests know about processes
holds here: limits, process trees, orphans. Unlike there, what a program leaves behind when it ends
is looked at before it is cleared away. All its processes have a temporary folder of their own in
their environment, and are known by it, also those that have left its session.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from spielwerk.check.texts import sentence
from spielwerk.check.traces import Traces
from spielwerk.contests import commands
from spielwerk.contests.contest import Resources
from spielwerk.contests.keys import Unfit
from spielwerk.contests.programs.processes import ProcessTree, excess, in_words, restrain
from spielwerk.contests.programs.program import CannotRun, Output, explained
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEPT: Final = 65_536  # bytes of each of its outputs
SHOWN: Final = 2000  # characters of them that reports have
LIMITS: Final = Resources(output=16_000_000)
GRACE: Final = 0.5  # seconds for it to end when it is asked to
_FIRST_LOOK: Final = 0.05  # seconds after the start; then less and less often
_LAST_LOOKS: Final = 0.25  # seconds between two, later on
_SLOWER: Final = 1.3
_CALM: Final = 0.02  # seconds between two looks at processes that should end
_LAST_NOTICE: Final = 1.0  # seconds for the end of a process to be told that was killed
_LIMIT_WORDS: Final = ("processes", "CPU", "memory", "bytes")  # that tell sentences apart


def filled_words(typed: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """The words of a command with their placeholders filled in, or UsageError.

    Placeholders are those of contests. A command that is typed as one word is split as there.
    """
    try:
        words = commands.split(typed[0]) if len(typed) == 1 else list(typed)
        return [commands.filled(word, known) for word in words]
    except Unfit as unfit:
        raise UsageError(f"the command to check: {unfit}") from None


def command_words(typed: Sequence[str], known: Mapping[str, str], folder: Path) -> list[str]:
    """The words of a command as they are started, or UsageError if that cannot be."""
    filled = filled_words(typed, known)
    search = os.environ.get("PATH", os.defpath)
    if problem := commands.obstacle(filled[0], folder, search):
        raise UsageError(str(CannotRun(filled[0], problem)))
    return filled


def is_told_port(typed: Sequence[str]) -> bool:
    """Whether the command tells the program a port; UsageError if it has odd placeholders."""
    filled_words(typed, dict.fromkeys((*commands.PLACEHOLDERS, *commands.INDEX), ""))
    return any(place in word for word in typed for place in ("{port}", "{index_port}"))


class CheckedProgram:
    """One run of the program, from its start until nothing is left of it."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        self._words = words
        self._folder = folder
        self.code: int | None = None  # negative for a signal
        self.over_limit = ""  # the limit that it was stopped for, in a sentence
        self.dismissed = False  # we have asked it to end
        self.scratch = Path(tempfile.mkdtemp(prefix="spielwerk-check-"))  # its TMPDIR
        self.traces = Traces()
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
            self._clear_away()
            raise UsageError(str(explained(self._words, error))) from None
        finally:
            os.close(self.stdout.writer)
            os.close(self.stderr.writer)
        restrain(self.pid, LIMITS)
        self.tree = ProcessTree(self.pid, claims=self._claims)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._wait, args=(loop,), daemon=True).start()
        self._watching = asyncio.create_task(self._watch())

    def _claims(self, pid: int) -> bool:
        """Whether an orphan is one of its processes that has begun a session of its own."""
        with suppress(psutil.Error):
            return psutil.Process(pid).environ().get("TMPDIR") == str(self.scratch)
        return False

    # what is known of it

    @property
    def pid(self) -> int:
        """The number of its first process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether its first process has not ended."""
        return self.code is None

    @property
    def output(self) -> str:
        """The end of what it has written, errors last."""
        written = (self.stdout.text.rstrip(), self.stderr.text.rstrip())
        return "\n".join(filter(None, written))[-SHOWN:]

    @property
    def status(self) -> str:
        """How it ended, in words."""
        if self.over_limit:
            return f"stopped: {self.over_limit}"
        return "running" if self.code is None else in_words(self.code)

    def look(self) -> None:
        """See which processes there are, and what they use."""
        self.tree.find()
        self.traces.look({self.pid, *(one.pid for one in self.tree.members)})

    def others(self) -> list[psutil.Process]:
        """The living processes besides the first."""
        self.look()
        return [one for one in self.tree.members if one.pid != self.pid and not is_zombie(one)]

    def zombies(self) -> list[psutil.Process]:
        """Its children that have ended and that it has not waited for."""
        self.look()
        ours = {one.pid for one in self.tree.members}
        return [one for one in self.tree.members if _parent(one) in ours and is_zombie(one)]

    async def ended(self, patience: float) -> bool:
        """Whether its first process ends within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._ended.wait()
        return self._ended.is_set()

    async def gone(self, patience: float) -> bool:
        """Whether all its processes end within so many seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        await self.ended(patience)
        while self.running or self.others():
            if loop.time() >= deadline:
                return False
            await asyncio.sleep(_CALM)
        return True

    # its end

    def send_signal(self, number: int) -> None:
        """Send a signal to its first process."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def stop(self) -> None:
        """End it and all its processes, and clear away what is left."""
        try:
            self.look()
            if self.running:
                self.dismissed = True
                self.tree.signal(signal.SIGTERM)
                await self.ended(GRACE)
            await asyncio.to_thread(self.tree.kill)
        finally:  # also if we are interrupted
            if self._watching:
                self._watching.cancel()
            self.tree.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LAST_NOTICE)
            for remnant in self.traces.shared():
                with suppress(OSError):
                    remnant.remove()
            self._clear_away()

    def _clear_away(self) -> None:
        self.stdout.close()
        self.stderr.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    # while it runs

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hear of its end and leave it as a zombie: until it is reaped its number is its own."""
        with suppress(ChildProcessError):
            ending = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
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
        pause = _FIRST_LOOK
        while True:
            await asyncio.sleep(pause)
            pause = min(_SLOWER * pause, _LAST_LOOKS)
            self.look()
            if problem := excess(self.tree, LIMITS):
                self.over_limit = self.over_limit or _in_both_languages(problem)
                await asyncio.to_thread(self.tree.kill)

    def _flooded(self) -> None:
        problem = f"wrote more than {LIMITS.output:,} bytes"
        self.over_limit = self.over_limit or _in_both_languages(problem)
        self.tree.signal(signal.SIGKILL)


def _in_both_languages(problem: str) -> str:
    """What contests say in English of a program that is beyond a limit."""
    figures = dict(zip("ab", re.findall(r"\d[\d.,]*", problem), strict=False))
    code = next((one for one in _LIMIT_WORDS if one in problem), "")
    return sentence("", "limit", code, figures) if code else problem


def is_zombie(process: psutil.Process) -> bool:
    """Whether a process has ended, and its parent has not taken notice."""
    with suppress(psutil.Error):
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    return True


def _parent(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        return int(process.ppid())
    return 0
