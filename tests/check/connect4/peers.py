"""What honest players of both roles share, and how they are checked in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, ClassVar, Protocol

from spielwerk.check.case import CaseVerdict, run, select
from spielwerk.check.catalogue import ProgramCheck
from spielwerk.check.trial import CheckSettings
from tests.check.hasty import run_hastily


class Lost(Exception):
    """The other side has gone, or has said what is not understood."""


class Peer:
    """One line to another program."""

    opened: ClassVar[list[Peer]] = []  # all of them, to be closed in the end

    def __init__(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.stream, self.writer = stream, writer
        self.opened.append(self)

    @classmethod
    async def at(cls, host: str, port: int) -> Peer:
        """Connect."""
        return cls(*await asyncio.open_connection(host, port, limit=1 << 20))

    async def say(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def line(self) -> bytes:
        """The next line, without its newline."""
        line = await self.stream.readline()
        if not line.endswith(b"\n"):
            raise Lost
        return line[:-1]

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


class Player(Protocol):
    """A program in the same process."""

    def __init__(self, places: Mapping[str, str], rng: Random) -> None: ...

    async def run(self) -> None:
        """Do everything."""


def verdicts(
    check: ProgramCheck,
    player: Any,
    only: Sequence[str] = (),
    seed: int = 0,
    **wishes: str,
) -> dict[str, CaseVerdict]:
    """What the check says about a player, by the names of the cases."""
    return run_hastily(_verdicts(check, player, only, seed, wishes))


async def _verdicts(
    check: ProgramCheck, player: Any, only: Sequence[str], seed: int, wishes: Mapping[str, str]
) -> dict[str, CaseVerdict]:
    running: list[asyncio.Task[None]] = []
    rng = Random(seed)

    def tell(places: Mapping[str, str]) -> None:
        running.append(asyncio.create_task(_quietly(player(places, rng))))

    settings = CheckSettings(tell=tell, seed=seed)
    cases, trial = check.prepare(check.chosen(wishes))
    judged = await run(select(cases, only), lambda: trial(settings), 1, lambda _: None)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    while Peer.opened:
        peer = Peer.opened.pop()
        peer.writer.transport.abort()
    await asyncio.sleep(0.01)
    return {verdict.case.name: verdict for verdict in judged}


async def _quietly(player: Player) -> None:
    """What happens to a player shows on its connections alone."""
    with suppress(Lost, OSError, ValueError, IndexError, StopIteration, UnicodeError):
        await player.run()


def told(judged: Mapping[str, CaseVerdict], *, advice: bool = False) -> list[str]:
    """What was wrong, case by case."""
    return [
        f"{name}: {fault.kind}: {fault.problem}"
        for name, verdict in judged.items()
        for fault in verdict.faults
        if advice or not fault.advice
    ]


def find(judged: Mapping[str, CaseVerdict], case: str, kind: str, *words: str) -> None:
    """Assert that a case has found a fault of this kind, and that these words are said of it."""
    found = [fault for fault in judged[case].faults if fault.kind == kind]
    assert found, told(judged, advice=True)
    text = f"{found[0].problem} / {found[0].hint}"
    for word in words:
        assert word in text, text
