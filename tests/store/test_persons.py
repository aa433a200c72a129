"""Owners of seats, and games that are removed."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import func, select

from spielwerk.store import reading, schema
from spielwerk.store.journal import Writer
from spielwerk.store.opening import Store
from spielwerk.store.problems import StoreConflict
from spielwerk.store.records import Created, Entry, Removed, Seated, SeatKind, SeatRecord
from tests.store.samples import WON, created, moved, wire

PERSONS = (SeatRecord(SeatKind.PERSON, "", owner="anna:1"), SeatRecord(SeatKind.PERSON, "Bert"))
OF_GAMES = (schema.games, schema.seats, schema.names, schema.moves, schema.results, schema.wires)


def rows(store: Store) -> int:
    """How much there is of all games."""
    with store.reading() as connection:
        counts = [connection.scalar(select(func.count()).select_from(one)) for one in OF_GAMES]
    return sum(count or 0 for count in counts)


def owners(store: Store, game: str) -> list[tuple[str, str]]:
    record = reading.game(store, game)
    assert record
    return [(seat.name, seat.owner) for seat in record.seats]


def test_the_last_owner_counts(store: Store) -> None:
    new = Created(
        replace(created("abc").record, seats=PERSONS, pause=500, wire_options=("pace=block",))
    )
    writer = Writer(store)
    assert writer.write([new]) == [None]
    assert reading.game(store, "abc") == new.record
    assert owners(store, "abc") == [("", "anna:1"), ("Bert", "")]
    taken, given_back = Seated("abc", 1, "Berta", "bert:2"), Seated("abc", 0, "Anna", "")
    assert writer.write([taken, given_back]) == [None, None]
    assert owners(store, "abc") == [("Anna", ""), ("Berta", "bert:2")]
    assert writer.write([Seated("abc", 1, "Berta", "eve:3")]) == [None]
    assert owners(store, "abc") == [("Anna", ""), ("Berta", "eve:3")]


def test_nothing_is_left_of_a_removed_game(store: Store) -> None:
    writer = Writer(store)
    writer.write([created("kept"), moved("kept", 0), wire("kept")])
    before = rows(store)
    whole: list[Entry] = [
        created("abc"),
        moved("abc", 0, 1, result=WON),
        Seated("abc", 0, "x"),
        wire("abc"),
    ]
    assert writer.write(whole) == [None] * 4
    assert rows(store) > before
    assert writer.write([Removed("abc")]) == [None]
    assert rows(store) == before
    assert writer.write([Removed("abc"), Removed("unknown")]) == [None, None]
    assert reading.game(store, "kept")


def test_a_game_that_comes_and_goes_in_one_breath(store: Store) -> None:
    entries: list[Entry] = [
        created("abc"),
        moved("abc", 0),
        wire("abc"),
        Removed("abc"),
        wire("abc"),
    ]
    assert Writer(store).write(entries) == [None] * 5
    assert rows(store) == 0


def test_connections_that_end_after_their_game_was_removed(store: Store) -> None:
    writer = Writer(store)
    assert writer.write([created("abc"), Removed("abc")]) == [None, None]
    assert writer.write([wire("abc")]) == [None]
    assert rows(store) == 0
    (error,) = writer.write([moved("abc", 0)])
    assert isinstance(error, StoreConflict)
