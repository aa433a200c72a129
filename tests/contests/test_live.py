"""What is seen of a contest: its games in the arena, and its pace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.assignment import Progress
from spielwerk.contests.live import FEWEST, LAST, QUICK, SHOWN, GamePace, Mirrors
from spielwerk.store.records import MoveRecord, Reason
from spielwerk.tables.arena import Arena
from tests.contests.fake_worker import assignment, record
from tests.tables.test_mirror import Clock

if TYPE_CHECKING:
    from spielwerk.tables.mirror import MirrorTable

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


# pace


def played(seconds: float, games: int, jobs: int, gap: float | None = None) -> GamePace:
    """So many games one after the other, each so long, that ended that far apart."""
    pace, now = GamePace(), 100.0
    for _ in range(games):
        pace.note(now, seconds, jobs)
        now += seconds / jobs if gap is None else gap
    return pace


def test_nothing_is_known_before_a_few_games_or_while_nothing_is_played() -> None:
    assert played(10.0, FEWEST - 1, 2).rate(2) is None
    assert played(10.0, FEWEST - 1, 2).left(100, 2) is None
    assert played(10.0, FEWEST, 2).rate(2) == pytest.approx(12.0)
    assert played(10.0, 20, 4).rate(0) is None


@pytest.mark.parametrize(
    ("games", "jobs", "left"), [(100, 4, 250), (100, 8, 125), (1, 4, 10), (0, 4, 0)]
)
def test_the_rest_takes_as_long_as_the_last_games_did(games: int, jobs: int, left: float) -> None:
    assert played(10.0, 20, 4).left(games, jobs) == pytest.approx(left)


def test_what_is_not_play_counts_too() -> None:
    pace = played(0.01, 30, 2, gap=0.02)  # writing takes most of the time
    assert pace.rate(2) == pytest.approx(60 / 0.02)
    pace = played(60.0, 8, 8, gap=0.01)  # the first games end at once, which says nothing
    assert pace.rate(8) == pytest.approx(8.0)


def test_pauses_and_old_games_do_not_count() -> None:
    pace, now = played(100.0, 10, 1), 200_000.0
    pace.pause()
    for _ in range(LAST + 1):
        pace.note(now, 1.0, 1)
        now += 1.0
    assert pace.rate(1) == pytest.approx(60.0, rel=0.01)


def test_quick_games_are_told_from_long_ones() -> None:
    assert played(QUICK / 2, 10, 2).quick
    assert not played(QUICK * 2, 10, 2).quick
    assert not GamePace().quick
