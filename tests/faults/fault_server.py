"""A real server for faulty clients: short limits for them, long ones for everybody else."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

from spielwerk.app.server import Server, running
from spielwerk.app.settings import ServerSettings, Settings
from spielwerk.servers.mnm import MnmService, MnmSettings
from spielwerk.store.records import Moved
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from spielwerk.store.records import Entry
    from spielwerk.tables.table import Journal
    from tests.faults.fault_clients import Address

LIMIT = 1.5  # seconds for every answer of a client that may be faulty
PATIENCE = 120.0  # and of one that is not: the machine may be busy
PORTS = ("0:1:first-then-rest", "0:1:block", "0:1:line")


class Valve:
    """A journal that keeps the moves of some games waiting."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._shut: dict[str, asyncio.Event] = {}
        self._waiting: dict[str, tuple[Entry, Callable[[BaseException | None], None]]] = {}

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        """Write it, unless its game has to wait."""
        if isinstance(entry, Moved) and entry.game in self._shut:
            self._waiting[entry.game] = (entry, done)
            self._shut[entry.game].set()
        else:
            self._journal.add(entry, done)

    def shut(self, game: str) -> None:
        """Have the next move of this game wait."""
        self._shut[game] = asyncio.Event()

    async def caught(self, game: str) -> None:
        """Wait until a move of this game does."""
        await self._shut[game].wait()

    def open(self, game: str) -> None:
        """Write what has been waiting."""
        self._shut.pop(game, None)
        waiting = self._waiting.pop(game, None)
        if waiting:
            self._journal.add(*waiting)


@dataclass
class Site:
    """A running server and how to reach it."""

    server: Server
    valve: Valve
    strict: list[Address]  # an address for each pace
    patient: list[Address]
    services: list[MnmService]

    def sessions(self) -> int:
        """How many connections are open."""
        return sum(len(service._sessions) for service in self.services)

    async def quiet(self) -> None:
        """Wait until no connection is left."""
        await until(lambda: not self.sessions())


@asynccontextmanager
async def site(folder: Path) -> AsyncIterator[Site]:
    """A server with a store of its own; the short limits are a second service at its tables."""
    patient = MnmSettings(
        ports=PORTS,
        reservation=0.3,
        prolog=PATIENCE,
        okwait=PATIENCE,
        thinking=PATIENCE,
    )
    strict = patient.replaced(prolog=LIMIT, okwait=LIMIT, thinking=LIMIT)
    settings = Settings(server=ServerSettings(data=str(folder), only=("mnm",)), mnm=patient)
    async with running(settings) as server:
        valve = Valve(SimpleNamespace(add=server.journal.add))
        server.journal.add = valve.add  # type: ignore[method-assign]
        service = server.services["mnm"]
        assert isinstance(service, MnmService)
        second = MnmService(server.arena, server.journal, strict, server.metrics)
        addresses = await second.start("127.0.0.1")
        try:
            yield Site(server, valve, addresses, server.addresses["mnm"], [service, second])
        finally:
            await second.stop()


def open_files() -> list[str]:
    """What this process has open, less what the runtime opens when it likes."""
    found = []
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208
        try:
            found.append(os.readlink(f"/proc/self/fd/{number}"))  # noqa: PTH115
        except OSError:  # the folder itself
            continue
    return sorted(found)
