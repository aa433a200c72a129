"""A table that only shows a game: it follows what it is told, and cannot be changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from spielwerk.games import find_game
from spielwerk.games.playing import random_move
from spielwerk.store.records import (
    Ending,
    GameRecord,
    MoveRecord,
    Reason,
    SeatKind,
    SeatRecord,
    WireRecord,
)
from spielwerk.tables.arena import Arena, ArenaRules
from spielwerk.tables.mirror import MirrorTable
from spielwerk.tables.offers import Rematch
from spielwerk.tables.parts import NoFreeSeat, NotNow
from spielwerk.tables.table import Table
from spielwerk.web.views import facts
from tests.journal import MemoryJournal

WON = Ending(Reason.WIN, 0, "four in a row", 9000)
COLUMN = ("0", "1", "7", "8", "14", "15", "21")


class Clock:
    """A time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 50.0

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> int:
        return round(1000 * self.now)


def a_record(*moves: str, kind: SeatKind = SeatKind.CLIENT) -> GameRecord:
    return GameRecord(
        id="abcdefghijk",
        game="connect4",
        options=("width=7", "height=6", "depth=1"),
        name="Spring 1",
        seats=(SeatRecord(kind, "anna"), SeatRecord(kind, "bert")),
        move_time=2000,
        tournament=True,
        created=1000,
        moves=tuple(MoveRecord(n, n % 2, move, 1000 + n, 5) for n, move in enumerate(moves)),
    )


def moves(*texts: str, first: int = 0) -> tuple[MoveRecord, ...]:
    return tuple(MoveRecord(n, n % 2, text, 1000 + n, 5) for n, text in enumerate(texts, first))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def arena(clock: Clock, journal: MemoryJournal) -> Arena:
    rules = ArenaRules(age_limit=10.0, finished_kept=5.0)
    arena = Arena(journal, clock, rules)
    arena.engines.close()
    return arena


@pytest.fixture
def table(arena: Arena, clock: Clock) -> MirrorTable:
    table = MirrorTable(a_record("0", "1"), clock)
    arena.show(table)
    return table


# what is told


def test_it_shows_what_has_happened_and_whose_turn_it_is(table: MirrorTable) -> None:
    assert [move.move for move in table.history.records()] == ["0", "1"]
    assert table.turn == 0
    assert not table.over
    assert not table.open
    assert table.asked == (table.seats[0], 50.0)


def test_it_follows_the_moves_and_tells_watchers(table: MirrorTable, clock: Clock) -> None:
    told: list[int] = []
    table.watchers.append(lambda table: told.append(len(table.history)))
    clock.now += 1
    table.follow_moves(moves("7", "8", first=2))
    table.follow_moves(moves("14", first=4))
    assert told == [4, 5]
    assert table.history.records() == list(moves("0", "1", "7", "8", "14"))
    assert table.asked == (table.seats[1], 51.0)
    assert table.clocks.running
    assert table.clocks.running.limit == 2000


def test_only_the_next_moves_are_played(table: MirrorTable) -> None:
    for _ in range(2):
        table.follow_moves(moves("0", "1", "7"))
        assert len(table.history) == 3
    table.follow_moves(moves("14", first=4))
    table.follow_moves(())
    assert len(table.history) == 3
    table.finish(replace(a_record(*COLUMN), result=WON))
    assert len(table.history) == len(COLUMN)


def test_it_ends_with_the_result_that_was_written(arena: Arena, table: MirrorTable) -> None:
    over: list[bool] = []
    table.watchers.append(lambda table: over.append(table.over))
    table.finish(replace(a_record(*COLUMN), result=WON))
    assert table.result == WON
    assert over == [False, True]
    assert table.turn == -2
    assert table.asked is None
    assert arena.find(table.id) is table


def test_a_game_that_is_broken_off_says_that_it_begins_anew(table: MirrorTable) -> None:
    table.break_off()
    assert table.result
    assert table.result.reason is Reason.ABORTED
    assert "played again" in table.result.detail
    before = table.result
    table.finish(replace(a_record(*COLUMN), result=WON))
    assert table.result is before  # the first end counts


@pytest.mark.parametrize("name", ["quarto", "dice"])
def test_it_follows_every_game_to_its_end(name: str, clock: Clock) -> None:
    game = find_game(name).from_text(())
    seats = tuple(SeatRecord(SeatKind.CLIENT, str(n)) for n in range(game.players))
    record = GameRecord("abcdefghijk", name, tuple(game.assignments()), "one", seats, 1000, True, 0)
    table, state, rng = MirrorTable(record, clock), game.start(), Random(7)
    assert not table.gathering
    played: list[MoveRecord] = []
    while state.outcome is None and len(played) < 60:
        move = random_move(state, rng)
        played.append(MoveRecord(len(played), state.turn, game.format_move(move), 1, 1))
        state = state.play(move)
        table.follow_moves(played[-1:])
        if state.turn >= 0:
            assert table.asked == (table.seats[state.turn], clock.now)
        else:
            assert table.asked is None
    assert table.state == state
    table.finish(replace(record, moves=tuple(played), result=WON))
    assert table.over


# what cannot be done


def test_no_player_can_sit_down(table: MirrorTable, clock: Clock) -> None:
    occupant = table.seats[0].occupant
    assert occupant
    with pytest.raises(NoFreeSeat):
        table.sit(occupant)
    with pytest.raises(NoFreeSeat):
        table.owners.take(table.seats[0], "browser", "me", lambda _error: None)
    persons = MirrorTable(a_record(kind=SeatKind.PERSON), clock)
    with pytest.raises(NoFreeSeat):
        persons.owners.take(persons.seats[0], "browser", "me", lambda _error: None)


ATTEMPTS: list[Callable[[Table], None]] = [
    lambda table: table.play(table.seats[0], "3", lambda _error: None),
    lambda table: table.resign(table.seats[0]),
    lambda table: table.abort(Reason.ABORTED, "because"),
    lambda table: table.fail(table.seats[0], Reason.TIME_OUT, "because"),
    lambda table: table.lose(table.seats[0], Reason.TIME_OUT, "because"),
    lambda table: table.owners.give_back(table.seats[0], lambda _error: None),
]


def test_the_game_cannot_be_changed_here(
    arena: Arena, table: MirrorTable, journal: MemoryJournal
) -> None:
    for attempt in ATTEMPTS:
        with pytest.raises(NotNow):
            attempt(table)
    table.retry()
    table.keep(WireRecord(table.id, 0, "mnm", "peer", 0, b""))
    arena.stop("good night")
    assert not table.over
    assert not journal.entries


def test_the_operator_cannot_delete_it(arena: Arena, table: MirrorTable) -> None:
    with pytest.raises(NotNow, match="contest"):
        asyncio.run(arena.remove(table.id))
    assert arena.find(table.id) is table


def test_it_is_not_swept_away_however_long_it_takes(
    arena: Arena, table: MirrorTable, clock: Clock
) -> None:
    clock.now += 1_000_000
    arena.sweep()
    assert arena.find(table.id) is table
    assert not table.over


def test_after_its_end_it_goes_as_any_other(arena: Arena, table: MirrorTable, clock: Clock) -> None:
    table.finish(replace(a_record(*COLUMN), result=WON))
    clock.now += 6
    arena.sweep()
    assert arena.find(table.id) is None
    assert len(arena) == 0


# pages


def test_a_page_sees_players_who_are_there(table: MirrorTable) -> None:
    told = facts(table, 50.0, Rematch())
    assert [seat["connection"] for seat in told["seats"]] == ["connected", "connected"]
    assert [seat["free"] for seat in told["seats"]] == [False, False]
    assert told["clock"] == {"seat": 0, "since": 50.0, "limit": 2000}
    assert told["turn"] == 0
    assert told["open"] is False
