"""What is changed of a contest before it goes on, and before a journal writes to its store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from spielwerk.store import scheduling
from spielwerk.store.schema import contests

if TYPE_CHECKING:
    from spielwerk.store.owned import Store


def put_back(store: Store, contest: str) -> int:
    """Have the games played again that a dead process left running; how many that are.

    Their attempts stay counted.
    """
    with store.writing() as connection:
        return scheduling.put_back(connection, contest)


def describe(store: Store, contest: str, description: dict[str, Any]) -> None:
    """Replace the description of a contest that has grown."""
    with store.writing() as connection:
        its_own = contests.c.id == contest
        connection.execute(update(contests).where(its_own).values(description=description))
