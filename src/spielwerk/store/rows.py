"""From records to rows and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.store.contest_records import Scheduled, Settled
from spielwerk.store.contests import rows_of_attempt, rows_of_schedule
from spielwerk.store.records import (
    Created,
    Ended,
    GameRecord,
    IndexChanged,
    IndexRecord,
    Moved,
    MoveRecord,
    ResultRecord,
    Seated,
    SeatRecord,
    WireRecord,
)
from spielwerk.store.schema import (
    games,
    index_games,
    index_steps,
    moves,
    names,
    results,
    seats,
    wires,
)
from spielwerk.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Row as Read
    from sqlalchemy import Table

    from spielwerk.store.records import Entry

Row = tuple["Table", dict[str, Any]]


def rows_of(entry: Entry, number: int) -> list[Row]:
    """What an entry adds; the number is for rows that have no key of their own, and counts on."""
    if isinstance(entry, Moved):  # first, because most are
        return [*_happened(entry.game, entry.moves, entry.result)]
    if isinstance(entry, WireRecord):
        return [(wires, _wire(entry, number))]
    if isinstance(entry, IndexRecord):
        return [(index_games, _index_game(entry))]
    if isinstance(entry, IndexChanged):
        return [(index_steps, _index_step(guid, entry, number)) for guid in entry.guids]
    if isinstance(entry, Seated):
        return [(names, _name(entry, number))]
    if isinstance(entry, Created):
        return [*_created(entry.record)]
    if isinstance(entry, Ended):
        return [(results, _result(entry.game, entry.result))]
    if isinstance(entry, Scheduled):
        return [*rows_of_schedule(entry)]
    if isinstance(entry, Settled):
        return [*_settled(entry, number)]
    return []  # the others change what is there


def _created(record: GameRecord) -> Iterator[Row]:
    yield games, _game(record)
    for seat, player in enumerate(record.seats):
        yield seats, _seat(record.id, seat, player)
    yield from _happened(record.id, record.moves, record.result)


def _settled(entry: Settled, number: int) -> Iterator[Row]:
    if entry.record is not None:
        yield from _created(entry.record)
    for count, record in enumerate(entry.wires, start=number):
        yield wires, _wire(record, count)
    yield from rows_of_attempt(entry)


def _happened(game: str, made: Iterable[MoveRecord], result: ResultRecord | None) -> Iterator[Row]:
    for move in made:
        yield moves, _move(game, move)
    if result is not None:
        yield results, _result(game, result)


def _game(record: GameRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "game": record.game,
        "options": [storable(option) for option in record.options],
        "name": storable(record.name),
        "move_time": record.move_time,
        "tournament": record.tournament,
        "created": record.created,
        "pause": record.pause,
        "wire_options": [storable(option) for option in record.wire_options],
    }


def _seat(game: str, seat: int, record: SeatRecord) -> dict[str, Any]:
    return {
        "game": game,
        "seat": seat,
        "kind": record.kind,
        "name": storable(record.name),
        "player": storable(record.player),
        "owner": storable(record.owner),
    }


def _name(entry: Seated, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "game": entry.game,
        "seat": entry.seat,
        "name": storable(entry.name),
        "owner": storable(entry.owner),
    }


def _move(game: str, record: MoveRecord) -> dict[str, Any]:
    return {
        "game": game,
        "number": record.number,
        "seat": record.seat,
        "move": storable(record.move),
        "at": record.at,
        "took": record.took,
        "cpu": record.cpu,
    }


def _result(game: str, record: ResultRecord) -> dict[str, Any]:
    return {
        "game": game,
        "reason": record.reason,
        "winner": record.winner,
        "detail": storable(record.detail),
        "at": record.at,
        "culprit": record.culprit,
    }


def _wire(record: WireRecord, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "game": storable(record.game),
        "seat": record.seat,
        "service": storable(record.service),
        "peer": storable(record.peer),
        "opened": record.opened,
        "traffic": record.traffic,
    }


def _index_game(record: IndexRecord) -> dict[str, Any]:
    return {
        "guid": record.guid,
        "player": storable(record.player),
        "name": storable(record.name),
        "width": record.width,
        "height": record.height,
        "depth": record.depth,
        "address": storable(record.address),
        "port": record.port,
        "owner": storable(record.owner),
        "registered": record.registered,
    }


def _index_step(guid: str, entry: IndexChanged, number: int) -> dict[str, Any]:
    return {"guid": guid, "number": number, "step": entry.step}


def game_record(
    row: Read[Any],
    seated: Iterable[SeatRecord],
    made: Iterable[MoveRecord],
    result: ResultRecord | None,
) -> GameRecord:
    """The game as it was set up, with what happened in it."""
    return GameRecord(
        id=row.id,
        game=row.game,
        options=tuple(row.options),
        name=row.name,
        seats=tuple(seated),
        move_time=row.move_time,
        tournament=row.tournament,
        created=row.created,
        moves=tuple(made),
        result=result,
        pause=row.pause,
        wire_options=tuple(row.wire_options or ()),
    )


def seat_record(row: Read[Any]) -> SeatRecord:
    """A seat."""
    return SeatRecord(row.kind, row.name, row.player, row.owner)


def name_record(row: Read[Any]) -> tuple[int, str, str]:
    """A seat, its new name and its new owner."""
    return row.seat, row.name, row.owner


def move_record(row: Read[Any]) -> MoveRecord:
    """A move."""
    return MoveRecord(row.number, row.seat, row.move, row.at, row.took, row.cpu)


def result_record(row: Read[Any]) -> ResultRecord:
    """A result."""
    return ResultRecord(row.reason, row.winner, row.detail, row.at, row.culprit)


def wire_record(row: Read[Any]) -> WireRecord:
    """A transcript."""
    return WireRecord(row.game, row.seat, row.service, row.peer, row.opened, row.traffic)


def index_record(row: Read[Any]) -> IndexRecord:
    """A game in the index server's list."""
    return IndexRecord(
        row.guid,
        row.player,
        row.name,
        row.width,
        row.height,
        row.depth,
        row.address,
        row.port,
        row.owner,
        row.registered,
        bool(row.sealed),
    )
