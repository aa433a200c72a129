"""The engine for flat boards: what it proves, and what it always answers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from spielwerk.engines.interface import EngineError, Limits, Score
from spielwerk.games.connect4.engine.flat.board import geometry_of, position_of
from spielwerk.games.connect4.engine.flat.engine import FlatEngine
from spielwerk.games.connect4.engine.flat.solver import Solver
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState
from spielwerk.games.oware.rules import Oware


@pytest.fixture(scope="module")
def engine() -> FlatEngine:
    return FlatEngine(table_bits=18)


def after(game: ConnectFour, columns: str) -> ConnectFourState:
    """The position after stones in these columns, counted from 1."""
    state = game.start()
    for column in columns:
        state = state.play(
            next(m for m in state.legal_moves() if m % game.width == int(column) - 1)
        )
    return state


def undecided(game: ConnectFour, stones: int, chance: random.Random) -> ConnectFourState:
    """A position after so many random moves that is not over."""
    while True:
        state = game.start()
        while not state.outcome and game.size - state.board.count(".") < stones:
            state = state.play(chance.choice(state.legal_moves()))
        if not state.outcome:
            return state


def samples(stones: range, count: int, seed: int) -> list[ConnectFourState]:
    chance = random.Random(seed)
    return [
        undecided(ConnectFour(begins=chance.randrange(2)), chance.choice(stones), chance)
        for _ in range(count)
    ]


def test_scores_are_those_of_the_solver(engine: FlatEngine) -> None:
    solver = Solver(geometry_of(ConnectFour()), 18)
    for state in samples(range(20, 40), 60, seed=4):
        score = solver.score(position_of(state))
        result = engine.search(state)
        assert result.score.exact
        assert result.score.value == score
        assert engine.analyse(state)[result.move] == result.score
        assert result.depth == result.score.plies


def test_looking_ahead_claims_only_what_the_solver_proves(engine: FlatEngine) -> None:
    solver = Solver(geometry_of(ConnectFour()), 18)
    proven = 0
    for state in samples(range(14, 36), 80, seed=5):
        result = engine.search(state, Limits(depth=5, seed=1))
        if result.score.exact:
            proven += 1
            assert result.score.value == solver.score(position_of(state))
        for move, score in engine.analyse(state, Limits(depth=5)).items():
            if score.exact and not state.play(move).outcome:
                assert -score.value == (solver.score(position_of(state.play(move))) or 0)
    assert proven > 20


def test_the_line_ends_the_game_when_it_is_short(engine: FlatEngine) -> None:
    ended = 0
    for state in samples(range(30, 40), 40, seed=6):
        result = engine.search(state)
        end = state
        for move in result.variation:
            end = end.play(move)
        if len(result.variation) == result.score.plies:
            ended += 1
            assert end.outcome
    assert ended > 20


def test_equal_moves_vary_with_the_seed(engine: FlatEngine) -> None:
    state = ConnectFour(4, 4).start()
    scores = engine.analyse(state)
    best = {move for move, score in scores.items() if score == max(scores.values(), key=_value)}
    chosen = {engine.search(state, Limits(seed=seed)).move for seed in range(30)}
    assert len(best) > 1
    assert chosen == best


def _value(score: Score) -> float:
    return score.value


@pytest.mark.parametrize("limits", [Limits(nodes=1), Limits(depth=1), Limits(time=0.001)])
@pytest.mark.parametrize("begins", [0, 1])
def test_it_wins_at_once_and_never_loses_at_once(
    engine: FlatEngine, begins: int, limits: Limits
) -> None:
    game = ConnectFour(begins=begins)
    assert engine.search(after(game, "41414"), limits).move == 24
    win = engine.search(after(game, "445566"), limits)
    assert win.move in (2, 6)
    assert win.score == Score(18.0, exact=True, result=1, plies=1)


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (after(ConnectFour(), "4455663"), "the game is over"),
        (ConnectFour(7, 6, 4).start(), "7 x 6 x 4"),
        (ConnectFour(10, 10).start(), "10 x 10 x 1"),
        (Oware().start(), "oware"),
    ],
)
def test_what_it_cannot_play_is_refused(engine: FlatEngine, state: Any, problem: str) -> None:
    with pytest.raises(EngineError, match=problem):
        engine.search(state)
    with pytest.raises(EngineError, match=problem):
        engine.analyse(state)
