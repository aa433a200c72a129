"""Boards from 7 x 7 on: every full line wins, whatever stones it has.

All stones of these boards lack an attribute, so it makes no difference which stone is handed on,
and a position is known by the squares that are taken. A square is safe if every line through it
keeps at least two free squares. The player who completes a line wins, so the player who finds no
safe square has lost.

Many positions are decided by mirroring. Let the taken squares be symmetric about the middle of the
board (on an odd side with the middle taken) or, on an even side, about an axis. Then the player to
place loses: the opponent answers every safe square by its image, which is safe, too. A line that is
mapped to another has as many stones as that one afterwards. A line that is mapped to itself has an
odd number of free squares before the answer, at least three, so that two are left.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.quarto.engine.search import (
    HORIZON,
    NODES,
    OPEN,
    PROVEN,
    STOPPED,
    WIN,
    lines_through,
)
from spielwerk.games.quarto.rules import attributes, lines

if TYPE_CHECKING:
    from spielwerk.games.quarto.engine.search import Flag, Numbers
    from spielwerk.games.quarto.rules import QuartoState


class Squares(NamedTuple):
    """A position: the lines by square, the images by symmetry, squares taken, stones by line."""

    through: Numbers
    images: Numbers
    taken: Numbers
    counts: Numbers


def every_line_wins(n: int) -> bool:
    """Whether some attribute has the same value on all stones of the n x n board."""
    return n * n <= 1 << (attributes(n) - 1)


@cache
def _images(n: int) -> Numbers:
    """By symmetry and square: where the square goes; a half turn, and on an even side two flips."""
    squares = np.arange(n * n, dtype=np.int64).reshape(n, n)
    images = [squares[::-1, ::-1], squares[::-1], squares[:, ::-1]]
    return np.array([image.ravel() for image in images[: 1 if n % 2 else 3]])


def squares_of(state: QuartoState) -> Squares:
    """The state as the kernels want it."""
    n = state.game.n
    taken = np.array([stone is not None for stone in state.board], np.int64)
    counts = np.array([taken[list(line)].sum() for line in lines(n)], np.int64)
    return Squares(lines_through(n), _images(n), taken, counts)


@inlined
def _fullest(squares: Squares, square: int) -> int:
    """The most stones on any line through the square."""
    most = np.int64(0)
    for line in squares.through[square]:
        if line >= 0:
            most = max(most, squares.counts[line])
    return most  # type: ignore[return-value]


@inlined
def _put(squares: Squares, square: int, change: int) -> None:
    """Place a stone (change 1) or take it back (-1)."""
    squares.taken[square] += change
    for line in squares.through[square]:
        if line >= 0:
            squares.counts[line] += change


@kernel
def mirrored(squares: Squares) -> int:
    """-1 if the player to place loses by mirroring, 1 for a win by it, 0 if neither is known.

    No line may be one stone short of full.
    """
    size = len(squares.taken)
    middle_lacks = 1 if size % 2 and not squares.taken[size // 2] else 0
    for images in squares.images:
        lacking = middle_lacks
        for square in range(size):
            if squares.taken[square] and not squares.taken[images[square]]:
                lacking += 1
        if lacking <= 1:  # stones: the player to place wins by placing the only one
            return 1 if lacking else -1
    return 0


@kernel
def _look(squares: Squares, safe: Numbers, ply: int, horizon: bool) -> tuple[int, int]:
    """Write the safe squares and count them; before that a score that needs no search, or OPEN."""
    side = len(squares.counts) // 2 - 1
    if squares.counts.max() == side - 1:
        return WIN - ply - 1, 0
    number = 0
    for square in range(len(squares.taken)):
        if not squares.taken[square] and _fullest(squares, square) < side - 2:
            safe[number] = square
            number += 1
    if number == 0:  # a line has to be left one stone short of full
        return ply + 2 - WIN, 0
    known = mirrored(squares)
    if known:
        return known * PROVEN, 0
    if horizon:  # the nearer the end, the more it is worth to have the last safe square
        guess = 900 // (number + 1)
        return guess if number % 2 else -guess, number
    return OPEN, number


@kernel
def _search(
    squares: Squares,
    safe: Numbers,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
    report: Numbers,
    most_nodes: int,
    stop: Flag,
) -> int:
    """The score for the player to place, by negamax; the position is left as it was."""
    report[NODES] += 1
    if stop[0] or report[NODES] > most_nodes:
        report[STOPPED] = 1
        return 0
    score, number = _look(squares, safe[ply], ply, ply == depth)
    if score != OPEN:
        report[HORIZON] += number
        return score
    best = -WIN
    for square in safe[ply, :number]:
        _put(squares, square, 1)
        window = -beta, -max(alpha, best)
        reply = _search(squares, safe, ply + 1, depth, *window, report, most_nodes, stop)
        best = max(best, -reply)
        _put(squares, square, -1)
        if best >= beta or report[STOPPED]:
            break
    return best


@kernel
def rate_square(
    squares: Squares,
    square: int,
    depth: int,
    alpha: int,
    report: Numbers,
    most_nodes: int,
    stop: Flag,
) -> int:
    """The score of placing a stone there, looking `depth` decisions ahead; as `search.rate`."""
    if _fullest(squares, square) == len(squares.counts) // 2 - 2:
        return WIN - 1
    safe = np.empty((depth + 1, len(squares.taken)), np.int64)
    _put(squares, square, 1)
    score = -_search(squares, safe, 1, depth, -WIN, -alpha, report, most_nodes, stop)
    _put(squares, square, -1)
    return score


@kernel
def count_placements(squares: Squares, depth: int) -> int:
    """The number of sequences of exactly so many placements, from 1 on; the last may win."""
    side = len(squares.counts) // 2 - 1
    if depth == 1:
        return len(squares.taken) - int(squares.taken.sum())
    total = 0
    for square in range(len(squares.taken)):
        if not squares.taken[square] and _fullest(squares, square) < side - 1:
            _put(squares, square, 1)
            total += count_placements(squares, depth - 1)
            _put(squares, square, -1)
    return total
