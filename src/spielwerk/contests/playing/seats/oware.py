"""Oware programs are servers: they are waited for, and then asked like any server elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.clients.oware import Address, knock
from spielwerk.contests.playing.seats.seating import Seating
from spielwerk.contests.playing.venue import HERE
from spielwerk.contests.playing.whose import TAKEN, Whose
from spielwerk.engines.players import REMOTE, PlayerFailed
from spielwerk.store.contest_records import End
from spielwerk.store.records import Reason
from spielwerk.tables.engines import RemoteOccupant
from spielwerk.tables.table import NotNow

if TYPE_CHECKING:
    from spielwerk.contests.playing.sitting import Sitting
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.tables.seat import Seat

GUARD: Final = 0.1  # seconds between two looks who is with a program that is asked
PROGRAM: Final = "the program"
LOOK: Final = 0.02  # seconds between two looks whether a program listens
WISHES: Final = ("strategy", "depth", "connect", "timeout")


class OwareSeating(Seating):
    """Servers that we start, and servers elsewhere."""

    leaving: ClassVar = False  # a server serves until it is stopped

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._reserved = ExitStack()
        self._ports: dict[int, int] = {}

    async def open(self) -> None:
        """Set up the table, and find ports for those whom we start."""
        await super().open()
        for number in self.numbers:
            self._ports[number] = self.reserve(number, self._reserved)

    def told(self, detail: str) -> str:
        """A program's port is nobody's concern."""
        for port in self._ports.values():
            detail = detail.replace(f"{HERE}:{port}", PROGRAM)
        return detail

    def port(self, number: int) -> int:
        """The port that the program has to listen on."""
        return self._ports[number]

    async def receive(self, number: int) -> None:
        """Wait until the server can be asked, here or elsewhere."""
        if number in self._ports:
            await self._wait_for(number)
        else:
            await self._call(number)

    async def _wait_for(self, number: int) -> None:
        while (whose := self.listener(number)) is Whose.NOBODYS:
            await asyncio.sleep(LOOK)
        if whose is Whose.ITS_OWN:
            self._sit(number, f"{HERE}:{self._ports[number]}")
        else:
            self.sitting.arrivals[number].failed(End.SERVER_ERROR, TAKEN)

    async def _call(self, number: int) -> None:
        """See whether a server elsewhere is there before anybody has moved, whoever begins."""
        sitting = self.sitting
        place = sitting.player(number).text
        address = Address.parse(self._described(number, place))
        try:
            await asyncio.to_thread(knock, address, sitting.terms.start)
        except PlayerFailed as error:
            sitting.arrivals[number].failed(End.NO_START, str(error))
        else:
            self._sit(number, place)

    def listener(self, number: int) -> Whose:
        """Who listens at the port of a program; another one of the game that has it is accused."""
        keeper, port = self.sitting.keeper, self._ports[number]
        whose = keeper.listener(number, port)
        if whose is not Whose.ITS_OWN:
            keeper.accuse_occupants(number, port)
        return whose

    def inspect(self, number: int) -> None:
        """See whether another one has taken the port, or kept the server busy."""
        if number in self._ports:
            self.sitting.keeper.accuse_occupants(number, self._ports[number])
            self.sitting.keeper.accuse_visitors(number, self._ports[number])

    async def guard(self, number: int) -> None:
        """As long as a program is asked, nobody else may keep it busy, not even for a while."""
        while True:
            await asyncio.sleep(GUARD)
            self.sitting.keeper.accuse_visitors(number, self._ports[number])

    def _described(self, number: int, place: str) -> str:
        terms = self.sitting.terms
        return described(place, self.sitting.player(number).options, terms.move_time / 1000)

    def _sit(self, number: int, place: str) -> None:
        sitting = self.sitting
        table = sitting.table
        assert table is not None  # noqa: S101 - it is there from the beginning
        seat = table.seats[number]
        seat.record = replace(seat.record, player=self._described(number, place))
        sitting.arrivals[number].came()
        if number in self._ports:
            table.sit(SeatServer(self, table, seat), number)
        else:
            table.sit(RemoteOccupant(table, seat, sitting.engines), number)

    async def close(self) -> None:
        """The ports are anybody's again."""
        self._reserved.close()


class SeatServer(RemoteOccupant):
    """A server that we have started: it is seen to that it answers itself, and undisturbed.

    It was alone when it sat down: if another one is in its place, it has gone from there.
    """

    def __init__(self, seating: OwareSeating, table: ContestTable, seat: Seat) -> None:
        super().__init__(table, seat, seating.sitting.engines)
        self._seating = seating

    async def _choose(self) -> Any:
        number = self._seat.number
        if self._seating.listener(number) is Whose.ANOTHERS:
            self._table.lose(self._seat, Reason.CONNECTION_LOST, TAKEN)
            raise NotNow(TAKEN)
        guard = self._loop.create_task(self._seating.guard(number))
        try:
            return await super()._choose()
        finally:
            guard.cancel()


def described(place: str, options: tuple[str, ...], seconds: float) -> str:
    """The player at this place: with the wishes of its entrant, and all of a move's time."""
    wishes = [text for text in options if text.partition("=")[0] in WISHES]
    given = {text.partition("=")[0] for text in (*place.split(",")[1:], *wishes)}
    if seconds and "timeout" not in given:
        wishes.append(f"timeout={seconds:g}")
    return f"{REMOTE}{','.join((place, *wishes))}"
