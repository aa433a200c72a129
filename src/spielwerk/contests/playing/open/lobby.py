"""The lobby: who has come to a contest and waits to be led to a table."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.contests.playing.arrival import Arrival
from spielwerk.store.contest_records import End

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.playing.table import ContestTable

WAITING: Final = 20  # connections of one name that may wait at the same time
LEFT: Final = "it left before it sat down"


class Guest(Protocol):
    """A connection that waits; its service says when it comes, and when it is gone."""

    entrant: str  # its name in the contest

    @property
    def closed(self) -> bool:
        """Whether it has gone, or is about to."""

    def lead(self, table: ContestTable, number: int, arrival: Arrival) -> None:
        """Let it sit down there; `arrival` is told."""

    def drop(self) -> None:
        """Cut the connection."""


class Lobby:
    """Everybody who waits, by name and in the order they came; `changed` hears of every change.

    `known` are the names of entrants as they stand on the wire, with those of the contest.
    `newcomer` is asked about names that nobody has, if anybody may come.
    """

    def __init__(self, spelled: Callable[[str], str]) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.newcomer: Callable[[str], bool] | None = None
        self.known: dict[str, str] = {}
        self._spelled = spelled
        self._waiting: dict[str, list[Guest]] = {}
        self._at_tables: dict[Guest, tuple[ContestTable, Arrival]] = {}
        self._news: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def admit(self, name: str) -> str:
        """An entrant takes part; what it has to call itself."""
        spelled = self._spelled(name)
        self.known[spelled] = name
        return spelled

    def entrant(self, spelled: str) -> str | None:
        """The entrant who calls itself like this; whoever may come does so under its own name."""
        if spelled not in self.known and self.newcomer and self.newcomer(spelled):
            self.admit(spelled)
        return self.known.get(spelled)

    def present(self) -> list[str]:
        """The names of those who wait."""
        return [name for name, guests in self._waiting.items() if guests]

    # coming and going

    def came(self, guest: Guest) -> bool:
        """Somebody waits; False if too many of that name do already."""
        guests = self._waiting.setdefault(guest.entrant, [])
        if len(guests) >= WAITING:
            return False
        guests.append(guest)
        self._tell()
        return True

    def gone(self, guest: Guest) -> None:
        """A connection is no more."""
        _, arrival = self._at_tables.pop(guest, (None, None))
        if arrival:
            arrival.failed(End.NO_START, LEFT)
        guests = self._waiting.get(guest.entrant, [])
        if guest in guests:
            guests.remove(guest)
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.get_running_loop().create_future()
        news.set_result(None)
        self.changed()

    async def _until(self, true: Callable[[], object]) -> None:
        while not true():
            await asyncio.shield(self._news)

    # tables

    async def lead(self, name: str, table: ContestTable, number: int) -> Arrival:
        """Lead the first of that name who waits to its seat; wait until there is one."""
        await self._until(lambda: self._first(name))
        guest, arrival = self._waiting[name].pop(0), Arrival()
        self._at_tables[guest] = table, arrival
        self.changed()
        guest.lead(table, number, arrival)
        return arrival

    def _first(self, name: str) -> bool:
        """Whether there is one who has not just gone."""
        guests = self._waiting.get(name, [])
        while guests and guests[0].closed:
            guests.pop(0)
        return bool(guests)

    async def parted(self, table: ContestTable, seconds: float) -> None:
        """Wait until nobody is at the table any more; who does not go has to."""
        try:
            async with asyncio.timeout(seconds):
                await self._until(lambda: not self._guests_at(table))
        except TimeoutError:
            for guest in self._guests_at(table):
                guest.drop()
            await self._until(lambda: not self._guests_at(table))

    def _guests_at(self, table: ContestTable) -> list[Guest]:
        return [guest for guest, (where, _) in self._at_tables.items() if where is table]
