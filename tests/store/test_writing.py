"""What is written is there once, in order, or not at all; a bad entry hurts no other."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spielwerk.store import reading
from spielwerk.store.journal import Writer, storable
from spielwerk.store.opening import Store, open_store
from spielwerk.store.problems import StoreConflict, StoreError, StoreUnavailable
from spielwerk.store.records import (
    Created,
    Ended,
    Ending,
    Entry,
    GameRecord,
    Moved,
    MoveRecord,
    Seated,
    SeatKind,
    SeatRecord,
)
from tests.store.locking import locked
from tests.store.samples import ABORTED, SEATS, WON, created, ended, move, moved, wire

EXAMPLES = count()

OfGame = Created | Moved | Ended | Seated


def kinds(outcomes: list[StoreError | None]) -> list[type[StoreError] | None]:
    return [None if outcome is None else type(outcome) for outcome in outcomes]


def test_no_game_id_is_told(store: Store) -> None:
    writer = Writer(store)
    writer.write([created("secretgame1"), ended("secretgame1")])
    outcomes = writer.write([ended("secretgame1", WON), moved("secretgame2", 0)])
    for error in outcomes:
        assert isinstance(error, StoreConflict)
        assert "secretgame" not in str(error)
        assert "secretgame" not in str(error.__cause__).partition("DETAIL")[0]


def test_a_bad_entry_does_not_take_the_others_down(store: Store) -> None:
    writer = Writer(store)
    writer.write([created("a"), created("b"), moved("a", 0)])
    batch: list[Entry] = [
        moved("b", 0),
        Moved("a", (move(0, "D4,9"),)),
        moved("b", 1),
        moved("a", 1),
        created("c"),
        wire("a"),
        moved("a", 2),
        moved("b", 2),
    ]
    expected = [None, StoreConflict, None, StoreConflict, None, None, StoreConflict, None]
    assert kinds(writer.write(batch)) == expected
    written = {record.id: len(record.moves) for record in reading.unfinished(store)}
    assert written == {"a": 1, "b": 3, "c": 0}
    assert len(reading.wires(store, "a")) == 1
    assert writer.write([moved("a", 1), moved("a", 2)]) == [None, None]


def test_a_value_that_no_database_takes(store: Store) -> None:
    bad = Moved("abc", (MoveRecord(2**70, 0, "A1", 0),))
    first, second = Writer(store).write([created("abc"), bad])
    assert first is None
    assert isinstance(second, StoreError)
    assert "\n" not in str(second)


def test_hostile_names_are_kept_as_well_as_possible(store: Store) -> None:
    name = "Zoë \U0001f3b2 \0'); DROP TABLE games; -- \udc80\r\n"
    entry = Created(
        replace(created("abc").record, name=name, seats=(SeatRecord(SeatKind.CLIENT, name),))
    )
    assert Writer(store).write([entry, wire(name)]) == [None, None]
    record = reading.game(store, "abc")
    assert record
    assert (
        record.name
        == record.seats[0].name
        == name.replace("\0", "\ufffd").replace("\udc80", "\ufffd")
    )


def test_transcripts_are_numbered_on_after_a_restart(store_url: str) -> None:
    for traffic in (b"one", b"two"):
        with open_store(store_url) as store:
            assert Writer(store).write([wire("abc", traffic=traffic)]) == [None]
    with open_store(store_url) as store:
        assert [record.traffic for record in reading.wires(store, "abc")] == [b"one", b"two"]


@pytest.mark.usefixtures("impatient")
def test_a_locked_store_is_unavailable_and_comes_back(store_url: str) -> None:
    with open_store(store_url) as store:
        writer = Writer(store)
        with locked(store_url):
            outcomes = writer.write([created("a"), created("b"), created("c")])
            assert kinds(outcomes) == [StoreUnavailable] * 3
        assert writer.write([created("a")]) == [None]


# full disks


@contextmanager
def full(store: Store) -> Iterator[None]:
    """The database file may not grow."""
    with store.writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        most = connection.exec_driver_sql("PRAGMA max_page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    yield
    with store.writing() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {most}")


@contextmanager
def no_more_bytes(path: Path) -> Iterator[None]:
    """No file may become larger than this one, the write-ahead log: commits fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_and_survived(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        writer = Writer(store)
        with full(store):
            outcomes = writer.write([wire("abc", traffic=bytes(100_000)), created("abc")])
            assert "the disk is full" in str(outcomes[0])
            assert outcomes[1] is None  # small enough to find a place
        assert writer.write([wire("abc", traffic=bytes(100_000)), moved("abc", 0)]) == [None, None]
        assert len(reading.wires(store, "abc")) == 1


def test_a_commit_that_fails_is_told_and_survived(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        writer = Writer(store)
        assert writer.write([created("abc")]) == [None]
        with no_more_bytes(tmp_path / "games.db-wal"):
            for number in range(3):
                assert kinds(writer.write([moved("abc", number)])) == [StoreError]
        assert writer.write([moved("abc", 0)]) == [None]
    with open_store(tmp_path / "games.db") as store:
        record = reading.game(store, "abc")
        assert record
        assert record.moves == (move(0),)


# anything, in any order

TEXTS = st.text(st.characters(), max_size=5)
SMALL = st.integers(0, 3)
RESULTS = st.sampled_from([WON, ABORTED])
MOVES = st.builds(MoveRecord, SMALL, SMALL, st.sampled_from(["A1", "B2"]), at=SMALL, took=SMALL)
TURNS = st.lists(MOVES, max_size=3, unique_by=lambda made: made.number).map(tuple)
IDS = st.sampled_from(["a", "b", "c"])
RECORDS = st.builds(
    GameRecord,
    id=IDS,
    game=st.just("quarto"),
    options=st.lists(TEXTS, max_size=2).map(tuple),
    name=TEXTS,
    seats=st.just(SEATS),
    move_time=SMALL,
    tournament=st.booleans(),
    created=SMALL,
    moves=TURNS,
)
ENTRIES = st.one_of(
    st.builds(Created, RECORDS),
    st.builds(Moved, IDS, TURNS, st.none() | RESULTS),
    st.builds(Ended, IDS, RESULTS),
    st.builds(Seated, IDS, SMALL, TEXTS),
)


class Model:
    """What a store has to do, without a store."""

    def __init__(self) -> None:
        self.games: dict[str, GameRecord] = {}
        self.moves: dict[str, dict[int, MoveRecord]] = {}
        self.results: dict[str, Ending] = {}
        self.names: dict[tuple[str, int], str] = {}

    def write(self, entries: list[OfGame]) -> list[bool]:
        failed: set[str] = set()
        outcomes = []
        for entry in entries:
            game = entry.record.id if isinstance(entry, Created) else entry.game
            fine = game not in failed and self._take(game, entry)
            if not fine:
                failed.add(game)
            outcomes.append(fine)
        return outcomes

    def _take(self, game: str, entry: OfGame) -> bool:
        moves: tuple[MoveRecord, ...] = ()
        result: Ending | None = None
        if isinstance(entry, Created):
            moves, result = entry.record.moves, entry.record.result
            header = replace(entry.record, moves=(), result=None)
            if game in self.games:
                return self.games[game] == header and self._same(game, moves, result)
            self.games[game], self.moves[game] = header, {}
        elif isinstance(entry, Moved):
            moves, result = entry.moves, entry.result
        elif isinstance(entry, Ended):
            result = entry.result
        else:
            return self._name(game, entry)
        return self._add(game, moves, result)

    def _add(self, game: str, moves: tuple[MoveRecord, ...], result: Ending | None) -> bool:
        if not moves and result is None:
            return True
        if game not in self.games:
            return False
        known = self.moves[game]
        if any(move.number in known for move in moves) or (result and game in self.results):
            return self._same(game, moves, result)
        known.update({move.number: move for move in moves})
        if result:
            self.results[game] = result
        return True

    def _name(self, game: str, entry: Seated) -> bool:
        known = game in self.games and entry.seat < len(SEATS)
        if known:
            self.names[game, entry.seat] = storable(entry.name)
        return known

    def _same(self, game: str, moves: tuple[MoveRecord, ...], result: Ending | None) -> bool:
        return all(self.moves[game].get(move.number) == move for move in moves) and (
            result is None or self.results.get(game) == result
        )

    def record(self, game: str) -> GameRecord:
        moves = tuple(move for _, move in sorted(self.moves[game].items()))
        seats = tuple(
            replace(seat, name=self.names.get((game, number), seat.name))
            for number, seat in enumerate(SEATS)
        )
        result = self.results.get(game)
        return replace(self.games[game], seats=seats, moves=moves, result=result)


def renamed(entry: OfGame, example: int) -> OfGame:
    """The entry for a game of this example only; all examples share a store."""
    if isinstance(entry, Created):
        record = entry.record
        return Created(
            replace(
                record,
                id=f"{record.id}{example}",
                name=storable(record.name),
                options=tuple(map(storable, record.options)),
            )
        )
    return replace(entry, game=f"{entry.game}{example}")


def kind_of(entry: OfGame) -> bool:
    """For sorting: nothing happens in a game before it is created."""
    return not isinstance(entry, Created)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(ENTRIES, max_size=6), max_size=6))
def test_what_is_read_is_what_was_acknowledged(store: Store, batches: list[list[OfGame]]) -> None:
    writer, model, example = Writer(store), Model(), next(EXAMPLES)
    for batch in batches:
        entries = [renamed(entry, example) for entry in sorted(batch, key=kind_of)]
        outcomes = writer.write(entries)
        assert [outcome is None for outcome in outcomes] == model.write(entries)
    for game in (f"{name}{example}" for name in "abc"):
        expected = model.record(game) if game in model.games else None
        assert reading.game(store, game) == expected
    assert {record.id for record in reading.unfinished(store)} >= set(model.games) - set(
        model.results
    )
