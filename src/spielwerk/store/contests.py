"""What is kept of contests: its records as rows, and reading them again."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from sqlalchemy import and_, func, or_, select, tuple_

from spielwerk.store import schema
from spielwerk.store.journal import row_of, storable
from spielwerk.store.records import (
    ContestRecord,
    Ending,
    EntrantRecord,
    Pairing,
    PairingState,
    SeatReport,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from sqlalchemy import Column, ColumnElement, Connection, Select
    from sqlalchemy import Row as RowRead

    from spielwerk.store.opening import Readable, Store
    from spielwerk.store.records import Reason, Scheduled, Settled
    from spielwerk.store.schema import Row

RecordT = TypeVar("RecordT")

CONTESTS: Final = schema.contests.c
ENTRANTS: Final = schema.entrants.c
PAIRINGS: Final = schema.pairings.c
ATTEMPTS: Final = schema.attempts.c
REPORTS: Final = schema.reports.c
ENDING: Final = ("end", "winner", "culprits", "detail", "overloaded", "started", "ended")
SEATS: Final = 3  # of a game at most

_PAIRINGS: Final = select(schema.pairings, schema.games.c.options).outerjoin(
    schema.games, schema.games.c.id == PAIRINGS.game
)


class Far(NamedTuple):
    """How far a contest is."""

    counts: Mapping[PairingState, int]  # games in each state
    lost: int  # games that failed by our own fault; the others that failed were dropped
    entrants: int
    disqualified: int


def contests(store: Readable) -> list[ContestRecord]:
    """All contests, newest first."""
    query = select(schema.contests).order_by(CONTESTS.created.desc(), CONTESTS.id)
    return _records(store, query, _contest_record)


def contest(store: Readable, identity: str) -> ContestRecord | None:
    """The contest with this ID."""
    query = select(schema.contests).where(CONTESTS.id == identity)
    return next(iter(_records(store, query, _contest_record)), None)


def entrants(store: Readable, identity: str) -> list[EntrantRecord]:
    """Who takes part, by number."""
    return _records(store, _entrants(identity), _entrant_record)


def pairings(store: Readable, identity: str) -> list[Pairing]:
    """The schedule by number."""
    return _records(store, _pairings(identity), pairing_record)


def some_pairings(
    store: Readable,
    identity: str,
    most: int,
    *,
    after: int = -1,
    entrants: Collection[int] = (),
    end: Reason | None = None,
) -> list[Pairing]:
    """The first games after a number in which all these sit, and that ended so; by number."""
    query = _pairings(identity).where(PAIRINGS.number > after, *map(_sits, entrants))
    if end is not None:
        query = query.where(PAIRINGS.end == end)
    return _records(store, query.limit(most), pairing_record)


def _sits(entrant: int) -> ColumnElement[bool]:
    """Whether an entrant plays a game; the database looks, so that only such games are read."""
    return or_(*(PAIRINGS.seats[seat].as_integer() == entrant for seat in range(SEATS)))


def latest(store: Readable, identity: str, most: int) -> list[Pairing]:
    """The games that ended last, the newest first."""
    query = _PAIRINGS.where(
        PAIRINGS.contest == identity, PAIRINGS.state == PairingState.DONE, PAIRINGS.end.is_not(None)
    )
    query = query.order_by(PAIRINGS.ended.desc(), PAIRINGS.number.desc()).limit(most)
    return _records(store, query, pairing_record)


def meetings(store: Readable, identity: str) -> dict[int, int]:
    """How many meetings are drawn up for each entrant that is not disqualified, by number."""
    last = select(func.max(PAIRINGS.number)).where(PAIRINGS.contest == identity)
    last = last.group_by(PAIRINGS.bundle)
    games = select(PAIRINGS.seats).where(PAIRINGS.contest == identity, PAIRINGS.number.in_(last))
    people = select(ENTRANTS.number).where(
        ENTRANTS.contest == identity, ENTRANTS.disqualified == ""
    )
    with store.reading() as connection:
        met = Counter(number for seats in connection.scalars(games) for number in seats)
        return {number: met[number] for number in connection.scalars(people)}


def schedule(store: Readable, identity: str) -> tuple[list[EntrantRecord], list[Pairing]]:
    """Who takes part and every game, as they were at one moment: a newcomer may come in between."""
    with store.reading() as connection:
        people = _rows(connection, _entrants(identity), _entrant_record)
        return people, _rows(connection, _pairings(identity), pairing_record)


def pairing(store: Readable, identity: str, number: int) -> Pairing | None:
    """One game of the schedule."""
    query = _PAIRINGS.where(PAIRINGS.contest == identity, PAIRINGS.number == number)
    return next(iter(_records(store, query, pairing_record)), None)


def moves(store: Readable, identity: str, games: range) -> dict[int, list[str]]:
    """What was played in the games with these numbers, by number."""
    made = schema.moves.c
    query = select(PAIRINGS.number, made.move).join(schema.moves, made.game == PAIRINGS.game)
    query = query.where(PAIRINGS.contest == identity, _within(PAIRINGS.number, games))
    played: dict[int, list[str]] = defaultdict(list)
    with store.reading() as connection:
        for number, move in connection.execute(query.order_by(PAIRINGS.number, made.number)):
            played[number].append(move)
    return played


def move_counts(store: Readable, identity: str) -> dict[int, int]:
    """How many moves every game had of which something is kept, by number."""
    made = schema.moves.c
    query = select(PAIRINGS.number, func.count())
    query = query.join(schema.moves, made.game == PAIRINGS.game)
    query = query.where(PAIRINGS.contest == identity).group_by(PAIRINGS.number)
    with store.reading() as connection:
        return dict(connection.execute(query).all())


def traces(store: Readable, identity: str) -> dict[int, int]:
    """A number for every game of which something is kept: another one if other moves were made.

    These numbers are good for comparing within this process only.
    """
    made = schema.moves.c
    query = select(PAIRINGS.number, made.move).join(schema.moves, made.game == PAIRINGS.game)
    query = query.where(PAIRINGS.contest == identity).order_by(PAIRINGS.number, made.number)
    found: dict[int, int] = {}
    with store.reading() as connection:
        for number, move in connection.execute(query):
            found[number] = hash((found.get(number), move))
    return found


def pairing_of_game(store: Readable, game: str) -> Pairing | None:
    """Which game of which schedule the game with this Game-ID is, or was an attempt at."""
    tried = select(ATTEMPTS.contest, ATTEMPTS.number).where(ATTEMPTS.game == game)
    its = or_(PAIRINGS.game == game, tuple_(PAIRINGS.contest, PAIRINGS.number).in_(tried))
    query = _PAIRINGS.where(its)
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


def counts(store: Readable, identity: str) -> Mapping[PairingState, int]:
    """How many games of the schedule there are in each state."""
    return far(store, identity).counts


def far(store: Readable, identity: str) -> Far:
    """How far the contest is, at one moment."""
    games = select(PAIRINGS.state, PAIRINGS.end.is_not(None), func.count())
    games = games.where(PAIRINGS.contest == identity)
    games = games.group_by(PAIRINGS.state, PAIRINGS.end.is_not(None))
    out = func.count(func.nullif(ENTRANTS.disqualified, ""))
    people = select(func.count(), out).where(ENTRANTS.contest == identity)
    found, lost = dict.fromkeys(PairingState, 0), 0
    with store.reading() as connection:
        for state, ended, count in connection.execute(games):
            found[state] += count
            lost += count if ended and state is PairingState.FAILED else 0
        entered, disqualified = connection.execute(people).one()
    return Far(found, lost, entered, disqualified)


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
    query = query.where(_within(REPORTS.number, games))
    found: dict[int, list[SeatReport]] = defaultdict(list)
    with store.reading() as connection:
        for row in connection.execute(query.order_by(REPORTS.number, REPORTS.seat)):
            found[row.number].append(_seat_report(row))
    return found


def replaced(store: Readable, identity: str) -> tuple[str, ...]:
    """The entrants whose programs were replaced while this contest was played, by name.

    Its results say less about them.
    """
    return tuple(json.loads(store.value(f"replaced:{identity}") or "[]"))


def note_replaced(store: Store, identity: str, names: Iterable[str]) -> None:
    """Keep that the programs of these entrants, too, were replaced."""
    known = replaced(store, identity)
    new = [name for name in names if name not in known]
    if new:
        store.keep(f"replaced:{identity}", json.dumps([*known, *new]))


def _within(number: Column[int], games: range) -> ColumnElement[bool]:
    return number.between(games.start, games.stop - 1)


def _entrants(identity: str) -> Select[Any]:
    query = select(schema.entrants).where(ENTRANTS.contest == identity)
    return query.order_by(ENTRANTS.number)


def _pairings(identity: str) -> Select[Any]:
    return _PAIRINGS.where(PAIRINGS.contest == identity).order_by(PAIRINGS.number)


def _records(
    store: Readable, query: Select[Any], record: Callable[[RowRead[Any]], RecordT]
) -> list[RecordT]:
    with store.reading() as connection:
        return _rows(connection, query, record)


def _rows(
    connection: Connection, query: Select[Any], record: Callable[[RowRead[Any]], RecordT]
) -> list[RecordT]:
    return [record(row) for row in connection.execute(query)]


# records as rows


def rows_of_schedule(entry: Scheduled) -> Iterator[Row]:
    """What is new in a schedule."""
    if entry.record is not None:
        yield row_of(schema.contests, entry.record)
    for entrant in entry.entrants:
        yield row_of(schema.entrants, entrant)
    for pairing in entry.pairings:
        yield row_of(schema.pairings, pairing, **ending_columns(pairing))


def rows_of_attempt(entry: Settled) -> Iterator[Row]:
    """What is known of the players after this attempt, and which game it was if it is no result."""
    pairing = entry.pairing
    key = {"contest": pairing.contest, "number": pairing.number, "attempt": pairing.attempt}
    if entry.record is not None and pairing.state is not PairingState.DONE:
        yield schema.attempts, {**key, "game": entry.record.id}
    for report in entry.reports:
        yield row_of(schema.reports, report, **key)


def settled_columns(pairing: Pairing) -> dict[str, Any]:
    """What becomes of a game's row in the schedule; that it was repeated is never taken back."""
    columns = {"state": pairing.state, "game": pairing.game, **ending_columns(pairing)}
    return {**columns, "repeated": True} if pairing.repeated else columns


def ending_columns(pairing: Pairing) -> dict[str, Any]:
    """The columns of an attempt's ending, all of them empty where there is none."""
    ending = pairing.ending
    if ending is None:
        return dict.fromkeys(ENDING)
    end, culprits, detail = ending.reason, [*ending.culprits], storable(ending.detail)
    times = pairing.overloaded, pairing.started, ending.at
    return dict(zip(ENDING, (end, ending.winner, culprits, detail, *times), strict=True))


# rows as records


def _contest_record(row: RowRead[Any]) -> ContestRecord:
    return ContestRecord(
        row.id, row.name, row.game, tuple(row.options), row.description, row.created
    )


def _entrant_record(row: RowRead[Any]) -> EntrantRecord:
    return EntrantRecord(*tuple(row))


def _seat_report(row: RowRead[Any]) -> SeatReport:
    return SeatReport(row.seat, row.moves, row.took, row.cpu, row.memory, row.status, row.output)


def pairing_record(row: RowRead[Any]) -> Pairing:
    """A game of the schedule; the row has the options that it was played with, too."""
    ending = None
    if row.end is not None:
        ending = Ending(row.end, row.winner, row.detail, row.ended, tuple(row.culprits))
    return Pairing(
        row.contest,
        row.number,
        row.round,
        row.bundle,
        tuple(row.seats),
        tuple(row.opening),
        row.seed,
        row.state,
        row.attempt,
        row.repeated,
        row.game,
        ending,
        row.started or 0,
        bool(row.overloaded),
        seat_that_begins(row.options or ()),
    )


def seat_that_begins(options: Iterable[str]) -> int:
    """Which seat begins by the options of a game; the first one if they do not say it."""
    return next((int(one[7:]) for one in options if one.startswith("begins=")), 0)
