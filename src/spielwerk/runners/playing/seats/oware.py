"""Oware programs are servers: they are waited for, and then asked like any server elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.engines.players import REMOTE
from spielwerk.runners.playing.ports import reserved_port
from spielwerk.runners.playing.seats.seating import Seating
from spielwerk.runners.playing.venue import HERE
from spielwerk.runners.playing.whose import TAKEN, Whose
from spielwerk.store.contest_records import End, Kind
from spielwerk.store.records import Reason
from spielwerk.tables.engines import RemoteOccupant
from spielwerk.tables.table import NotNow

if TYPE_CHECKING:
    from spielwerk.runners.playing.sitting import Sitting
    from spielwerk.runners.playing.table import ContestTable
    from spielwerk.tables.seat import Seat

PROGRAM: Final = "the program"
LOOK: Final = 0.01  # seconds between two looks whether a program listens
WISHES: Final = ("strategy", "depth", "connect", "timeout")
FOREIGN: Final = (Whose.SHARED, Whose.ANOTHERS)


class OwareSeating(Seating):
    """Servers that we start, and servers elsewhere."""

    leaving: ClassVar = False  # a server serves until it is stopped

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._reserved = ExitStack()
        self._ports: dict[int, int] = {}

    async def open(self) -> None:
        """Set up the table, where those elsewhere sit already."""
        await super().open()
        for number in self.numbers:
            self._ports[number] = self._reserved.enter_context(reserved_port(HERE))
        for number, player in enumerate(self.sitting.assignment.seats):
            if player.kind is Kind.REMOTE:
                self._sit(number, player.text)

    def told(self, detail: str) -> str:
        """A program's port is nobody's concern."""
        for port in self._ports.values():
            detail = detail.replace(f"{HERE}:{port}", PROGRAM)
        return detail

    def port(self, number: int) -> int:
        """The port that the program has to listen on."""
        return self._ports[number]

    async def receive(self, number: int) -> None:
        """Wait until the program can be asked."""
        while (whose := self.listener(number)) is Whose.NOBODYS:
            await asyncio.sleep(LOOK)
        if whose is Whose.ITS_OWN:
            self._sit(number, f"{HERE}:{self._ports[number]}")
        else:
            self.sitting.arrivals[number].failed(End.SERVER_ERROR, TAKEN)

    def listener(self, number: int) -> Whose:
        """Who listens at the port of a program; if another one of the game does, it is accused."""
        keeper, port = self.sitting.keeper, self._ports[number]
        whose = keeper.listener(number, port)
        if whose in FOREIGN:
            keeper.accuse_occupants(number, port)
        return whose

    def inspect(self, number: int) -> None:
        """See whether another one has taken the port, or kept the server busy."""
        if number in self._ports:
            self.sitting.keeper.accuse_occupants(number, self._ports[number])
            self.sitting.keeper.accuse_visitors(number, self._ports[number])

    def _sit(self, number: int, place: str) -> None:
        sitting = self.sitting
        table = sitting.table
        assert table is not None  # noqa: S101 - it is there from the beginning
        seat = table.seats[number]
        text = described(place, sitting.player(number).options, sitting.terms.move_time / 1000)
        seat.record = replace(seat.record, player=text)
        sitting.arrivals[number].came()
        if number in self._ports:
            table.sit(SeatServer(self, table, seat), number)
        else:
            table.sit(RemoteOccupant(table, seat, sitting.engines), number)

    async def close(self) -> None:
        """The ports are anybody's again."""
        self._reserved.close()


class SeatServer(RemoteOccupant):
    """A server that we have started: before it is asked, it is seen to that nobody else answers."""

    def __init__(self, seating: OwareSeating, table: ContestTable, seat: Seat) -> None:
        super().__init__(table, seat, seating.sitting.engines)
        self._listener = partial(seating.listener, seat.number)

    async def _choose(self) -> Any:
        if self._listener() in FOREIGN:
            self._table.abort(Reason.SERVER_ERROR, TAKEN)
            raise NotNow(TAKEN)
        return await super()._choose()


def described(place: str, options: tuple[str, ...], seconds: float) -> str:
    """The player at this place: with the wishes of its entrant, and all of a move's time."""
    wishes = [text for text in options if text.partition("=")[0] in WISHES]
    given = {text.partition("=")[0] for text in (*place.split(",")[1:], *wishes)}
    if seconds and "timeout" not in given:
        wishes.append(f"timeout={seconds:g}")
    return f"{REMOTE}{','.join((place, *wishes))}"
