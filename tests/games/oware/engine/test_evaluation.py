import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from spielwerk.games.oware.engine.evaluation import (
    LIMIT,
    SIDE,
    SIMPLE_RANK,
    TUNED,
    best_capture,
    evaluate,
    moves_in_hand,
    simple_value,
    tuned_value,
)
from spielwerk.games.oware.engine.kernel import pack
from spielwerk.games.oware.rules import Oware

from .positions import undecided


def document_value(mine: int, theirs: int) -> Fraction:
    """b_Z of section 4.3 for the stones both have."""
    need, opponents_need = max(25 - mine, 0), max(25 - theirs, 0)
    return 1 - Fraction(2 * need, need + opponents_need)


@pytest.mark.parametrize("mine", range(25))
def test_simple_value_is_the_documents(mine: int) -> None:
    for theirs in range(25):
        score = SIMPLE_RANK[25 - mine, 25 - theirs]
        assert simple_value(int(score)) == float(document_value(mine, theirs))
        assert SIMPLE_RANK[25 - theirs, 25 - mine] == -score


def test_simple_ranks_are_in_the_order_of_the_values() -> None:
    pairs = [(mine, theirs) for mine in range(25) for theirs in range(25)]
    by_value = sorted(pairs, key=lambda pair: document_value(*pair))
    values = [document_value(*pair) for pair in by_value]
    ranks = [int(SIMPLE_RANK[25 - mine, 25 - theirs]) for mine, theirs in by_value]
    for index in range(len(pairs) - 1):
        assert (ranks[index] < ranks[index + 1]) == (values[index] < values[index + 1])


def test_tuned_value_is_never_certain_before_the_end() -> None:
    sure = np.full(2 * SIDE, LIMIT, np.int64)
    mine, theirs = pack(Oware().start().board, 0)
    assert 0.99 < tuned_value(evaluate(mine, theirs, TUNED, sure)) < 1
    assert -1 < tuned_value(evaluate(mine, theirs, TUNED, -sure)) < -0.99


def hand(houses: Sequence[int]) -> int:
    """The document's moves in hand, word for word."""
    for p in range(5, -1, -1):
        if 1 <= houses[p] <= 5 - p:
            sown = list(houses)
            sown[p] = 0
            for place in range(p + 1, p + 1 + houses[p]):
                sown[place] += 1
            return 1 + hand(sown)
    return 0


def test_moves_in_hand_are_the_documents() -> None:
    rng = random.Random(2)
    for _ in range(2000):
        houses = [rng.choice((0, 0, 1, 2, 3, 4, 5, 6, 7)) for _ in range(6)]
        row, _ = pack((7, 0, *houses, *[0] * 6), 0)
        assert moves_in_hand(row) == hand(houses), houses


def test_best_capture_is_what_the_rules_give() -> None:
    captures = 0
    for state in undecided(random.Random(3), 500):
        gains = [
            state.play(house).board[state.player] - state.board[state.player]
            for house in state.legal_moves()
        ]
        assert best_capture(*pack(state.board, state.player)) == max(gains), state
        captures += max(gains) > 0
    assert captures > 100
