"""The exact search against plain play-everything, and against itself under every symmetry."""

from __future__ import annotations

import numpy as np
import pytest

from spielwerk.games.quarto.engine.root import UNLIMITED
from spielwerk.games.quarto.engine.solver import (
    NO,
    UNDECIDED,
    YES,
    answers,
    decide,
    position_of,
    safe_stones,
)
from spielwerk.games.quarto.rules import Placement, QuartoState

from .positions import (
    BOARD,
    STONES,
    decisions,
    hands_over_a_win,
    moved,
    quiet,
    recoloured,
    solve,
    wins_at_once,
)


def value(state: QuartoState, entries: int = 1 << 14) -> int:
    table, nodes, stop = np.zeros(entries, np.uint64), np.zeros(1, np.int64), np.zeros(1, np.uint8)
    position = position_of(state)
    if decide(position, True, table, nodes, UNLIMITED, stop) == YES:
        return 1
    return 0 if decide(position, False, table, nodes, UNLIMITED, stop) == YES else -1


def test_safe_stones_agree_with_the_rules() -> None:
    for state in decisions(4, seed=1, games=40):
        if wins_at_once(state) or not state.supply():
            continue
        total = 0
        for square in (s for s, stone in enumerate(state.board) if stone is None):
            safe = int(safe_stones(position_of(state), np.uint64(square)))
            moves = [Placement(square, stone) for stone in state.supply()]
            expected = {m.stone for m in moves if not hands_over_a_win(state, m)}
            assert {stone for stone in range(16) if safe >> stone & 1} == expected
            total += len(expected)
        assert answers(position_of(state)) == total


@pytest.mark.parametrize(
    ("stones", "number"), [(15, 50), (14, 100), (13, 200), (12, 120), (11, 15)]
)
def test_results_agree_with_playing_everything(stones: int, number: int) -> None:
    results = set()
    for state in quiet(4, stones, seed=stones, number=number):
        results.add(solve(state))
        assert value(state) == solve(state), str(state)
    assert stones > 13 or results == {1, 0, -1}


def test_results_are_the_same_for_all_images() -> None:
    for stones in (9, 10, 11):
        for state in quiet(4, stones, seed=4, number=2):
            expected = value(state, 16)
            for images in BOARD:
                image = moved(state, images)
                assert all(value(recoloured(image, *change), 16) == expected for change in STONES)


def test_it_can_be_stopped() -> None:
    position = position_of(quiet(4, 3, seed=8, number=1)[0])
    for most_nodes, flag in ((0, 0), (1000, 0), (UNLIMITED, 1)):
        table, nodes = np.zeros(16, np.uint64), np.zeros(1, np.int64)
        stop = np.full(1, flag, np.uint8)
        assert decide(position, True, table, nodes, most_nodes, stop) == UNDECIDED
        assert nodes[0] <= max(min(most_nodes, 256), 0) + 1 or nodes[0] == most_nodes + 1


def test_no_is_an_answer() -> None:
    lost = next(s for s in quiet(4, 12, seed=9, number=60) if solve(s) == -1)
    table, nodes, stop = np.zeros(16, np.uint64), np.zeros(1, np.int64), np.zeros(1, np.uint8)
    assert decide(position_of(lost), False, table, nodes, UNLIMITED, stop) == NO
