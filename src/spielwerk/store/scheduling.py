"""Changing a contest's schedule: which entry may follow which.

    new, repeat  - Begun        -> running
    running      - Settled      -> done, repeat, failed, new
    new, repeat  - Disqualified -> failed
    running      - put back     -> new
    failed by us - put back     -> repeat

An attempt is counted when it begins and never counted back. So whatever comes late, of an attempt
that is over or that died with its process, finds another number and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, or_, select, update

from spielwerk.store.contest_records import Begun, Disqualified, End, Settled, State
from spielwerk.store.contests import outcome_columns, settled_columns
from spielwerk.store.problems import NotRunning, StoreConflict
from spielwerk.store.schema import entrants, pairings, storable

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from spielwerk.store.records import Entry

WAITING: Final = (State.NEW, State.REPEAT)

UNKNOWN: Final[dict[str, Any]] = {"game": None, **outcome_columns(None)}
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
    pairings.c.state == State.RUNNING, pairings.c.attempt == bindparam("this_attempt")
)


def change(connection: Connection, entry: Entry, store: str) -> NotRunning | None:
    """Change the schedule if that is what the entry does; or say that it is not the time for it."""
    if isinstance(entry, Begun) and not _begin(connection, entry):
        return NotRunning(store, f"{_attempt(entry)} cannot begin now")
    if isinstance(entry, Settled) and not _settle(connection, entry):
        return NotRunning(store, f"{_attempt(entry)} is not under way")
    if isinstance(entry, Disqualified):
        _disqualify(connection, entry, store)
    return None


def stands(connection: Connection, entry: Entry) -> bool:
    """Whether the game's row in the schedule is as the entry would have it."""
    if not isinstance(entry, Begun | Settled):
        return False
    it = and_(pairings.c.contest == entry.contest, pairings.c.number == entry.number)
    row = connection.execute(select(pairings).where(it)).mappings().one_or_none()
    wanted: dict[str, Any] = {"attempt": entry.attempt, "state": State.RUNNING}
    if isinstance(entry, Settled):
        wanted |= settled_columns(entry)
    return row is not None and all(row[name] == value for name, value in wanted.items())


def put_back(connection: Connection, contest: str) -> int:
    """Have played once more what was left running, and what failed by our own fault; how many."""
    running = pairings.c.state == State.RUNNING
    ours = and_(pairings.c.state == State.FAILED, pairings.c.end == End.SERVER_ERROR)
    _give_up(connection, contest, or_(running, ours))
    back = 0
    for chosen, state in ((running, State.NEW), (ours, State.REPEAT)):
        left = update(pairings).where(pairings.c.contest == contest, chosen)
        back += connection.execute(left, {"state": state}).rowcount
    return back


def _attempt(entry: Begun | Settled) -> str:
    return f"attempt {entry.attempt} at game {entry.number} of contest {entry.contest}"


def _begin(connection: Connection, entry: Begun) -> bool:
    values = {"state": State.RUNNING, "attempt": entry.attempt, **UNKNOWN}
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
    """Of the chosen games, have those failed in which somebody sits who is disqualified."""
    barred = _disqualified(connection, contest)
    if not barred:
        return
    query = select(pairings.c.number, pairings.c.seats).where(pairings.c.contest == contest, chosen)
    lost = [row.number for row in connection.execute(query) if barred.intersection(row.seats)]
    if lost:
        values = {"state": State.FAILED, **UNKNOWN}
        connection.execute(PLAY, [{**values, **_key(contest, number)} for number in lost])


def _disqualified(connection: Connection, contest: str) -> frozenset[int]:
    query = select(entrants.c.number).where(
        entrants.c.contest == contest, entrants.c.disqualified != ""
    )
    return frozenset(connection.scalars(query))


def _key(contest: str, number: int) -> dict[str, Any]:
    return {"its_contest": contest, "its_number": number}
