"""The bitboards of flat Connect Four against the rules."""

from __future__ import annotations

import random

import pytest

from spielwerk.games.connect4.engine.flat.board import fits, geometry_of, plies_to_end, position_of
from spielwerk.games.connect4.engine.flat.solver import Solver
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

SIZES = [(7, 6), (4, 4), (5, 3), (8, 7), (6, 9), (9, 6), (4, 15), (16, 3), (32, 1), (21, 2)]
NARROW = [(1, 1), (1, 4), (3, 3), (2, 5), (3, 20), (2, 31), (1, 32)]


def random_game(game: ConnectFour, chance: random.Random) -> list[ConnectFourState]:
    states = [game.start()]
    while not states[-1].outcome:
        states.append(states[-1].play(chance.choice(states[-1].legal_moves())))
    return states


def count(state: ConnectFourState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(state.play(move), depth - 1) for move in state.legal_moves())


@pytest.mark.parametrize(
    ("width", "height", "answer"),
    [(7, 6, True), (8, 7, True), (9, 7, False), (10, 6, False), (9, 6, True), (32, 1, True)],
)
def test_boards_with_up_to_64_bits_fit(width: int, height: int, answer: bool) -> None:
    assert fits(width, height) is answer


@pytest.mark.parametrize("size", SIZES + NARROW)
def test_moves_and_wins_are_those_of_the_rules(size: tuple[int, int]) -> None:
    chance = random.Random(str(size))
    for begins in (0, 1) * 10:
        game = ConnectFour(*size, begins=begins)
        geometry = geometry_of(game)
        solver = Solver(geometry, 16)
        for state in random_game(game, chance)[:-1]:
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
