"""The kernel for boards on which the stones matter against the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from spielwerk.engines.interface import Stop
from spielwerk.games.playing import perft
from spielwerk.games.quarto.engine.root import UNLIMITED
from spielwerk.games.quarto.engine.search import (
    STOPPED,
    WIN,
    board_of,
    count_sequences,
    geometry,
    rate,
    winning_square,
)
from spielwerk.games.quarto.rules import Placement, Quarto, QuartoState

from .positions import decisions, one_of_each_placement, wins_at_once

SIZES = range(2, 7)


@pytest.mark.parametrize("n", SIZES)
def test_board_of_agrees_with_the_rules(n: int) -> None:
    for state in decisions(n, seed=n, games=5):
        board = board_of(state)
        taken = {square for square, stone in enumerate(state.board) if stone is not None}
        assert {square for square in range(n * n) if int(board.taken) >> square & 1} == taken
        supply = [stone for stone in range(n * n) if int(board.supply) >> stone & 1]
        assert supply == state.supply()


@pytest.mark.parametrize("n", SIZES)
def test_winning_square_agrees_with_the_rules(n: int) -> None:
    found = set()
    for state in decisions(n, seed=10 + n, games=40):
        square = winning_square(geometry(n), board_of(state))
        assert (square >= 0) == wins_at_once(state), str(state)
        if square >= 0:
            move = next(m for m in one_of_each_placement(state) if m.square == square)
            assert state.play(move).outcome
        found.add(square >= 0)
    assert found == {True, False}


@pytest.mark.parametrize("n", SIZES)
def test_counts_agree_with_the_rules_everywhere(n: int) -> None:
    states = list(decisions(n, seed=20 + n, games=3))
    few_left = [state for state in states if state.board.count(None) <= 5]
    for state in states:
        assert count_sequences(geometry(n), board_of(state), 1) == perft(state, 1)
    for state in few_left:
        for depth in (2, 3, 4):
            assert count_sequences(geometry(n), board_of(state), depth) == perft(state, depth)


def kernel_score(state: QuartoState, move: Placement, depth: int) -> int:
    report = np.zeros(3, np.int64)
    stone = -1 if move.stone is None else move.stone
    return rate(
        geometry(state.game.n),
        board_of(state),
        move.square,
        stone,
        depth,
        -WIN,
        report,
        UNLIMITED,
        Stop().flag,
    )


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_search_to_the_end_finds_the_result(n: int) -> None:
    """With the distance to the end under best play, as plain negamax finds it."""
    rng = Random(n)
    few_left = [s for s in decisions(n, seed=30 + n, games=40) if s.board.count(None) <= 4]
    for state in rng.sample(few_left, min(len(few_left), 40)):
        for move in state.legal_moves():
            assert isinstance(move, Placement)
            assert kernel_score(state, move, state.board.count(None)) == _plain(state, move, 1)


def _plain(state: QuartoState, move: Placement, ply: int) -> int:
    after = state.play(move)
    if after.outcome:
        return 0 if after.outcome.winner is None else WIN - ply
    return -max(_plain(after, m, ply + 1) for m in after.legal_moves() if isinstance(m, Placement))


def _placements(state: QuartoState) -> list[Placement]:
    return [move for move in state.legal_moves() if isinstance(move, Placement)]


def test_a_depth_limit_of_one_sees_the_stone_that_wins() -> None:
    for state in decisions(4, seed=99, games=12):
        for move in _placements(state):
            after = state.play(move)
            loses = after.turn >= 0 and wins_at_once(after)
            assert (kernel_score(state, move, 1) == 2 - WIN) == loses


def test_a_stopped_search_says_so() -> None:
    state = Quarto(first=0).start()
    for most_nodes, flag in ((10, 0), (UNLIMITED, 1)):
        report = np.zeros(3, np.int64)
        stop = np.full(1, flag, np.uint8)
        rate(geometry(4), board_of(state), 0, 1, 5, -WIN, report, most_nodes, stop)
        assert report[STOPPED]
