"""The lines of boards of any size, and positions of the rules as kernels take them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from spielwerk.games.connect4.engine.solid.board import (
    BOTH_BITS,
    COUNT_BITS,
    OPEN,
    TOTALS,
    Board,
    fill,
)
from spielwerk.games.connect4.rules import DIRECTIONS, STONES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.connect4.rules import ConnectFourState


class Weights(NamedTuple):
    """What the evaluation counts, in points; `benchmarks/connect4_solid.py` compares others."""

    lines: tuple[int, int, int, int] = (0, 1, 4, 8)  # a line with so many stones of one side only
    threat: int = 24  # a field that completes a four, while it cannot be played yet
    parity: int = 12  # more or less for that, if its side will (not) come to play that row


WEIGHTS: Final = Weights()

HASH_SEED: Final = 4


@dataclass(frozen=True, slots=True)
class Geometry:
    """All that is the same for every position on boards of one size."""

    inside: NDArray[np.int64]  # field of the rules -> field of the kernels
    outside: NDArray[np.int64]  # and back; -1 for sentinels
    empty: Board  # never to be played on

    def move(self, field: int) -> int:
        """The move of the rules that lands on a field of the kernels."""
        return int(self.outside[field])


def load(state: ConnectFourState, weights: Weights = WEIGHTS) -> tuple[Geometry, Board]:
    """The position as a new board for the kernels."""
    game = state.game
    geometry = geometry_of(game.width, game.height, game.layers, weights)
    empty = geometry.empty
    board = empty._replace(
        lines=empty.lines.copy(),
        threats=empty.threats.copy(),
        landing=empty.landing.copy(),
        totals=empty.totals.copy(),
    )
    fill(board, _sides(geometry, state))
    return geometry, board


def _sides(geometry: Geometry, state: ConnectFourState) -> NDArray[np.int8]:
    """For every field of the kernels the side whose stone lies there, or -1."""
    stones = np.frombuffer(state.board.encode(), np.uint8)
    sides = np.full(len(geometry.outside), -1, np.int8)
    for player, stone in enumerate(STONES):
        sides[geometry.inside[stones == ord(stone)]] = (player - state.game.begins) % 2
    return sides


@lru_cache(maxsize=8)
def geometry_of(width: int, height: int, layers: int, weights: Weights = WEIGHTS) -> Geometry:
    """The geometry of boards of this size."""
    columns = np.arange(layers * width).reshape(layers, 1, width)
    grid = columns * (height + 1) + np.arange(height).reshape(1, height, 1)
    inside = grid.ravel()
    size = layers * width * (height + 1)
    outside = np.full(size, -1, np.int64)
    outside[inside] = np.arange(len(inside))
    return Geometry(inside, outside, _empty_board(grid, size, weights))


def _empty_board(grid: NDArray[np.int64], size: int, weights: Weights) -> Board:
    height = grid.shape[1]
    lines = np.concatenate([_windows(grid, direction) for direction in DIRECTIONS])
    places = np.argsort(lines, axis=None, kind="stable")
    totals = np.zeros(TOTALS, np.int64)
    totals[OPEN : OPEN + 2] = len(lines)
    return Board(
        first=np.searchsorted(lines.ravel()[places], np.arange(size + 1)).astype(np.int32),
        through=(places // 4).astype(np.int32),
        column_of=(np.arange(size + 1) // (height + 1)).astype(np.int32),
        keys=np.random.default_rng(HASH_SEED).integers(0, 1 << 63, (2, size), np.int64),
        worth=_line_worths(weights),
        threat_worth=_threat_worths(size, height, weights),
        lines=(lines.sum(axis=1) << BOTH_BITS).astype(np.int32),
        threats=np.zeros((2, size), np.uint8),
        landing=np.arange(0, size, height + 1, dtype=np.int32),
        totals=totals,
    )


def _windows(grid: NDArray[np.int64], direction: tuple[int, ...]) -> NDArray[np.int64]:
    """All lines of four fields in the direction, one a row."""
    if any(step and size < 4 for step, size in zip(direction, grid.shape, strict=True)):
        return np.empty((0, 4), np.int64)
    parts = [
        grid[tuple(_part(n, step, size) for step, size in zip(direction, grid.shape, strict=True))]
        for n in range(4)
    ]
    return np.stack([part.ravel() for part in parts], axis=1)


def _part(n: int, step: int, size: int) -> slice:
    """Along one axis, where the n-th fields of the lines lie."""
    return (slice(0, size), slice(n, size - 3 + n), slice(3 - n, size - n))[step]


def _line_worths(weights: Weights) -> NDArray[np.int64]:
    worths = np.zeros(1 << BOTH_BITS, np.int64)
    for stones, worth in enumerate(weights.lines):
        worths[stones] = worth
        worths[stones << COUNT_BITS] = -worth
    return worths


def _threat_worths(size: int, height: int, weights: Weights) -> NDArray[np.int64]:
    """For each side and field what a threat is worth for side 0.

    Where every column has an even height and the moves run out, the second player answers in the
    column of the first and so gets the upper field of every pair.
    """
    rows = np.arange(size) % (height + 1)
    favoured = np.where(rows % 2 == 0, 1, -1) * (height % 2 == 0)
    first = weights.threat + weights.parity * favoured
    second = weights.threat - weights.parity * favoured
    return np.stack([first, -second])
