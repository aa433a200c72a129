"""Programs of entrants: started with nothing but what they need, watched, and stopped for certain.

Each runs in a session and a working folder of its own, without input, in an environment that tells
it nothing about us. What it writes is read all the time. Nothing stays when it is stopped: none of
its processes, and not its folder.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar, TypeVarTuple

from spielwerk.contests import commands
from spielwerk.contests.contest import Resources
from spielwerk.contests.keys import Unfit
from spielwerk.contests.programs import sandbox
from spielwerk.contests.programs.folders import Folder
from spielwerk.contests.programs.network import Network
from spielwerk.contests.programs.output import Output
from spielwerk.contests.programs.processes import (
    ExitWatch,
    ProcessTree,
    enforced,
    excess,
    in_words,
    restrain,
    sweep,
    told_by_shell,
)
from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spielwerk.contests.assignment import AssignedPlayer, Terms

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

GRACE: Final = 0.5  # seconds for a program to end when it is asked to
_FIRST_LOOK: Final = 0.05  # seconds after the start
_BETWEEN_LOOKS: Final = 0.2  # seconds

_ITS_FAULT: Final = (
    errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG,
    errno.E2BIG, errno.ETXTBSY, errno.EMSGSIZE,
)  # fmt: skip


class CannotRun(SpielwerkError):
    """A command that cannot be carried out, and why."""

    def __init__(self, command: str, problem: str) -> None:
        super().__init__(command, problem)
        self.command = command
        self.problem = problem

    def __str__(self) -> str:
        return f"cannot run {quote(self.command)}: {self.problem}"


def command_line(player: AssignedPlayer, places: Mapping[str, str]) -> list[str]:
    """The words of a player's command, with every placeholder filled in, or CannotRun.

    `{name}` and `{folder}` are the player's own, all others come from `places`. A player with a
    folder runs in a copy of that one, so its words stay as they are.
    """
    known = {"name": player.name, "folder": player.base, **places}
    try:
        return commands.command_line(
            player.text, known, None if player.folder else Path(player.base)
        )
    except Unfit as unfit:
        raise CannotRun(player.text, str(unfit)) from None


def explained(command: Sequence[str], error: OSError) -> Exception:
    """What to say of a start that failed in spite of all checks; our own fault stays as it is."""
    if error.errno == errno.ENOEXEC:
        return CannotRun(command[0], "it is neither a program nor a script that begins with #!")
    if error.errno in _ITS_FAULT:
        return CannotRun(command[0], commands.reason(error))
    return error


@dataclass(frozen=True, slots=True)
class _Running:
    """What there is of a program that was started."""

    tree: ProcessTree
    output: Output
    ending: ExitWatch


class Program:
    """A program from its start to its end; every run has an object of its own.

    `over_limit` says in a sentence which limit it was stopped for. `memory` is how many bytes all
    its processes together had at most, as far as that was seen: we look five times a second.
    """

    def __init__(
        self,
        command: Sequence[str],
        network: Network | None = None,
        *,
        folder: str = "",
        limits: Resources | None = None,
        readable: Sequence[str] = (),
        hidden: Sequence[str] = (),
        grace: float = GRACE,
    ) -> None:
        self.over_limit = ""
        self.memory = 0
        self._command = command
        self._network = network or Network()
        self._sandboxed = self._network.wrappers > 0
        self._source = folder
        self._limits = limits or Resources()
        self._readable = readable
        self._hidden = hidden
        self._grace = grace
        self._folder: Folder | None = None
        self._running: _Running | None = None
        self._code: int | None = None
        self._dismissed = False
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._filling: asyncio.Future[str] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._finishing: asyncio.Task[None] | None = None

    @classmethod
    def of(
        cls, player: AssignedPlayer, places: Mapping[str, str], terms: Terms, network: Network
    ) -> Self:
        """The program of a player, as the terms of the contest allow it."""
        command = command_line(player, places)
        return cls(
            command,
            network,
            folder=str(Path(player.base, player.folder)) if player.folder else "",
            limits=terms.resources,
            readable=commands.named_files(command),
            hidden=(player.base,),
        )

    # what is known of it

    @property
    def ended(self) -> asyncio.Future[str]:
        """Done when the program has ended, with its status."""
        return asyncio.shield(self._ended)

    @property
    def status(self) -> str:
        """How it ended, in words: `exit 1`, `killed by SIGSEGV`; `stopped` is our doing."""
        if self.over_limit:
            return f"stopped: {self.over_limit}"
        if self._code is None:
            return "running" if self._running else "not started"
        return "stopped" if self._dismissed else in_words(self._code)

    @property
    def output(self) -> str:
        """The last of what it wrote, fit to be shown."""
        return self._running.output.tail.text if self._running else ""

    def cpu(self) -> int:
        """Milliseconds of CPU time of all its processes until now; cheap enough for every move."""
        return self._running.tree.cpu() if self._running else 0

    # the start

    async def start(self) -> None:
        """Start it; CannotRun if that is not possible, and then there is nothing to stop."""
        try:
            self._folder = Folder()
            if self._source:
                await self._fill(self._folder)
            self._launch(self._folder)
        except BaseException:
            await self.stop()
            raise

    async def _fill(self, folder: Folder) -> None:
        self._filling = _in_thread(folder.fill, self._source)
        if problem := await asyncio.shield(self._filling):
            raise CannotRun(self._source, problem)

    def _launch(self, folder: Folder) -> None:
        _programs.add(self)
        search = os.environ.get("PATH", os.defpath)
        if self._sandboxed:
            search = sandbox.search_path(search)
        if problem := commands.obstacle(self._command[0], folder.work, search):
            raise CannotRun(self._command[0], problem)
        output = Output(self._limits.output, self._flooded)
        try:
            self._running = running = self._started(folder, search, output)
        except OSError as error:
            output.close()
            raise explained(self._command, error) from None
        except BaseException:
            output.close()
            raise
        finally:
            output.started()
        self._watching = asyncio.create_task(self._watch(running))

    def _started(self, folder: Folder, search: str, output: Output) -> _Running:
        if self._network.pid:
            restrain(self._network.pid, self._limits)
        work = str(folder.work)
        environment = {"PATH": search, "LANG": "C.UTF-8", "HOME": work, "TMPDIR": work}
        command = self._wrapped(folder) if self._sandboxed else self._command
        process = self._network.launch(command, work, environment, output.writer)
        try:
            restrain(process.pid, self._limits)
            folder.belongs_to(process.pid)
            tree = ProcessTree(process.pid, self._network.wrappers)
            return _Running(tree, output, ExitWatch(process, self._over))
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise

    def _wrapped(self, folder: Folder) -> list[str]:
        places = str(folder.work), str(folder.scratch)
        return sandbox.program_command(self._command, *places, self._readable, self._hidden)

    # the watch

    async def _watch(self, running: _Running) -> None:
        await asyncio.sleep(_FIRST_LOOK)
        for process in running.tree.find(self._limits.processes):  # started before their parent
            restrain(process.pid, self._limits)  # was held to its limits
        while True:
            self._look(running)
            await asyncio.sleep(_BETWEEN_LOOKS)

    def _look(self, running: _Running) -> None:
        running.tree.find(self._limits.processes)
        self.memory = max(self.memory, running.tree.memory())
        self._exceeded(excess(running.tree, self._limits))

    def _flooded(self) -> None:
        self._exceeded(f"wrote more than {self._limits.output:,} bytes")

    def _exceeded(self, problem: str) -> None:
        """Stop it at once, without asking; only the first reason counts."""
        if problem and self._running and not self._ended.done() and not self.over_limit:
            self.over_limit = problem
            _in_thread(self._running.tree.kill)

    def _over(self, code: int) -> None:
        if self._running:
            self._running.output.catch_up()
        self._code = told_by_shell(code) if self._sandboxed else code
        self.over_limit = self.over_limit or enforced(self._code, self._limits)
        self._ended.set_result(self.status)

    # the end

    async def stop(self) -> None:
        """Stop it and all its processes, and remove its folder; a second time does no harm.

        If this is cancelled, it is done nevertheless.
        """
        if self._finishing is None:
            self._finishing = asyncio.create_task(self._finish())
        try:
            await asyncio.shield(self._finishing)
        except asyncio.CancelledError:
            await asyncio.wait({self._finishing})
            raise

    async def _finish(self) -> None:
        try:
            if self._running and not self._ended.done() and not self.over_limit:
                await self._ask_to_end(self._running)
        finally:
            await self._clear_away()

    async def _ask_to_end(self, running: _Running) -> None:
        self._dismissed = True
        self._look(running)  # for the last time, or the only one
        await _in_thread(running.tree.signal, signal.SIGTERM)
        if running.tree.members:
            await asyncio.wait({self._ended}, timeout=self._grace)

    async def _clear_away(self) -> None:
        if self._watching:
            self._watching.cancel()
        if self._filling:
            await _patiently(self._filling)
        if self._running:
            await self._kill(self._running)
        _programs.discard(self)
        if self._folder:
            await _patiently(_in_thread(self._folder.remove))

    async def _kill(self, running: _Running) -> None:
        killing = _in_thread(running.tree.kill)
        await _patiently(killing)
        running.tree.cpu()  # as long as there is something to be read
        if killing.result():
            running.ending.take_notice()
        else:
            running.ending.give_up()
        running.output.close()


_programs: Final[set[Program]] = set()  # that run in this process


async def stop_all(programs: Sequence[Program]) -> list[BaseException]:
    """Stop the programs of a game; what was wrong with those that could not be stopped."""
    stopped = await asyncio.gather(*(one.stop() for one in programs), return_exceptions=True)
    if not _programs:
        await _patiently(_in_thread(sweep))
    return [problem for problem in stopped if problem]


def _in_thread(work: Callable[[*Arguments], T], *arguments: *Arguments) -> asyncio.Future[T]:
    """Not as a task, so that it goes on when all tasks are cancelled."""
    return asyncio.get_running_loop().run_in_executor(None, work, *arguments)


async def _patiently(work: asyncio.Future[T]) -> None:
    """Wait for it to be done, also if we are cancelled meanwhile: it is about leaving nothing."""
    try:
        await asyncio.wait({work})
    except asyncio.CancelledError:
        await asyncio.wait({work})
