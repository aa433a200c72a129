"""Reading: each call in a transaction of its own, from any thread, beside the writer."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import func, or_, select, tuple_

from spielwerk.store import schema
from spielwerk.store.records import (
    Ending,
    GameRecord,
    IndexRecord,
    IndexStep,
    MoveRecord,
    Reviewed,
    SeatRecord,
    WireRecord,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import ColumnElement, Connection, Row, Select, Table

    from spielwerk.store.opening import Readable

RecordT = TypeVar("RecordT")

GAMES: Final = schema.games.c


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in a list of games: without its moves, but with their number."""

    id: str
    game: str
    name: str
    created: int
    moves: int
    seats: tuple[SeatRecord, ...]
    result: Ending | None
    options: tuple[str, ...] = ()


def unfinished(store: Readable) -> list[GameRecord]:
    """All games that have no result, oldest first."""
    ended = select(schema.results.c.game).where(schema.results.c.game == GAMES.id)
    return _records(store, select(GAMES.id).where(~ended.exists()))


def finished_since(store: Readable, moment: int) -> list[GameRecord]:
    """All games that ended then or later, oldest first; those of contests are not among them."""
    return _records(store, _over().where(schema.results.c.at >= moment))


def game(store: Readable, identity: str) -> GameRecord | None:
    """The game with this ID, or with two more characters: old clients know no more of it."""
    last = f"{identity}zz"  # a range, because an index can tell it whatever the collation
    found = _records(store, select(GAMES.id).where(GAMES.id.between(identity, last)))
    known = (one for one in found if one.id in (identity, identity + one.id[-2:]))
    return next(known, None)


def games(
    store: Readable, limit: int = 100, before: GameSummary | None = None
) -> list[GameSummary]:
    """The newest games, newest first, or those that follow `before` in that list."""
    chosen = select(GAMES.id).order_by(GAMES.created.desc(), GAMES.id.desc()).limit(limit)
    if before is not None:
        chosen = chosen.where(tuple_(GAMES.created, GAMES.id) < (before.created, before.id))
    with store.reading() as connection:
        return _summaries(connection, chosen)


def finished(
    store: Readable, limit: int, text: str = "", before: int | None = None
) -> tuple[list[GameSummary], int]:
    """The newest games that are over, newest first, and how many are over in all.

    With a text only those that have it in their name or in a player's, however it is written; with
    `before` only those created earlier. A contest has thousands of games and a list of its own:
    they are neither here nor counted.
    """
    over = _over().join(schema.games, GAMES.id == schema.results.c.game)
    if text:
        over = over.where(_mentions(text))
    if before is not None:
        over = over.where(GAMES.created < before)
    newest = over.order_by(GAMES.created.desc(), GAMES.id.desc()).limit(limit)
    with store.reading() as connection:
        count = select(func.count()).select_from(_over().subquery())
        number = connection.execute(count).scalar_one()
        # Looked for once: on the way there thousands of games of a contest may be passed.
        found = connection.scalars(newest).all()
        return _summaries(connection, select(GAMES.id).where(GAMES.id.in_(found))), number


def _over() -> Select[str]:
    """The games that are over and no contest's."""
    over = schema.results.c.game
    contests = [table.c.game for table in (schema.pairings, schema.attempts)]
    return select(over).where(*(~select(game).where(game == over).exists() for game in contests))


def _mentions(text: str) -> ColumnElement[bool]:
    """Whether the name of the game or of one of its players contains the text."""
    seats, names = schema.seats.c, schema.names.c
    return or_(
        GAMES.name.icontains(text, autoescape=True),
        *(
            select(table.game)
            .where(table.game == GAMES.id, table.name.icontains(text, autoescape=True))
            .exists()
            for table in (seats, names)
        ),
    )


def wires(store: Readable, identity: str) -> list[WireRecord]:
    """The transcripts of the game, in the order in which the connections were opened."""
    columns = schema.wires.c
    query = select(schema.wires).where(columns.game == identity)
    with store.reading() as connection:
        rows = connection.execute(query.order_by(columns.opened, columns.number))
        return [
            WireRecord(row.game, row.seat, row.service, row.peer, row.opened, row.traffic)
            for row in rows
        ]


def review(store: Readable, identity: str) -> Reviewed | None:
    """What was found out about the game with the most effort, if it was reviewed."""
    columns = schema.reviews.c
    query = select(schema.reviews).where(columns.game == identity)
    with store.reading() as connection:
        row = connection.execute(query.order_by(columns.effort.desc()).limit(1)).one_or_none()
        return None if row is None else Reviewed(*row)


def index_games(store: Readable) -> list[IndexRecord]:
    """The index server's list, the game that was registered first at the top."""
    columns = schema.index_games.c
    steps = select(schema.index_steps.c.guid).where(schema.index_steps.c.guid == columns.guid)
    sealed = steps.where(schema.index_steps.c.step == IndexStep.SEALED).exists()
    removed = steps.where(schema.index_steps.c.step == IndexStep.REMOVED).exists()
    query = select(schema.index_games, sealed.label("sealed")).where(~removed)
    with store.reading() as connection:
        rows = connection.execute(query.order_by(columns.registered, columns.guid)).mappings()
        return [IndexRecord(**{**row, "sealed": bool(row["sealed"])}) for row in rows]


def _records(store: Readable, chosen: Select[str]) -> list[GameRecord]:
    """The chosen games whole, in five queries however many they are."""
    with store.reading() as connection:
        seats = _seats(connection, chosen)
        moves = _by_game(connection, schema.moves, chosen, _move)
        results = _by_game(connection, schema.results, chosen, _result)
        query = select(schema.games).where(GAMES.id.in_(chosen)).order_by(GAMES.created, GAMES.id)
        return [
            GameRecord(
                id=row.id,
                game=row.game,
                options=tuple(row.options),
                name=row.name,
                seats=tuple(seats[row.id]),
                move_time=row.move_time,
                tournament=row.tournament,
                created=row.created,
                moves=tuple(moves[row.id]),
                result=next(iter(results[row.id]), None),
                pause=row.pause,
                wire_options=tuple(row.wire_options or ()),
                start=row.start,
                game_time=row.game_time,
                increment=row.increment,
                training=row.training,
            )
            for row in connection.execute(query)
        ]


def _summaries(connection: Connection, chosen: Select[str]) -> list[GameSummary]:
    seats = _seats(connection, chosen)
    results = _by_game(connection, schema.results, chosen, _result)
    played = (
        select(func.count()).where(schema.moves.c.game == GAMES.id).scalar_subquery().label("moves")
    )
    query = select(schema.games, played).where(GAMES.id.in_(chosen))
    return [
        GameSummary(
            id=row.id,
            game=row.game,
            name=row.name,
            created=row.created,
            moves=row.moves,
            seats=tuple(seats[row.id]),
            result=next(iter(results[row.id]), None),
            options=tuple(row.options),
        )
        for row in connection.execute(query.order_by(GAMES.created.desc(), GAMES.id.desc()))
    ]


def _seats(connection: Connection, chosen: Select[str]) -> dict[str, list[SeatRecord]]:
    """The seats of the chosen games, with the names and owners of those who sat there last."""
    seats = _by_game(connection, schema.seats, chosen, _seat)
    named = select(schema.names).where(schema.names.c.game.in_(chosen))
    for row in connection.execute(named.order_by(schema.names.c.number)):
        seat = seats[row.game][row.seat]
        seats[row.game][row.seat] = replace(seat, name=row.name, owner=row.owner)
    return seats


def _seat(row: Row[Any]) -> SeatRecord:
    return SeatRecord(row.kind, row.name, row.player, row.owner)


def _move(row: Row[Any]) -> MoveRecord:
    return MoveRecord(row.number, row.seat, row.move, row.at, row.took, row.cpu, row.hints)


def _result(row: Row[Any]) -> Ending:
    culprits = () if row.culprit is None else (row.culprit,)
    return Ending(row.reason, row.winner, row.detail, row.at, culprits)


def _by_game(
    connection: Connection,
    table: Table,
    chosen: Select[str],
    record: Callable[[Row[Any]], RecordT],
) -> dict[str, list[RecordT]]:
    """What a table has about the chosen games, in the order of its key."""
    query = select(table).where(table.c.game.in_(chosen)).order_by(*table.primary_key)
    found: dict[str, list[RecordT]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.game].append(record(row))
    return found
