"""What a situation is worth to the player to move, and the numbered strategies of the Oware task.

Four ways of judging: by the tuned weights, by the document's section 4.3, and two that take every
unfinished game for won or for lost, with which a search finds out what is proven.

The tuned evaluation looks up one weight for each feature and adds them. It knows who is to move, so
the two sides have weights of their own; the opponent's value is the negative one by definition.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

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


class Strategy(NamedTuple):
    """A way to judge situations that are not won yet."""

    judgement: int  # the kernel's number for it
    value: Callable[[int], float]  # of the kernel's score, from -1 to 1


STRATEGIES: Final = (Strategy(TUNED, tuned_value), Strategy(SIMPLE, simple_value))
"""In the order of their numbers, which is that of their names in the kit; 0 is the strongest."""


def _read_weights() -> NDArray[np.int64]:
    """The tuned weights in the order of the features, first those of the player to move."""
    lines = Path(__file__).with_name("weights.txt").read_text(encoding="ascii").splitlines()
    numbers = [int(word) for line in lines if not line.startswith("#") for word in line.split()]
    return np.array(numbers, np.int64)


TUNED_WEIGHTS: Final = _read_weights()
