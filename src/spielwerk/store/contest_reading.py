"""Reading what is kept of contests."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import and_, func, or_, select, tuple_

from spielwerk.store import schema
from spielwerk.store.contest_records import State
from spielwerk.store.contest_rows import (
    contest_record,
    entrant_record,
    pairing_record,
    seat_report,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy import Row, Select

    from spielwerk.store.contest_records import ContestRecord, EntrantRecord, Pairing, SeatReport
    from spielwerk.store.readable import Readable

RecordT = TypeVar("RecordT")

CONTESTS: Final = schema.contests.c
ENTRANTS: Final = schema.entrants.c
PAIRINGS: Final = schema.pairings.c
ATTEMPTS: Final = schema.attempts.c
REPORTS: Final = schema.reports.c


def contests(store: Readable) -> list[ContestRecord]:
    """All contests, newest first."""
    query = select(schema.contests).order_by(CONTESTS.created.desc(), CONTESTS.id)
    return _records(store, query, contest_record)


def contest(store: Readable, identity: str) -> ContestRecord | None:
    """The contest with this ID."""
    query = select(schema.contests).where(CONTESTS.id == identity)
    return next(iter(_records(store, query, contest_record)), None)


def entrants(store: Readable, identity: str) -> list[EntrantRecord]:
    """Who takes part, by number."""
    query = select(schema.entrants).where(ENTRANTS.contest == identity)
    return _records(store, query.order_by(ENTRANTS.number), entrant_record)


def pairings(
    store: Readable, identity: str, states: Collection[State] | None = None
) -> list[Pairing]:
    """The schedule by number: all of it, or the games that are in one of these states."""
    query = select(schema.pairings).where(PAIRINGS.contest == identity)
    if states is not None:
        query = query.where(PAIRINGS.state.in_(states))
    return _records(store, query.order_by(PAIRINGS.number), pairing_record)


def pairing(store: Readable, identity: str, number: int) -> Pairing | None:
    """One game of the schedule."""
    query = select(schema.pairings).where(PAIRINGS.contest == identity, PAIRINGS.number == number)
    return next(iter(_records(store, query, pairing_record)), None)


def moves(store: Readable, identity: str) -> dict[int, list[str]]:
    """What was played in every game of the contest, by its number in the schedule."""
    made = schema.moves.c
    query = select(PAIRINGS.number, made.move).join(schema.moves, made.game == PAIRINGS.game)
    query = query.where(PAIRINGS.contest == identity).order_by(PAIRINGS.number, made.number)
    played: dict[int, list[str]] = defaultdict(list)
    with store.reading() as connection:
        for number, move in connection.execute(query):
            played[number].append(move)
    return played


def pairing_of_game(store: Readable, game: str) -> Pairing | None:
    """Which game of which schedule the game with this Game-ID is, or was an attempt at."""
    tried = select(ATTEMPTS.contest, ATTEMPTS.number).where(ATTEMPTS.game == game)
    its = or_(PAIRINGS.game == game, tuple_(PAIRINGS.contest, PAIRINGS.number).in_(tried))
    query = select(schema.pairings).where(its)
    return next(iter(_records(store, query, pairing_record)), None)


def earlier(store: Readable, identity: str) -> dict[int, list[str]]:
    """The Game-IDs of attempts that did not count, by the games' numbers, the first one first."""
    last = and_(
        PAIRINGS.contest == ATTEMPTS.contest,
        PAIRINGS.number == ATTEMPTS.number,
        PAIRINGS.attempt > ATTEMPTS.attempt,
    )
    query = select(schema.attempts).join(schema.pairings, last).where(ATTEMPTS.contest == identity)
    found: dict[int, list[str]] = defaultdict(list)
    with store.reading() as connection:
        for row in connection.execute(query.order_by(ATTEMPTS.number, ATTEMPTS.attempt)):
            found[row.number].append(row.game)
    return found


def counts(store: Readable, identity: str) -> dict[State, int]:
    """How many games of the schedule there are in each state."""
    query = select(PAIRINGS.state, func.count()).where(PAIRINGS.contest == identity)
    with store.reading() as connection:
        found = connection.execute(query.group_by(PAIRINGS.state)).all()
        return dict.fromkeys(State, 0) | dict(found)


def given_up(store: Readable, identity: str) -> int:
    """How many games failed by our own fault; the others have no outcome."""
    query = select(func.count()).where(PAIRINGS.contest == identity, PAIRINGS.end.is_not(None))
    with store.reading() as connection:
        return connection.scalar(query.where(PAIRINGS.state == State.FAILED)) or 0


def reports(store: Readable, identity: str, number: int) -> list[SeatReport]:
    """What is known of the players after the last attempt at the game, by seat."""
    return reports_on(store, identity, range(number, number + 1)).get(number, [])


def reports_on(store: Readable, identity: str, games: range) -> dict[int, list[SeatReport]]:
    """The same of all games with these numbers, by number."""
    last = and_(
        PAIRINGS.contest == REPORTS.contest,
        PAIRINGS.number == REPORTS.number,
        PAIRINGS.attempt == REPORTS.attempt,
    )
    query = select(schema.reports).join(schema.pairings, last).where(REPORTS.contest == identity)
    query = query.where(REPORTS.number.between(games.start, games.stop - 1))
    found: dict[int, list[SeatReport]] = defaultdict(list)
    with store.reading() as connection:
        for row in connection.execute(query.order_by(REPORTS.number, REPORTS.seat)):
            found[row.number].append(seat_report(row))
    return found


def recent(store: Readable, identity: str, limit: int) -> list[Pairing]:
    """The games that are done, the one that ended last at the top."""
    query = select(schema.pairings).where(
        PAIRINGS.contest == identity, PAIRINGS.state == State.DONE
    )
    newest = query.order_by(PAIRINGS.ended.desc(), PAIRINGS.number.desc()).limit(limit)
    return _records(store, newest, pairing_record)


def _records(
    store: Readable, query: Select[Any], record: Callable[[Row[Any]], RecordT]
) -> list[RecordT]:
    with store.reading() as connection:
        return [record(row) for row in connection.execute(query)]
