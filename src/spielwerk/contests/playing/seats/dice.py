"""Dice bots: whatever name a bot gives, it is called so on the wire and nowhere else."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.contests.playing.seats.seating import AtDoor, Doors, TcpSeating
from spielwerk.contests.playing.table import ContestTable
from spielwerk.servers.dice import DiceService, DiceSession, DiceSettings
from spielwerk.wire.dice.words import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.contests.assignment import Terms
    from spielwerk.store.records import Reason
    from spielwerk.tables.table import Table
    from spielwerk.wire.dice.words import Violation

LEAST, MOST = 0.05, 3600.0  # seconds that an answer can be allowed
NAMELESS: Final = "engine"
TAKEN: Final = "You have come already."
OVER: Final = "The game is over"


def bot_name(name: str) -> str:
    """The letters and digits of an entrant's name, which are all that the protocol knows."""
    return re.sub(r"[^A-Za-z0-9]", "", name) or NAMELESS


class SeatSession(AtDoor, DiceSession):
    """A bot at the door of a seat."""

    def come(self) -> None:
        """Sit down; who comes a second time finds the seat taken, and who comes late the end."""
        table = self._table
        if table is None or table.seats[self.seat].ready:
            self.dismiss(TAKEN)
            return
        if table.gathering:
            self.take(table, self.seat)
        else:
            self._late(table)
        if self.arrival:
            self.arrival.came()

    def _late(self, table: Table) -> None:
        """Another one has ended the game already: say so."""
        result = table.result
        if result and result.culprit not in (None, self.seat):
            self._tell_result(table, result)
        else:
            self.dismiss(OVER)

    def _break(self, reason: Reason, violation: Violation) -> None:
        """The others at the table are told less than the contest."""
        if self.arrival:
            self.arrival.refused(reason, violation.on_record)
        if isinstance(self._table, ContestTable):
            self._table.remarks[self.seat] = violation.on_record
        super()._break(reason, violation)


class SeatService(DiceService, Doors):
    """A port for each of these seats."""

    def __init__(self, seating: DiceSeating) -> None:
        sitting = seating.sitting
        venue, settings = sitting.venue, dice_settings(sitting.terms)
        super().__init__(venue.arena, sitting.minutes, settings, venue.metrics)
        self._seating = seating

    def endpoints(self) -> Iterator[tuple[int, Callable[[], DiceSession]]]:
        """Any free ports, in the order of the seats."""
        for number in self._seating.numbers:
            yield 0, partial(self._session, number)

    def _session(self, number: int) -> SeatSession:
        session = SeatSession(self)
        self._seating.lead(session, number)
        return session

    def arrived(self, session: DiceSession) -> None:
        """A bot has said its name, and its seat waits for it."""
        if isinstance(session, SeatSession):
            session.come()


class DiceSeating(TcpSeating):
    """The dice race."""

    def named(self, name: str) -> str:
        """The name as a bot would give it."""
        return bot_name(name)

    def _make_service(self) -> SeatService:
        return SeatService(self)


def dice_settings(terms: Terms, port: int = 0) -> DiceSettings:
    """The settings of a dice server for these terms."""
    answer = terms.move_time / 1000 or MOST
    return DiceSettings(
        ports=(str(port),), mode=Mode.CONTEST.name.lower(), answer=min(max(answer, LEAST), MOST)
    )
