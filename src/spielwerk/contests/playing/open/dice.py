"""Open seats at the dice server: a bot says who it is, and waits for its turn as ever."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.contests.playing.open.waiting import OpenService, Waiting
from spielwerk.contests.playing.seats.dice import SeatSession, dice_settings
from spielwerk.servers.dice import DiceService, DiceSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.contests.assignment import Terms
    from spielwerk.contests.playing.arrival import Arrival
    from spielwerk.contests.playing.open.lobby import Lobby
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.contests.playing.venue import Venue
    from spielwerk.tables.table import Journal

UNKNOWN: Final = "Nobody of that name takes part in this contest."
CROWDED: Final = "Too many bots of that name wait already."


class GuestSession(Waiting, SeatSession):
    """A bot that has said its name, and waits."""

    _service: OpenDice

    def lead(self, table: ContestTable, number: int, arrival: Arrival) -> None:
        """Sit down."""
        self.belong(table, number, arrival)
        self.come()


class OpenDice(OpenService, DiceService):
    """The dice server of a contest."""

    def __init__(
        self, venue: Venue, journal: Journal, terms: Terms, lobby: Lobby, port: int
    ) -> None:
        super().__init__(venue.arena, journal, dice_settings(terms, port), venue.metrics)
        self.lobby = lobby

    def endpoints(self) -> Iterator[tuple[int, Callable[[], DiceSession]]]:
        """The one port."""
        for port in self._settings.numbers():
            yield port, partial(GuestSession, self)

    def arrived(self, session: DiceSession) -> None:
        """A bot has said its name: under the entrant's it waits."""
        if not isinstance(session, GuestSession):
            return
        entrant = self.lobby.entrant(session.name)
        if entrant is None:
            session.dismiss(UNKNOWN)
            return
        session.entrant = entrant
        if not self.lobby.came(session):
            session.dismiss(CROWDED)
