"""Solid boards of each size: their lines, symmetries and hash keys, and positions put on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.games.connect4.engine.solid_board import (
    BOARD,
    BOTH_BITS,
    BOTTOM,
    COUNT_BITS,
    LOWER_HALVES,
    OPEN,
    TOTALS,
    WORDS,
    SolidBoard,
    fill,
)
from spielwerk.games.connect4.rules import DIRECTIONS, STONES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.connect4.engine.solid_board import Integers
    from spielwerk.games.connect4.rules import ConnectFourState

MOST_BITS: Final = 64

# What the evaluation counts, in points; `benchmarks/connect4_solid.py` has compared others.
LINE_WORTHS: Final = (0, 1, 4, 8)  # a line with so many stones of one side only
THREAT: Final = 24  # a field that completes a four, while it cannot be played yet
PARITY: Final = 12  # more or less for that, if its side will (not) come to play that row

HASH_SEED: Final = 4


@dataclass(frozen=True, slots=True)
class SolidGeometry:
    """All that is the same for every position on boards of one size."""

    inside: NDArray[np.int64]  # field of the rules -> field of the kernels
    outside: NDArray[np.int64]  # and back; -1 for sentinels
    empty: SolidBoard  # never to be played on

    def move(self, field: int) -> int:
        """The move of the rules that lands on a field of the kernels."""
        return int(self.outside[field])


def load(state: ConnectFourState) -> tuple[SolidGeometry, SolidBoard]:
    """The position as a new board for the kernels."""
    game = state.game
    geometry = geometry_of(game.width, game.height, game.layers)
    empty = geometry.empty
    board = empty._replace(
        lines=empty.lines.copy(),
        threats=empty.threats.copy(),
        landing=empty.landing.copy(),
        totals=empty.totals.copy(),
        hashes=empty.hashes.copy(),
        words=empty.words.copy(),
    )
    fill(board, _sides(geometry, state))
    return geometry, board


def _sides(geometry: SolidGeometry, state: ConnectFourState) -> NDArray[np.int8]:
    """For every field of the kernels the side whose stone lies there, or -1."""
    stones = np.frombuffer(state.board.encode(), np.uint8)
    sides = np.full(len(geometry.outside), -1, np.int8)
    for player, stone in enumerate(STONES):
        sides[geometry.inside[stones == ord(stone)]] = (player - state.game.begins) % 2
    return sides


@lru_cache(maxsize=8)
def geometry_of(width: int, height: int, layers: int) -> SolidGeometry:
    """The geometry of boards of this size."""
    columns = np.arange(layers * width).reshape(layers, 1, width)
    grid = columns * (height + 1) + np.arange(height).reshape(1, height, 1)
    inside = grid.ravel()
    size = layers * width * (height + 1)
    outside = np.full(size, -1, np.int64)
    outside[inside] = np.arange(len(inside))
    return SolidGeometry(inside, outside, _empty_board(grid, size))


def _empty_board(grid: NDArray[np.int64], size: int) -> SolidBoard:
    height = grid.shape[1]
    lines = np.concatenate([_windows(grid, direction) for direction in DIRECTIONS])
    places = np.argsort(lines, axis=None, kind="stable")
    totals = np.zeros(TOTALS, np.int64)
    totals[OPEN : OPEN + 2] = len(lines)
    fields = _symmetries(grid, size)
    keys, line_keys = _keys(lines, fields)
    turned = (fields[:, grid[:, 0].ravel()] // (height + 1)).astype(np.int32)
    return SolidBoard(
        first=np.searchsorted(lines.ravel()[places], np.arange(size + 1)).astype(np.int32),
        through=(places // 4).astype(np.int32),
        column_of=(np.arange(size + 1) // (height + 1)).astype(np.int32),
        keys=keys,
        line_keys=line_keys,
        turned=turned,
        turned_back=np.argsort(turned, axis=1).astype(np.int32),
        worth=_line_worths(),
        threat_worth=_threat_worths(size, height),
        lines=(lines.sum(axis=1) << BOTH_BITS).astype(np.int32),
        threats=np.zeros((2, size), np.uint8),
        landing=np.arange(0, size, height + 1, dtype=np.int32),
        totals=totals,
        hashes=np.zeros(len(fields), np.int64),
        bits=(bits := _bits(grid, size)),
        line_bits=np.bitwise_or.reduce(bits[lines], axis=1),
        words=_words(grid, bits),
    )


def _symmetries(grid: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """For each symmetry of a small board and every field, where it is then."""
    fields = np.arange(size)[np.newaxis]
    if grid.size > MOST_BITS:
        return fields
    alike = [grid, *([grid.transpose(2, 1, 0)] if grid.shape[0] == grid.shape[2] else [])]
    turns = [one[::x, :, ::z] for one in alike for x in (1, -1) for z in (1, -1)]
    fields = np.repeat(fields, len(turns), axis=0)
    for symmetry, turn in enumerate(turns):
        fields[symmetry, grid.ravel()] = turn.ravel()
    return fields


def _keys(lines: NDArray[np.int64], fields: NDArray[np.int64]) -> tuple[Integers, Integers]:
    """What stones and lines add to the hashes.

    On large boards lines add nothing, and each side's stones have keys of their own: hardly two
    positions differ in nothing else there.
    """
    chance, size = np.random.default_rng(HASH_SEED), fields.shape[1]
    if len(fields) == 1:
        return chance.integers(0, 1 << 63, (2, size, 1)), np.zeros((2, len(lines), 0), np.int64)
    keys, line_keys = (chance.integers(0, 1 << 63, shape) for shape in (size, (2, len(lines))))
    numbers = {frozenset(line): number for number, line in enumerate(lines.tolist())}
    turned = [[numbers[frozenset(line)] for line in turn[lines].tolist()] for turn in fields]
    return np.stack([keys[fields].T] * 2), np.stack([line_keys[:, one] for one in turned], axis=2)


def _bits(grid: NDArray[np.int64], size: int) -> NDArray[np.uint64]:
    """For every field the board with only that field; nothing for sentinels and large boards."""
    bits = np.zeros(size, np.uint64)
    if grid.size <= MOST_BITS:
        bits[np.sort(grid, axis=None)] = np.uint64(1) << np.arange(grid.size, dtype=np.uint64)
    return bits


def _words(grid: NDArray[np.int64], bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The constant boards; no stones."""
    words = np.zeros(WORDS, np.uint64)
    for word, rows in ((BOARD, grid), (BOTTOM, grid[:, :1]), (LOWER_HALVES, grid[:, :-1][:, ::-2])):
        words[word] = np.bitwise_or.reduce(bits[rows], axis=None)
    return words


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


def _line_worths() -> NDArray[np.int64]:
    worths = np.zeros(1 << BOTH_BITS, np.int64)
    for stones, worth in enumerate(LINE_WORTHS):
        worths[stones] = worth
        worths[stones << COUNT_BITS] = -worth
    return worths


def _threat_worths(size: int, height: int) -> NDArray[np.int64]:
    """For each side and field what a threat is worth for side 0.

    Where every column has an even height and the moves run out, the second player answers in the
    column of the first and so gets the upper field of every pair.
    """
    rows = np.arange(size) % (height + 1)
    favoured = np.where(rows % 2 == 0, 1, -1) * (height % 2 == 0)
    first = THREAT + PARITY * favoured
    second = THREAT - PARITY * favoured
    return np.stack([first, -second])
