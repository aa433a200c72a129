"""Boards as arrays for the kernels, squares and stones as the bits of a word."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from spielwerk.games.quarto.rules import attributes, lines

if TYPE_CHECKING:
    from spielwerk.games.quarto.rules import QuartoState

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Flag = npt.NDArray[np.uint8]


class Geometry(NamedTuple):
    """What does not change during a game on a board of this size."""

    through: Numbers
    values: Words  # by stone: low half the attributes it has, high half those it lacks
    holders: Words  # by attribute value: the stones that have it


class Board(NamedTuple):
    """A position: for every line what its stones share and how many they are; squares, stones."""

    shared: Words
    counts: Numbers
    taken: np.uint64
    supply: np.uint64
    hand: int


@cache
def lines_through(n: int) -> Numbers:
    """For every square the numbers of its lines, filled up with -1."""
    through = np.full((n * n, 4), -1, np.int64)
    for square in range(n * n):
        numbers = [number for number, line in enumerate(lines(n)) if square in line]
        through[square, : len(numbers)] = numbers
    return through


@cache
def geometry(n: int) -> Geometry:
    """The arrays of the n x n board, up to 8 x 8."""
    width = attributes(n)
    values = [stone | (~stone & ((1 << width) - 1)) << width for stone in range(n * n)]
    holders = [
        sum(1 << stone for stone, value in enumerate(values) if value >> bit & 1)
        for bit in range(2 * width)
    ]
    return Geometry(lines_through(n), np.array(values, np.uint64), np.array(holders, np.uint64))


def board_of(state: QuartoState) -> Board:
    """The state as the kernels want it; a stone must be in hand."""
    n, hand = state.game.n, state.stone
    values = geometry(n).values
    shared = np.full(2 * n + 2, (1 << 2 * attributes(n)) - 1, np.uint64)
    counts = np.zeros(2 * n + 2, np.int64)
    for number, line in enumerate(lines(n)):
        for stone in (state.board[square] for square in line):
            if stone is not None:
                shared[number] &= values[stone]
                counts[number] += 1
    taken = sum(1 << square for square, stone in enumerate(state.board) if stone is not None)
    supply = sum(1 << stone for stone in state.supply())
    assert hand is not None  # noqa: S101 (a state of a player's decision)
    return Board(shared, counts, np.uint64(taken), np.uint64(supply), hand)
