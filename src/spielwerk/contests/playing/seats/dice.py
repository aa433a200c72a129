"""Dice bots: whatever name a bot gives, it is called so on the wire and nowhere else."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.contests.playing.game import ContestTable
from spielwerk.contests.playing.seats import SeatService, SeatSession, TcpSeats
from spielwerk.servers.dice import DiceService, DiceSession, DiceSettings
from spielwerk.wire.dice.words import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.contests.contest import Terms
    from spielwerk.contests.playing.game import Attendance
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.store.records import Reason
    from spielwerk.tables.table import Table
    from spielwerk.wire.dice.words import Violation

LEAST, MOST = 0.05, 3600.0  # seconds that an answer can be allowed
NAMELESS: Final = "engine"
TAKEN: Final = "You have come already."
OVER: Final = "The game is over"
UNKNOWN: Final = "Nobody of that name takes part in this contest."
CROWDED: Final = "Too many bots of that name wait already."


def bot_name(name: str) -> str:
    """The letters and digits of an entrant's name, which are all that the protocol knows."""
    return re.sub(r"[^A-Za-z0-9]", "", name) or NAMELESS


class DiceSeatSession(SeatSession, DiceSession):
    """A bot for a certain seat, or one that waits for it under the name of an entrant."""

    _service: DiceSeatService

    def lead(self, table: ContestTable, number: int, attendance: Attendance) -> None:
        """Sit down."""
        super().lead(table, number, attendance)
        self.come()

    def come(self) -> None:
        """Sit down; a second bot finds the seat taken, and a late one the end."""
        table = self._table
        if table is None or table.seats[self.seat].ready:
            self.dismiss(TAKEN)
            return
        if table.gathering:
            self.take(table, self.seat)
        else:
            self._late(table)
        if self.attendance:
            self.attendance.came()

    def _late(self, table: Table) -> None:
        """Another one has ended the game already: say so."""
        result = table.result
        if result and result.culprit not in (None, self.seat):
            self._tell_result(table, result)
        else:
            self.dismiss(OVER)

    def wait(self, lobby: OpenDoor) -> None:
        """Wait for a game, under an entrant's name."""
        entrant = lobby.entrant(self.name)
        if entrant is None:
            self.dismiss(UNKNOWN)
            return
        self.entrant = entrant
        if not lobby.came(self):
            self.dismiss(CROWDED)

    def _break(self, reason: Reason, violation: Violation) -> None:
        """The others at the table are told less than the contest."""
        if self.attendance:
            self.attendance.refused(reason, violation.on_record)
        if isinstance(self._table, ContestTable):
            self._table.remarks[self.seat] = violation.on_record
        super()._break(reason, violation)


class DiceSeatService(SeatService, DiceService):
    """The dice server for one bot, or of a contest."""

    def endpoints(self) -> Iterator[tuple[int, Callable[[], DiceSession]]]:
        """The one port."""
        for port in self.settings.numbers():
            yield port, partial(DiceSeatSession, self)

    def arrived(self, session: DiceSession) -> None:
        """A bot has said its name, and its seat waits for it, or it waits itself."""
        assert isinstance(session, DiceSeatSession)  # noqa: S101 - we make no others
        if self.lobby:
            session.wait(self.lobby)
        else:
            session.come()


class DiceSeats(TcpSeats):
    """The seats of a dice race."""

    service: ClassVar = DiceSeatService
    open_ports: ClassVar = {"dice": DiceSettings().numbers()[0]}
    named = staticmethod(bot_name)

    @staticmethod
    def settings(terms: Terms, **limits: Any) -> DiceSettings:
        """Those of a dice server on these terms."""
        answer = min(max(terms.move_time / 1000 or MOST, LEAST), MOST)
        return DiceSettings(mode=Mode.CONTEST.name.lower(), answer=answer, **limits)


SEATS: Final = DiceSeats
