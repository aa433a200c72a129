"""Whose the seats of a table are: a person's is a browser's, from its first visit to its last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from spielwerk.store.records import Reason, Seated
from spielwerk.tables.parts import NoFreeSeat, NotNow
from spielwerk.tables.persons import PersonOccupant
from spielwerk.tables.seat import tenure

if TYPE_CHECKING:
    from spielwerk.tables.parts import Journal
    from spielwerk.tables.persons import SetTimer
    from spielwerk.tables.seat import Seat
    from spielwerk.tables.table import Done, Table


class Owners:
    """Gives persons' seats to browsers; a seat is theirs when the journal has it."""

    def __init__(self, table: Table, journal: Journal, set_timer: SetTimer) -> None:
        self._table = table
        self._journal = journal
        self._set_timer = set_timer

    def take(self, seat: Seat, browser: str, name: str, done: Done) -> None:
        """Give a person's free seat to a browser, or raise NoFreeSeat; `done` when it is kept."""
        if self._table.closed or not seat.open_to_persons:
            raise NoFreeSeat(f"seat {seat.number} is not free")
        self._hand(seat, browser, name or seat.name, done)

    def give_back(self, seat: Seat, done: Done) -> None:
        """Free a person's seat again; what that means for the game depends on it."""
        self._check_owned(seat)

        def freed(error: BaseException | None) -> None:
            if error is None and seat.occupant:
                seat.occupant.dismiss("the seat was given back")
                self._table.leave(seat, Reason.RESIGNATION, f"{seat.name} left the table")
            done(error)

        self._hand(seat, "", seat.name, freed)

    def transfer(self, seat: Seat, browser: str, done: Done) -> None:
        """Give a person's seat to another browser; its clock runs on."""
        self._check_owned(seat)
        self._hand(seat, browser, seat.name, done)

    def _check_owned(self, seat: Seat) -> None:
        if not seat.owner or seat.changing:
            raise NotNow(f"seat {seat.number} has no owner at the moment")

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
        """So many pages of this browser look at the table now."""
        seats = [seat for seat in self._table.seats if browser and seat.owner == browser]
        for seat in seats:
            seat.watching = pages
        if seats:
            self._table.visited()
            self._table.tell_watchers()
