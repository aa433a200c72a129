"""The engine for flat boards: what it proves, and what it always answers."""

from __future__ import annotations

import pytest

from spielwerk.engines.interface import Limits, Score
from spielwerk.games.connect4.engine.flat_board import FlatGeometry, position_of
from spielwerk.games.connect4.engine.flat_engine import FlatEngine
from spielwerk.games.connect4.engine.flat_solver import Solver
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

from .positions import samples


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


def test_scores_are_those_of_the_solver(engine: FlatEngine) -> None:
    solver = Solver(FlatGeometry(7, 6), 18)
    for state in samples(range(20, 40), 60, seed=4):
        score = solver.score(position_of(state))
        result = engine.search(state)
        assert result.score.exact
        assert result.score.value == score
        assert engine.analyse(state)[result.move] == result.score
        assert result.depth == result.score.plies


def test_looking_ahead_claims_only_what_the_solver_proves(engine: FlatEngine) -> None:
    solver = Solver(FlatGeometry(7, 6), 18)
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
