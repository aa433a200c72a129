"""A real dice server for faulty bots: one service with short limits, one with long ones."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from spielwerk.app.server import Server, running
from spielwerk.app.settings import ServerSettings, Settings
from spielwerk.servers.dice import DiceService, DiceSettings
from spielwerk.store.records import Created, SeatKind, SeatRecord
from spielwerk.tables.arena import NewTable
from tests.faults.dice_peers import Peer
from tests.faults.fault_server import Valve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from spielwerk.servers.sessions import Session
    from spielwerk.store.records import Entry
    from spielwerk.tables.table import Journal, Table
    from tests.faults.fault_clients import Address

LIMIT = 1.0  # seconds for every answer of a bot that may be slow
PATIENCE = 120.0  # and of one that is not: the machine may be busy
TARGET = 60


class Gate(Valve):
    """A valve that can also keep new games waiting."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.closed = False
        self.held: list[tuple[Entry, Callable[[BaseException | None], None]]] = []

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        """Write it, unless it has to wait."""
        if self.closed and isinstance(entry, Created):
            self.held.append((entry, done))
        else:
            super().add(entry, done)

    def let_in(self) -> None:
        """Write the games that have been waiting."""
        self.closed, waiting, self.held = False, self.held, []
        for entry, done in waiting:
            super().add(entry, done)


@dataclass
class Site:
    """A running server and how to reach it."""

    server: Server
    valve: Gate
    patient: DiceService
    strict: DiceService
    addresses: dict[DiceService, Address]
    door: asyncio.Lock = field(default_factory=asyncio.Lock)  # one game fills at a time
    enough: bool = False  # the trials are over
    guests: list[Peer] = field(default_factory=list)  # whose connections end with the server
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def name(self, kind: str) -> str:
        """A name that no other bot has."""
        return f"{kind}{next(self._numbers)}"

    def sessions(self) -> list[Session]:
        """The connections that are open."""
        return [*self.patient._sessions, *self.strict._sessions]

    async def guest(self, *, deaf: bool = False) -> Peer:
        """A scripted bot."""
        self.guests.append(await Peer.open(self.addresses[self.patient], deaf=deaf))
        return self.guests[-1]

    async def open_table(self, begins: int) -> Table:
        """A table with three seats for bots, each with the time of the port it comes by."""
        seat = SeatRecord(SeatKind.CLIENT, "")
        options = (f"target={TARGET}", f"begins={begins}")
        wish = NewTable("dice", options, seats=(seat,) * 3, move_time=0)
        return await self.server.arena.create(wish)

    def table_of(self, name: str) -> Table | None:
        """The table at which somebody of this name sits or sat."""
        tables = (t for t in self.server.arena if any(seat.name == name for seat in t.seats))
        return next(tables, None)

    def waits(self, name: str) -> bool:
        """Whether somebody of this name waits for others."""
        waiting = self.patient._waiting + self.strict._waiting
        return any(session.name == name for session in waiting)


@asynccontextmanager
async def site(folder: Path, **dice: Any) -> AsyncIterator[Site]:
    """A server with a store of its own; the short limits are a second service at its tables."""
    patient = DiceSettings(ports=("0",), answer=PATIENCE, target=TARGET).replaced(**dice)
    settings = Settings(server=ServerSettings(data=str(folder), only=("dice",)), dice=patient)
    async with running(settings) as server:
        valve = Gate(SimpleNamespace(add=server.journal.add))
        server.journal.add = valve.add  # type: ignore[method-assign]
        first = server.services["dice"]
        assert isinstance(first, DiceService)
        strict = patient.replaced(answer=LIMIT)
        second = DiceService(server.arena, server.journal, strict, server.metrics)
        (address,) = await second.start("127.0.0.1")
        addresses = {first: server.addresses["dice"][0], second: address}
        place = Site(server, valve, first, second, addresses)
        try:
            yield place
        finally:
            for guest in place.guests:
                guest.wire.close()
            await second.stop()
