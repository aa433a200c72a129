"""What makes two 4 x 4 positions the same: 32 symmetries of the board, 384 of the stones.

A position is written as four lanes of 16 bits, one for each attribute: the squares whose stone has
it. Complementing attributes so that the stone in hand becomes stone 0 takes care of 16 of the stone
symmetries, sorting the lanes of the other 24. No stone on the board is then 0, so the lanes show
which squares are taken, and 64 bits hold the whole position: the key is the position, not a hash.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

import numpy as np

from spielwerk.engines.compiled import inlined, kernel

SQUARES: Final = 16
LANE: Final = np.uint64(0xFFFF)
_BYTE: Final = np.uint64(0xFF)


def automorphisms() -> list[tuple[int, ...]]:
    """All permutations of the squares that map the set of ten lines onto itself.

    Rows and columns are permuted alike, in ways that keep opposite ones opposite; then the board
    may be turned over a diagonal, and one of the two orders reversed.
    """
    orders = [order for order in permutations(range(4)) if order[0] + order[3] == 3]
    grids = [
        [(rows[row], order[column]) for row in range(4) for column in range(4)]
        for order in orders
        for rows in (order, order[::-1])
    ]
    plain = [tuple(4 * row + column for row, column in grid) for grid in grids]
    return plain + [tuple(4 * column + row for row, column in grid) for grid in grids]


def _moved_bytes() -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    """For every automorphism, half of a lane and byte: where its squares go."""
    table = np.zeros((32, 2, 256), np.uint64)
    for number, images in enumerate(automorphisms()):
        for square, image in enumerate(images):
            half, bit = divmod(square, 8)
            having = np.arange(256) >> bit & 1 == 1
            table[number, half, having] |= np.uint64(1 << image)
    return table


_MOVED: Final = _moved_bytes()

SPREAD: Final = np.array(
    [sum((stone >> lane & 1) << 16 * lane for lane in range(4)) for stone in range(16)], np.uint64
)
"""The attributes of each stone, one in the lowest bit of each lane."""


@inlined
def sorted_lanes(
    first: np.uint64, second: np.uint64, third: np.uint64, fourth: np.uint64
) -> np.uint64:
    """The four lanes in one word, the smallest lowest."""
    if first > second:
        first, second = second, first
    if third > fourth:
        third, fourth = fourth, third
    if first > third:
        first, third = third, first
    if second > fourth:
        second, fourth = fourth, second
    if second > third:
        second, third = third, second
    return first | (second << np.uint64(16)) | (third << np.uint64(32)) | (fourth << np.uint64(48))


@inlined
def plain_key(lanes: np.uint64, taken: np.uint64, hand: np.uint64) -> np.uint64:
    """The same for all 384 images of a position under the stone symmetries."""
    seen = lanes ^ (SPREAD[hand] * taken)
    return sorted_lanes(
        seen & LANE,
        (seen >> np.uint64(16)) & LANE,
        (seen >> np.uint64(32)) & LANE,
        seen >> np.uint64(48),
    )


@inlined
def _moved(lane: np.uint64, number: int) -> np.uint64:
    low: np.uint64 = _MOVED[number, 0, lane & _BYTE]
    high: np.uint64 = _MOVED[number, 1, (lane >> np.uint64(8)) & _BYTE]
    return low | high


@kernel
def canonical_key(lanes: np.uint64, taken: np.uint64, hand: np.uint64) -> np.uint64:
    """The same for all 32 * 384 images of a position."""
    seen = lanes ^ (SPREAD[hand] * taken)
    smallest = ~np.uint64(0)
    for number in range(32):
        image = sorted_lanes(
            _moved(seen & LANE, number),
            _moved((seen >> np.uint64(16)) & LANE, number),
            _moved((seen >> np.uint64(32)) & LANE, number),
            _moved(seen >> np.uint64(48), number),
        )
        smallest = min(smallest, image)
    return smallest
