"""The kernel's board against the rules: moves, threats and counts on random positions."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from spielwerk.engines.compiled import kernel
from spielwerk.games.connect4.engine.solid_board import (
    BALANCE,
    STONES_PLACED,
    WINS,
    WINS_SUM,
    SolidBoard,
    full,
    least_hash,
    place,
    take_back,
)
from spielwerk.games.connect4.engine.solid_geometry import geometry_of, load
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

from .positions import random_game

SIZES = [(4, 4, 4), (5, 4, 3), (7, 6, 4), (4, 2, 2), (2, 2, 5), (9, 9, 0), (1, 5, 1), (3, 3, 3)]


@kernel
def placed(board: SolidBoard, column: int) -> None:
    place(board, column)


@kernel
def taken_back(board: SolidBoard, column: int) -> None:
    take_back(board, column)


@kernel
def is_full(board: SolidBoard, column: int) -> bool:
    return full(board, column)


@kernel
def hash_of(board: SolidBoard) -> tuple[int, int]:
    return least_hash(board)


@cache
def result(state: ConnectFourState) -> int:
    """What the rules say when all is tried, for player 0."""
    if state.outcome:
        return 0 if state.outcome.winner is None else 1 - 2 * state.outcome.winner
    best = max if state.turn == 0 else min
    return best(result(state.play(move)) for move in state.legal_moves())


def random_games(seed: int, count: int) -> Iterator[ConnectFourState]:
    chance = random.Random(seed)
    for number in range(count):
        size = SIZES[number % len(SIZES)]
        yield from random_game(ConnectFour(*size, begins=chance.randrange(2)), chance)


def winning_moves(state: ConnectFourState, player: int) -> set[int]:
    """Where the player could complete a four if it were their turn."""
    begins = state.game.begins ^ (player != state.turn)
    as_if = replace(state.game, begins=begins)
    view = ConnectFourState(as_if, None, state.board, state.landing)
    outcomes = {move: view.play(move).outcome for move in view.legal_moves()}
    return {move for move, outcome in outcomes.items() if outcome and outcome.winner == player}


def same(one: SolidBoard, other: SolidBoard) -> bool:
    names = ("lines", "threats", "landing", "totals", "hashes", "words")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_lines_are_as_many_as_counted_by_hand() -> None:
    assert len(geometry_of(4, 4, 4).empty.lines) == 76
    assert len(geometry_of(7, 6, 1).empty.lines) == 69
    assert len(geometry_of(3, 3, 3).empty.lines) == 0


def test_kernel_knows_legal_moves_and_wins_of_the_rules() -> None:
    seen = 0
    for state in random_games(seed=1, count=80):
        geometry, board = load(state)
        columns = [c for c in range(len(board.landing)) if not is_full(board, c)]
        moves = {geometry.move(int(board.landing[column])) for column in columns}
        assert moves == set(state.legal_moves())
        assert board.totals[STONES_PLACED] % 2 == (state.turn - state.game.begins) % 2
        for player in range(2):
            side = (player - state.game.begins) % 2
            wins = winning_moves(state, player)
            assert board.totals[WINS + side] == len(wins)
            assert board.totals[WINS_SUM + side] == sum(int(geometry.inside[m]) for m in wins)
        seen += 1
    assert seen > 1000


def test_placing_is_loading_and_taking_back_restores() -> None:
    for state in random_games(seed=2, count=40):
        geometry, board = load(state)
        before = load(state)[1]
        for move in state.legal_moves():
            after = state.play(move)
            if after.outcome and after.outcome.winner is not None:
                continue
            column = int(board.column_of[geometry.inside[move]])
            placed(board, column)
            expected = load(after)[1]
            free = _free(board)
            assert np.array_equal(board.totals, expected.totals)
            assert np.array_equal(board.hashes, expected.hashes)
            assert np.array_equal(board.lines, expected.lines)
            assert np.array_equal(board.landing, expected.landing)
            assert np.array_equal(board.threats[:, free], expected.threats[:, free])
            taken_back(board, column)
            assert same(board, before)


def _free(board: SolidBoard) -> list[int]:
    """The fields from the landing of each column up to the sentinel."""
    return [f for f in range(len(board.column_of) - 1) if f >= board.landing[board.column_of[f]]]


def test_evaluation_is_that_of_the_mirrored_board() -> None:
    game = ConnectFour(5, 4, 3)
    for state in random_game(game, random.Random(3)):
        layers = [[row[::-1] for row in layer.split("/")] for layer in str(state).split(" ")]
        mirrored = game.parse_state(" ".join("/".join(rows) for rows in layers))
        assert load(mirrored)[1].totals[BALANCE] == load(state)[1].totals[BALANCE]


def test_positions_that_share_a_hash_are_worth_the_same() -> None:
    game, chance = ConnectFour(4, 2, 2), random.Random(5)
    worth, boards = defaultdict[int, set[int]](set), defaultdict[int, set[str]](set)
    for _ in range(400):
        for state in random_game(game, chance):
            if not state.outcome and state.board.count(".") <= 8:
                key, _symmetry = hash_of(load(state)[1])
                worth[key].add(result(state))
                boards[key].add(state.board)
    assert all(len(results) == 1 for results in worth.values())
    assert {-1, 0, 1} == set.union(*worth.values())
    assert max(map(len, boards.values())) > 8  # more than symmetries alone would bring together


def test_a_turned_board_has_the_same_hash_and_its_columns_are_turned_back() -> None:
    game = ConnectFour(4, 4, 4)
    for state in random_game(game, random.Random(6)):
        turned = np.array([*state.board]).reshape(4, 4, 4).transpose(2, 1, 0)[::-1]
        other = replace(state, board="".join(turned.ravel()))
        (one, first), (two, second) = (hash_of(load(each)[1]) for each in (state, other))
        assert one == two
        board = load(state)[1]
        heights, others = (load(each)[1].landing % 5 for each in (state, other))
        assert np.array_equal(heights[board.turned_back[first]], others[board.turned_back[second]])
        assert np.array_equal(board.turned[first][board.turned_back[first]], np.arange(16))
