from __future__ import annotations

import pytest

from spielwerk.engines.interface import (
    EngineError,
    Limits,
    Score,
    Stop,
    best_first,
)
from tests.waiting import wait_until


@pytest.mark.parametrize("name", ["time", "depth", "nodes", "threads"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), 10**30])
def test_limits_of_zero_or_less_are_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(EngineError, match=f"{name}={value}: a limit must be greater than zero, at"):
        Limits(**{name: value})  # type: ignore[arg-type]


def test_a_stop_is_set_by_hand_or_by_time() -> None:
    stop = Stop()
    assert stop.flag[0] == 0
    stop.set()
    assert stop.flag[0] == 1
    timed = Stop()
    with timed.after(0.01):
        wait_until(lambda: timed.flag[0])
    assert timed.flag[0] == 1
    untimed = Stop()
    with untimed.after(None):
        assert untimed.flag[0] == 0


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(3, exact=True, result=1, plies=7), "win in 7"),
        (Score(-3, exact=True, result=-1, plies=8), "loss in 8"),
        (Score(0, exact=True, result=0, plies=20), "draw"),
        (Score(1, exact=True, result=1), "win"),
        (Score(0.25), "~+0.25"),
        (Score(0.3333333, exact=True), "+0.333333"),
    ],
)
def test_a_score_in_words(score: Score, text: str) -> None:
    assert str(score) == text


def test_the_best_move_comes_first_the_quickest_win_and_the_slowest_loss() -> None:
    scores = {
        "slow loss": Score(-1, exact=True, result=-1, plies=9),
        "slow win": Score(1, exact=True, result=1, plies=7),
        "guess": Score(0.3),
        "quick loss": Score(-1, exact=True, result=-1, plies=2),
        "quick win": Score(1, exact=True, result=1, plies=3),
    }
    order = ["quick win", "slow win", "guess", "slow loss", "quick loss"]
    assert [*best_first(scores.items())] == order
