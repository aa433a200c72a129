"""A seat at a table, and whoever sits on it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.store.records import SeatKind

if TYPE_CHECKING:
    from spielwerk.store.records import SeatRecord


SEPARATOR: Final = ":"


def tenure(browser: str) -> str:
    """What is kept as a seat's owner: who it is, and a mark of its own for every taking.

    So whatever was signed for an owner is worth nothing when the seat has changed hands, even if
    it has come back.
    """
    return f"{browser}{SEPARATOR}{secrets.token_hex(8)}" if browser else ""


def browser_in(owner: str) -> str:
    """Who it is, of what is kept as a seat's owner."""
    return owner.partition(SEPARATOR)[0]


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
    changing: bool = False  # it is being given to somebody, or given back
    watching: int = 0  # pages of the owner that are open; see Table.attend

    @property
    def name(self) -> str:
        """The player's name."""
        return self.record.name

    @property
    def ready(self) -> bool:
        """Whether somebody sits here who could play at once."""
        return self.occupant is not None

    @property
    def owner(self) -> str:
        """The browser whose seat it is; empty if it is nobody's."""
        return browser_in(self.record.owner)

    @property
    def present(self) -> bool:
        """Whether a client or a person is really there; an owner may have gone away for good."""
        here = self.ready and self.record.kind is not SeatKind.ENGINE
        return here and (not self.owner or self.watching > 0)

    @property
    def open_to_persons(self) -> bool:
        """Whether a person may take it."""
        free = self.occupant is None and not self.owner and not self.changing
        return free and self.record.kind is SeatKind.PERSON

    def open_to_clients(self, now: float) -> bool:
        """Whether a client that asks may have it."""
        free = self.occupant is None and now >= self.reserved_until
        return free and self.record.kind is SeatKind.CLIENT
