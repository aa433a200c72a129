"""Cases that look at a program as a process, whatever it plays: what it uses, and what it leaves.

A protocol supplies its steps; `behaviour.toml` has the texts, and says for each protocol what its
document asks. What no document asks is advice.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import psutil

from spielwerk.check.started import ENDING, the_program
from spielwerk.check.texts import Scripts, toml_of
from spielwerk.check.trial import CaseOver

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from spielwerk.check.case import Case
    from spielwerk.check.program import CheckedProgram
    from spielwerk.check.started import ProgramTrial

script: Final = Scripts()

MOVES: Final = 200  # that a program is asked for, at most
ENOUGH: Final = 60  # moves after which a growth can be told from a beginning
TOGETHER: Final = 20.0  # seconds for all of them
SETTLED: Final = 0.3  # seconds after which a program has nothing left to do but wait
WATCHED: Final = 1.5  # seconds in which it must not burn a processor
WINDOWS: Final = 3  # that often, so that its preparations are not taken for a loop
BURNING: Final = 0.5  # of a processor
BUSY: Final = 0.03  # of a processor for which many compete,
ALWAYS: Final = 0.9  # and so long either on it or in the queue for it
GROWTH: Final = 0.25  # of its memory, and at least
LEAK: Final = 2_000_000  # bytes
STEADY: Final = 0.15  # of the growth, in each third
REACTION: Final = 15.0  # seconds for a program to go on when one of its processes is killed
NAMED: Final = 5  # things that a sentence lists

_COLLECTED: Final = ("java", "node", "dotnet", "mono", "bun", "deno")  # take memory as they like
_WIDE: Final = 256_000_000  # bytes


def behaviour_cases(protocol: str) -> list[Case]:
    """The cases of `behaviour.toml` that a protocol has, with what is special for it.

    Roles of a protocol, as `NAME-host`, share what stands under the protocol's own name.
    """
    listed = toml_of("spielwerk.check", "behaviour.toml")["case"]
    found = [(one, one.get(protocol) or one.get(protocol.partition("-")[0])) for one in listed]
    return [script.case({**one, **own, "started": True}) for one, own in found if own]


async def _game(trial: ProgramTrial) -> CheckedProgram:
    """A short game from its start to its end."""
    await trial.begin()
    await trial.next_move(0)
    await trial.finish()
    return the_program(trial)


# the end of a game


@script
async def _behaviour_ends(trial: ProgramTrial) -> None:
    program = await _game(trial)
    if program.running and not trial.faults:
        await trial.ends("game-over")


@script
async def _behaviour_processes(trial: ProgramTrial) -> None:
    await _game(trial)
    await _all_gone(trial)


@script
async def _behaviour_shared_memory(trial: ProgramTrial) -> None:
    await _game(trial)
    await _nothing_shared(trial, "shm")


@script
async def _behaviour_semaphores(trial: ProgramTrial) -> None:
    await _game(trial)
    await _nothing_shared(trial, "sem", "msg")


@script
async def _behaviour_files(trial: ProgramTrial) -> None:
    program = await _game(trial)
    if await program.gone(ENDING):
        found = sorted(path for path in program.scratch.rglob("*") if not path.is_dir())
        names = [*(path.relative_to(program.scratch) for path in found), *program.traces.files()]
        if names:
            trial.blame("file-left", names=_listed(map(str, names)))


@script
async def _behaviour_connection_lost(trial: ProgramTrial) -> None:
    """Whether it ends then is asked elsewhere; here, what it leaves if it does."""
    await trial.begin()
    await trial.next_move(0)
    trial.hang_up()
    if await the_program(trial).ended(ENDING):
        await _all_gone(trial)
        await _nothing_shared(trial, "shm", "sem", "msg")


@script
async def _behaviour_interrupted(trial: ProgramTrial) -> None:
    """As the terminal does it: the signal goes to all processes of the group."""
    await trial.begin()
    program = the_program(trial)
    program.look()
    program.dismissed = True
    trial.happened("interrupted")
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGINT)
    if not await program.gone(ENDING):
        left = _described([program.tree.members[0]] if program.running else program.others())
        trial.blame("ignores-interrupt", names=left, seconds=ENDING, timed=True)
    await _nothing_shared(trial, "shm", "sem", "msg")


async def _all_gone(trial: ProgramTrial) -> None:
    """All processes must have ended with the first."""
    program = the_program(trial)
    if not program.running and not await program.gone(ENDING) and (left := program.others()):
        trial.blame("process-left", names=_described(left), seconds=ENDING, timed=True)


async def _nothing_shared(trial: ProgramTrial, *kinds: str) -> None:
    """What is shared by processes must have been removed; while some run on, they may need it."""
    program = the_program(trial)
    if await program.gone(ENDING):
        left = [one for one in program.traces.shared() if one.kind in kinds]
        for kind in sorted({one.kind for one in left}):
            alike = [one for one in left if one.kind == kind]
            names, first = _listed(one.name for one in alike), alike[0]
            call, command = first.call, first.command
            trial.blame(f"{kind}-left", hint="ipc", names=names, call=call, command=command)


# while it waits and plays


@script
async def _behaviour_idle(trial: ProgramTrial) -> None:
    """Before its first move there is nothing to think about."""
    await trial.begin()
    await trial.idle(SETTLED)
    program, loop = the_program(trial), asyncio.get_running_loop()
    for _ in range(WINDOWS):
        began, before = loop.time(), _used(program)
        await trial.idle(WATCHED)
        seconds = loop.time() - began
        used = Used(*(now - then for now, then in zip(_used(program), before, strict=True)))
        if not used.burns(seconds):
            return
    hint = "asks-again" if used.system > used.running / 10 else "spins"
    trial.blame(
        "busy", hint=hint, percent=min(100, round(100 * used.wanted / seconds)), seconds=WATCHED
    )


class Used(NamedTuple):
    """Seconds of a processor that processes have used; on a busy machine they stand in a queue."""

    running: float
    queued: float
    system: float

    @property
    def wanted(self) -> float:
        """What they would have used of a processor of their own, at most."""
        return self.running + self.queued

    def burns(self, seconds: float) -> bool:
        """Whether that is a loop without a pause: who only looks now and then hardly runs."""
        at_leisure = self.running >= BURNING * seconds
        return at_leisure or (self.running >= BUSY * seconds and self.wanted >= ALWAYS * seconds)


def _used(program: CheckedProgram) -> Used:
    system = queued = 0.0
    for one in program.tree.members:
        with suppress(psutil.Error):
            system += one.cpu_times().system
        for statistics in Path(f"/proc/{one.pid}/task").glob("*/schedstat"):
            with suppress(OSError, ValueError):
                queued += int(statistics.read_text().split()[1]) / 1e9
    return Used(program.tree.cpu() / 1000, queued, system)


@script
async def _behaviour_zombies(trial: ProgramTrial) -> None:
    await trial.begin()
    await trial.next_move(0)
    program = the_program(trial)
    before = program.zombies()
    await trial.idle(SETTLED)
    if left := [one for one in program.zombies() if one in before]:
        trial.blame("zombie", hint="no-wait", names=_described(left))


@script
async def _behaviour_memory(trial: ProgramTrial) -> None:
    """Its memory after a quarter of the moves, and then three times as many.

    It may stop playing earlier without blame: no server asks for so many moves.
    """
    trial.lengthen()
    if not await _softly(trial, trial.begin()):
        return
    program, loop = the_program(trial), asyncio.get_running_loop()
    deadline = loop.time() + TOGETHER
    sizes: list[int] = []
    while len(sizes) < MOVES and loop.time() < deadline:
        if not await _softly(trial, trial.next_move(len(sizes))):
            break
        sizes.append(program.tree.memory())
    if len(sizes) >= ENOUGH:
        _compare(trial, program, sizes)


def _compare(trial: ProgramTrial, program: CheckedProgram, sizes: list[int]) -> None:
    if not is_steady(sizes, _WIDE if _is_collected(program) else 0):
        return
    early, late = len(sizes) // 4, len(sizes)
    before, after = sizes[early - 1], sizes[-1]
    trial.blame(
        "grows",
        hint="leak",
        before=f"{before / 1e6:.1f}",
        after=f"{after / 1e6:.1f}",
        early=early,
        late=late,
        each=round((after - before) / (late - early) / 1000),
    )


def is_steady(sizes: list[int], least: int) -> bool:
    """Whether sizes grow much and all the time, once a quarter of them is past."""
    first, *rest = (sizes[len(sizes) * quarter // 4 - 1] for quarter in (1, 2, 3, 4))
    growth = rest[-1] - first
    steps = [later - sooner for sooner, later in zip((first, *rest), rest, strict=False)]
    return growth >= max(least, LEAK, GROWTH * first) and min(steps) >= STEADY * growth


# one of its processes is killed


@script
async def _behaviour_child_killed(trial: ProgramTrial) -> None:
    await trial.begin()
    await trial.next_move(0)
    if others := the_program(trial).others():
        await _killed(trial, max(others, key=lambda one: one.pid))


@script
async def _behaviour_parent_killed(trial: ProgramTrial) -> None:
    await trial.begin()
    await trial.next_move(0)
    program = the_program(trial)
    if program.others() and program.running:
        program.dismissed = True  # it does not end by a fault of its own
        await _killed(trial, program.tree.members[0])


async def _killed(trial: ProgramTrial, victim: psutil.Process) -> None:
    """The rest must go on or end; it may wait for the server to close the connection."""
    program = the_program(trial)
    trial.happened("killed", names=_described([victim]))
    with suppress(ProcessLookupError):
        os.kill(victim.pid, signal.SIGKILL)
    if await _softly(trial, trial.next_move(1)):
        await _softly(trial, trial.finish())
    else:
        trial.hang_up()
    if not await program.gone(ENDING):
        root = [] if not program.running else program.tree.members[:1]
        left = _described([*root, *program.others()])
        trial.blame("outlives", names=left, seconds=ENDING, timed=True)
    await _nothing_shared(trial, "shm", "sem", "msg")


async def _softly(trial: ProgramTrial, step: Awaitable[None]) -> bool:
    """Whether the program takes part in a step; it is not blamed if not."""
    before = len(trial.faults)
    try:
        async with asyncio.timeout(REACTION):
            await step
    except (CaseOver, TimeoutError):
        return False
    finally:
        del trial.faults[before:]
    return True


# what is said of it


def _listed(names: Iterable[str]) -> str:
    """The first few of them."""
    found = list(names)
    more = f" (+ {len(found) - NAMED})" if len(found) > NAMED else ""
    return f"{', '.join(found[:NAMED])}{more}"


def _described(processes: Iterable[psutil.Process]) -> str:
    """Processes by number and name; a name may be lost with its process."""
    texts = []
    for one in processes:
        name = ""
        with suppress(psutil.Error):
            name = f" ({one.name()})"
        texts.append(f"{one.pid}{name}")
    return _listed(texts)


def _is_collected(program: CheckedProgram) -> bool:
    """Whether it runs in one of the machines that take memory before they collect what is free."""
    for one in program.tree.members:
        with suppress(psutil.Error):
            if one.name().startswith(_COLLECTED):
                return True
    return False
