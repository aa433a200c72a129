"""Dice bots: whatever name a bot gives, it is called so on the wire and nowhere else."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.contests.playing.seats import CONNECTIONS, SeatService, SeatSession, TcpSeats
from spielwerk.contests.playing.seats.open import GuestSession, OpenService
from spielwerk.contests.playing.table import ContestTable
from spielwerk.servers.dice import DiceService, DiceSession, DiceSettings
from spielwerk.wire.dice.words import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from spielwerk.contests.assignment import Terms
    from spielwerk.contests.playing.game import Attendance
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.store.records import Reason
    from spielwerk.tables.table import Table
    from spielwerk.wire.dice.words import Violation

PORTS: Final = {"dice": DiceSettings().numbers()[0]}
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
    """A bot for a certain seat."""

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

    def _break(self, reason: Reason, violation: Violation) -> None:
        """The others at the table are told less than the contest."""
        if self.attendance:
            self.attendance.refused(reason, violation.on_record)
        if isinstance(self._table, ContestTable):
            self._table.remarks[self.seat] = violation.on_record
        super()._break(reason, violation)


class DiceSeatService(SeatService, DiceService):
    """The dice server for one bot."""

    def __init__(self, seats: DiceSeats, number: int) -> None:
        game = seats.game
        shared, settings = game.facilities, _settings(game.terms, connections=CONNECTIONS)
        super().__init__(shared.arena, game.journal, settings, shared.metrics)
        self._seats = seats
        self._number = number

    def endpoints(self) -> Iterator[tuple[int, Callable[[], DiceSession]]]:
        """The seat's port."""
        yield 0, self._session

    def _session(self) -> DiceSeatSession:
        session = DiceSeatSession(self)
        self._seats.lead(session, self._number)
        return session

    def arrived(self, session: DiceSession) -> None:
        """A bot has said its name, and its seat waits for it."""
        if isinstance(session, DiceSeatSession):
            session.come()


class DiceSeats(TcpSeats):
    """The seats of a dice race."""

    def named(self, name: str) -> str:
        """The name as a bot would give it."""
        return bot_name(name)

    def _service(self, number: int) -> SeatService:
        return DiceSeatService(self, number)


SEATS: Final = DiceSeats


def _settings(terms: Terms, port: int = 0, connections: int = 5000) -> DiceSettings:
    """The settings of a dice server for these terms."""
    answer = terms.move_time / 1000 or MOST
    return DiceSettings(
        ports=(str(port),),
        mode=Mode.CONTEST.name.lower(),
        answer=min(max(answer, LEAST), MOST),
        connections=connections,
    )


# open seats


class DiceGuest(GuestSession, DiceSeatSession):
    """A bot that has said its name, and waits."""

    _service: OpenDice

    def lead(self, table: ContestTable, number: int, attendance: Attendance) -> None:
        """Sit down."""
        self.belong(table, number, attendance)
        self.come()


class OpenDice(OpenService, DiceService):
    """The dice server of a contest."""

    def __init__(self, door: OpenDoor, port: int) -> None:
        shared = door.facilities
        super().__init__(shared.arena, door, _settings(door.terms, port), shared.metrics)
        self.lobby = door.lobby

    def endpoints(self) -> Iterator[tuple[int, Callable[[], DiceSession]]]:
        """The one port."""
        for port in self.settings.numbers():
            yield port, partial(DiceGuest, self)

    def arrived(self, session: DiceSession) -> None:
        """A bot has said its name: under the entrant's it waits."""
        if not isinstance(session, DiceGuest):
            return
        entrant = self.lobby.entrant(session.name)
        if entrant is None:
            session.dismiss(UNKNOWN)
            return
        session.entrant = entrant
        if not self.lobby.came(session):
            session.dismiss(CROWDED)


def open_service(door: OpenDoor, _name: str, ports: Mapping[str, int]) -> OpenDice:
    """What bots come to by themselves."""
    return OpenDice(door, ports["dice"])


def spelling(_door: OpenDoor) -> Callable[[str], str]:
    """Entrants are called by their names, as far as bots can have them."""
    return bot_name
