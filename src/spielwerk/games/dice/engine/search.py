"""A player of the dice race that looks nothing up: it looks some turns ahead, and counts points.

So many turns are played out with all their throws, each player choosing what is best for itself;
after them a player's chance is taken to grow with its lead over the average. Who looks at the own
turn alone gets the rule of thumb from that: roll until 35 points, as long as a throw adds more than
a double loses on average. Arrays are indexed as in `solver`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Score, best_first
from spielwerk.games.dice.engine import DiceEngine, missing_points
from spielwerk.games.dice.engine.policy import MOST, THROWS
from spielwerk.games.dice.engine.solver import decide, follow
from spielwerk.games.dice.rules import Choice, Move

if TYPE_CHECKING:
    from spielwerk.engines.interface import Limits, Result, Stop
    from spielwerk.games.dice.engine.solver import Floats
    from spielwerk.games.dice.rules import DiceState
    from spielwerk.games.interface import State

DEEPEST: Final = 6  # turns, two rounds


class DiceSearch(DiceEngine):
    """Looks as many turns ahead as the limit of depth says, at most `DEEPEST`."""

    def find_best(self, state: State[Move], limits: Limits, stop: Stop) -> Result[Move]:
        """The decision that is better as far as it looks."""
        return replace(super().find_best(state, limits, stop), depth=_depth(limits))

    def judge_moves(
        self,
        state: State[Move],
        limits: Limits,
        stop: Stop,  # noqa: ARG002 - a look is short
    ) -> dict[Move, Score]:
        """What rolling and saving seem to be worth, the better first."""
        race = cast("DiceState", state)
        (x, y, z), points = missing_points(race), race.points
        after = turns_ahead(race.game.target, _depth(limits) - 1)[2, y, z, : x + 1]
        seen: dict[Move, float] = {
            Choice.ROLL: _worth_of_rolling(after, points),
            Choice.SAVE: float(after[x - points]),
        }
        return best_first((move, Score(worth)) for move, worth in seen.items())


def _depth(limits: Limits) -> int:
    return min(limits.depth or DEEPEST, DEEPEST)


def _worth_of_rolling(after: Floats, points: int) -> float:
    """The own chance by rolling, if `after` is that when the turn ends, by the points missing."""
    missing = len(after) - 1
    worth = np.ones(missing + MOST + 1)  # by points of the turn; from `missing` on it is won
    for reached in range(missing - 1, points - 1, -1):
        thrown = sum(chance * worth[reached + pips] for pips, chance in THROWS)
        roll = after[missing] / 6 + thrown
        worth[reached] = max(roll, after[missing - reached])
    return float(roll)


@lru_cache(DEEPEST)
def turns_ahead(target: int, turns: int) -> Floats:
    """The chances at the beginning of every turn, as seen by who looks so many turns ahead."""
    return _leads(target) if turns == 0 else _one_turn_more(turns_ahead(target, turns - 1))


def _leads(target: int) -> Floats:
    """The chances by the points alone: none for who has nothing while the others have all."""
    missing = np.indices((target + 1,) * 3, np.float64)
    chances: Floats = 1 / 3 + (missing.mean(axis=0) - missing) / (2 * target)
    return chances


@kernel
def _one_turn_more(values: Floats) -> Floats:
    """The chances one turn earlier, if the player then does what is best for it."""
    size = values.shape[1]
    earlier, rolls, ends = np.zeros(values.shape), np.empty(size, np.bool_), np.empty(4)
    for x in range(1, size):
        for y in range(1, size):
            for z in range(1, size):
                after = values[:, y, z, : x + 1]
                decide(after[2], after[2, x], rolls)
                follow(rolls, x, after, ends)
                for k in range(3):
                    earlier[k, x, y, z] = ends[k] + ends[3] * after[(k + 2) % 3, x]
    return earlier
