"""Persons at tables: those who own seats.

A person's seat belongs to a browser, whether or not a page of it is open. How a person sees the
table and offers moves is the web's business; how long a person may think, that of `clocks`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from spielwerk.messages import english
from spielwerk.store.records import Reason, Seated
from spielwerk.tables.parts import NoFreeSeat, NotNow, tenure

if TYPE_CHECKING:
    from spielwerk.tables.parts import Done, Journal, Seat
    from spielwerk.tables.table import Table


class PersonOccupant:
    """The owner of a seat, asked when it is the seat's turn."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self._table = table
        self._seat = seat
        self._dismissed = False

    @property
    def owner(self) -> str:
        """The browser whose seat it is."""
        return self._seat.owner

    def look(self) -> None:
        """Start the clock when our turn begins, and all are there if there is no game clock.

        While a move is being written nothing is sure. If it could not be kept the clock runs on.
        """
        table = self._table
        mine = not self._dismissed and table.turn == self._seat.number
        asked = table.asked is not None and table.asked[0] is self._seat
        there = table.record.game_time or not table.open
        if mine and not asked and there and all(seat.preparing is None for seat in table.seats):
            table.ask(self._seat)

    def dismiss(self, why: str) -> None:  # noqa: ARG002
        """Start no clock any more."""
        self._dismissed = True


class SeatOwners:
    """Gives persons' seats to browsers; a seat is theirs when the journal has it."""

    def __init__(self, table: Table, journal: Journal) -> None:
        self._table = table
        self._journal = journal

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
            seat.occupant = PersonOccupant(self._table, seat)
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
