"""The depth-limited search on boards up to 6 x 6, and the counting of moves.

Boards are arrays for the kernels, squares and stones the bits of a word. The search is negamax with
alpha and beta over whole decisions (square and stone). A stone that wins at once is never handed on
while another is left: that loses, so nothing has to be searched.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from spielwerk.engines.compiled import copy_row, inlined, kernel, lowest_bit, popcount
from spielwerk.games.quarto.rules import attributes, lines

if TYPE_CHECKING:
    from spielwerk.games.quarto.rules import QuartoState

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Flag = npt.NDArray[np.uint8]


class QuartoLines(NamedTuple):
    """What does not change during a game on a board of this size."""

    through: Numbers
    values: Words  # by stone: low half the attributes it has, high half those it lacks
    holders: Words  # by attribute value: the stones that have it


class QuartoBoard(NamedTuple):
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
def geometry(n: int) -> QuartoLines:
    """The arrays of the n x n board, up to 8 x 8."""
    width = attributes(n)
    values = [stone | (~stone & ((1 << width) - 1)) << width for stone in range(n * n)]
    holders = [
        sum(1 << stone for stone, value in enumerate(values) if value >> bit & 1)
        for bit in range(2 * width)
    ]
    return QuartoLines(lines_through(n), np.array(values, np.uint64), np.array(holders, np.uint64))


def board_of(state: QuartoState) -> QuartoBoard:
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
    return QuartoBoard(shared, counts, np.uint64(taken), np.uint64(supply), hand)


WIN: Final = 1 << 20
"""The score of a win, less one for every decision until then; the evaluation is in thousandths."""

PROVEN: Final = WIN - 512
"""The least of a proven win: it is not known how long it takes."""

# What a search reports, by index.
NODES: Final = 0
HORIZON: Final = 1  # positions judged by the evaluation
STOPPED: Final = 2

OPEN: Final = WIN  # no score: the moves have to be searched
_ONE: Final = np.uint64(1)

# Least squares over positions of the 4 x 4 board that were solved; see benchmarks/quarto.py.
_BASE: Final = 446
_ANSWERS: Final = -543  # for all moves being safe
_ODD: Final = 324  # for an odd number of safe stones after every placement


@inlined
def _count(word: np.uint64) -> int:
    return np.int64(popcount(word))  # type: ignore[return-value]


@inlined
def _lowest(word: np.uint64) -> int:
    return np.int64(lowest_bit(word))  # type: ignore[return-value]


@inlined
def _free(board: QuartoBoard, geometry: QuartoLines) -> np.uint64:
    return ~board.taken & (~np.uint64(0) >> np.uint64(64 - len(geometry.through)))


@inlined
def _completes(geometry: QuartoLines, board: QuartoBoard, square: int) -> bool:
    """Whether the stone in hand completes a line on the square and wins."""
    last = len(board.counts) // 2 - 2
    for line in geometry.through[square]:
        if (
            line >= 0
            and board.counts[line] == last
            and board.shared[line] & geometry.values[board.hand]
        ):
            return True
    return False


@kernel
def winning_square(geometry: QuartoLines, board: QuartoBoard) -> int:
    """A square on which the stone in hand wins at once, or -1."""
    free = _free(board, geometry)
    while free:
        square = _lowest(free)
        free &= free - _ONE
        if _completes(geometry, board, square):
            return square
    return -1


@inlined
def _place(
    geometry: QuartoLines, board: QuartoBoard, square: int, shared: Words, counts: Numbers
) -> None:
    """Write into `shared` and `counts` the lines after the stone in hand has been placed."""
    copy_row(board.shared, shared)
    copy_row(board.counts, counts)
    for line in geometry.through[square]:
        if line >= 0:
            shared[line] &= geometry.values[board.hand]
            counts[line] += 1


@inlined
def _safe(holders: Words, shared: Words, counts: Numbers, supply: np.uint64) -> np.uint64:
    """The stones of the supply that win nowhere at once."""
    last = len(counts) // 2 - 2
    hot = np.uint64(0)
    for line in range(len(counts)):
        if counts[line] == last:
            hot |= shared[line]
    while hot:
        supply &= ~holders[_lowest(hot)]
        hot &= hot - _ONE
    return supply


@inlined
def _evaluation(squares: int, supply: int, answers: int, odd: int) -> int:
    return _BASE + _ANSWERS * answers // (squares * supply) + _ODD * odd // squares


class Stack(NamedTuple):
    """Room for what a search has on every ply: the lines, and the placements to be tried."""

    shared: Words
    counts: Numbers
    squares: Numbers  # placements; the last is tried first
    stones: Words  # for each the stones that can be handed on
    numbers: Numbers  # of placements


@inlined
def _stack(board: QuartoBoard, depth: int) -> Stack:
    """Room for so many plies."""
    lines = len(board.counts)
    return Stack(
        np.empty((depth + 1, lines), np.uint64),
        np.empty((depth + 1, lines), np.int64),
        np.empty((depth + 1, 64), np.int64),
        np.empty((depth + 1, 64), np.uint64),
        np.empty(depth + 1, np.int64),
    )


@inlined
def _after(board: QuartoBoard, stack: Stack, ply: int, square: int, stone: int) -> QuartoBoard:
    """The board with another stone in hand; its lines were placed on this ply."""
    return QuartoBoard(
        stack.shared[ply],
        stack.counts[ply],
        board.taken | (_ONE << np.uint64(square)),
        board.supply & ~(_ONE << np.uint64(stone)),
        stone,
    )


@inlined
def _insert(stack: Stack, ply: int, square: int, stones: np.uint64) -> None:
    """Add a placement; the last is tried first, and should leave the fewest stones."""
    place = stack.numbers[ply]
    stack.numbers[ply] += 1
    while place > 0 and _count(stack.stones[ply, place - 1]) < _count(stones):
        stack.squares[ply, place] = stack.squares[ply, place - 1]
        stack.stones[ply, place] = stack.stones[ply, place - 1]
        place -= 1
    stack.squares[ply, place] = square
    stack.stones[ply, place] = stones


@kernel
def _look(
    geometry: QuartoLines,
    board: QuartoBoard,
    stack: Stack,
    ply: int,
    horizon: bool,
    report: Numbers,
) -> int:
    """List the placements that leave a safe stone; the score if none is needed, else OPEN."""
    stack.numbers[ply] = 0
    if winning_square(geometry, board) >= 0:
        return WIN - ply - 1
    if board.supply == np.uint64(0):
        return 0
    answers, odd = 0, 0
    shared, counts = np.empty_like(board.shared), np.empty_like(board.counts)
    free = _free(board, geometry)
    while free:
        square = _lowest(free)
        free &= free - _ONE
        _place(geometry, board, square, shared, counts)
        safe = _safe(geometry.holders, shared, counts, board.supply)
        if safe:
            answers += _count(safe)
            odd += _count(safe) & 1
            _insert(stack, ply, square, safe)
    if answers == 0:  # a stone that wins at once has to be handed on
        return ply + 2 - WIN
    if horizon:
        report[HORIZON] += 1
        return _evaluation(_count(_free(board, geometry)), _count(board.supply), answers, odd)
    return OPEN


@kernel
def _search(
    geometry: QuartoLines,
    board: QuartoBoard,
    stack: Stack,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
    report: Numbers,
    most_nodes: int,
    stop: Flag,
) -> int:
    """The score for the player to place, by negamax; worthless once STOPPED is reported."""
    report[NODES] += 1
    if stop[0] or report[NODES] > most_nodes:
        report[STOPPED] = 1
        return 0
    score = _look(geometry, board, stack, ply, ply == depth, report)
    if score != OPEN:
        return score
    best = -WIN
    for place in range(stack.numbers[ply] - 1, -1, -1):
        square, stones = stack.squares[ply, place], stack.stones[ply, place]
        _place(geometry, board, square, stack.shared[ply + 1], stack.counts[ply + 1])
        while stones:
            after = _after(board, stack, ply + 1, square, _lowest(stones))
            stones &= stones - _ONE
            window = -beta, -max(alpha, best)
            reply = _search(
                geometry, after, stack, ply + 1, depth, *window, report, most_nodes, stop
            )
            best = max(best, -reply)
            if best >= beta or report[STOPPED]:
                return best
    return best


@kernel
def rate(
    geometry: QuartoLines,
    board: QuartoBoard,
    square: int,
    stone: int,
    depth: int,
    alpha: int,
    report: Numbers,
    most_nodes: int,
    stop: Flag,
) -> int:
    """The score of one move, looking `depth` decisions ahead with it; at most alpha if not better.

    `stone` is -1 if none is left to be handed on.
    """
    if _completes(geometry, board, square):
        return WIN - 1
    if stone < 0:
        return 0
    stack = _stack(board, depth)
    _place(geometry, board, square, stack.shared[1], stack.counts[1])
    after = _after(board, stack, 1, square, stone)
    return -_search(geometry, after, stack, 1, depth, -WIN, -alpha, report, most_nodes, stop)


@kernel
def _sequences(
    geometry: QuartoLines, board: QuartoBoard, stack: Stack, ply: int, depth: int
) -> int:
    free = _free(board, geometry)
    if ply == depth - 1:
        return _count(free) * max(_count(board.supply), 1)
    total = 0
    while free:
        square = _lowest(free)
        free &= free - _ONE
        if not _completes(geometry, board, square):
            _place(geometry, board, square, stack.shared[ply + 1], stack.counts[ply + 1])
            stones = board.supply
            while stones:
                after = _after(board, stack, ply + 1, square, _lowest(stones))
                stones &= stones - _ONE
                total += _sequences(geometry, after, stack, ply + 1, depth)
    return total


@kernel
def count_sequences(geometry: QuartoLines, board: QuartoBoard, depth: int) -> int:
    """The number of decision sequences of exactly this length, from 1 on."""
    return _sequences(geometry, board, _stack(board, depth), 0, depth)
