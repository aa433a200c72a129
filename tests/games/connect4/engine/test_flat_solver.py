"""The exact solver against brute force, against itself, and against the rules."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import pytest

from spielwerk.games.connect4.engine.flat.board import (
    FlatGeometry,
    FlatPosition,
    geometry_of,
    plies_to_end,
    position_of,
)
from spielwerk.games.connect4.engine.flat.solver import Solver
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

SMALL = [(4, 4), (5, 3), (3, 5), (4, 3), (2, 6), (6, 2), (1, 7), (7, 2)]


def lines(geometry: FlatGeometry) -> list[int]:
    """All lines of four, square by square."""
    found = []
    for column, row in product(range(geometry.width), range(geometry.height)):
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            squares = [(column + n * right, row + n * up) for n in range(4)]
            if all(0 <= c < geometry.width and 0 <= r < geometry.height for c, r in squares):
                found.append(sum(1 << c * (geometry.height + 1) + r for c, r in squares))
    return found


def all_scores(geometry: FlatGeometry) -> dict[FlatPosition, int]:
    """The scores of all positions that are not over, by brute force."""
    fours, scores = lines(geometry), dict[FlatPosition, int]()

    def score(position: FlatPosition) -> int:
        if position not in scores:
            landing = (position.occupied + geometry.bottom) & geometry.board
            squares = geometry.squares(landing)
            scores[position] = max(worth(position, square) for square in squares)
        return scores[position]

    def worth(position: FlatPosition, square: int) -> int:
        stones, after = position.mover | square, position.after(square)
        if any(stones & four == four for four in fours):
            return (geometry.cells - position.stones + 1) // 2
        return 0 if after.occupied == geometry.board else -score(after)

    score(FlatPosition(0, 0))
    return scores


@cache
def minimax(state: ConnectFourState) -> int:
    """The score by the rules alone."""
    if state.outcome:
        free = state.board.count(".")
        return 0 if state.outcome.winner is None else -(free // 2 + 1)
    return max(-minimax(state.play(move)) for move in state.legal_moves())


def positions(game: ConnectFour, free: range, count: int, seed: int) -> list[ConnectFourState]:
    """Random positions that are not over, with so many free squares."""
    chance, found = random.Random(seed), list[ConnectFourState]()
    while len(found) < count:
        state, left = game.start(), chance.choice(free)
        while not state.outcome and state.board.count(".") > left:
            state = state.play(chance.choice(state.legal_moves()))
        if not state.outcome:
            found.append(state)
    return found


def best_reply(solver: Solver, state: ConnectFourState) -> int:
    """The best move, by the scores of all positions that the moves lead to."""

    def worth(move: int) -> int:
        after = state.play(move)
        return minimax(after) if after.outcome else solver.score(position_of(after)) or 0

    return min(state.legal_moves(), key=worth)


@pytest.mark.parametrize("size", SMALL)
def test_every_position_of_a_small_board_has_the_score_of_brute_force(
    size: tuple[int, int],
) -> None:
    geometry = FlatGeometry(*size)
    solver = Solver(geometry, 16)
    scores = list(all_scores(geometry).items())
    random.Random(1).shuffle(scores)
    assert all(solver.score(position) == score for position, score in scores[:30_000])


@pytest.mark.parametrize(
    ("width", "height", "sign"),
    [(4, 4, 0), (5, 4, 0), (4, 5, 0), (6, 4, -1), (5, 5, 0), (4, 6, 0), (7, 4, 0)],
)
def test_empty_boards_have_their_published_values(width: int, height: int, sign: int) -> None:
    score = Solver(FlatGeometry(width, height), 20).score(FlatPosition(0, 0))
    assert score is not None
    assert (score > 0) - (score < 0) == sign


def test_best_play_ends_when_the_score_says() -> None:
    game = ConnectFour(begins=1)
    solver = Solver(geometry_of(game), 18)
    for state in positions(game, range(10, 22), 40, seed=5):
        stones = position_of(state).stones
        score = solver.score(position_of(state))
        assert score is not None
        player, plies, end = state.player, 0, state
        while not end.outcome:
            end, plies = end.play(best_reply(solver, end)), plies + 1
        assert plies == plies_to_end(score, stones, game.size)
        assert end.outcome.winner == {1: player, 0: None, -1: 1 - player}[(score > 0) - (score < 0)]


def test_questions_about_a_part_of_the_scores_are_answered_there() -> None:
    game = ConnectFour()
    solver = Solver(geometry_of(game), 18)
    for state in positions(game, range(10, 20), 60, seed=6):
        position = position_of(state)
        score = solver.score(position)
        assert score is not None
        for limit in range(-5, 6):
            low, high = solver.bounds(position, limit, limit + 1)
            assert low > limit if score > limit else high <= limit


def test_a_stopped_solver_says_nothing_wrong() -> None:
    position = position_of(ConnectFour().start())
    solver = Solver(geometry_of(ConnectFour()), 16)
    solver.budget(5000)
    low, high = solver.bounds(position)
    assert low <= 1 <= high
    assert low < high
    assert solver.nodes == 5000
    assert solver.score(position) is None
    solver.budget(None)
    solver.stop.set()
    assert solver.score(position) is None
