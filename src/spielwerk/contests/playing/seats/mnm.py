"""Clients of the MNM game server: each is led to its own seat, whichever it asks for or none.

For open seats the Game-ID that a client gives is its entrant's own ticket.
"""

from __future__ import annotations

import hmac
import string
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.contests.playing.seats import CONNECTIONS, SeatService, SeatSession, TcpSeats
from spielwerk.contests.playing.seats.open import GuestSession, OpenService
from spielwerk.servers.mnm import MnmService, MnmSession, MnmSettings
from spielwerk.store.records import Reason
from spielwerk.tables.parts import short
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.boards import game_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from spielwerk.contests.assignment import Terms
    from spielwerk.contests.playing.game import Attendance
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.tables.table import Table
    from spielwerk.wire.mnm.server import Pace

PORTS: Final = {"mnm": MnmSettings().listeners()[0][0]}
PROLOG, LONGEST = 30.0, 3600.0  # seconds for an answer before the game, and at most
SIGNS: Final = string.ascii_lowercase + string.digits  # that every dialect knows
CROWDED: Final = "Too many clients wait with this ID already"


class MnmSeatSession(SeatSession, MnmSession):
    """A client for a certain seat."""

    def _find(self, game_id: str) -> Table | None:
        table = self._require_table()
        return table if game_id in (table.id, short(table.id)) else None

    def _choose(self, number: int | None) -> None:
        """Whichever seat it asks for, it gets its own: its author may not know which that is."""
        known = number is None or number < len(self._require_table().seats)
        super()._choose(self.seat if known else number)
        if self._seat and self.attendance:
            self.attendance.came()


class MnmSeatService(SeatService, MnmService):
    """The game server for one program."""

    def __init__(self, seats: MnmSeats, number: int) -> None:
        game = seats.game
        shared, settings = game.facilities, _settings(game.terms, connections=CONNECTIONS)
        super().__init__(shared.arena, game.journal, settings, shared.metrics)
        self._seats = seats
        self._number = number

    def endpoints(self) -> Iterator[tuple[int, partial[MnmSession]]]:
        """The seat's port."""
        for port, dialect, pace in self.settings.listeners():
            yield port, partial(self._session, dialect, pace)

    def _session(self, dialect: words.Dialect, pace: Pace) -> MnmSession:
        session = MnmSeatSession(self, dialect, pace)
        self._seats.lead(session, self._number)
        return session


class MnmSeats(TcpSeats):
    """The seats of the game server's games."""

    def _service(self, number: int) -> SeatService:
        return MnmSeatService(self, number)

    def places(self, number: int) -> Mapping[str, str]:
        """The Game-ID is as long as the dialect has it."""
        dialect = words.DIALECTS[self.game.terms.dialect]
        return {**super().places(number), "game": dialect.game_id(self.game.id)}


SEATS: Final = MnmSeats


def _settings(terms: Terms, port: int = 0, connections: int = 5000) -> MnmSettings:
    """The settings of a game server for these terms."""
    return MnmSettings(
        ports=(str(port),),
        dialect=terms.dialect,
        pace=terms.pace,
        prolog=min(max(PROLOG, terms.start), LONGEST),  # no answer is due before it has to sit
        connections=connections,
    )


# open seats


class MnmGuest(GuestSession, MnmSeatSession):
    """A client that waits for the answer to its ID until there is a game for it."""

    _service: OpenMnm

    def _join(self, game_id: str) -> None:
        name = self.lobby.known.get(game_id)
        if name is None:
            self._refuse(words.NO_GAME, Reason.PROTOCOL_ERROR)
            return
        self.entrant = name
        if not self.lobby.came(self):
            self._refuse(CROWDED, Reason.ABORTED)

    def lead(self, table: ContestTable, number: int, attendance: Attendance) -> None:
        """Answer at last: there is the game."""
        self.belong(table, number, attendance)
        self._machine.playing(game_kinds()[table.game.name], table.record.name, self.now)
        self._step()


class OpenMnm(OpenService, MnmService):
    """The game server of a contest."""

    def __init__(self, door: OpenDoor, port: int) -> None:
        shared = door.facilities
        super().__init__(shared.arena, door, _settings(door.terms, port), shared.metrics)
        self.lobby = door.lobby

    def endpoints(self) -> Iterator[tuple[int, partial[MnmSession]]]:
        """The one port."""
        for port, dialect, pace in self.settings.listeners():
            yield port, partial(self._session, dialect, pace)

    def _session(self, dialect: words.Dialect, pace: Pace) -> MnmSession:
        return MnmGuest(self, dialect, pace)


def open_service(door: OpenDoor, _name: str, ports: Mapping[str, int]) -> OpenMnm:
    """What clients come to by themselves."""
    return OpenMnm(door, ports["mnm"])


def spelling(door: OpenDoor) -> Callable[[str], str]:
    """Entrants are called by their tickets."""
    length = words.DIALECTS[door.terms.dialect].id_length
    return partial(ticket, door.secret, length=length)


def ticket(secret: bytes, name: str, length: int) -> str:
    """The Game-ID of an entrant: with the same secret always the same, and not to be guessed."""
    number = int.from_bytes(hmac.digest(secret, name.encode(), "sha256"), "big")
    return "".join(SIGNS[number // len(SIGNS) ** place % len(SIGNS)] for place in range(length))
