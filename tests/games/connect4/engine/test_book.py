"""The opening book of 7 x 6: its scores against the solver, itself and what is known."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from benchmarks.connect4 import children, openings, played

from spielwerk.engines.interface import Limits, Score, Stop
from spielwerk.engines.tables import TableFileError, read_table, write_table
from spielwerk.games.connect4.engine.flat_board import FlatPosition
from spielwerk.games.connect4.engine.flat_engine import FlatEngine
from spielwerk.games.connect4.engine.flat_solver import (
    BOOK_BOARD,
    BOOK_STONES,
    KIND,
    SHIPPED,
    VERSION,
    Solver,
    book_for,
    key_of,
    read_book,
)
from spielwerk.games.connect4.rules import ConnectFour

FIRST_MOVES = (-2, -1, 0, 1, 0, -1, -2)  # published, by column
QUICK = ("2647", "3141", "3355", "1637")
"""Columns of openings that the solver does in half a second at most."""


@pytest.fixture(scope="module")
def engine() -> FlatEngine:
    return FlatEngine(table_bits=20)


def image(position: FlatPosition) -> FlatPosition:
    """The position mirrored left to right."""
    return FlatPosition(mirrored(position.mover), mirrored(position.occupied))


def mirrored(board: int) -> int:
    return sum(
        BOOK_BOARD.square(row * 7 + 6 - column)
        for row, column in product(range(6), range(7))
        if board & BOOK_BOARD.square(row * 7 + column)
    )


def stopped() -> Stop:
    stop = Stop()
    stop.set()
    return stop


def test_it_holds_every_position_with_few_stones_once() -> None:
    layers, book = openings(BOOK_STONES), book_for(BOOK_BOARD)
    assert {key for layer in layers for key in layer} == set(book)
    assert len(book) == sum(map(len, layers))


def test_the_key_is_that_of_the_mirror_image_and_no_other() -> None:
    positions = {played(f"{a}{b}{c}{d}")[-1] for a, b, c, d in product("1234567", repeat=4)}
    pairs = {frozenset({position, image(position)}) for position in positions}
    assert all(key_of(position) == key_of(image(position)) for position in positions)
    assert len({key_of(position) for position in positions}) == len(pairs) == 568


def test_every_score_is_the_best_of_the_moves() -> None:
    book = book_for(BOOK_BOARD)
    for layer in openings(BOOK_STONES - 1):
        for key, position in layer.items():
            assert book[key] == max(-book[key_of(child)] for child in children(position))


@pytest.mark.parametrize("columns", QUICK)
def test_the_solver_finds_the_same(columns: str) -> None:
    position = played(columns)[-1]
    assert Solver(BOOK_BOARD, 22).score(position) == book_for(BOOK_BOARD)[key_of(position)]


def test_what_is_published_is_in_it() -> None:
    book = book_for(BOOK_BOARD)
    assert book[key_of(FlatPosition(0, 0))] == 1
    assert tuple(-book[key_of(played(column)[-1])] for column in "1234567") == FIRST_MOVES


@pytest.mark.parametrize("limits", [Limits(), Limits(nodes=1), Limits(time=0.001)])
def test_the_first_move_is_known_at_once(engine: FlatEngine, limits: Limits) -> None:
    state = ConnectFour().start()
    result = engine.search(state, limits)
    assert result.move == 3
    assert result.score == Score(1.0, exact=True, result=1, plies=41)
    assert engine.search(state, stop=stopped()).move == 3


def test_levels_of_limited_depth_do_not_use_it(engine: FlatEngine) -> None:
    state = ConnectFour().start()
    assert not engine.search(state, Limits(depth=3)).score.exact
    assert not any(score.exact for score in engine.analyse(state, Limits(depth=2)).values())


@pytest.mark.parametrize("positions", [None, 0, 1, 10**6, -2])
def test_a_wrong_number_of_positions_is_damage(tmp_path: Path, positions: int | None) -> None:
    path, content = tmp_path / "some.table", read_table(SHIPPED, KIND, VERSION)[1]
    write_table(path, KIND, VERSION, {"positions": positions}, content)
    with pytest.raises(TableFileError, match="damaged"):
        read_book(path)
