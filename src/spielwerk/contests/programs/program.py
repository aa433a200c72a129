"""Programs of strangers: started with nothing but what they need, watched, and stopped for certain.

Each runs in a session and a working folder of its own, without input, in an environment that tells
it nothing about us. What it writes is read all the time. Nothing stays when it is stopped: none of
its processes, not even those that slipped away from it, and not its folder.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self, TypeVar, TypeVarTuple

from spielwerk.contests.commands import named_files
from spielwerk.contests.contest import Resources
from spielwerk.contests.programs import sandbox
from spielwerk.contests.programs.commands import CannotRun, check, command_line, explained
from spielwerk.contests.programs.confining import Confinement
from spielwerk.contests.programs.endings import Ending, in_words, told_by_shell
from spielwerk.contests.programs.folders import Folder, remove_abandoned
from spielwerk.contests.programs.limits import enforced, exceeded, memory_of, restrain
from spielwerk.contests.programs.measuring import CpuClock
from spielwerk.contests.programs.output import Output
from spielwerk.contests.programs.trees import (
    Tree,
    adopt_orphans,
    kill_abandoned,
    marked,
    new_mark,
    starting,
    sweep,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spielwerk.contests.assignment import Player, Terms

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

__all__ = ["CannotRun", "Program", "adopt_orphans", "clear_abandoned"]

GRACE: Final = 0.5  # seconds for a program to end when it is asked to
_FIRST_LOOK: Final = 0.05  # seconds after the start
_BETWEEN_LOOKS: Final = 0.2  # seconds
_GENERATIONS: Final = 4  # bubblewrap, its child, the program, and what that starts at once
_LOOKS_FOR_STRAYS: Final = 5  # one in so many looks is for those who slipped away


@dataclass(frozen=True, slots=True)
class _Running:
    """What there is of a program that was started."""

    tree: Tree
    clock: CpuClock
    output: Output
    ending: Ending
    confinement: Confinement


class Program:
    """A program from its start to its end; every run has an object of its own.

    `over_limit` says in a sentence which limit it was stopped for. `memory` is how many bytes all
    its processes together had at most, as far as that was seen: we look five times a second.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: str = "",
        limits: Resources | None = None,
        sandboxed: bool = False,
        readable: Sequence[str] = (),
        hidden: Sequence[str] = (),
        grace: float = GRACE,
    ) -> None:
        self.over_limit: str | None = None
        self.memory = 0
        self._command = command
        self._source = folder
        self._limits = limits or Resources()
        self._sandboxed = sandboxed
        self._readable = readable
        self._hidden = hidden
        self._grace = grace
        self._folder: Folder | None = None
        self._running: _Running | None = None
        self._code: int | None = None
        self._dismissed = False
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._filling: asyncio.Future[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._finishing: asyncio.Task[None] | None = None

    @classmethod
    def of(cls, player: Player, places: Mapping[str, str], terms: Terms) -> Self:
        """The program of a player, as the terms of the contest allow it."""
        command = command_line(player, places)
        return cls(
            command,
            folder=str(Path(player.base, player.folder)) if player.folder else "",
            limits=terms.resources,
            sandboxed=terms.sandbox,
            readable=named_files(command),
            hidden=(player.base,),
        )

    # what is known of it

    @property
    def ended(self) -> asyncio.Future[str]:
        """Done when the program has ended, with its status; everybody gets one to wait for."""
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
    def tree(self) -> Tree | None:
        """Its processes, once it was started."""
        return self._running.tree if self._running else None

    @property
    def output(self) -> str:
        """The last of what it wrote, fit to be shown."""
        return self._running.output.tail.text if self._running else ""

    def cpu(self) -> int:
        """Milliseconds of CPU time of all its processes until now; one may ask at every move."""
        return self._running.clock.read() if self._running else 0

    @property
    def _allowed(self) -> int:
        """How many processes there may be, with those that are ours."""
        return self._limits.processes + (sandbox.PROCESSES if self._sandboxed else 0)

    def confine(self, confined: bool = True) -> None:
        """Hold it to the one processor that all confined programs share, or let it go again."""
        if self._running and not self._ended.done():
            confinement = self._running.confinement
            confinement.close() if confined else confinement.open()

    # the start

    async def start(self) -> None:
        """Start it; CannotRun if that is not possible, and then there is nothing to stop."""
        try:
            self._folder = Folder()
            if self._source:
                self._filling = _in_thread(self._folder.fill, self._source)
                await asyncio.shield(self._filling)
            self._launch(self._folder)
        except BaseException:
            await self.stop()
            raise

    def _launch(self, folder: Folder) -> None:
        search = os.environ.get("PATH", os.defpath)
        if self._sandboxed:
            search = sandbox.search_path(search)
        check(self._command, folder.work, search)
        mark = new_mark()
        output = Output(self._limits.output, self._flooded)
        try:
            # In no other thread: bubblewrap ends a program together with the one that started it.
            with starting:
                process = self._process(folder, _environment(search, folder, mark), output.writer)
                self._running = running = self._taken_up(process, mark, output)
        except BaseException as error:
            output.close()
            if isinstance(error, OSError):
                raise explained(self._command, error) from None
            raise
        finally:
            output.started()
        self._restrain(running.tree)
        self._watching = asyncio.create_task(self._watch(running))

    def _taken_up(self, process: subprocess.Popen[bytes], mark: str, output: Output) -> _Running:
        """What there is of a program that was just started; without all of it, nobody has it."""
        tree: Tree | None = None
        try:
            tree = Tree(process.pid, mark, sealed=self._sandboxed)
            ending, confinement = Ending(process, self._over), Confinement(tree, self._allowed)
            return _Running(tree, CpuClock(tree), output, ending, confinement)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if tree:
                tree.close()
            raise

    def _process(
        self, folder: Folder, environment: dict[str, str], writer: int
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - that is what we are here for
            self._wrapped(folder),
            cwd=folder.work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def _wrapped(self, folder: Folder) -> Sequence[str]:
        if not self._sandboxed:
            return self._command
        places = str(folder.work), str(folder.scratch)
        return sandbox.program_command(self._command, *places, self._readable, self._hidden)

    # the watch

    async def _watch(self, running: _Running) -> None:
        await asyncio.sleep(_FIRST_LOOK)
        self._restrain(running.tree)
        for look in itertools.count(1):
            if look % _LOOKS_FOR_STRAYS == 0:
                running.tree.gather()
            self._look(running)
            await asyncio.sleep(_BETWEEN_LOOKS)

    def _restrain(self, tree: Tree) -> None:
        """Hold everybody to the limits, also those who were started before their parents were."""
        held: set[int] = set()
        for _ in range(_GENERATIONS):
            for process in tree.look(self._limits.processes):
                if process.pid not in held:
                    restrain(process.pid, self._limits)
                    held.add(process.pid)

    def _look(self, running: _Running) -> None:
        members = running.tree.look(self._allowed)
        self.memory = max(self.memory, memory_of(members))
        if len(members) > self._allowed:
            self._exceeded(f"had more than {self._limits.processes:,} processes")
        elif problem := exceeded(members, running.clock.read(), self._limits):
            self._exceeded(problem)

    def _flooded(self) -> None:
        self._exceeded(f"wrote more than {self._limits.output:,} bytes")

    def _exceeded(self, problem: str) -> None:
        """Stop it at once, without asking; only the first reason counts."""
        if self._running and not self._ended.done() and not self.over_limit:
            self.over_limit = problem
            _in_thread(self._running.tree.kill)

    def _over(self, code: int) -> None:
        if self._running:
            self._running.output.catch_up()
        self._code = told_by_shell(code) if self._sandboxed else code
        self.over_limit = self.over_limit or enforced(-self._code, self._limits)
        self._ended.set_result(self.status)

    # the end

    async def stop(self) -> None:
        """Stop it and whoever belongs to it, and remove its folder; a second time does no harm.

        Who is cancelled meanwhile hears of it when all that is done.
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
        if self._sandboxed and len(running.tree.members) <= sandbox.PROCESSES:
            return  # there is only bubblewrap yet, and nobody to ask
        # Bubblewrap's outer process would not pass it on, but kill the others.
        spared = running.tree.root if self._sandboxed else 0
        await _in_thread(running.tree.send, signal.SIGTERM, spared)
        await asyncio.wait({self._ended}, timeout=self._grace)

    async def _clear_away(self) -> None:
        if self._watching:
            self._watching.cancel()
        if self._filling:
            await _patiently(self._filling)
        if self._running:
            await self._kill(self._running)
            await _patiently(_in_thread(sweep))
        if self._folder:
            await _patiently(_in_thread(self._folder.remove))

    async def _kill(self, running: _Running) -> None:
        killing = _in_thread(running.tree.kill)
        await _patiently(killing)
        running.clock.read()  # as long as there is something to be read
        if killing.result():
            running.ending.take_notice()
        else:
            running.ending.give_up()
        running.tree.close()
        running.output.close()


def clear_abandoned() -> None:
    """Do away with programs and folders of processes that were killed before they could do it.

    It takes its time, so it is nothing for an event loop.
    """
    kill_abandoned()
    remove_abandoned()


def _environment(search: str, folder: Folder, mark: str) -> dict[str, str]:
    work = str(folder.work)
    return {"PATH": search, "LANG": "C.UTF-8", "HOME": work, "TMPDIR": work, **marked(mark)}


def _in_thread(work: Callable[[*Arguments], T], *arguments: *Arguments) -> asyncio.Future[T]:
    """Not as a task, so that nobody cancels it who cancels all tasks."""
    return asyncio.get_running_loop().run_in_executor(None, work, *arguments)


async def _patiently(work: asyncio.Future[T]) -> None:
    """Wait for it to be done, also if we are cancelled meanwhile: it is about leaving nothing."""
    try:
        await asyncio.wait({work})
    except asyncio.CancelledError:
        await asyncio.wait({work})
