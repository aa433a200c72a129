"""Writing a contest's schedule: the row of a game and the game itself in one transaction.

A `ContestJournal` has every entry tried until it is in the store, or the contest stops.

    new, repeat  - Begun        -> running
    running      - Settled      -> done, repeat, failed, new
    new, repeat  - Disqualified -> failed
    running      - put back     -> new
    failed by us - put back     -> repeat

An attempt is counted when it begins and never counted back. So an entry that comes late, of an
attempt that is over or that died with its process, finds another number and changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import and_, bindparam, or_, select, update

from spielwerk.errors import SpielwerkError
from spielwerk.store.contests import (
    ENDING,
    rows_of_attempt,
    rows_of_schedule,
    settled_columns,
)
from spielwerk.store.journal import has_row, insert_rows, rows_of, storable
from spielwerk.store.problems import (
    NotRunning,
    StoreConflict,
    StoreError,
    StoreUnavailable,
    one_line,
)
from spielwerk.store.records import (
    WAITING,
    Begun,
    Created,
    Disqualified,
    Pairing,
    PairingState,
    Reason,
    Scheduled,
)
from spielwerk.store.schema import contests, entrants, pairings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import ColumnElement, Connection

    from spielwerk.store.opening import Store
    from spielwerk.store.records import ContestEntry, Settled
    from spielwerk.store.schema import Row

    Write = Callable[[Sequence[ContestEntry]], list[StoreError | None]]
    Observe = Callable[[int, float], None]

T = TypeVar("T", bound="ContestEntry")

log = logging.getLogger(__name__)

UNKNOWN: Final[dict[str, Any]] = {"game": None, **dict.fromkeys(ENDING)}
"""What a game has that came to nothing, or has not yet come to anything."""

CHANGING: Final = {
    pairings: {"state", "attempt", "repeated", *UNKNOWN},
    entrants: {"disqualified", "disqualified_in"},
}
"""The columns that may differ from what was written first."""

PLAY: Final = (
    update(pairings)
    .where(pairings.c.contest == bindparam("its_contest"))
    .where(pairings.c.number == bindparam("its_number"))
)
BEGIN: Final = PLAY.where(
    pairings.c.state.in_(WAITING), pairings.c.attempt == bindparam("last_attempt")
)
SETTLE: Final = PLAY.where(
    pairings.c.state == PairingState.RUNNING, pairings.c.attempt == bindparam("this_attempt")
)


PAUSE: Final = 1.0  # seconds before an entry that could not be written is tried again
TRIES: Final = 3  # after which something else is written in its place, if others are written
MANY: Final = 60  # the same if nothing is written: a full disk is waited for, but not for ever
LAST: Final = 5.0  # seconds for each entry when the contest stops, if the store fails


class ScheduleWriter:
    """Writes the entries of contests to a store; there must be no other writer of contests."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.take_numbers(0)  # which reads from the store only now

    def write(self, entries: Sequence[ContestEntry]) -> list[StoreError | None]:
        """Write all entries in one transaction, or, if that fails, each in its own.

        The result has None for each entry, or why it could not be written.
        """
        try:
            return self._commit(entries)
        except Exception:  # what is wrong with one of them must not fall on the others
            return self._one_by_one(entries)

    def _commit(self, entries: Sequence[ContestEntry]) -> list[StoreError | None]:
        with self._store.writing() as connection:
            return [self._change(connection, entry) for entry in entries]

    def _one_by_one(self, entries: Sequence[ContestEntry]) -> list[StoreError | None]:
        outcomes: list[StoreError | None] = []
        unavailable: StoreUnavailable | None = None
        for entry in entries:
            error = unavailable or self._write_one(entry)
            if isinstance(error, StoreUnavailable):
                unavailable = error
            outcomes.append(error)
        return outcomes

    def _write_one(self, entry: ContestEntry) -> StoreError | None:
        try:
            (outcome,) = self._commit([entry])
        except StoreError as error:
            return error
        except Exception as error:  # a value that the driver cannot pass on
            return StoreError(self._store.label, f"cannot be written: {one_line(str(error))}")
        return outcome

    def _change(self, connection: Connection, entry: ContestEntry) -> StoreError | None:
        """Write the entry, or return that this is not the time for it.

        One whose row is as it would have it was written by a commit that seemed to fail.
        """
        store = self._store.label
        if isinstance(entry, Scheduled):
            rows = [*rows_of_schedule(entry)]
            if not all(has_row(connection, row, CHANGING.get(row[0], ())) for row in rows):
                insert_rows(connection, rows)
        elif isinstance(entry, Disqualified):
            _disqualify(connection, entry, store)
        elif isinstance(entry, Begun):
            if not _begin(connection, entry) and not _stands(connection, entry):
                return NotRunning(store, f"{_attempt(entry)} cannot begin now")
        elif _settle(connection, entry.pairing):
            insert_rows(connection, self._rows(entry))
        elif not _stands(connection, entry.pairing):
            return NotRunning(store, f"{_attempt(entry.pairing)} is not under way")
        return None

    def _rows(self, entry: Settled) -> list[Row]:
        """The game as it was played, what was said in it, and what is known of the players."""
        rows = rows_of(Created(entry.record), 0) if entry.record else []
        first = self._store.take_numbers(len(entry.wires))
        for number, wire in enumerate(entry.wires, first):
            rows += rows_of(wire, number)
        return [*rows, *rows_of_attempt(entry)]


def put_back(store: Store, contest: str) -> int:
    """Have the games played again that a dead process left running, or that failed by our fault.

    The result is how many these are; their attempts stay counted.
    """
    running = pairings.c.state == PairingState.RUNNING
    ours = and_(pairings.c.state == PairingState.FAILED, pairings.c.end == Reason.SERVER_ERROR)
    back = 0
    with store.writing() as connection:
        _give_up(connection, contest, or_(running, ours))
        for chosen, state in ((running, PairingState.NEW), (ours, PairingState.REPEAT)):
            left = update(pairings).where(pairings.c.contest == contest, chosen)
            back += connection.execute(left, {"state": state}).rowcount
    return back


def describe(store: Store, contest: str, description: dict[str, Any]) -> None:
    """Replace the description of a contest that has grown."""
    with store.writing() as connection:
        its_own = contests.c.id == contest
        connection.execute(update(contests).where(its_own).values(description=description))


def _attempt(entry: Begun | Pairing) -> str:
    return f"attempt {entry.attempt} at game {entry.number} of contest {entry.contest}"


def _stands(connection: Connection, entry: Begun | Pairing) -> bool:
    """Whether the game's row in the schedule is as the entry would have it."""
    it = and_(pairings.c.contest == entry.contest, pairings.c.number == entry.number)
    row = connection.execute(select(pairings).where(it)).mappings().one_or_none()
    wanted: dict[str, Any] = {"attempt": entry.attempt, "state": PairingState.RUNNING}
    if isinstance(entry, Pairing):
        wanted |= settled_columns(entry)
    return row is not None and all(row[name] == value for name, value in wanted.items())


def _begin(connection: Connection, entry: Begun) -> bool:
    values = {"state": PairingState.RUNNING, "attempt": entry.attempt, **UNKNOWN}
    key = {**_key(entry.contest, entry.number), "last_attempt": entry.attempt - 1}
    return connection.execute(BEGIN, {**values, **key}).rowcount == 1


def _settle(connection: Connection, pairing: Pairing) -> bool:
    key = {**_key(pairing.contest, pairing.number), "this_attempt": pairing.attempt}
    fits = connection.execute(SETTLE, {**settled_columns(pairing), **key}).rowcount == 1
    if fits and pairing.state in WAITING:
        _give_up(connection, pairing.contest, pairings.c.number == pairing.number)
    return fits


def _disqualify(connection: Connection, entry: Disqualified, store: str) -> None:
    """Mark the entrant, where the first reason stays, and give up the games that wait for it."""
    it = and_(entrants.c.contest == entry.contest, entrants.c.number == entry.entrant)
    known = connection.scalar(select(entrants.c.disqualified).where(it))
    if known is None:
        raise StoreConflict(store, f"contest {entry.contest} has no entrant {entry.entrant}")
    if not known:
        values = {"disqualified": storable(entry.why), "disqualified_in": entry.number}
        connection.execute(update(entrants).where(it), values)
    _give_up(connection, entry.contest, pairings.c.state.in_(WAITING))


def _give_up(connection: Connection, contest: str, chosen: ColumnElement[bool]) -> None:
    """Of the chosen games, have those failed in which a disqualified entrant has a seat."""
    query = select(entrants.c.number).where(
        entrants.c.contest == contest, entrants.c.disqualified != ""
    )
    barred = frozenset(connection.scalars(query))
    if not barred:
        return
    query = select(pairings.c.number, pairings.c.seats).where(pairings.c.contest == contest, chosen)
    lost = [row.number for row in connection.execute(query) if barred.intersection(row.seats)]
    if lost:
        values = {"state": PairingState.FAILED, **UNKNOWN}
        connection.execute(PLAY, [{**values, **_key(contest, number)} for number in lost])


def _key(contest: str, number: int) -> dict[str, Any]:
    return {"its_contest": contest, "its_number": number}


# the journal of a contest that is played


class NotWritten(SpielwerkError):
    """An entry could not be written before the contest had to stop."""


class ContestJournal:
    """Writes entries in a thread of its own; all that wait are written together.

    `write` is that of a ScheduleWriter; `observe` is told how many entries were written together,
    and how many seconds that took.
    """

    def __init__(self, write: Write, observe: Observe = lambda _size, _seconds: None) -> None:
        self.problem = ""  # why nothing can be written at the moment
        self._write = write
        self._observe = observe
        self._thread = ThreadPoolExecutor(1, "contest-journal")
        self._waiting: list[tuple[ContestEntry, asyncio.Future[StoreError | None]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._written = 0  # entries
        self._hurried = False
        self._limits: set[asyncio.Timeout] = set()  # of the entries that are being added

    def hurry(self) -> None:
        """The contest stops: what cannot be written soon is not written at all."""
        if not self._hurried:
            self._hurried = True
            for limit in self._limits:
                limit.reschedule(asyncio.get_running_loop().time() + LAST)

    async def add(self, entry: T, instead: Callable[[str], T] | None = None) -> T | None:
        """Have the entry written, or, if it alone is refused, what `instead` makes of the problem.

        The result is what was written; None if it came at the wrong time.
        """
        limit = asyncio.timeout(LAST if self._hurried else None)
        self._limits.add(limit)
        try:
            async with limit:
                return await self._add(entry, instead)
        except TimeoutError:
            raise NotWritten(self.problem or "the journal does not answer any more") from None
        finally:
            self._limits.discard(limit)

    async def _add(self, entry: T, instead: Callable[[str], T] | None) -> T | None:
        other: T | None = None
        tries, before = 0, self._written
        while error := await self._try(entry):
            if isinstance(error, NotRunning):
                log.warning("came at the wrong time error=%r", str(error))
                return None
            if not self.problem:
                log.warning("cannot write error=%r", str(error))
            self.problem = str(error)
            tries += 1
            alone = tries >= (TRIES if self._written > before else MANY)  # in being refused
            if instead and (alone or isinstance(error, StoreConflict)):
                other = other or instead(self.problem)
                if await self._try(other) is None:
                    entry = other
                    break
            await asyncio.sleep(PAUSE)
        self.problem = ""
        self._written += 1
        return entry

    async def _try(self, entry: ContestEntry) -> StoreError | None:
        """Write the entry once; the result is why it could not be written."""
        written: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, written))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return await written

    async def _write_all(self) -> None:
        """Write what waits, and what comes meanwhile."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            began, entries = time.monotonic(), [entry for entry, _ in batch]
            errors = await loop.run_in_executor(self._thread, self._write, entries)
            self._observe(len(batch), time.monotonic() - began)
            for (_, written), error in zip(batch, errors, strict=True):
                if not written.done():  # else it is not waited for any more
                    written.set_result(error)
        self._writing = None
