"""Writing entries: all of them in one transaction, or, when that fails, each in its own.

Whether a commit went through cannot be known when the connection breaks in it. Entries are then
written again; a row that is there already with the same content counts as written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, func, insert, select

from spielwerk.store.problems import (
    StoreConflict,
    StoreError,
    StoreUnavailable,
    one_line,
)
from spielwerk.store.records import (
    Created,
    IndexChanged,
    IndexRecord,
    IndexStep,
    Removed,
    WireRecord,
)
from spielwerk.store.rows import rows_of
from spielwerk.store.schema import games, index_games, index_steps, metadata, names, wires

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Table

    from spielwerk.store.owned import Store
    from spielwerk.store.records import Entry
    from spielwerk.store.rows import Row


def game_of(entry: Entry) -> str | None:
    """The game whose order of entries matters; None for what stands alone.

    That is a transcript, and all of the index's list: nothing changes there that is not written.
    """
    if isinstance(entry, WireRecord | IndexRecord | IndexChanged):
        return None
    return entry.record.id if isinstance(entry, Created) else entry.game


@dataclass(frozen=True, slots=True)
class _Task:
    game: str | None
    rows: list[Row]
    removed: str | None = None  # the game of which nothing is to be left


class Writer:
    """Writes entries to a store; there must be no other writer."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._removed: set[str] = set()  # connections may end later than their game
        with store.reading() as connection:
            self._number = max(_highest(connection, table) for table in (names, wires, index_steps))

    def write(self, entries: Sequence[Entry]) -> list[StoreError | None]:
        """Write the entries; what comes back for each is None, or why it could not be written."""
        tasks = [self._task(entry) for entry in entries]
        try:
            self._commit(tasks)
        except Exception:  # whatever is wrong with one of them must not fall on the others
            return self._one_by_one(tasks)
        return [None] * len(tasks)

    def _task(self, entry: Entry) -> _Task:
        self._number += 1
        if isinstance(entry, Removed):
            self._removed.add(entry.game)
            return _Task(entry.game, [], entry.game)
        if isinstance(entry, WireRecord) and entry.game in self._removed:
            return _Task(None, [])
        return _Task(game_of(entry), rows_of(entry, self._number))

    def _commit(self, tasks: Sequence[_Task]) -> None:
        rows = [row for task in tasks for row in task.rows]
        removed = [task.removed for task in tasks if task.removed]
        with self._store.writing() as connection:
            for table in metadata.sorted_tables:
                if batch := [values for target, values in rows if target is table]:
                    connection.execute(insert(table), batch)
            if removed:
                connection.execute(delete(wires).where(wires.c.game.in_(removed)))
                connection.execute(delete(games).where(games.c.id.in_(removed)))

    def _one_by_one(self, tasks: Sequence[_Task]) -> list[StoreError | None]:
        outcomes: list[StoreError | None] = []
        failed: dict[str, StoreError] = {}
        unavailable: StoreUnavailable | None = None
        for task in tasks:
            # After a lost entry nothing of the same game may be written: there would be a gap.
            error = unavailable or failed.get(task.game or "") or self._write_one(task)
            if isinstance(error, StoreUnavailable):
                unavailable = error
            if error and task.game:
                failed[task.game] = error
            outcomes.append(error)
        return outcomes

    def _write_one(self, task: _Task) -> StoreError | None:
        try:
            self._commit([task])
        except StoreConflict as error:
            return None if self._is_there(task) else error
        except StoreError as error:
            return error
        except Exception as error:  # a value that the driver cannot pass on
            return StoreError(self._store.label, f"cannot be written: {one_line(str(error))}")
        return None

    def _is_there(self, task: _Task) -> bool:
        try:
            with self._store.reading() as connection:
                return all(_has(connection, table, values) for table, values in task.rows)
        except StoreError:
            return False


def forget_removed(store: Store) -> None:
    """Delete what is not in the index server's list any more."""
    removed = select(index_steps.c.guid).where(index_steps.c.step == IndexStep.REMOVED)
    with store.writing() as connection:
        connection.execute(delete(index_games).where(index_games.c.guid.in_(removed)))


def _highest(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.max(table.c.number))) or 0


def _has(connection: Connection, table: Table, values: dict[str, object]) -> bool:
    key = and_(*(column == values[column.name] for column in table.primary_key))
    found = connection.execute(select(table).where(key)).mappings().one_or_none()
    return found is not None and dict(found) == values
