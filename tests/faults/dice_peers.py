"""Bots over real sockets: a scripted one, one that plays as the document says, and faults."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spielwerk.wire.dice.client import (
    Asked,
    BotRefused,
    DiceClientSide,
    Greeted,
    RaceEnded,
    ServerParted,
)
from tests.faults.fault_clients import (
    Address,
    Wire,
    deaf,
    empty_lines,
    fin,
    garbage,
    half_close,
    no_newline,
    reset,
    silence,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from spielwerk.wire.dice.client import Event

HOLD = 15  # points of a turn that are saved
DRIP = 0.3  # seconds between two bytes, so that no line is complete in time


class Peer:
    """A bot that follows a script: it expects a line, and answers."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._lines = wire.read()

    @classmethod
    async def open(cls, address: Address, *, deaf: bool = False) -> Peer:
        return cls(await Wire.open(address, deaf=deaf))

    async def expect(self, start: str, answer: str = "") -> str:
        """The next line, which must begin like this; then say something, if there is something."""
        line = await anext(self._lines, "nothing more")
        assert line.startswith(start), (line, self.wire.lines)
        if answer:
            await self.say(answer)
        return line

    async def say(self, line: str) -> None:
        await self.wire.send(f"{line}\n".encode())

    async def ends(self) -> list[str]:
        """Everything up to the end of the connection."""
        return [line async for line in self._lines]


@dataclass
class Bot:
    """A bot that keeps the score, holds at a few points, and stops where it is told to."""

    address: Address
    name: str
    stop_at: str = ""  # a state in which it is to go wrong
    deaf: bool = False
    may_decide: asyncio.Event | None = None  # held back before every decision
    may_part: asyncio.Event | None = None  # and before its BYE
    before_decision: Callable[[], None] = lambda: None
    decisions: int = 0
    won: bool = False
    wire: Wire = field(init=False)
    side: DiceClientSide = field(default_factory=DiceClientSide)

    @property
    def lines(self) -> list[str]:
        return self.wire.lines

    @property
    def last(self) -> str:
        return self.lines[-1] if self.lines else ""

    def hang_up(self) -> None:
        """Close the connection, if there is one."""
        if hasattr(self, "wire"):
            self.wire.close()

    async def play(self) -> None:
        """Play to the end, or to the state in which to stop; the wire stays open."""
        self.wire = await Wire.open(self.address, deaf=self.deaf)
        async for line in self.wire.read():
            self.side.receive(f"{line}\n".encode())
            event = self.side.next_event()
            if event and await self._stops_after(event):
                return

    async def _stops_after(self, event: Event) -> bool:
        """Answer what has been said; True if this is the place to stop."""
        match event:
            case Greeted():
                return self.stop_at == "AUTH" or await self._introduce()
            case Asked(position):
                return self.stop_at == "TURN" or await self._decide(position.points)
            case RaceEnded(won):
                self.won = won
                return self.stop_at == "BYE" or await self._part()
            case ServerParted():
                return self.stop_at == "OVER"
            case BotRefused():
                return False

    async def _introduce(self) -> bool:
        await self.wire.send(self.side.auth(self.name))
        return self.stop_at in ("LONELY", "SEATED", "IDLE")

    async def _decide(self, points: int) -> bool:
        if self.may_decide:
            await self.may_decide.wait()
        self.before_decision()
        self.decisions += 1
        await self.wire.send(self.side.save() if points >= HOLD else self.side.roll())
        return self.stop_at == "WRITING"

    async def _part(self) -> bool:
        if self.may_part:
            await self.may_part.wait()
        await self.wire.send(self.side.bye())
        return self.stop_at == "PARTED"


# the faults that know the protocol; each gets a wire, and the state that it is in


async def many_lines(wire: Wire, state: str) -> None:  # noqa: ARG001
    await asyncio.gather(wire.send(b"ROLL\n" * 100_000), wire.listen())


async def wrong(wire: Wire, state: str) -> None:
    """A line that is nearly right."""
    lines = {"AUTH": b"AUTH b@d\n", "BYE": b"BYE 1 2 3\n"}
    await wire.send(lines.get(state, b"SAVE please\n"))


async def drip(wire: Wire, state: str) -> None:
    """The right line, but far too slowly."""
    listening = asyncio.create_task(wire.listen())
    for byte in {"AUTH": b"AUTH name\n", "BYE": b"BYE 60 0 0\n"}.get(state, b"ROLL  \n"):
        await wire.send(bytes([byte]))
        await asyncio.wait([listening], timeout=DRIP)
        if listening.done():
            break
    await listening


FAULTS: dict[str, Callable[[Wire, str], Awaitable[None]]] = {
    fault.__name__: fault
    for fault in (
        fin,
        reset,
        half_close,
        silence,
        garbage,
        wrong,
        no_newline,
        many_lines,
        empty_lines,
        drip,
        deaf,
    )
}
LOST = ("fin", "reset", "half_close")
SLOW = ("silence", "drip", "deaf")
NOTICED = (*LOST, "many_lines", "empty_lines")  # also of one who is not asked for anything
MUTE = ("fin", "reset", "half_close", "deaf")  # nobody who hears a reason, or nobody told one
