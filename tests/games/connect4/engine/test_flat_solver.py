"""The exact solver against brute force, against itself, and against the rules."""

from __future__ import annotations

import random
from itertools import product

import pytest

from spielwerk.games.connect4.engine.flat_board import (
    FlatGeometry,
    FlatPosition,
    fits,
    plies_to_end,
    position_of,
)
from spielwerk.games.connect4.engine.flat_kernel import question
from spielwerk.games.connect4.engine.flat_solver import Solver
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

from .positions import random_game, samples

SIZES = [(7, 6), (4, 4), (5, 3), (8, 7), (6, 9), (9, 6), (4, 15), (16, 3), (32, 1), (21, 2)]
NARROW = [(1, 1), (1, 4), (3, 3), (2, 5), (3, 20), (2, 31), (1, 32)]
SMALL = [(4, 4), (5, 3), (3, 5), (2, 6), (6, 2), (1, 7)]


@pytest.mark.parametrize(
    ("width", "height", "answer"),
    [(7, 6, True), (8, 7, True), (9, 7, False), (10, 6, False), (9, 6, True), (32, 1, True)],
)
def test_boards_with_up_to_64_bits_fit(width: int, height: int, answer: bool) -> None:
    assert fits(width, height) is answer


@pytest.mark.parametrize("size", SIZES + NARROW)
def test_moves_and_wins_are_those_of_the_rules(size: tuple[int, int]) -> None:
    chance = random.Random(str(size))
    for begins in (0, 1) * 4:
        game = ConnectFour(*size, begins=begins)
        geometry = FlatGeometry(*size)
        solver = Solver(geometry, 16)
        for state in random_game(game, chance):
            position = position_of(state)
            moves = [geometry.move(square) for square in solver.landings(position)]
            assert sorted(moves) == sorted(state.legal_moves())
            for move in moves:
                after, square = state.play(move), geometry.square(move)
                won = after.outcome is not None and after.outcome.winner is not None
                assert solver.wins(position, square) == won
                assert position_of(after) == position.after(square)


@pytest.mark.parametrize("size", [(7, 6), (5, 5)])
def test_scores_and_plies_belong_together(size: tuple[int, int]) -> None:
    cells = size[0] * size[1]
    for stones in range(cells):
        next_stone, stone_after = (cells + 1 - stones) // 2, (cells - stones) // 2
        assert plies_to_end(next_stone, stones, cells) == 1
        assert stone_after == 0 or plies_to_end(-stone_after, stones, cells) == 2
        assert plies_to_end(0, stones, cells) == cells - stones


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


def best_reply(solver: Solver, state: ConnectFourState) -> int:
    """The best move, by the scores of all positions that the moves lead to."""

    def worth(move: int) -> int:
        after = state.play(move)
        if after.outcome:  # won by the move, or drawn
            won = after.outcome.winner is not None
            return -(after.board.count(".") // 2 + 1) if won else 0
        return solver.score(position_of(after)) or 0

    return min(state.legal_moves(), key=worth)


@pytest.mark.parametrize("size", SMALL)
def test_every_position_of_a_small_board_has_the_score_of_brute_force(
    size: tuple[int, int],
) -> None:
    geometry = FlatGeometry(*size)
    solver = Solver(geometry, 16)
    scores = list(all_scores(geometry).items())
    random.Random(1).shuffle(scores)
    assert all(solver.score(position) == score for position, score in scores[:10_000])


@pytest.mark.parametrize(
    ("width", "height", "sign"),
    [(4, 4, 0), (5, 4, 0), (4, 5, 0), (6, 4, -1), (5, 5, 0), (4, 6, 0), (7, 4, 0)],
)
def test_empty_boards_have_their_published_values(width: int, height: int, sign: int) -> None:
    score = Solver(FlatGeometry(width, height), 20).score(FlatPosition(0, 0))
    assert score is not None
    assert (score > 0) - (score < 0) == sign


def test_best_play_ends_when_the_score_says() -> None:
    solver = Solver(FlatGeometry(7, 6), 18)
    for state in samples(range(21, 33), 40, seed=5):
        stones = position_of(state).stones
        score = solver.score(position_of(state))
        assert score is not None
        player, plies, end = state.player, 0, state
        while not end.outcome:
            end, plies = end.play(best_reply(solver, end)), plies + 1
        assert plies == plies_to_end(score, stones, 42)
        assert end.outcome.winner == {1: player, 0: None, -1: 1 - player}[(score > 0) - (score < 0)]


def test_questions_about_a_part_of_the_scores_are_answered_there() -> None:
    solver = Solver(FlatGeometry(7, 6), 18)
    for state in samples(range(23, 33), 60, seed=6):
        position = position_of(state)
        score = solver.score(position)
        assert score is not None
        for limit in range(-5, 6):
            low, high = solver.bounds(position, limit, limit + 1)
            assert low > limit if score > limit else high <= limit


@pytest.mark.parametrize("shortest", [1, 6, 7, 12, 18])
def test_questions_leave_one_score_whatever_the_answers(shortest: int) -> None:
    for first, last in product(range(-shortest, 1), range(1, shortest + 1)):
        for score in range(first, last + 1):
            low, high = first, last
            while low < high:
                beta = question(low, high, shortest)
                assert low < beta <= high
                low, high = (beta, high) if score >= beta else (low, beta - 1)
            assert low == score


def test_short_wins_and_losses_are_asked_for_before_who_wins() -> None:
    windows = [(-16, 16), (-16, 10), (-10, 10), (-10, 8), (-8, 8)]
    assert [question(*window, 16) for window in windows] == [11, -10, 9, -8, 1]
    assert question(1, 10, 16) == 9  # whoever wins, how soon is cheaper to ask from above


def test_a_stopped_solver_says_nothing_wrong() -> None:
    position = position_of(ConnectFour().start())
    solver = Solver(FlatGeometry(7, 6), 16)
    solver.budget(5000)
    low, high = solver.bounds(position)
    assert low <= 1 <= high
    assert low < high
    assert solver.nodes == 5000
    assert solver.score(position) is None
    solver.budget(None)
    solver.stop.set()
    assert solver.score(position) is None
