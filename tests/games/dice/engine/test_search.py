"""The search in the dice race: a rule of thumb at depth 1, and the truth from far enough."""

from __future__ import annotations

from typing import Any

import pytest

from spielwerk.engines.interface import Limits
from spielwerk.games.dice.engine import DiceEngine
from spielwerk.games.dice.engine.search import DEEPEST
from spielwerk.games.dice.rules import Choice, Dice

PLAIN = DiceEngine.plain()


def found(game: Dice, saved: str, points: int, depth: int) -> Any:
    state = game.parse_state(f"saved {saved} points {points} turns 3 choose")
    return PLAIN.search(state, Limits(depth=depth, seed=0))


@pytest.mark.parametrize(("points", "choice"), [(1, "ROLL"), (34, "ROLL"), (36, "SAVE")])
def test_who_sees_the_own_turn_alone_holds_at_35(points: int, choice: str) -> None:
    assert found(Dice(), "0 0 0", points, 1).move == Choice[choice]


def test_points_that_win_are_worth_the_risk() -> None:
    assert found(Dice(target=60), "22 0 0", 36, 1).move == Choice.ROLL


def test_who_looks_further_sees_that_the_next_player_is_about_to_win() -> None:
    late = Dice(target=120), "0 117 0", 40
    assert [found(*late, depth).move for depth in (1, 2)] == [Choice.SAVE, Choice.ROLL]


def test_to_the_end_it_finds_what_the_solved_race_says() -> None:
    game = Dice(target=20)
    state = game.parse_state("saved 15 15 15 points 3 turns 3 choose")
    solved = DiceEngine().analyse(state)
    seen = PLAIN.analyse(state, Limits(depth=DEEPEST))
    for move, score in solved.items():
        assert seen[move].value == pytest.approx(score.value, abs=0.02)
        assert not seen[move].exact


def test_it_says_how_far_it_has_looked() -> None:
    assert [found(Dice(target=20), "0 0 0", 3, depth).depth for depth in (1, 99)] == [1, DEEPEST]
