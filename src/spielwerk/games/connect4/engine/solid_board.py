"""Boards of any size for the kernels: every window of four fields is a line with its counts.

Columns are numbered as in the rules, and the fields of a column follow each other: field = column *
(height + 1) + row. The row above the board is a sentinel that no line touches, so that the field
above always exists. Side 0 is the player who begins; the side to move follows from the stones.

Whatever a search wants to know is kept up to date by `place` and `take_back`: the counts of all
lines, the fields where a side would complete a four, how many of these it could play at once, how
many lines are still open to it, the evaluation and the hash. Boards of up to 64 fields are kept as
bits, too, column by column from the bottom.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from spielwerk.engines.compiled import borrowed, inlined, kernel
from spielwerk.games.connect4.rules import DIRECTIONS, STONES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    from spielwerk.games.connect4.rules import ConnectFourState

# What `Board.totals` holds. Where a meaning depends on a side, side 1 follows side 0.
STONES_PLACED: Final = 0
HASH: Final = 1
BALANCE: Final = 2  # the evaluation, from the view of side 0
WINS: Final = 3  # fields where the side could complete a four with its next stone
WINS_SUM: Final = 5  # the sum of their numbers: with one of them, the field itself
OPEN: Final = 7  # lines in which the other side has no stone
TOTALS: Final = 9

# What `Board.words` holds, all zero on boards of more than 64 fields.
STONES_OF: Final = 0  # the stones of side 0, then those of side 1
BOARD: Final = 2
BOTTOM: Final = 3
LOWER_HALVES: Final = 4  # the lower fields, when each column is cut into pairs from the top
WORDS: Final = 5
MOST_BITS: Final = 64

# A line is one number: the stones of side 0, those of side 1, the sum of its free fields.
COUNT_BITS: Final = 3
COUNT_MASK: Final = 7
BOTH_BITS: Final = 6
BOTH_MASK: Final = 63


class SolidBoard(NamedTuple):
    """The geometry of a board and the position on it, as kernels take it."""

    first: NDArray[np.int32]  # field -> where its lines begin in `through`
    through: NDArray[np.int32]  # the lines of each field, one field after the other
    column_of: NDArray[np.int32]
    keys: Integers  # side, field -> what the stone adds to the hash
    worth: Integers  # counts of a line -> what it is worth for side 0
    threat_worth: Integers  # side, field -> what a threat there is worth for side 0
    lines: NDArray[np.int32]
    threats: NDArray[np.uint8]  # side, field -> lines that a stone there would complete
    landing: NDArray[np.int32]  # column -> its lowest free field, or the sentinel
    totals: Integers
    bits: NDArray[np.uint64]  # field -> the board with only that field
    line_bits: NDArray[np.uint64]  # line -> the board with only its fields
    words: NDArray[np.uint64]


@inlined
def borrowed_board(board: SolidBoard) -> SolidBoard:
    """The same board without owners of its arrays."""
    return SolidBoard(
        borrowed(board.first),
        borrowed(board.through),
        borrowed(board.column_of),
        borrowed(board.keys),
        borrowed(board.worth),
        borrowed(board.threat_worth),
        borrowed(board.lines),
        borrowed(board.threats),
        borrowed(board.landing),
        borrowed(board.totals),
        borrowed(board.bits),
        borrowed(board.line_bits),
        borrowed(board.words),
    )


@inlined
def place(board: SolidBoard, column: int) -> None:
    """Let a stone of the side to move fall into the column; it must not complete a four."""
    side = board.totals[STONES_PLACED] & 1
    field = int(board.landing[column])
    for owner in range(2):
        if board.threats[owner, field] > 0:
            board.totals[WINS + owner] -= 1
            board.totals[WINS_SUM + owner] -= field
            board.totals[BALANCE] -= board.threat_worth[owner, field]
        if board.threats[owner, field + 1] > 0:
            board.totals[WINS + owner] += 1
            board.totals[WINS_SUM + owner] += field + 1
    board.landing[column] = field + 1
    shift = side * COUNT_BITS
    step = (1 << shift) - (field << BOTH_BITS)
    balance = 0
    for index in range(board.first[field], board.first[field + 1]):
        line = board.through[index]
        before = int(board.lines[line])
        after = before + step
        board.lines[line] = after
        balance += board.worth[after & BOTH_MASK] - board.worth[before & BOTH_MASK]
        if (before >> shift) & COUNT_MASK == 0:
            board.totals[OPEN + 1 - side] -= 1
        if after & BOTH_MASK == 3 << shift:
            balance += _add_threat(board, side, after >> BOTH_BITS)
    board.totals[BALANCE] += balance
    board.totals[HASH] ^= board.keys[side, field]
    board.words[STONES_OF + side] ^= board.bits[field]
    board.totals[STONES_PLACED] += 1


@inlined
def take_back(board: SolidBoard, column: int) -> None:
    """Undo the last `place`, which was in this column."""
    board.totals[STONES_PLACED] -= 1
    side = board.totals[STONES_PLACED] & 1
    field = int(board.landing[column]) - 1
    board.totals[HASH] ^= board.keys[side, field]
    board.words[STONES_OF + side] ^= board.bits[field]
    shift = side * COUNT_BITS
    step = (1 << shift) - (field << BOTH_BITS)
    balance = 0
    for index in range(board.first[field], board.first[field + 1]):
        line = board.through[index]
        after = int(board.lines[line])
        before = after - step
        board.lines[line] = before
        balance += board.worth[before & BOTH_MASK] - board.worth[after & BOTH_MASK]
        if (before >> shift) & COUNT_MASK == 0:
            board.totals[OPEN + 1 - side] += 1
        if after & BOTH_MASK == 3 << shift:
            balance -= _remove_threat(board, side, after >> BOTH_BITS)
    board.totals[BALANCE] += balance
    board.landing[column] = field
    for owner in range(2):
        if board.threats[owner, field + 1] > 0:
            board.totals[WINS + owner] -= 1
            board.totals[WINS_SUM + owner] -= field + 1
        if board.threats[owner, field] > 0:
            board.totals[WINS + owner] += 1
            board.totals[WINS_SUM + owner] += field
            board.totals[BALANCE] += board.threat_worth[owner, field]


@inlined
def _add_threat(board: SolidBoard, side: int, field: int) -> int:
    """Note that the side needs only this field in one more line; what that is worth."""
    board.threats[side, field] += 1
    if board.threats[side, field] > 1:
        return 0
    if board.landing[board.column_of[field]] == field:
        board.totals[WINS + side] += 1
        board.totals[WINS_SUM + side] += field
    return int(board.threat_worth[side, field])


@inlined
def _remove_threat(board: SolidBoard, side: int, field: int) -> int:
    """Undo `_add_threat`."""
    board.threats[side, field] -= 1
    if board.threats[side, field] > 0:
        return 0
    if board.landing[board.column_of[field]] == field:
        board.totals[WINS + side] -= 1
        board.totals[WINS_SUM + side] -= field
    return int(board.threat_worth[side, field])


@inlined
def cannot_win(board: SolidBoard, side: int) -> bool:
    """Whether replies in kind keep the side to move from four; an even number of fields is free.

    There is always one: above its stone or, if that column had an odd number of free fields, in
    another such column. So it gets at most the lower halves of the pairs and the landing fields.
    """
    words = board.words
    free = words[BOARD] & ~(words[STONES_OF] | words[STONES_OF + 1])
    landing = free & (((words[BOARD] & ~free) << np.uint64(1)) | words[BOTTOM])
    kept_from = ~(words[STONES_OF + side] | landing | (free & words[LOWER_HALVES]))
    fours = 0
    for line in board.line_bits:
        fours += line & kept_from == 0
    return words[BOARD] != 0 and fours == 0


@kernel
def fill(board: SolidBoard, sides: NDArray[np.int8]) -> None:
    """Place the stones of a position on the empty board: field -> its side, -1 where it is free."""
    placed = 0
    for column in range(len(board.landing)):
        while sides[board.landing[column]] >= 0:
            board.totals[STONES_PLACED] = sides[board.landing[column]]
            place(board, column)
            placed += 1
    board.totals[STONES_PLACED] = placed


@inlined
def full(board: SolidBoard, column: int) -> bool:
    """Whether the column has no free field: its landing is then the last field, the sentinel."""
    field = board.landing[column]
    return bool(board.column_of[field + 1] != column)


@kernel
def perft(board: SolidBoard, depth: int) -> int:
    """Count the move sequences of this length; a four ends a sequence."""
    board = borrowed_board(board)
    columns = len(board.landing)
    following = np.zeros(depth, np.int64)  # at each ply, the column to try next
    count = 0
    ply = 0
    while ply >= 0:
        column = following[ply]
        following[ply] += 1
        if column == columns:
            ply -= 1
            if ply >= 0:
                take_back(board, following[ply] - 1)
        elif full(board, column):
            continue
        elif ply == depth - 1:
            count += 1
        elif board.threats[board.totals[STONES_PLACED] & 1, board.landing[column]] == 0:
            place(board, column)
            ply += 1
            following[ply] = 0
    return count


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
    return SolidBoard(
        first=np.searchsorted(lines.ravel()[places], np.arange(size + 1)).astype(np.int32),
        through=(places // 4).astype(np.int32),
        column_of=(np.arange(size + 1) // (height + 1)).astype(np.int32),
        keys=np.random.default_rng(HASH_SEED).integers(0, 1 << 63, (2, size), np.int64),
        worth=_line_worths(),
        threat_worth=_threat_worths(size, height),
        lines=(lines.sum(axis=1) << BOTH_BITS).astype(np.int32),
        threats=np.zeros((2, size), np.uint8),
        landing=np.arange(0, size, height + 1, dtype=np.int32),
        totals=totals,
        bits=(bits := _bits(grid, size)),
        line_bits=np.bitwise_or.reduce(bits[lines], axis=1),
        words=_words(grid, bits),
    )


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
