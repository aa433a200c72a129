"""Boards of any size for the kernels: every window of four fields is a line with its counts.

Columns are numbered as in the rules, and the fields of a column follow each other: field = column *
(height + 1) + row. The row above the board is a sentinel that no line touches, so that the field
above always exists. Side 0 is the player who begins; the side to move follows from the stones.

Whatever a search wants to know is kept up to date by `place` and `take_back`: the counts of all
lines, the fields where a side would complete a four, how many of these it could play at once, how
many lines are still open to it, the evaluation and the hash. Boards of up to 64 fields are kept as
bits, too, column by column from the bottom.

How a game can go on depends on the fields that are taken and on whose lines are still open; whose
stones lie where all lines are closed does not matter. On boards of up to 64 fields the hash knows
no more than that, and is the same for symmetric positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from spielwerk.engines.compiled import borrowed, inlined, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

# What `Board.totals` holds. Where a meaning depends on a side, side 1 follows side 0.
STONES_PLACED: Final = 0
BALANCE: Final = 1  # the evaluation, from the view of side 0
WINS: Final = 2  # fields where the side could complete a four with its next stone
WINS_SUM: Final = 4  # the sum of their numbers: with one of them, the field itself
OPEN: Final = 6  # lines in which the other side has no stone
TOTALS: Final = 8

# What `Board.words` holds, all zero on boards of more than 64 fields.
STONES_OF: Final = 0  # the stones of side 0, then those of side 1
BOARD: Final = 2
BOTTOM: Final = 3
LOWER_HALVES: Final = 4  # the lower fields, when each column is cut into pairs from the top
WORDS: Final = 5

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
    keys: Integers  # side, field, symmetry -> what a stone adds to the hash
    line_keys: Integers  # side, line, symmetry -> what a line of that side alone adds to it
    turned: NDArray[np.int32]  # symmetry, column -> where it is then
    turned_back: NDArray[np.int32]  # and back
    worth: Integers  # counts of a line -> what it is worth for side 0
    threat_worth: Integers  # side, field -> what a threat there is worth for side 0
    lines: NDArray[np.int32]
    threats: NDArray[np.uint8]  # side, field -> lines that a stone there would complete
    landing: NDArray[np.int32]  # column -> its lowest free field, or the sentinel
    totals: Integers
    hashes: Integers  # symmetry -> the hash of the position as it is then
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
        borrowed(board.line_keys),
        borrowed(board.turned),
        borrowed(board.turned_back),
        borrowed(board.worth),
        borrowed(board.threat_worth),
        borrowed(board.lines),
        borrowed(board.threats),
        borrowed(board.landing),
        borrowed(board.totals),
        borrowed(board.hashes),
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
            _change_hashes(board, board.line_keys[_owner(side, before), line])
        if after & BOTH_MASK == 3 << shift:
            balance += _add_threat(board, side, after >> BOTH_BITS)
    board.totals[BALANCE] += balance
    _change_hashes(board, board.keys[side, field])
    board.words[STONES_OF + side] ^= board.bits[field]
    board.totals[STONES_PLACED] += 1


@inlined
def take_back(board: SolidBoard, column: int) -> None:
    """Undo the last `place`, which was in this column."""
    board.totals[STONES_PLACED] -= 1
    side = board.totals[STONES_PLACED] & 1
    field = int(board.landing[column]) - 1
    _change_hashes(board, board.keys[side, field])
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
            _change_hashes(board, board.line_keys[_owner(side, before), line])
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
def _owner(side: int, before: int) -> int:
    """Who gets a line, or loses it, by the side's first stone in it."""
    return side if before & BOTH_MASK == 0 else 1 - side


@inlined
def _change_hashes(board: SolidBoard, keys: Integers) -> None:
    """Add to the hashes, or take away, what a stone or a line has."""
    for symmetry in range(len(keys)):
        board.hashes[symmetry] ^= keys[symmetry]


@inlined
def least_hash(board: SolidBoard) -> tuple[int, int]:
    """The least of the hashes, which symmetric positions share, and its symmetry."""
    least = 0
    for symmetry in range(1, len(board.hashes)):
        if board.hashes[symmetry] < board.hashes[least]:
            least = symmetry
    return int(board.hashes[least]), least


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
