"""Writing entries: all of them in one transaction, or, when that fails, each in its own.

Whether a commit went through cannot be known when the connection breaks in it. Entries are then
written again; a row that is there already with the same content counts as written.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, delete, insert, select

from spielwerk.store.problems import StoreConflict, StoreError, StoreUnavailable, one_line
from spielwerk.store.records import (
    Created,
    Ended,
    IndexChanged,
    IndexRecord,
    IndexStep,
    Moved,
    Removed,
    Seated,
    WireRecord,
)
from spielwerk.store.schema import (
    games,
    index_games,
    index_steps,
    metadata,
    moves,
    names,
    results,
    seats,
    storable,
    wires,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from sqlalchemy import Connection, Table

    from spielwerk.store.opening import Store
    from spielwerk.store.records import Ending, Entry, GameRecord, MoveRecord
    from spielwerk.store.schema import Row


# Found once: a busy server commits hundreds of times a second.
_PLACES: Final = {table: place for place, table in enumerate(metadata.sorted_tables)}
_INSERTS: Final = {table: insert(table) for table in _PLACES}
_ALONE: Final = (WireRecord, IndexRecord, IndexChanged)


def game_of(entry: Entry) -> str | None:
    """The game whose order of entries matters; None for what stands alone.

    That is a transcript, and all of the index's list: nothing changes there that is not written.
    """
    if isinstance(entry, Moved):
        return entry.game
    if isinstance(entry, _ALONE):
        return None
    return entry.record.id if isinstance(entry, Created) else entry.game


@dataclass(frozen=True, slots=True)
class _Task:
    entry: Entry
    rows: list[Row]


class Writer:
    """Writes entries to a store; there must be no other writer."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.take_numbers(0)  # which reads from the store only now
        self._removed: set[str] = set()  # connections may end later than their game

    def write(self, entries: Sequence[Entry]) -> list[StoreError | None]:
        """Write the entries; what comes back for each is None, or why it could not be written."""
        tasks = [self._task(entry) for entry in entries]
        try:
            self._commit(tasks)
        except Exception:  # whatever is wrong with one of them must not fall on the others
            return self._one_by_one(tasks)
        return [None] * len(tasks)

    def _task(self, entry: Entry) -> _Task:
        if isinstance(entry, Removed):
            self._removed.add(entry.game)
        if isinstance(entry, WireRecord) and entry.game in self._removed:
            return _Task(entry, [])
        return _Task(entry, rows_of(entry, self._store.take_numbers(1)))

    def _commit(self, tasks: Sequence[_Task]) -> None:
        """Write all tasks in one transaction."""
        removed = [task.entry.game for task in tasks if isinstance(task.entry, Removed)]
        with self._store.writing() as connection:
            insert_rows(connection, [row for task in tasks for row in task.rows])
            if removed:
                connection.execute(delete(wires).where(wires.c.game.in_(removed)))
                connection.execute(delete(games).where(games.c.id.in_(removed)))

    def _one_by_one(self, tasks: Sequence[_Task]) -> list[StoreError | None]:
        outcomes: list[StoreError | None] = []
        failed: dict[str, StoreError] = {}
        unavailable: StoreUnavailable | None = None
        for task in tasks:
            game = game_of(task.entry)
            # After a lost entry nothing of the same game may be written: there would be a gap.
            error = unavailable or failed.get(game or "") or self._write_one(task)
            if isinstance(error, StoreUnavailable):
                unavailable = error
            if error and game:
                failed[game] = error
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
                return all(has_row(connection, row) for row in task.rows)
        except StoreError:
            return False


def forget_removed(store: Store) -> None:
    """Delete what is not in the index server's list any more."""
    removed = select(index_steps.c.guid).where(index_steps.c.step == IndexStep.REMOVED)
    with store.writing() as connection:
        connection.execute(delete(index_games).where(index_games.c.guid.in_(removed)))


# from records to rows


def rows_of(entry: Entry, number: int) -> list[Row]:
    """What an entry adds; the number is for rows that have no key of their own."""
    if isinstance(entry, Moved):  # first, because most are
        return [*_happened(entry.game, entry.moves, entry.result)]
    if isinstance(entry, WireRecord):
        return [_row(wires, entry, number=number)]
    if isinstance(entry, IndexRecord):
        return [_row(index_games, entry)]
    if isinstance(entry, IndexChanged):
        return [_row(index_steps, entry, guid=guid, number=number) for guid in entry.guids]
    if isinstance(entry, Seated):
        return [_row(names, entry, number=number)]
    if isinstance(entry, Created):
        return [*_created(entry.record)]
    if isinstance(entry, Ended):
        return [*_happened(entry.game, (), entry.result)]
    return []  # a game that is removed


def _created(record: GameRecord) -> Iterator[Row]:
    yield _row(games, record)
    for number, seat in enumerate(record.seats):
        yield _row(seats, seat, game=record.id, seat=number)
    yield from _happened(record.id, record.moves, record.result)


def _happened(game: str, made: Iterable[MoveRecord], result: Ending | None) -> Iterator[Row]:
    for move in made:
        yield _row(moves, move, game=game)
    if result is not None:
        yield _row(results, result, game=game, culprit=result.culprit)


def _row(table: Table, record: Any, **key: Any) -> Row:
    """The fields of a record that the table has columns for, and what the record does not say."""
    values = {name: _kept(getattr(record, name)) for name in _shared(table, record.__class__)}
    return table, values | key


@cache
def _shared(table: Table, kind: type) -> list[str]:
    return [field.name for field in fields(kind) if field.name in table.c]


def _kept(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Enum):
        return storable(value)
    return [storable(one) for one in value] if isinstance(value, tuple) else value


def insert_rows(connection: Connection, rows: Sequence[Row]) -> None:
    """Add the rows, those first that others refer to."""
    batches: dict[Table, list[dict[str, Any]]] = {}
    for table, values in rows:
        batches.setdefault(table, []).append(values)
    for table in sorted(batches, key=_PLACES.__getitem__):
        connection.execute(_INSERTS[table], batches[table])


def has_row(connection: Connection, row: Row, changing: Collection[str] = ()) -> bool:
    """Whether the row is there already, but for columns that may have changed since."""
    table, values = row
    key = and_(*(column == values[column.name] for column in table.primary_key))
    found = connection.execute(select(table).where(key)).mappings().one_or_none()
    lasting = values.keys() - {*changing}
    return found is not None and all(found[name] == values[name] for name in lasting)
