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
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar, TypeVarTuple

from spielwerk.contests import commands
from spielwerk.contests.contest import Resources
from spielwerk.contests.keys import Unfit
from spielwerk.contests.programs import sandbox
from spielwerk.contests.programs.folders import Folder, is_trouble
from spielwerk.contests.programs.network import Network
from spielwerk.contests.programs.processes import (
    ProcessTree,
    enforced,
    excess,
    in_words,
    restrain,
    sweep,
    told_by_shell,
    when_ended,
)
from spielwerk.errors import SpielwerkError, printable, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spielwerk.contests.contest import AssignedPlayer, Terms

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

GRACE: Final = 0.5  # seconds for a program to end when it is asked to
KEPT: Final = 8192  # bytes of what a program has written
_AT_ONCE: Final = 65536  # bytes that are read before others get their turn
_FIRST_LOOK: Final = 0.05  # seconds after the start
_BETWEEN_LOOKS: Final = 0.2  # seconds
_LAST_NOTICE: Final = 1.0  # seconds for the end of a process to be told that was killed


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
        return CannotRun(command[0], "it is neither an executable nor a script that begins with #!")
    return error if is_trouble(error) else CannotRun(command[0], commands.reason(error))


class Output:
    """What a program writes: read as it comes, so that it never waits for us; the end is kept."""

    def __init__(self, limit: int, flooded: Callable[[], None], kept: int = KEPT) -> None:
        self.total = 0  # bytes
        self._limit = limit
        self._flooded = flooded
        self._kept = kept
        self._data = bytearray()
        self._reader, self.writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reader, self._read)

    @property
    def text(self) -> str:
        """What is kept, as lines that can be shown anywhere: no terminal obeys them."""
        lines = self._data.decode(errors="replace").replace("\r\n", "\n").split("\n")
        if self.total > self._kept and len(lines) > 1:
            del lines[0]  # its beginning is lost
        return "\n".join(printable(line.expandtabs()) for line in lines).strip("\n")

    def _read(self) -> None:
        if not self._take():
            self._loop.remove_reader(self._reader)
        elif self.total > self._limit:
            self._loop.remove_reader(self._reader)
            self._flooded()

    def _take(self) -> bool:
        """Take some of what has come; False at the end."""
        try:
            data = os.read(self._reader, _AT_ONCE)
        except BlockingIOError:
            return True
        self.total += len(data)
        self._data += data
        del self._data[: -self._kept]
        return bool(data)

    def catch_up(self) -> None:
        """Take all that is in the pipe at the moment; nothing, once it is closed."""
        before = -1
        while self._reader != -1 and before != self.total <= self._limit:
            before = self.total
            self._take()

    def close(self) -> None:
        """Take what is left, and close the pipe."""
        if self._reader != -1:
            self._loop.remove_reader(self._reader)
            self.catch_up()
            os.close(self._reader)
            self._reader = -1


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
        self._output: Output | None = None
        self._tree: ProcessTree | None = None  # from its start on
        self._code: int | None = None
        self._dismissed = False
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._filling: asyncio.Future[str] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._killing: asyncio.Future[bool] | None = None  # because of a limit
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
        """Done when the program has exited, with its status."""
        return asyncio.shield(self._ended)

    @property
    def status(self) -> str:
        """How it ended, in words: `exit 1`, `killed by SIGSEGV`; `stopped` is our doing."""
        if self.over_limit:
            return f"stopped: {self.over_limit}"
        if self._code is None:
            return "running" if self._tree else "not started"
        return "stopped" if self._dismissed else in_words(self._code)

    @property
    def output(self) -> str:
        """The last of what it wrote, fit to be shown."""
        return self._output.text if self._output else ""

    def cpu(self) -> int:
        """Milliseconds of CPU time of all its processes until now; cheap enough for every move."""
        return self._tree.cpu() if self._tree else 0

    # the start

    async def start(self) -> None:
        """Start it; CannotRun if that is not possible, and then there is nothing to stop."""
        try:
            self._folder = Folder(self._network.disk)
            if self._source:
                await self._fill(self._folder)
            self._launch(self._folder)
        except BaseException:
            await self.stop()
            raise

    async def _fill(self, folder: Folder) -> None:
        self._filling = _in_thread(folder.fill, self._source)
        try:
            problem = await asyncio.shield(self._filling)
        except OSError as error:
            if not self._sandboxed or os.strerror(errno.ENOSPC) not in str(error):
                raise
            problem = f"the folder is larger than the {self._limits.disk:,} bytes of limits.disk"
        if problem:
            raise CannotRun(self._source, problem)

    def _launch(self, folder: Folder) -> None:
        _programs.add(self)
        search = os.environ.get("PATH", os.defpath)
        if self._sandboxed:
            search = sandbox.search_path(search)
        if problem := commands.obstacle(self._command[0], folder.work, search):
            raise CannotRun(self._command[0], problem)
        self._output = output = Output(self._limits.output, self._flooded)
        try:
            self._tree = self._started(folder, search, output.writer)
        except OSError as error:
            raise explained(self._command, error) from None
        finally:
            os.close(output.writer)
        self._watching = asyncio.create_task(self._watch(self._tree))

    def _started(self, folder: Folder, search: str, output: int) -> ProcessTree:
        if self._network.pid:
            restrain(self._network.pid, self._limits)
        work = str(folder.home)
        environment = {"PATH": search, "LANG": "C.UTF-8", "HOME": work, "TMPDIR": work}
        command = self._wrapped(folder) if self._sandboxed else self._command
        process = self._network.launch(command, work, environment, output)
        try:
            restrain(process.pid, self._limits)
            folder.belongs_to(process.pid)
            tree = ProcessTree(process.pid, self._network.wrappers)
            when_ended(process, self._over)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        return tree

    def _wrapped(self, folder: Folder) -> list[str]:
        home = str(folder.home)
        return sandbox.program_command(self._command, home, self._readable, self._hidden)

    # the watch

    async def _watch(self, tree: ProcessTree) -> None:
        await asyncio.sleep(_FIRST_LOOK)
        for process in tree.find():  # those that were started before their parent was restrained
            restrain(process.pid, self._limits)
        while True:
            self._look(tree)
            await asyncio.sleep(_BETWEEN_LOOKS)

    def _look(self, tree: ProcessTree) -> None:
        tree.find()
        self.memory = max(self.memory, tree.memory())
        self._exceeded(excess(tree, self._limits))

    def _flooded(self) -> None:
        self._exceeded(f"wrote more than {self._limits.output:,} bytes")

    def _exceeded(self, problem: str) -> None:
        """Stop it at once, without asking; only the first reason counts."""
        if problem and self._tree and not self._ended.done() and not self.over_limit:
            self.over_limit = problem
            self._killing = _in_thread(self._tree.kill)

    def _over(self, code: int, spent: int = 0) -> None:
        if self._ended.done():  # it was given up
            return
        if self._output:
            self._output.catch_up()
        if self._tree:
            self._tree.spent = max(self._tree.spent, spent)
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
            if self._tree and not self._ended.done() and not self.over_limit:
                await self._ask_to_end(self._tree)
        finally:
            await self._clear_away()

    async def _ask_to_end(self, tree: ProcessTree) -> None:
        self._dismissed = True
        self._look(tree)  # for the last time, or the only one
        await _in_thread(tree.signal, signal.SIGTERM)
        if tree.members:
            await asyncio.wait({self._ended}, timeout=self._grace)

    async def _clear_away(self) -> None:
        if self._watching:
            self._watching.cancel()
        if self._filling:
            await _patiently(self._filling)
        if self._killing:
            await _patiently(self._killing)
        if self._tree:
            await _patiently(_in_thread(self._tree.kill))
            await _patiently(self._ended, _LAST_NOTICE)
            self._over(-signal.SIGKILL)  # if it does not end though it was killed
        if self._output:
            self._output.close()
        _programs.discard(self)
        if self._folder:
            await _patiently(_in_thread(self._folder.remove))


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


async def _patiently(work: asyncio.Future[T], seconds: float | None = None) -> None:
    """Wait for it to be done, also if we are cancelled meanwhile: it is about leaving nothing."""
    try:
        await asyncio.wait({work}, timeout=seconds)
    except asyncio.CancelledError:
        await asyncio.wait({work}, timeout=seconds)
