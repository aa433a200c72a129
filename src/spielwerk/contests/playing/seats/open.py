"""Open seats: programs that run elsewhere come to a contest, and wait until they have a game."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any, Final, Protocol

from spielwerk.contests.playing.game import Attendance
from spielwerk.contests.playing.seats import seats_of
from spielwerk.errors import SpielwerkError
from spielwerk.games import find_game
from spielwerk.store.records import Reason, WireRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from spielwerk.contests.contest import AssignedPlayer, Terms
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.contests.playing.game import ContestTable
    from spielwerk.store.records import Ending, Entry

WAITING: Final = 20  # connections of one name that may wait at the same time
PARTING: Final = 2.5  # seconds for guests to go when their game is over
LEFT: Final = "left before taking its seat"


class NoDoor(SpielwerkError):
    """Open seats that no program could reach."""


class Guest(Protocol):
    """A connection that waits; its service says when it comes, and when it is gone."""

    entrant: str  # its name in the contest

    @property
    def closed(self) -> bool:
        """Whether it has gone, or is about to."""

    def lead(self, table: ContestTable, number: int, attendance: Attendance) -> None:
        """Let it sit down there; `attendance` is told."""

    def drop(self) -> None:
        """Cut the connection."""


class OpenDoor:
    """The public services of one contest, and the guests that have come there.

    Guests are known by the names they give, or by a ticket: each entrant has one of its own, which
    depends on the secret and the name alone. They wait by name, in the order they came. `known` are
    the names of entrants as they stand on the wire, with those of the contest.
    """

    def __init__(
        self,
        facilities: Facilities,
        game: str,
        options: Iterable[str],
        terms: Terms,
        secret: bytes = b"",
        wishes: Mapping[str, tuple[str, ...]] | None = None,  # entrants' options by their names
    ) -> None:
        self.facilities = facilities
        self.game = find_game(game).from_text(options)
        self.terms = terms
        self.wishes = wishes or {}
        self.secret = secret or os.urandom(32)
        self.known: dict[str, str] = {}
        self._seats = seats_of(game)
        self._changed: Callable[[], None] = lambda: None
        self._newcomer: Callable[[str], bool] | None = None
        self._waiting: dict[str, list[Guest]] = {}
        self._at_tables: dict[Guest, tuple[ContestTable, Attendance]] = {}
        self._tables: dict[str, ContestTable] = {}
        self._loop = asyncio.get_running_loop()
        self._news: asyncio.Future[None] = self._loop.create_future()
        self._service: Any = None

    # who takes part

    def admit(self, name: str) -> str:
        """Expect an entrant; what it has to call itself, or its ticket."""
        called = self._seats.called(name, self)
        self.known[called] = name
        return called

    def entrant(self, called: str) -> str | None:
        """The entrant that calls itself like this; a newcomer does so by its own name."""
        if called not in self.known and self._newcomer and self._newcomer(called):
            self.admit(called)
        return self.known.get(called)

    def present(self) -> list[str]:
        """The entrants who wait, and could play at once."""
        return [name for name, guests in self._waiting.items() if guests]

    def watch(self, changed: Callable[[], None]) -> None:
        """Have this called whenever a guest comes or goes."""
        self._changed = changed

    def welcome(self, newcomer: Callable[[str], bool]) -> None:
        """Have this decide whether a guest of an unknown name takes part."""
        self._newcomer = newcomer

    # the services

    async def start(
        self, name: str, bind: str, ports: Mapping[str, int] | None = None
    ) -> dict[str, tuple[str, int]]:
        """Listen; the addresses by service. The contest's name may stand in a list of games."""
        usual = self._seats.open_ports
        self._service = self._seats.open_service(self, name, {**usual, **(ports or {})})
        if self._service is None:
            problem = "has no open seats: its players are servers, name them"
            raise NoDoor(f"{self.game.name} {problem}")
        return dict(zip(usual, await self._service.start(bind), strict=True))

    async def close(self) -> None:
        """Send all guests away."""
        if self._service:
            await self._service.stop()

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        """Take what the services write: a transcript belongs to its table's game."""
        if isinstance(entry, WireRecord) and entry.game in self._tables:
            self._tables[entry.game].keep(entry)
        self._loop.call_soon(done, None)

    # coming and going

    def came(self, guest: Guest) -> bool:
        """A guest waits; False if too many of that name do already."""
        guests = self._waiting.setdefault(guest.entrant, [])
        if len(guests) >= WAITING:
            return False
        guests.append(guest)
        self._tell()
        return True

    def gone(self, guest: Guest) -> None:
        """A connection is no more."""
        _, attendance = self._at_tables.pop(guest, (None, None))
        if attendance:
            attendance.failed(Reason.NO_START, LEFT)
        guests = self._waiting.get(guest.entrant, [])
        if guest in guests:
            guests.remove(guest)
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, self._loop.create_future()
        news.set_result(None)
        self._changed()

    async def _until(self, true: Callable[[], object]) -> None:
        while not true():
            await asyncio.shield(self._news)

    # tables

    async def seat(self, player: AssignedPlayer, table: ContestTable, number: int) -> Ending | None:
        """Wait until the player has come and sits on its seat; or why it does not."""
        self._tables[table.id] = table
        while True:
            attendance = await self._led(player.name, table, number)
            failure = await attendance.known()
            if failure is None or failure.reason is not Reason.NO_START:
                return failure

    async def _led(self, name: str, table: ContestTable, number: int) -> Attendance:
        """Lead the first guest of that name to its seat; wait until there is one."""
        await self._until(lambda: self._first(name))
        guest, attendance = self._waiting[name].pop(0), Attendance()
        self._at_tables[guest] = table, attendance
        self._changed()
        guest.lead(table, number, attendance)
        return attendance

    def _first(self, name: str) -> bool:
        """Whether there is one that has not just gone."""
        guests = self._waiting.get(name, [])
        while guests and guests[0].closed:
            guests.pop(0)
        return bool(guests)

    async def leave(self, table: ContestTable) -> None:
        """The game is over: wait until all guests have gone; those who do not go have to."""
        try:
            async with asyncio.timeout(PARTING):
                await self._until(lambda: not self._guests_at(table))
        except TimeoutError:
            for guest in self._guests_at(table):
                guest.drop()
            await self._until(lambda: not self._guests_at(table))
        self._tables.pop(table.id, None)

    def _guests_at(self, table: ContestTable) -> list[Guest]:
        return [guest for guest, (where, _) in self._at_tables.items() if where is table]
