"""The engine as the rest of the program sees it."""

from __future__ import annotations

from random import Random

import pytest

from spielwerk.engines.interface import Limits, Score
from spielwerk.games.quarto.engine import QuartoEngine
from spielwerk.games.quarto.rules import Placement, Quarto, QuartoState

from .positions import (
    decisions,
    differing_moves,
    hands_over_a_win,
    quiet,
    result_of,
    solve,
    wins_at_once,
)

ENGINE = QuartoEngine(1 << 14)

LIMITS = [
    Limits(depth=1, seed=1),
    Limits(depth=2, seed=2),
    Limits(nodes=1, seed=3),
    Limits(nodes=300, seed=4),
    Limits(nodes=5000, seed=5),
    Limits(time=1e-6, seed=6),
]


def check_move(state: QuartoState, move: object) -> None:
    assert isinstance(move, Placement)
    assert move in state.legal_moves()
    if wins_at_once(state):
        assert state.play(move).outcome
    elif hands_over_a_win(state, move):
        assert all(hands_over_a_win(state, other) for other in differing_moves(state))


@pytest.mark.slow
def test_whole_games_never_hand_over_a_win_when_it_can_be_avoided() -> None:
    rng = Random(1)
    for limits in (*LIMITS, *(level.limits for level in ENGINE.levels if level.limits.depth)):
        state = Quarto(first=rng.randrange(16)).start()
        while state.turn >= 0:
            move = ENGINE.search(state, Limits(depth=limits.depth, nodes=2000)).move
            check_move(state, move)
            state = state.play(move if state.turn == 0 else rng.choice(state.legal_moves()))


@pytest.mark.parametrize(("stones", "number"), [(13, 30), (12, 30), (11, 6)])
def test_exact_scores_are_true(stones: int, number: int) -> None:
    for state in quiet(4, stones, seed=stones, number=number):
        result = ENGINE.search(state, Limits(seed=1))
        assert result.score.exact
        assert result.score.result == solve(state) == result_of(state.play(result.move))
        for move, score in ENGINE.analyse(state).items():
            assert score.exact
            assert score.result == result_of(state.play(move))
            assert score.value == score.result


@pytest.mark.parametrize("n", [2, 3, 5])
def test_claims_of_proof_are_true_on_other_boards(n: int) -> None:
    near_end = [s for s in decisions(n, seed=n, games=30) if s.board.count(None) <= 4]
    for state in near_end[:40]:
        for move, score in ENGINE.analyse(state).items():
            assert score.exact
            assert score.result == result_of(state.play(move))


def test_limited_analysis_claims_nothing_false() -> None:
    proven = open_scores = 0
    for state in quiet(4, 11, seed=12, number=8):
        for limits in (Limits(depth=1), Limits(depth=2), Limits(nodes=200)):
            for move, score in ENGINE.analyse(state, limits).items():
                proven += score.exact
                open_scores += not score.exact
                assert score.exact == (score.result is not None)
                if score.exact:
                    assert score.result == result_of(state.play(move))
                else:
                    assert -1 < score.value < 1
    assert proven
    assert open_scores


def test_analysis_is_sorted_and_agrees_with_the_search() -> None:
    for state in quiet(4, 8, seed=13, number=5):
        scores = ENGINE.analyse(state)
        values = [score.value for score in scores.values()]
        assert values == sorted(values, reverse=True)
        result = ENGINE.search(state)
        assert result.score.result == next(iter(scores.values())).result
        assert scores[result.move].result == result.score.result
        assert len(result.variation) == 8 or result.score.result


def test_threads_find_the_same() -> None:
    for state in quiet(4, 6, seed=14, number=4):
        alone, together = Limits(seed=1), Limits(seed=1, threads=2)
        one, two = ENGINE.search(state, alone), ENGINE.search(state, together)
        assert (one.move, one.score) == (two.move, two.score)
        assert ENGINE.analyse(state, alone) == ENGINE.analyse(state, together)


def test_a_win_at_once_is_taken_with_a_stone_handed_on() -> None:
    state = Quarto().parse_state("* * * * / * * * * / * * * * / 0 1 2 * next 4")
    result = ENGINE.search(state, Limits(nodes=1))
    assert result.score == Score(1.0, True, 1, 1)
    assert result.move in state.legal_moves()
    assert state.play(result.move).outcome


def test_the_opening_is_known_to_be_drawn() -> None:
    state = Quarto(first=3).start()
    assert ENGINE.search(state).score == Score(0.0, True, 0, 16)
    scores = ENGINE.analyse(state)
    assert len(scores) == 240
    assert set(scores.values()) == {Score(0.0, True, 0, 16)}
