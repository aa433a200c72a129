"""A move step by step: the Oware task, section 3.8, and the pictures of appendix A."""

from __future__ import annotations

from random import Random

import pytest

from spielwerk.errors import IllegalMove
from spielwerk.games.oware.rules import (
    STONES,
    Action,
    Oware,
    OwareState,
    Step,
    format_board,
    move_steps,
)
from spielwerk.games.playing import random_move

STARTS = [
    "0 0 4 4 4 4 4 4 4 4 4 4 4 4",
    "0 0 22 0 0 0 0 0 26 0 0 0 0 0",
    "0 0 0 0 0 0 0 24 24 0 0 0 0 0",
    "5 3 1 2 1 2 1 12 3 1 2 1 2 12",
    "16 16 2 1 0 1 2 2 0 0 0 0 3 5 player B",
]


def at(text: str) -> OwareState:
    return Oware().parse_state(text)


def told(position: str, move: int) -> list[tuple[str, int, int, int, str]]:
    return [
        (step.action.value, step.row, step.house, step.stones, format_board(step.board))
        for step in move_steps(at(position), move)
    ]


def test_a3_choose_take_and_sow_house_by_house() -> None:
    assert told("0 0 4 4 4 4 4 4 4 4 4 4 4 4", 4) == [
        ("choose", 0, 4, 4, "0 0 4 4 4 4 4 4 4 4 4 4 4 4"),
        ("take", 0, 4, 4, "0 0 4 4 4 4 0 4 4 4 4 4 4 4"),
        ("sow", 0, 5, 1, "0 0 4 4 4 4 0 5 4 4 4 4 4 4"),
        ("sow", 1, 0, 1, "0 0 4 4 4 4 0 5 5 4 4 4 4 4"),
        ("sow", 1, 1, 1, "0 0 4 4 4 4 0 5 5 5 4 4 4 4"),
        ("sow", 1, 2, 1, "0 0 4 4 4 4 0 5 5 5 5 4 4 4"),
    ]


def test_a6_collecting_until_a_house_does_not_fit() -> None:
    assert told("16 16 0 0 0 0 3 5 2 1 0 1 2 2", 5)[-3:] == [
        ("sow", 1, 4, 1, "16 16 0 0 0 0 3 0 3 2 1 2 3 2"),
        ("collect", 1, 4, 3, "19 16 0 0 0 0 3 0 3 2 1 2 0 2"),
        ("collect", 1, 3, 2, "21 16 0 0 0 0 3 0 3 2 1 0 0 2"),
    ]


@pytest.mark.parametrize("move", [-1, 6, 4])
def test_a_move_that_is_not_legal_is_never_begun(move: int) -> None:
    with pytest.raises(IllegalMove):
        move_steps(at("0 0 4 4 4 4 0 5 5 5 5 4 4 4"), move)


def in_order(shown: tuple[Step, ...]) -> bool:
    """Choose, take, sow, collect, each at its place: the neighbours of what came before."""
    sown = [step.place for step in shown if step.action is Action.SOW]
    won = [step.place for step in shown if step.action is Action.COLLECT]
    origin = shown[0].place
    circle = [place for place in [*range(origin, 14), *range(2, origin)] if place != origin] * 5
    return (
        [step.action for step in shown[:2]] == [Action.CHOOSE, Action.TAKE]
        and len(sown) + len(won) + 2 == len(shown)
        and shown[1].place == origin
        and sown == circle[: len(sown)]
        and won == list(range(sown[-1], sown[-1] - len(won), -1))
    )


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(4))
def test_every_move_of_random_games_ends_where_the_rules_say(start: str, seed: int) -> None:
    state, rng = at(start), Random(seed)
    while not state.outcome:
        move = random_move(state, rng)
        shown = move_steps(state, move)
        state = state.play(move)
        assert shown[-1].board == state.board
        assert all(sum(step.board) + step.hand == STONES for step in shown)
        assert in_order(shown)
        assert shown[-1].hand == 0
