"""Writing a contest's schedule: the row of a game and the game itself in one transaction.

    new, repeat  - Begun        -> running
    running      - Settled      -> done, repeat, failed, new
    new, repeat  - Disqualified -> failed
    running      - put back     -> new
    failed by us - put back     -> repeat

An attempt is counted when it begins and never counted back. So an entry that comes late, of an
attempt that is over or that died with its process, finds another number and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, or_, select, update

from spielwerk.store.contest_records import (
    Begun,
    Disqualified,
    PairingState,
    Scheduled,
    Settled,
)
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
from spielwerk.store.records import Created, Reason
from spielwerk.store.schema import contests, entrants, pairings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection

    from spielwerk.store.contest_records import ContestEntry
    from spielwerk.store.opening import Store
    from spielwerk.store.schema import Row

WAITING: Final = (PairingState.NEW, PairingState.REPEAT)

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


class ScheduleWriter:
    """Writes the entries of contests to a store; there must be no other writer of contests."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.take_numbers(0)  # which reads from the store only now
        self._doubtful: set[Begun] = set()  # perhaps written though the commit seemed to fail

    def write(self, entries: Sequence[ContestEntry]) -> list[StoreError | None]:
        """Write all entries in one transaction, or, if that fails, each in its own.

        The result has None for each entry, or why it could not be written.
        """
        try:
            return self._commit(entries)
        except Exception:  # what is wrong with one of them must not fall on the others
            return self._one_by_one(entries)

    def _commit(self, entries: Sequence[ContestEntry]) -> list[StoreError | None]:
        begun = {entry for entry in entries if isinstance(entry, Begun)}
        try:
            with self._store.writing() as connection:
                outcomes = [self._change(connection, entry) for entry in entries]
        except StoreUnavailable:
            self._doubtful |= begun
            raise
        self._doubtful -= begun
        return outcomes

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
        except StoreConflict as error:
            return None if self._is_there(entry) else error
        except StoreError as error:
            return error
        except Exception as error:  # a value that the driver cannot pass on
            return StoreError(self._store.label, f"cannot be written: {one_line(str(error))}")
        return outcome

    def _is_there(self, entry: ContestEntry) -> bool:
        """Whether a commit that seemed to fail has written what is new in a schedule."""
        if not isinstance(entry, Scheduled):
            return False
        try:
            with self._store.reading() as connection:
                rows = rows_of_schedule(entry)
                return all(has_row(connection, row, CHANGING.get(row[0], ())) for row in rows)
        except StoreError:
            return False

    def _change(self, connection: Connection, entry: ContestEntry) -> StoreError | None:
        """Write the entry, or return that this is not the time for it."""
        store = self._store.label
        if isinstance(entry, Scheduled):
            insert_rows(connection, [*rows_of_schedule(entry)])
        elif isinstance(entry, Disqualified):
            _disqualify(connection, entry, store)
        elif isinstance(entry, Begun):
            if not _begin(connection, entry):
                doubtful = entry in self._doubtful  # another one could have begun it otherwise
                problem = NotRunning(store, f"{_attempt(entry)} cannot begin now")
                return None if doubtful and _stands(connection, entry) else problem
        elif _settle(connection, entry):
            insert_rows(connection, self._rows(entry))
        elif not _stands(connection, entry):
            return NotRunning(store, f"{_attempt(entry)} is not under way")
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


def _attempt(entry: Begun | Settled) -> str:
    return f"attempt {entry.attempt} at game {entry.number} of contest {entry.contest}"


def _stands(connection: Connection, entry: Begun | Settled) -> bool:
    """Whether the game's row in the schedule is as the entry would have it."""
    it = and_(pairings.c.contest == entry.contest, pairings.c.number == entry.number)
    row = connection.execute(select(pairings).where(it)).mappings().one_or_none()
    wanted: dict[str, Any] = {"attempt": entry.attempt, "state": PairingState.RUNNING}
    if isinstance(entry, Settled):
        wanted |= settled_columns(entry)
    return row is not None and all(row[name] == value for name, value in wanted.items())


def _begin(connection: Connection, entry: Begun) -> bool:
    values = {"state": PairingState.RUNNING, "attempt": entry.attempt, **UNKNOWN}
    key = {**_key(entry.contest, entry.number), "last_attempt": entry.attempt - 1}
    return connection.execute(BEGIN, {**values, **key}).rowcount == 1


def _settle(connection: Connection, entry: Settled) -> bool:
    key = {**_key(entry.contest, entry.number), "this_attempt": entry.attempt}
    fits = connection.execute(SETTLE, {**settled_columns(entry), **key}).rowcount == 1
    if fits and entry.state in WAITING:
        _give_up(connection, entry.contest, pairings.c.number == entry.number)
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
