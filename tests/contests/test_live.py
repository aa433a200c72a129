"""The games of a contest in the arena, where spectators see them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.contests.contest import Progress
from spielwerk.contests.live import SHOWN, Mirrors
from spielwerk.store.records import MoveRecord, Reason
from spielwerk.tables.arena import Arena
from spielwerk.tables.mirror import MirrorTable
from tests.contests.fake_worker import assignment, record
from tests.tables.test_mirror import Clock

GAME = assignment("x", 4)


class NoJournal:
    """Mirrors write nothing."""

    def add(self, *_: object) -> None:
        raise AssertionError


class Shown:
    """An arena with mirrors."""

    def __init__(self) -> None:
        self.arena = Arena(NoJournal(), Clock())
        self.arena.engines.close()
        self.mirrors = Mirrors(self.arena, Clock())

    def begin(self, number: int = 4, attempt: int = 1) -> MirrorTable:
        game = record(replace(assignment("x", number), attempt=attempt), 2)
        self.mirrors.tell(Progress(number, attempt, game))
        table = self.arena.find(game.id)
        assert table
        return table  # type: ignore[return-value]


@pytest.fixture
def shown() -> Shown:
    return Shown()


def reason(table: MirrorTable) -> Reason | None:
    return table.result.reason if table.result else None


def test_a_game_is_shown_from_its_beginning_to_what_was_written(shown: Shown) -> None:
    shown.mirrors.tell(Progress(4, 1, moves=record(GAME).moves[:2]))  # its beginning is not known
    assert shown.mirrors.running() == {}
    table = shown.begin()
    shown.mirrors.tell(Progress(4, 1, moves=record(GAME).moves[2:5]))
    assert len(table.history) == 5
    assert shown.mirrors.running() == {table.id: 4}
    assert shown.begin() is table
    shown.mirrors.finish(4, record(GAME))
    assert table.result == record(GAME).result
    assert shown.mirrors.running() == {}


def test_another_attempt_is_another_game(shown: Shown) -> None:
    first, second = shown.begin(), shown.begin(attempt=2)
    assert shown.mirrors.running() == {second.id: 4}
    assert reason(first) is Reason.ABORTED
    shown.mirrors.finish(4, record(replace(GAME, attempt=9)))
    assert reason(second) is Reason.ABORTED


def test_only_so_many_are_shown_and_a_free_place_is_used_again(shown: Shown) -> None:
    for number in range(SHOWN):
        shown.begin(number)
    shown.mirrors.tell(Progress(99, 1, record(assignment("x", 99), 2)))
    assert len(shown.mirrors.running()) == SHOWN
    shown.mirrors.finish(0, None)
    shown.begin(SHOWN + 5)
    assert SHOWN + 5 in shown.mirrors.running().values()


def test_a_move_that_cannot_be_does_no_harm(shown: Shown) -> None:
    impossible = (MoveRecord(2, 0, "999", 0),)
    shown.begin()
    shown.mirrors.tell(Progress(4, 1, moves=impossible))
    assert shown.mirrors.running() == {}
    table = shown.begin(attempt=2)
    shown.mirrors.finish(4, replace(record(replace(GAME, attempt=2)), moves=impossible))
    assert table.over
