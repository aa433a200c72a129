"""Persons at tables: those who own seats, and their time.

A person's seat belongs to a browser, whether or not a page of it is open. How a person sees the
table and offers moves is the web's business; here the person's time is kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.messages import english
from spielwerk.store.records import Reason, Seated
from spielwerk.tables.parts import NoFreeSeat, NotNow, tenure

if TYPE_CHECKING:
    from spielwerk.tables.parts import Done, Journal, Seat, SetTimer, Timer
    from spielwerk.tables.table import Table

AGAIN: Final = 1.0  # seconds before the time is checked again, after the journal has failed


class PersonOccupant:
    """The owner of a seat: asked when it is the seat's turn, and lost when the time is up."""

    def __init__(self, table: Table, seat: Seat, set_timer: SetTimer) -> None:
        self._table = table
        self._seat = seat
        self._set_timer = set_timer
        self._timer: Timer | None = None
        self._asked: tuple[int, int] | None = None  # the moment of the game when we were asked
        self._dismissed = False

    @property
    def owner(self) -> str:
        """The browser whose seat it is."""
        return self._seat.owner

    def look(self) -> None:
        """Start the clock when our turn begins and all are there, and stop it at its end.

        While a move is being written nothing is sure. If it could not be kept the clock runs on.
        """
        table = self._table
        moment = table.history.moment
        if table.over or self._asked != moment:
            self._rest()
        if table.turn != self._seat.number:
            return
        ready = not table.open and all(seat.preparing is None for seat in table.seats)
        if self._asked != moment and ready:
            self._asked = moment
            table.ask(self._seat)
            self._limit()
        elif self._asked == moment and self._timer is None:
            self._limit(least=AGAIN)

    def dismiss(self, why: str) -> None:  # noqa: ARG002
        """Stop the clock for good."""
        self._dismissed = True
        self._rest()

    def _limit(self, least: float = 0.0) -> None:
        """Set a timer for the rest of the time, if it is limited at all."""
        clock = self._table.clock
        if clock and clock.limit and not self._dismissed:
            rest = (clock.limit - clock.elapsed) / 1000
            self._timer = self._set_timer(self._table.now + max(least, rest), self._late)

    def _rest(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        """The time is up, unless the move is just being written."""
        self._timer = None
        table, seat = self._table, self._seat
        if table.turn == seat.number and self._asked == table.history.moment:
            limit = f"{table.record.move_time / 1000:g}"
            detail = english("move-too-late", name=seat.name, seconds=limit)
            table.lose(seat, Reason.TIME_OUT, detail)


class SeatOwners:
    """Gives persons' seats to browsers; a seat is theirs when the journal has it."""

    def __init__(self, table: Table, journal: Journal, set_timer: SetTimer) -> None:
        self._table = table
        self._journal = journal
        self._set_timer = set_timer

    def take(self, seat: Seat, browser: str, name: str, done: Done) -> None:
        """Give a person's free seat to a browser, or raise NoFreeSeat; `done` when it is kept."""
        if self._table.closed or not seat.open_to_persons:
            raise NoFreeSeat(english("seat-taken", number=seat.number))
        self._hand(seat, browser, name or seat.name, done)

    def give_back(self, seat: Seat, done: Done) -> None:
        """Free a person's seat again; what that means for the game depends on it."""
        self._check_owned(seat)

        def freed(error: BaseException | None) -> None:
            if error is None and seat.occupant:
                seat.occupant.dismiss("the seat was given back")
                detail = english("left-table", name=seat.name)
                self._table.leave(seat, Reason.RESIGNATION, detail)
            done(error)

        self._hand(seat, "", seat.name, freed)

    def transfer(self, seat: Seat, browser: str, done: Done) -> None:
        """Give a person's seat to another browser; its clock runs on."""
        self._check_owned(seat)
        self._hand(seat, browser, seat.name, done)

    def _check_owned(self, seat: Seat) -> None:
        if not seat.owner or seat.changing:
            raise NotNow(english("seat-without-owner", number=seat.number))

    def _hand(self, seat: Seat, browser: str, name: str, done: Done) -> None:
        """Change a seat's owner, and let a new one sit down."""
        seat.changing = True
        owner = tenure(browser)

        def written(error: BaseException | None) -> None:
            seat.changing = False
            if error is None:
                seat.record = replace(seat.record, name=name, owner=owner)
                seat.watching = 0
                self.welcome(seat)
            self._table.note(error)
            done(error)
            self._table.announce()

        self._journal.add(Seated(self._table.id, seat.number, name, owner), written)

    def welcome(self, seat: Seat) -> None:
        """Let a person who owns this seat sit down."""
        if seat.owner and seat.occupant is None and not self._table.over:
            seat.occupant = PersonOccupant(self._table, seat, self._set_timer)
            self._table.visited()
            self._table.gather()

    def attend(self, browser: str, pages: int) -> None:
        """So many pages of this browser show the table now."""
        seats = [seat for seat in self._table.seats if browser and seat.owner == browser]
        for seat in seats:
            seat.watching = pages
            if pages and seat.occupant is None:
                self.welcome(seat)
                self._table.announce()
        if seats:
            self._table.visited()
            self._table.tell_watchers()
