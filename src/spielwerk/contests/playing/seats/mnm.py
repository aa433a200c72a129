"""Clients of the MNM game server: each is led to its own seat, whichever it asks for or none.

For open seats the Game-ID that a client gives is its entrant's own ticket.
"""

from __future__ import annotations

import hmac
import string
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.contests.playing.seats import SeatService, SeatSession, TcpSeats
from spielwerk.servers.mnm import MnmService, MnmSession, MnmSettings
from spielwerk.store.records import Reason
from spielwerk.tables.parts import short
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spielwerk.contests.contest import Terms
    from spielwerk.contests.playing.game import Attendance, ContestTable
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.tables.table import Table
    from spielwerk.wire.mnm.server import Pace

PROLOG, LONGEST = 30.0, 3600.0  # seconds for an answer before the game, and at most
SIGNS: Final = string.ascii_lowercase + string.digits  # that every dialect knows
CROWDED: Final = "Too many clients wait with this ID already"


class MnmSeatSession(SeatSession, MnmSession):
    """A client for a certain seat, or one that waits for a game, and for the answer to its ID."""

    _service: MnmSeatService

    def _join(self, game_id: str) -> None:
        lobby = self._service.lobby
        if lobby is None:
            super()._join(game_id)
            return
        name = lobby.known.get(game_id)
        if name is None:
            self._refuse(words.NO_GAME, Reason.PROTOCOL_ERROR)
            return
        self.entrant = name
        if not lobby.came(self):
            self._refuse(CROWDED, Reason.ABORTED)

    def lead(self, table: ContestTable, number: int, attendance: Attendance) -> None:
        """Answer at last: there is the game."""
        super().lead(table, number, attendance)
        self._machine.playing(game_kinds()[table.game.name], table.record.name, self.now)
        self._step()

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
    """The game server for one program, or of a contest."""

    def endpoints(self) -> Iterator[tuple[int, partial[MnmSession]]]:
        """The one port."""
        for port, dialect, pace in self.settings.listeners():
            yield port, partial(self._session, dialect, pace)

    def _session(self, dialect: words.Dialect, pace: Pace) -> MnmSession:
        return MnmSeatSession(self, dialect, pace)


class MnmSeats(TcpSeats):
    """The seats of the game server's games."""

    service: ClassVar = MnmSeatService
    open_ports: ClassVar = {"mnm": MnmSettings().listeners()[0][0]}

    @staticmethod
    def settings(terms: Terms, **limits: Any) -> MnmSettings:
        """Those of a game server on these terms; no answer is due before its client has to sit."""
        prolog = min(max(PROLOG, terms.start), LONGEST)
        return MnmSettings(dialect=terms.dialect, pace=terms.pace, prolog=prolog, **limits)

    @classmethod
    def called(cls, name: str, door: OpenDoor) -> str:
        """The entrant's ticket."""
        return ticket(door.secret, name, words.DIALECTS[door.terms.dialect].id_length)

    def places(self, number: int) -> Mapping[str, str]:
        """The Game-ID is as long as the dialect has it."""
        dialect = words.DIALECTS[self.game.terms.dialect]
        return {**super().places(number), "game": dialect.game_id(self.game.id)}


SEATS: Final = MnmSeats


def ticket(secret: bytes, name: str, length: int) -> str:
    """The Game-ID of an entrant: with the same secret always the same, and not to be guessed."""
    number = int.from_bytes(hmac.digest(secret, name.encode(), "sha256"), "big")
    return "".join(SIGNS[number // len(SIGNS) ** place % len(SIGNS)] for place in range(length))
