"""The engine for solid boards: what it proves against brute force, and what it always answers."""

from __future__ import annotations

import random
from functools import cache

import pytest

from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Limits, Score
from spielwerk.games.connect4.engine.solid_board import SolidBoard, cannot_win
from spielwerk.games.connect4.engine.solid_engine import SolidEngine
from spielwerk.games.connect4.engine.solid_geometry import load
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

from .positions import undecided

SMALL = [(4, 2, 2), (4, 3, 2), (4, 4, 1), (2, 4, 2), (2, 2, 4), (4, 2, 3), (3, 4, 2), (4, 4, 2)]
SURE = 1000


@pytest.fixture(scope="module")
def engine() -> SolidEngine:
    return SolidEngine(table_bits=16)


@cache
def minimax(state: ConnectFourState) -> int:
    """SURE less the plies to a win, 0 for a draw, by the rules alone."""
    if state.outcome:
        return 0 if state.outcome.winner is None else -SURE
    value = max(-minimax(state.play(move)) for move in state.legal_moves())
    return value - (value > 0) + (value < 0)


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def endings(seed: int, each: int) -> list[ConnectFourState]:
    """Random positions on small boards with at most nine free fields."""
    chance = random.Random(seed)
    games = [ConnectFour(*size, begins=chance.randrange(2)) for size in SMALL for _ in range(each)]
    return [undecided(game, game.size - chance.randint(2, 9), chance) for game in games]


def agrees(score: Score, value: int, plies: int, free: int) -> bool:
    """Whether a proven score is this value, and its plies, if it gives any, are these."""
    if not value:
        return score == Score(0.0, exact=True, result=0, plies=free)
    return score.exact and score.result == sign(value) and score.plies in (plies, None)


def test_search_proves_what_brute_force_finds(engine: SolidEngine) -> None:
    known = 0
    for state in endings(seed=1, each=12):
        value = minimax(state)
        result = engine.search(state, Limits(seed=1))
        score, end = result.score, state
        assert agrees(score, value, SURE - abs(value), state.board.count(".")), state
        for move in result.variation:  # nothing comes after a win
            end = end.play(move)
        known += score.plies is not None
    assert known > 70


def test_analysis_proves_every_move(engine: SolidEngine) -> None:
    for state in endings(seed=3, each=5):
        scores = engine.analyse(state)
        assert set(scores) == set(state.legal_moves())
        values = [score.value for score in scores.values()]
        assert values == sorted(values, reverse=True)
        for move, score in scores.items():
            value = -minimax(state.play(move))
            plies = SURE - abs(value) + 1
            assert agrees(score, value, plies, state.board.count(".")), (state, move)


@kernel
def held_by_replies(board: SolidBoard, side: int) -> bool:
    return cannot_win(board, side)


def test_replies_in_kind_hold_the_game() -> None:
    held = 0
    for state in endings(seed=5, each=40):
        side = (state.turn - state.game.begins) % 2
        if state.board.count(".") % 2 == 0 and held_by_replies(load(state)[1], side):
            held += 1
            assert minimax(state) <= 0, state
    assert held > 50


def test_replies_in_kind_leave_the_lower_halves_further_up() -> None:
    state = ConnectFour(4, 4, 1, begins=0).start()
    for move in (1, 0, 4, 5):  # neither of the lower rows can become a four any more
        state = state.play(move)
    assert not held_by_replies(load(state)[1], 0)  # the third one can


def test_a_limited_depth_is_not_exceeded_to_prove_a_draw(engine: SolidEngine) -> None:
    drawn = [state for state in endings(seed=6, each=12) if minimax(state) == 0]
    deep = [state for state in drawn if state.board.count(".") > 3]
    proven = [state for state in deep if engine.search(state, Limits(depth=3)).score.exact]
    assert len(proven) < len(deep) / 2  # some draws are seen at once


def test_whole_small_boards_are_solved(engine: SolidEngine) -> None:
    for size in [(4, 2, 1), (1, 5, 2), (2, 4, 1)]:
        start = ConnectFour(*size).start()
        assert engine.search(start).score.result == sign(minimax(start)), size


def test_wins_found_by_a_short_search_are_true(engine: SolidEngine) -> None:
    proven = 0
    for state in endings(seed=4, each=12):
        score = engine.search(state, Limits(depth=2, seed=1)).score
        if score.exact:
            proven += 1
            assert score.result == sign(minimax(state)), state
    assert proven > 25


def test_a_board_without_lines_is_a_draw(engine: SolidEngine) -> None:
    start = ConnectFour(3, 3, 3).start()
    result = engine.search(start, Limits(depth=1))
    assert result.score == Score(0.0, exact=True, result=0, plies=27)
    assert set(engine.analyse(start).values()) == {result.score}


def after(game: ConnectFour, *moves: int) -> ConnectFourState:
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state


def test_takes_the_win(engine: SolidEngine) -> None:
    result = engine.search(after(ConnectFour(7, 6, 4), 0, 42, 1, 43, 2, 44))
    assert (result.move, result.variation) == (3, (3,))
    assert result.score == Score(9999.0, exact=True, result=1, plies=1)


def test_answers_the_threat(engine: SolidEngine) -> None:
    state = after(ConnectFour(7, 6, 4), 0, 42, 1, 43, 2)
    assert engine.search(state, Limits(depth=1)).move == 3
    scores = engine.analyse(state, Limits(depth=1))
    assert {move for move, score in scores.items() if score.result == -1} == set(scores) - {3}


def test_a_field_below_a_winning_one_is_lost(engine: SolidEngine) -> None:
    empty = "......./......./......./......./"
    text = f"{empty}222..../121.... {empty}......./1....1."
    state = ConnectFour(7, 6, 2).parse_state(text)
    assert engine.analyse(state, Limits(depth=1))[3] == Score(-9998.0, True, -1, 2)


def test_a_large_board_is_defended_wherever_the_threat_is(engine: SolidEngine) -> None:
    layer = 32 * 32
    threat = [31 * layer + 31 - step for step in range(3)]
    moves = [5, threat[0], 2 * layer, threat[1], 9 * layer + 9, threat[2]]
    state = after(ConnectFour(32, 32, 32), *moves)
    assert engine.search(state, Limits(depth=1)).move == 31 * layer + 28


def test_large_boards_claim_no_loss_they_have_not_proven(engine: SolidEngine) -> None:
    state = undecided(ConnectFour(16, 4, 16), 30, random.Random(8))
    scores = engine.analyse(state, Limits(depth=2)).values()
    assert all(score.exact == (score.result is not None) for score in scores)


def test_the_table_outlives_its_generations() -> None:
    engine = SolidEngine(table_bits=8)
    state = ConnectFour(4, 4, 4).start()
    results = [engine.search(state, Limits(depth=2, seed=1)) for _ in range(300)]
    assert len({(result.move, result.score, result.nodes) for result in results}) == 1
