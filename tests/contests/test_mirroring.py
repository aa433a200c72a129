"""Running games that are shown: which, how far, and until when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.contests.assignment import Progress
from spielwerk.contests.running.mirroring import SHOWN, Mirrors
from spielwerk.store.records import MoveRecord, Reason
from spielwerk.tables.arena import Arena
from tests.contests.contests import MemoryJournal
from tests.contests.fake_worker import assignment, record
from tests.tables.test_mirror import Clock

GAME = assignment("x", 4)


@pytest.fixture
def arena() -> Arena:
    arena = Arena(MemoryJournal(), Clock())
    arena.engines.close()
    return arena


@pytest.fixture
def mirrors(arena: Arena) -> Mirrors:
    return Mirrors(arena, Clock())


def begin(mirrors: Mirrors, number: int = 4, moves: int = 2, attempt: int = 1) -> str:
    game = record(replace(assignment("x", number), attempt=attempt), moves)
    mirrors.tell(Progress(number, attempt, game))
    return game.id


def test_a_game_is_shown_from_its_beginning(arena: Arena, mirrors: Mirrors) -> None:
    game_id = begin(mirrors)
    mirrors.tell(Progress(4, 1, moves=record(GAME).moves[2:5]))
    table = arena.find(game_id)
    assert table
    assert len(table.history) == 5
    assert mirrors.running() == {game_id: 4}


def test_news_of_a_game_whose_beginning_nobody_told_are_not_shown(mirrors: Mirrors) -> None:
    mirrors.tell(Progress(4, 1, moves=record(GAME).moves[:2]))
    assert mirrors.running() == {}


def test_it_ends_with_what_was_written(arena: Arena, mirrors: Mirrors) -> None:
    game_id = begin(mirrors)
    mirrors.finish(4, record(GAME))
    table = arena.find(game_id)
    assert table
    assert table.result == record(GAME).result
    assert mirrors.running() == {}
    mirrors.finish(4, record(GAME))  # nobody knows it any more


def test_a_game_that_begins_anew_is_another(arena: Arena, mirrors: Mirrors) -> None:
    first, second = begin(mirrors), begin(mirrors, attempt=2)
    assert first != second
    assert mirrors.running() == {second: 4}
    table = arena.find(first)
    assert table
    assert table.result
    assert table.result.reason is Reason.ABORTED


def test_the_same_beginning_twice_changes_nothing(arena: Arena, mirrors: Mirrors) -> None:
    game_id = begin(mirrors)
    table = arena.find(game_id)
    begin(mirrors)
    assert arena.find(game_id) is table


def test_what_was_written_of_another_attempt_is_not_this_game(
    arena: Arena, mirrors: Mirrors
) -> None:
    game_id = begin(mirrors)
    mirrors.finish(4, record(replace(GAME, attempt=9)))
    table = arena.find(game_id)
    assert table
    assert table.result
    assert table.result.reason is Reason.ABORTED


def test_a_free_place_is_used_again(mirrors: Mirrors) -> None:
    for number in range(SHOWN + 3):
        begin(mirrors, number)
    assert len(mirrors.running()) == SHOWN
    mirrors.finish(0, None)
    begin(mirrors, SHOWN + 5)
    assert SHOWN + 5 in mirrors.running().values()


def test_a_move_that_cannot_be_does_no_harm(mirrors: Mirrors, arena: Arena) -> None:
    game_id = begin(mirrors)
    mirrors.tell(Progress(4, 1, moves=(MoveRecord(2, 0, "999", 0),)))
    assert mirrors.running() == {}
    begin(mirrors, attempt=2)
    broken = replace(record(replace(GAME, attempt=2)), moves=(MoveRecord(2, 0, "999", 0),))
    mirrors.finish(4, broken)
    table = arena.find(game_id)
    assert table
    assert table.over
