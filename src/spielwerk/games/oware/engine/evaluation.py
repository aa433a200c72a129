"""What a situation is worth to the player to move, and the numbered strategies of the Oware task.

Four ways of judging: by the tuned weights, by the document's section 4.3, and two that take every
unfinished game for won or for lost, with which a search finds out what is proven.

The tuned evaluation looks up one weight for each feature and adds them. It knows who is to move, so
the two sides have weights of their own; the opponent's value is the negative one by definition.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined
from spielwerk.games.oware.engine.kernel import GIFT_THEIRS, LAST, WIN, gain_of, stones_in, taken
from spielwerk.games.oware.rules import HOUSES, MAJORITY

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

TUNED: Final = 0
SIMPLE: Final = 1
MOVER_WINS: Final = 2
MOVER_LOSES: Final = 3

STEPS: Final = 16
"""Counts of stones and moves from 0 on that have a weight of their own; greater share the last."""

NEED: Final = 0
CAPTURE: Final = NEED + MAJORITY + 1
IN_HAND: Final = CAPTURE + STEPS
FULL: Final = IN_HAND + STEPS
HOUSE: Final = FULL + HOUSES + 1
SIDE: Final = HOUSE + HOUSES * STEPS
"""Where the weights of a side's features begin: stones needed to win, best capture, moves in hand,
houses with stones, stones in each house; and how many weights a side has."""

LOGIT: Final = 1000
"""Weights are in thousandths of the logarithm of the odds to win."""

LIMIT: Final = 16 * LOGIT
"""The tuned evaluation is never surer than this: only a game that is won is certain."""


def _simple_ranks() -> tuple[NDArray[np.int64], tuple[float, ...]]:
    """For the stones both need: the rank of the document's value; and the values from 0 upwards."""
    needs = range(MAJORITY + 1)
    value = {(z, g): (g - z) / (g + z) for z in needs for g in needs if z or g}
    positive = tuple(sorted({v for v in value.values() if v >= 0}))
    rank = {v: index for index, v in enumerate(positive)}
    ranks = np.zeros((MAJORITY + 1, MAJORITY + 1), np.int64)
    for (z, g), v in value.items():
        ranks[z, g] = rank[abs(v)] if v >= 0 else -rank[abs(v)]
    return ranks, positive


SIMPLE_RANK, SIMPLE_VALUES = _simple_ranks()


def tuned_value(score: int) -> float:
    """The result to expect, from -1 to 1, by the tuned evaluation."""
    return math.copysign(1.0, score) if abs(score) == WIN else math.tanh(score / (2 * LOGIT))


def simple_value(score: int) -> float:
    """The document's b_Z, from -1 to 1."""
    return math.copysign(1.0 if abs(score) == WIN else SIMPLE_VALUES[abs(score)], score)


@inlined
def best_capture(mine: np.uint64, theirs: np.uint64) -> int:
    """The most stones that the first player could capture with one move."""
    best = 0
    for house in range(HOUSES):
        stones = stones_in(mine, house)
        last = LAST[house, stones]
        if stones > 0 and last >= HOUSES:
            _, gain = gain_of(theirs + GIFT_THEIRS[house, stones], last)
            best = max(best, gain)
    return best


@inlined
def moves_in_hand(row: np.uint64) -> int:
    """How often the player could sow from the foremost house that stays on the own side."""
    count = 0
    house = HOUSES - 2
    while house >= 0:
        stones = stones_in(row, house)
        if stones == 0 or stones >= HOUSES - house:
            house -= 1
            continue
        # The stones go one each into the next houses: as many ones in bytes as there are stones.
        ones = (np.uint64(0x0101010101) >> np.uint64(8 * (5 - stones))) << np.uint64(8 * house + 8)
        row = (row & ~(np.uint64(0xFF) << np.uint64(8 * house))) + ones
        count += 1
        house = HOUSES - 2
    return count


@inlined
def side_score(mine: np.uint64, theirs: np.uint64, weights: NDArray[np.int64]) -> int:
    """The sum of the weights of one side's features."""
    total: int = weights[NEED + MAJORITY - taken(mine)]
    total += weights[CAPTURE + min(best_capture(mine, theirs), STEPS - 1)]
    total += weights[IN_HAND + min(moves_in_hand(mine), STEPS - 1)]
    full = 0
    for house in range(HOUSES):
        stones = stones_in(mine, house)
        full += stones > 0
        total += weights[HOUSE + STEPS * house + min(stones, STEPS - 1)]
    total += weights[FULL + full]
    return total


@inlined
def evaluate(mine: np.uint64, theirs: np.uint64, judgement: int, weights: NDArray[np.int64]) -> int:
    """The score of an unfinished game for the player to move."""
    if judgement == SIMPLE:
        rank: int = SIMPLE_RANK[MAJORITY - taken(mine), MAJORITY - taken(theirs)]
        return rank
    if judgement == TUNED:
        mover = side_score(mine, theirs, weights[:SIDE])
        other = side_score(theirs, mine, weights[SIDE:])
        return max(-LIMIT, min(LIMIT, mover + other))
    return WIN if judgement == MOVER_WINS else -WIN


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to judge situations that nobody has won yet."""

    name: str
    description: str
    judgement: int  # the kernel's number for it
    value: Callable[[int], float]  # of the kernel's score, from -1 to 1


_STRATEGIES: Final = (
    Strategy(
        "tuned",
        "stones, captures, moves in hand and every house, weighed by games against itself",
        TUNED,
        tuned_value,
    ),
    Strategy("simple", "only the stones both still need (Oware task, 4.3)", SIMPLE, simple_value),
)


def strategies() -> tuple[Strategy, ...]:
    """The strategies in the order of their numbers; 0 is the strongest."""
    return _STRATEGIES


# fmt: off
# Made by `python -m benchmarks.oware_tuning 4 2000 5`, in the order of the features above.
TUNED_WEIGHTS = np.array([
    # mover: need
    3317, 3350, 2650, 2244, 1945, 1613, 1400, 918, 796, 507, 274, -13, -138, -395, -655, -780,
    -1030, -1207, -1293, -1467, -1601, -1767, -1905, -2019, -2128, -2257,
    # mover: capture
    -1211, -1051, -902, -803, -490, -339, -40, 146, 370, 506, 578, 661, 725, 734, 738, 737,
    # mover: in hand
    -194, -188, -127, -50, -7, -9, 39, 78, 107, 120, 110, 137, 92, 87, 70, 93,
    # mover: full
    -212, -215, -90, 112, 215, 260, 289,
    # mover: house 0
    -193, -114, -67, 46, 67, -10, 59, 80, 26, 13, -12, -41, -5, 75, 156, 277,
    # mover: house 1
    -221, -86, -8, 22, 3, 88, 56, 30, -21, -52, -85, 0, 108, 141, 187, 197,
    # mover: house 2
    -193, -77, 8, 42, 131, 118, 89, 42, -44, -126, -103, 6, 47, 82, 171, 165,
    # mover: house 3
    -131, -34, 22, 109, 110, 27, 41, -52, -118, -138, -40, 18, 89, 176, 166, 114,
    # mover: house 4
    -45, 25, 125, 103, 52, -10, -60, -53, -90, -39, 5, 82, 151, 122, 82, -92,
    # mover: house 5
    38, 53, 55, -50, -117, -136, -171, -169, -99, -23, 84, 211, 211, 207, 180, 85,
    # other: need
    -3296, -3329, -2631, -2226, -1935, -1597, -1380, -904, -781, -485, -256, 33, 160, 423, 677, 806,
    1051, 1235, 1326, 1500, 1640, 1808, 1957, 2068, 2180, 2314,
    # other: capture
    570, 506, 447, 395, 155, 209, 33, -22, -68, -211, -239, -279, -303, -290, -274, -268,
    # other: in hand
    200, 193, 125, 86, 64, 32, 11, -12, -39, -52, -42, -71, -30, -51, -28, -25,
    # other: full
    59, 402, 248, 42, -85, -154, -153,
    # other: house 0
    216, 210, 158, 16, 17, 60, 6, -24, 14, 29, 45, 70, 35, -40, -146, -306,
    # other: house 1
    254, 177, 117, 46, 65, -18, 21, 15, 52, 64, 123, 21, -62, -103, -178, -235,
    # other: house 2
    234, 161, 83, 38, -39, -55, -15, 0, 66, 155, 145, 50, 7, -54, -169, -246,
    # other: house 3
    184, 122, 77, -8, -43, 40, 24, 82, 165, 201, 92, 35, -54, -141, -215, -203,
    # other: house 4
    110, 62, -3, -12, 29, 73, 108, 115, 139, 123, 40, -22, -101, -150, -145, -7,
    # other: house 5
    35, 69, 46, 132, 192, 201, 229, 257, 189, 109, 4, -146, -239, -268, -286, -163,
], np.int64)
