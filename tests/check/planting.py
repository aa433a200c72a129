"""Faults that are planted, what the checks must say about them, and how players are checked."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple, TypeVar

from spielwerk.check.case import CaseFault, CaseVerdict, run, select
from spielwerk.check.catalogue import ProgramCheck
from spielwerk.check.running import run_all
from spielwerk.check.trial import CheckSettings
from tests.check.hasty import run_hastily

T = TypeVar("T", bound=type)

PLAYER = Path(__file__).parent / "programs" / "player.py"


class Planted(NamedTuple):
    """A faulty player, the case that fits its fault, and how the fault is named there."""

    faulty: Any
    case: str
    kind: str
    problem: str  # a pattern of its sentence
    hint: str  # words of its hint; nothing if there must be none
    options: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.faulty.__name__} {self.case}"

    def is_told(self, verdict: CaseVerdict) -> None:
        """Assert that the case has found the fault, and says what it must."""
        assert verdict.faults, f"nothing was found by {self.case}"
        fault = min(verdict.faults, key=lambda one: one.advice)
        assert re.fullmatch(self.kind, fault.kind.partition(":")[0]), (fault.kind, fault.problem)
        assert re.search(self.problem, fault.problem), fault.problem
        assert self.hint in fault.hint, fault.hint
        assert bool(self.hint) == bool(fault.hint), fault.hint


class Faults(list[Planted]):
    """As a decorator it plants a class."""

    def __call__(
        self, case: str, kind: str, problem: str = "", hint: str = "", **options: str
    ) -> Callable[[T], T]:
        def plant(faulty: T) -> T:
            self.append(Planted(faulty, case, kind, problem, hint, options))
            return faulty

        return plant


class Odd(list[Any]):
    """Players that are odd, and keep to the protocol: none of them may be blamed."""

    def __call__(self, player: T) -> T:
        self.append(player)
        return player


class Lost(Exception):
    """The other side has gone, or has said what is not understood."""


class Line:
    """A player's line to another program."""

    opened: ClassVar[list[Line]] = []  # all of them, to be closed in the end

    def __init__(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.stream, self.writer = stream, writer
        self.opened.append(self)

    @classmethod
    async def at(cls, host: str, port: int) -> Line:
        """Connect."""
        return cls(*await asyncio.open_connection(host, port, limit=1 << 20))

    async def say(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def hear(self) -> bytes:
        """The next line, without its newline."""
        line = await self.stream.readline()
        if not line.endswith(b"\n"):
            raise Lost
        return line[:-1]

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


class LinePlayer:
    """A player that connects to the checker and speaks in lines, in the trial's own loop."""

    stream: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def __init__(self, places: Mapping[str, str]) -> None:
        self.places = places

    async def run(self) -> None:
        """Connect, play, and leave."""
        host, port = self.places["host"], int(self.places["port"])
        self.stream, self.writer = await asyncio.open_connection(host, port)
        try:
            await self.play()
        except (Lost, OSError) as problem:
            await self.give_up(problem)
        finally:
            self.leave()

    async def play(self) -> None:
        """The whole conversation."""
        raise NotImplementedError

    async def give_up(self, problem: Exception) -> None:
        """The connection is lost, or the server has refused something."""

    def leave(self) -> None:
        """Close the connection."""
        self.writer.close()

    async def line(self) -> str:
        """The server's next line."""
        line = await self.stream.readline()
        if not line.endswith(b"\n"):
            raise Lost
        return line.decode().rstrip("\n")

    async def say(self, text: str) -> None:
        """Send a line."""
        await self.write(f"{text}\n".encode())

    async def write(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)
        await self.writer.drain()


def verdicts(
    check: ProgramCheck,
    player: Any,
    only: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    **wishes: str,
) -> dict[str, CaseVerdict]:
    """What a check says about a player in the same process, by the names of the cases."""

    async def work() -> list[CaseVerdict]:
        running: list[asyncio.Task[None]] = []
        rng = Random(seed)

        def tell(places: Mapping[str, str]) -> None:
            running.append(asyncio.create_task(_quietly(player(places, rng))))

        settings = CheckSettings(tell=tell, seed=seed)
        cases, trial = check.prepare(check.chosen(wishes))
        judged = await run(select(cases, only), lambda: trial(settings), jobs, lambda _: None)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for line in Line.opened:
            line.writer.transport.abort()
        Line.opened.clear()
        await asyncio.sleep(0.01)
        return judged

    return {verdict.case.name: verdict for verdict in run_hastily(work())}


async def _quietly(player: Any) -> None:
    """What happens to a player shows on its connections alone."""
    with suppress(Lost, OSError, ValueError, IndexError, StopIteration, UnicodeError):
        await player.run()


def small_player(habits: str) -> tuple[str, ...]:
    """The command of `programs/player.py`, a client of the game server with these habits."""
    places = ("{host}", "{port}", "{game}", "{player}")
    return (sys.executable, "-I", "-S", str(PLAYER), habits, *places)


def checked(
    check: ProgramCheck, command: Sequence[str], only: Sequence[str] = (), **settings: Any
) -> dict[str, CaseVerdict]:
    """What a check says about a program that it starts, by the names of the cases."""

    async def work() -> list[CaseVerdict]:
        how = CheckSettings(tuple(command), **settings)
        cases, trial = check.prepare(check.chosen({}))
        chosen = select(cases, only)
        return await run_all(chosen, lambda: trial(how), 4, lambda _: None)

    return {verdict.case.name: verdict for verdict in asyncio.run(work())}


def told(
    judged: Mapping[str, CaseVerdict] | Iterable[CaseVerdict], *, advice: bool = False
) -> list[str]:
    """What was wrong, case by case."""
    return [
        f"{verdict.case.name}: {fault.kind}: {fault.problem}"
        for verdict in (judged.values() if isinstance(judged, Mapping) else judged)
        for fault in verdict.faults
        if advice or not fault.advice
    ]


def found(judged: Mapping[str, CaseVerdict], case: str, kind: str) -> CaseFault:
    """The fault of this kind that a case has found."""
    faults = [fault for fault in judged[case].faults if fault.kind == kind]
    assert faults, told(judged, advice=True)
    return faults[0]
