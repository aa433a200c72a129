"""What a position is worth before it is decided: weighted counts, read off the bits.

Each weight counts hundredths of a stone, in one of three phases: a player still places, both move,
a player flies. The weights were fitted to the results of games and chosen by matches; see
`benchmarks/morris_weights.txt`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.morris.engine.board import (
    CORNERS,
    FULL,
    LEAST_STONES,
    MIDDLES,
    back,
    count,
    onward,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEATURES: Final = (
    "stones",  # on the board and in hand; these seven are own minus the opponent's
    "mobility",  # steps to free fields
    "blocked",  # stones without a free neighbour
    "mills",  # closed
    "pairs",  # two of three, the third field free
    "threats",  # mills that can be closed with the next turn
    "double mills",  # of those, by a stone that leaves a closed mill
    "mill to move",  # 1 if the player to move can close one
    "two threats",  # 1 if the opponent has two or more, so that one will not be stopped
    "to move",  # always 1
)
PHASES: Final = ("placing", "moving", "flying")
SIZE: Final = len(FEATURES)

WEIGHTS: Final = np.array(
    [
        [144, 31, -41, 57, 0, 45, 54, 118, -67, 51],
        [100, 13, -47, 134, 23, 130, 110, 55, 44, 27],
        [89, 2, 22, 54, -12, 97, 112, -5, -31, 27],
    ],
    np.int64,
)


@inlined
def _threats(own: int, free: int, helpers: int) -> tuple[int, int]:
    """The mills that lack one field, and those of them that a helper's step completes."""
    own1, free1 = back(own), back(free)
    own2, free2 = back(own1), back(free1)
    corner_before = free & own1 & own2 & CORNERS
    middle = own & free1 & own2 & CORNERS
    corner_after = own & own1 & free2 & CORNERS
    outer, ring, inner = own & MIDDLES, (own >> 8) & MIDDLES, own >> 16 & MIDDLES
    free_outer, free_ring, free_inner = free, free >> 8, free >> 16
    across = (
        (free_outer & ring & inner & 255)
        | ((outer & free_ring & inner & 255) << 8)
        | ((outer & ring & free_inner & 255) << 16)
    )
    clockwise, anticlockwise = onward(helpers), back(helpers)
    spokes = ((helpers << 8) | (helpers >> 8)) & MIDDLES
    reached = (
        count(corner_before & clockwise)
        + count(corner_after & back(back(anticlockwise)))
        + count(middle & back(spokes))
        + count(across & (clockwise | anticlockwise))
    )
    return count(corner_before) + count(middle) + count(corner_after) + count(across), reached


@inlined
def _closed(own: int) -> tuple[int, int]:
    """How many mills are closed, and the stones in them."""
    sides = own & back(own) & back(back(own)) & CORNERS
    spokes = own & (own >> 8) & (own >> 16) & MIDDLES
    stones = sides | onward(sides) | onward(onward(sides)) | spokes | spokes << 8 | spokes << 16
    return count(sides) + count(spokes), stones


@inlined
def steps(own: int, free: int) -> int:
    """How many steps to a free field next door there are."""
    middles = own & MIDDLES
    along = count(onward(own) & free) + count(back(own) & free)
    return along + count(middles << 8 & free) + count(middles >> 8 & free)


@inlined
def _blocked(own: int, free: int) -> int:
    middles = free & MIDDLES
    near_free = onward(free) | back(free) | middles << 8 | middles >> 8
    return count(own & ~near_free)


@inlined
def _side(own: int, free: int, hand: int) -> tuple[int, int, int, int, int, int, int]:
    """The first seven features of one player."""
    closed, closing = _closed(own)
    pairs, threats = _threats(own, free, own)
    if hand or count(own) <= LEAST_STONES:
        double = 0
        threats = pairs
    else:
        double = _threats(own, free, closing)[1] if closed else 0
    stones = count(own) + hand
    return stones, steps(own, free), _blocked(own, free), closed, pairs, threats, double


@inlined
def phase(own: int, opponent: int, hands: int) -> int:
    """Which weights count."""
    if hands:
        return 0
    return 2 if min(count(own), count(opponent)) <= LEAST_STONES else 1


@inlined
def evaluate(
    own: int,
    opponent: int,
    own_hand: int,
    opponent_hand: int,
    weights: NDArray[np.int64],
    start: int,
) -> int:
    """The value for the player to move; the weights lie in an array from `start` on."""
    free = FULL & ~(own | opponent)
    mine = _side(own, free, own_hand)
    other = _side(opponent, free, opponent_hand)
    first = start + SIZE * phase(own, opponent, own_hand + opponent_hand)
    value = int(weights[first + 9])
    for feature in range(7):
        value += weights[first + feature] * (mine[feature] - other[feature])
    if mine[5]:
        value += weights[first + 7]
    if other[5] > 1:
        value += weights[first + 8]
    return value


@kernel
def features_of(
    own: int, opponent: int, own_hand: int, opponent_hand: int
) -> tuple[int, NDArray[np.int64]]:
    """The phase and the features of a position, as `evaluate` weighs them."""
    found = np.zeros(SIZE, np.int64)
    free = FULL & ~(own | opponent)
    mine = _side(own, free, own_hand)
    other = _side(opponent, free, opponent_hand)
    for feature in range(7):
        found[feature] = mine[feature] - other[feature]
    found[7] = 1 if mine[5] else 0
    found[8] = 1 if other[5] > 1 else 0
    found[9] = 1
    return phase(own, opponent, own_hand + opponent_hand), found
