"""The journal: entries come from the event loop and are on the disk before they are confirmed.

One thread writes. It takes everything that waits, commits it at once, and reports back to the loop
in one call; so while a commit takes its time the next one gathers, and a busy server makes few
large commits instead of many small ones. It is woken at the end of a turn of the loop: woken by the
turn's first entry, it would fight the loop for the interpreter, only to commit little. When a
commit fails each entry is written on its own.

Whether a commit went through cannot be known when the connection breaks in it. Entries are then
written again; a row that is there already with the same content counts as written.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, fields
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
    Reviewed,
    Seated,
    TakenBack,
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
    reviews,
    seats,
    wires,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from sqlalchemy import Connection, Table

    from spielwerk.store.opening import Store
    from spielwerk.store.records import Ending, Entry, GameRecord, MoveRecord
    from spielwerk.store.schema import Row

    Done = Callable[[BaseException | None], None]
    Observe = Callable[[int, float, int], None]

CLOSING: Final = 5.0  # seconds that closing may take
BLOCKED: Final = 0.1  # seconds after which the thread looks, though the loop is still in its turn
STUCK: Final = 5.0  # seconds after which a commit is overdue
REMEMBERED: Final = 30.0  # seconds that a failed write counts, if none has succeeded since

# PostgreSQL's text holds neither, and no peer may keep a game from being written down.
UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")

# Found once: a busy server commits hundreds of times a second.
_PLACES: Final = {table: place for place, table in enumerate(metadata.sorted_tables)}
_INSERTS: Final = {table: insert(table) for table in _PLACES}
_PLAIN: Final = frozenset({int, bytes, type(None)})  # values that are kept as they are
_TABLES: Final = {WireRecord: wires, Seated: names, IndexRecord: index_games, Reviewed: reviews}


@dataclass(slots=True)
class _Waiting:
    entry: Entry
    done: Done
    since: float
    error: StoreError | None = None  # an earlier entry of the game failed before this was written

    def note(self, broken: dict[str, StoreError]) -> None:
        self.error = self.error or broken.get(game_of(self.entry) or "")


class StoreJournal:
    """Writes entries in the order of `add`, for the event loop in which it was made.

    `observe` is called in the loop after each commit: how many entries, how many seconds, and how
    many of the entries could not be written.
    """

    def __init__(self, store: Store, observe: Observe = lambda *_: None) -> None:
        self._store = store
        self._observe = observe
        self._loop = asyncio.get_running_loop()
        self._finished = asyncio.Event()
        self._writer = Writer(store)
        self._unconfirmed: deque[_Waiting] = deque()
        self._failed: float | None = None  # when the latest entry could not be written
        self._changed = threading.Condition()  # guards the three below
        self._waiting: list[_Waiting] = []
        self._broken: dict[str, StoreError] = {}  # games with a failure not yet reported
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def add(self, entry: Entry, done: Done) -> None:
        """Have the entry written; `done` hears, in the loop, None or why it was not."""
        with self._changed:
            if not self._closing:
                if not self._waiting:
                    self._loop.call_soon(self._wake)
                waiting = _Waiting(entry, done, self._loop.time())
                self._waiting.append(waiting)
                self._unconfirmed.append(waiting)
                return
        self._loop.call_soon(done, StoreError(self._store.label, "it is being closed"))

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify()

    def problem(self) -> str | None:
        """What is wrong with it at the moment."""
        now = self._loop.time()
        if self._unconfirmed and now - self._unconfirmed[0].since > STUCK:
            return f"the journal has not written for {now - self._unconfirmed[0].since:.0f} s"
        if self._failed is not None and now - self._failed < REMEMBERED:
            return "the journal could not write"
        return None

    @property
    def wires(self) -> list[WireRecord]:
        """The transcripts that are on their way to the disk."""
        entries = [waiting.entry for waiting in self._unconfirmed]
        return [entry for entry in entries if isinstance(entry, WireRecord)]

    async def close(self, patience: float = CLOSING) -> None:
        """Write everything that waits, and end; StoreError if that takes too long."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        try:
            await asyncio.wait_for(self._finished.wait(), patience)
        except TimeoutError:
            raise StoreError(
                self._store.label,
                f"what was last written may be lost: closing took longer than {patience} s",
            ) from None
        self._thread.join()

    # in the thread

    def _run(self) -> None:
        while batch := self._take():
            started = time.perf_counter()
            news = self._write(batch)
            self._tell(self._report, batch, news, time.perf_counter() - started)
        self._tell(self._finished.set)

    def _take(self) -> list[_Waiting]:
        """Everything that waits, at least one; nothing when all is done."""
        with self._changed:
            while not (self._waiting or self._closing):
                self._changed.wait(BLOCKED)
            batch, self._waiting = self._waiting, []
            for waiting in batch if self._broken else ():
                waiting.note(self._broken)
            return batch

    def _write(self, batch: list[_Waiting]) -> dict[str, StoreError]:
        """Write what can be written; what comes back are the games that failed only now."""
        sound = [waiting for waiting in batch if waiting.error is None]
        errors = self._written([waiting.entry for waiting in sound])
        for waiting, error in zip(sound, errors, strict=True):
            waiting.error = error
        failed = [(game_of(waiting.entry), waiting.error) for waiting in sound if waiting.error]
        news = {game: error for game, error in failed if game}
        with self._changed:
            self._broken |= news
        return news

    def _written(self, entries: list[Entry]) -> list[StoreError | None]:
        """What became of each entry; a mistake of ours must not leave callers waiting."""
        try:
            return self._writer.write(entries)
        except Exception as error:
            problem = f"cannot be written: {type(error).__name__}: {one_line(str(error))}"
            return [StoreError(self._store.label, problem)] * len(entries)

    def _tell(self, function: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop has been closed: the callers are gone
            self._loop.call_soon_threadsafe(function, *arguments)

    # in the loop

    def _report(self, batch: list[_Waiting], news: dict[str, StoreError], seconds: float) -> None:
        """Report to all callers; entries that they add from now on know of the failure."""
        with self._changed:
            for waiting in self._waiting if news else ():
                waiting.note(news)
            for game in news:
                del self._broken[game]
        for waiting in batch:
            self._unconfirmed.popleft()
            self._failed = self._loop.time() if waiting.error else None
            self._call(waiting.done, waiting.error)
        failures = sum(waiting.error is not None for waiting in batch)
        self._call(self._observe, len(batch), seconds, failures)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        """Call a caller's function, whose mistakes must not reach the others."""
        try:
            function(*arguments)
        except Exception as error:
            message = "a listener of the journal failed"
            self._loop.call_exception_handler({"message": message, "exception": error})


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
        first = self._store.take_numbers(len(entries))
        tasks = [self._task(entry, number) for number, entry in enumerate(entries, first)]
        try:
            self._commit(tasks)
        except Exception:  # whatever is wrong with one of them must not fall on the others
            return self._one_by_one(tasks)
        return [None] * len(tasks)

    def _task(self, entry: Entry, number: int) -> _Task:
        if isinstance(entry, Removed):
            self._removed.add(entry.game)
        if isinstance(entry, WireRecord) and entry.game in self._removed:
            return _Task(entry, [])
        return _Task(entry, rows_of(entry, number))

    def _commit(self, tasks: Sequence[_Task]) -> None:
        """Write all tasks in one transaction."""
        removed = [task.entry.game for task in tasks if isinstance(task.entry, Removed)]
        with self._store.writing() as connection:
            for entry in (task.entry for task in tasks if isinstance(task.entry, TakenBack)):
                # Its table waits for this before the next move, so that no commit has both.
                beyond = moves.c.number >= entry.kept
                connection.execute(delete(moves).where(moves.c.game == entry.game, beyond))
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


def game_of(entry: Entry) -> str | None:
    """The game whose order of entries matters; None for what stands alone.

    That is a transcript, and all of the index's list: nothing changes there that is not written.
    """
    if isinstance(entry, WireRecord | IndexRecord | IndexChanged):
        return None
    return entry.record.id if isinstance(entry, Created) else entry.game


def rows_of(entry: Entry, number: int) -> list[Row]:
    """What an entry adds; the number is for rows that have no key of their own."""
    if isinstance(entry, Moved):  # first, because most are
        return [*_happened(entry.game, entry.moves, entry.result)]
    if isinstance(entry, WireRecord | Seated):
        return [row_of(_TABLES[type(entry)], entry, number=number)]
    if isinstance(entry, IndexRecord | Reviewed):
        return [row_of(_TABLES[type(entry)], entry)]
    if isinstance(entry, IndexChanged):
        return [row_of(index_steps, entry, guid=guid, number=number) for guid in entry.guids]
    if isinstance(entry, Created):
        return [*_created(entry.record)]
    if isinstance(entry, Ended):
        return [*_happened(entry.game, (), entry.result)]
    return []  # a game that is removed, or moves that are taken back


def _created(record: GameRecord) -> Iterator[Row]:
    yield row_of(games, record)
    for number, seat in enumerate(record.seats):
        yield row_of(seats, seat, game=record.id, seat=number)
    yield from _happened(record.id, record.moves, record.result)


def _happened(game: str, made: Iterable[MoveRecord], result: Ending | None) -> Iterator[Row]:
    for move in made:
        yield row_of(moves, move, game=game)
    if result is not None:
        yield row_of(results, result, game=game, culprit=result.culprit)


def row_of(table: Table, record: Any, **key: Any) -> Row:
    """The fields of a record that the table has columns for, and what the record does not say."""
    values = {
        name: value if type(value := getattr(record, name)) in _PLAIN else _kept(value)
        for name in _shared(table, record.__class__)
    }
    return table, values | key


@cache
def _shared(table: Table, kind: type) -> list[str]:
    return [field.name for field in fields(kind) if field.name in table.c]


def _kept(value: Any) -> Any:
    """The value as it will be read again: JSON knows no tuples, and not every text can be kept."""
    if type(value) is str:
        return storable(value)
    if isinstance(value, dict):
        return {key: _kept(content) for key, content in value.items()}
    return [_kept(content) for content in value] if isinstance(value, list | tuple) else value


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


def storable(text: str) -> str:
    """The text with U+FFFD for every NUL and every lone surrogate, which no database can keep."""
    return UNSTORABLE.sub("\ufffd", text)
