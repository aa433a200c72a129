"""A seat at a table, and whoever sits on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from spielwerk.store.records import SeatKind

if TYPE_CHECKING:
    from spielwerk.store.records import SeatRecord


class Occupant(Protocol):
    """Who sits on a seat: a connection, an engine, a person at a browser."""

    def look(self) -> None:
        """Something at the table has changed: perhaps it is your turn, perhaps it is over."""

    def dismiss(self, why: str) -> None:
        """The table has to do without you; the server says why."""


@dataclass(slots=True)
class Seat:
    """One player's place, taken or free."""

    number: int
    record: SeatRecord
    occupant: Occupant | None = None
    reserved_until: float = 0.0  # by the table's clock, after a client was lost

    @property
    def name(self) -> str:
        """The player's name."""
        return self.record.name

    @property
    def ready(self) -> bool:
        """Whether somebody sits here who could play at once."""
        return self.occupant is not None

    def open_to_clients(self, now: float) -> bool:
        """Whether a client that asks may have it."""
        free = self.occupant is None and now >= self.reserved_until
        return free and self.record.kind is SeatKind.CLIENT
