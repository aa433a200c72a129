"""Persons at tables: a seat with an owner is taken, whether or not the owner looks at the moment.

How a person sees the table and offers moves is none of this module's business; it keeps the time.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.store.records import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.tables.seat import Seat
    from spielwerk.tables.table import Table

AGAIN: Final = 1.0  # seconds before the time is looked at again, when the journal had trouble


class Timer(Protocol):
    """A call that will come, unless it is cancelled."""

    def cancel(self) -> None:
        """Let it not come."""


class SetTimer(Protocol):
    """How timers are set: for a moment by the table's clock."""

    def __call__(self, when: float, call: Callable[[], None], /) -> Timer:
        """Call this then."""


def real_timer(when: float, call: Callable[[], None], /) -> Timer:
    """Call this then, by the event loop's time."""
    return asyncio.get_running_loop().call_at(when, call)


class PersonOccupant:
    """Whoever owns the seat: asked when it is the seat's turn, and lost when the time is up."""

    def __init__(self, table: Table, seat: Seat, set_timer: SetTimer) -> None:
        self._table = table
        self._seat = seat
        self._set_timer = set_timer
        self._timer: Timer | None = None
        self._asked: int | None = None  # plies when we were
        self._dismissed = False

    @property
    def owner(self) -> str:
        """The browser whose seat it is."""
        return self._seat.owner

    def look(self) -> None:
        """Start the clock when our turn begins and everybody is there, and stop it at its end.

        While a move is being written nothing is sure. If it could not be kept the clock runs on.
        """
        table = self._table
        plies = len(table.history)
        if table.over or self._asked != plies:
            self._rest()
        if table.turn != self._seat.number:
            return
        if self._asked != plies and not table.open:
            self._asked = plies
            table.ask(self._seat)
            self._limit()
        elif self._asked == plies and self._timer is None:
            self._limit(least=AGAIN)

    def dismiss(self, why: str) -> None:  # noqa: ARG002
        """Nobody waits for the move any more."""
        self._dismissed = True
        self._rest()

    def _limit(self, least: float = 0.0) -> None:
        """Wake up when the rest of the time is over, if it is limited at all."""
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
        if table.turn == seat.number and self._asked == len(table.history):
            limit = table.record.move_time / 1000
            table.lose(seat, Reason.TIME_OUT, f"{seat.name} did not move within {limit:g} s")
