"""How fast games are played, and how long the rest will take."""

from __future__ import annotations

import pytest

from spielwerk.contests.running.pace import FEWEST, LAST, QUICK, Pace


def played(seconds: float, games: int, jobs: int, gap: float | None = None) -> Pace:
    """So many games one after the other, each so long, that ended that far apart."""
    pace, now = Pace(), 100.0
    for _ in range(games):
        pace.note(now, seconds, jobs)
        now += seconds / jobs if gap is None else gap
    return pace


def test_nothing_is_known_before_a_few_games_have_been_played() -> None:
    assert played(10.0, FEWEST - 1, 2).rate(2) is None
    assert played(10.0, FEWEST - 1, 2).left(100, 2) is None
    assert played(10.0, FEWEST, 2).rate(2) == pytest.approx(12.0)


def test_the_rest_takes_as_long_as_the_last_games_did() -> None:
    pace = played(10.0, 20, 4)
    assert pace.rate(4) == pytest.approx(24.0)
    assert pace.left(100, 4) == pytest.approx(250.0)


def test_more_games_at_once_are_faster() -> None:
    pace = played(10.0, 20, 4)
    assert pace.left(100, 8) == pytest.approx(125.0)
    assert pace.left(100, 1) == pytest.approx(1000.0)


def test_the_last_games_do_not_fill_all_places() -> None:
    assert played(10.0, 20, 4).left(1, 4) == pytest.approx(10.0)
    assert played(10.0, 20, 4).left(0, 4) == 0.0


def test_nothing_is_known_while_nothing_is_played() -> None:
    assert played(10.0, 20, 4).rate(0) is None
    assert played(10.0, 20, 4).left(5, 0) is None


def test_what_is_not_play_counts_too() -> None:
    pace = played(0.01, 30, 2, gap=0.02)  # writing them down takes most of the time
    assert pace.rate(2) == pytest.approx(60 / 0.02)


def test_the_first_games_end_at_once_and_that_says_nothing() -> None:
    pace = Pace()
    for number in range(8):
        pace.note(160.0 + number / 100, 60.0, 8)
    assert pace.rate(8) == pytest.approx(8.0)


def test_a_pause_is_no_game() -> None:
    pace = played(1.0, 10, 1)
    pace.pause()
    pace.note(100_000.0, 1.0, 1)
    assert pace.rate(1) == pytest.approx(60.0)


def test_old_games_are_forgotten() -> None:
    pace = played(100.0, 10, 1)
    now = 2000.0
    for _ in range(LAST + 1):
        pace.note(now, 1.0, 1)
        now += 1.0
    assert pace.rate(1) == pytest.approx(60.0, rel=0.1)


@pytest.mark.parametrize(("seconds", "quick"), [(QUICK / 2, True), (QUICK * 2, False)])
def test_quick_games_are_told_from_long_ones(seconds: float, quick: bool) -> None:
    assert played(seconds, 10, 2).quick is quick
    assert not Pace().quick
