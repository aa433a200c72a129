"""Open seats at the game server: the Game-ID that a client gives is its entrant's own ticket."""

from __future__ import annotations

import hmac
import string
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.contests.playing.open.waiting import OpenService, Waiting
from spielwerk.contests.playing.seats.mnm import SeatSession, mnm_settings
from spielwerk.servers.mnm import MnmService, MnmSession
from spielwerk.store.records import Reason
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.boards import game_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.contests.assignment import Terms
    from spielwerk.contests.playing.arrival import Arrival
    from spielwerk.contests.playing.open.lobby import Lobby
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.contests.playing.venue import Venue
    from spielwerk.tables.table import Journal
    from spielwerk.wire.mnm.server import Pace

SIGNS: Final = string.ascii_lowercase + string.digits  # that every dialect knows
CROWDED: Final = "Too many clients wait with this ID already"


class GuestSession(Waiting, SeatSession):
    """A client that waits for the answer to its ID until there is a game for it."""

    _service: OpenMnm

    def _join(self, game_id: str) -> None:
        lobby = self._service.lobby
        name = lobby.known.get(game_id)
        if name is None:
            self._refuse(words.NO_GAME, Reason.PROTOCOL_ERROR)
            return
        self.entrant = name
        if not lobby.came(self):
            self._refuse(CROWDED, Reason.ABORTED)

    def lead(self, table: ContestTable, number: int, arrival: Arrival) -> None:
        """Answer at last: there is the game."""
        self.belong(table, number, arrival)
        self._machine.playing(game_kinds()[table.game.name], table.record.name, self.now)
        self._step()


class OpenMnm(OpenService, MnmService):
    """The game server of a contest."""

    def __init__(
        self, venue: Venue, journal: Journal, terms: Terms, lobby: Lobby, port: int
    ) -> None:
        super().__init__(venue.arena, journal, mnm_settings(terms, port), venue.metrics)
        self.lobby = lobby

    def endpoints(self) -> Iterator[tuple[int, partial[MnmSession]]]:
        """The one port."""
        for port, dialect, pace in self._settings.listeners():
            yield port, partial(self._session, dialect, pace)

    def _session(self, dialect: words.Dialect, pace: Pace) -> MnmSession:
        return GuestSession(self, dialect, pace)


def ticket(secret: bytes, name: str, length: int) -> str:
    """The Game-ID of an entrant: with the same secret always the same, and not to be guessed."""
    number = int.from_bytes(hmac.digest(secret, name.encode(), "sha256"), "big")
    return "".join(SIGNS[number // len(SIGNS) ** place % len(SIGNS)] for place in range(length))
