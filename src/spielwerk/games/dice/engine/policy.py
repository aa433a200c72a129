"""Stored decisions for the dice race: when to roll, and what that is worth.

Nothing here needs a compiler until chances are asked for: a bot loads the policy and rolls.

A policy knows when to roll from the points that the three players miss, so the policy for one
target is also that for every smaller one. For each triple it stores where the decision changes
while the points of a turn grow. That is not one threshold: who would save at 25 points rolls
again where 35 points leave so few missing that the next throw wins.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from spielwerk.engines.interface import EngineError
from spielwerk.engines.tables import TableFileError, data_folder, read_table, write_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

KIND: Final = "dice-policy"
VERSION: Final = 1
LARGEST_TARGET: Final = 255  # points are stored in a byte
DEFAULT_TARGET: Final = 150
SHIPPED: Final = Path(__file__).with_name(f"{DEFAULT_TARGET}.table")

THROWS: Final = tuple((pips, (3 - (abs(pips - 7) + 1) // 2) / 18) for pips in range(3, 12))
"""The sums of two dice that are no double, and their chances, together 5/6."""

LEAST, MOST = THROWS[0][0], THROWS[-1][0]
_SHARES: Final = np.array([chance for _, chance in reversed(THROWS)])  # from MOST to LEAST pips

Missing: TypeAlias = tuple[int, int, int]
"""The points that are missing to the player whose turn it is, to the next, to the one after."""

Chances: TypeAlias = tuple[float, float, float]
"""Who wins, in the same order."""


@dataclass(frozen=True, eq=False)
class Policy:
    """What a player of the dice race does, and what comes of it if all three do the same.

    `switches[k, x, y, z]` belongs to a turn that began with x points missing to the player, y to
    the next and z to the one after: so many are missing, with the points of the turn, when the
    decision changes for the k-th time, first from ROLL to SAVE; zero: not any more.
    """

    target: int
    switches: NDArray[np.uint8]
    report: Mapping[str, float] | None = None  # how it was found, see `solver`

    def roll(self, missing: Missing, points: int) -> bool:
        """Whether to roll with so many points in this turn."""
        return self._rolls(missing, missing[0] - points)

    def chances(self, missing: Missing, points: int) -> Chances:
        """The chances of the three if all play by this policy from here."""
        choose = self.after_roll if self.roll(missing, points) else self.after_save
        return choose(missing, points)

    def after_save(self, missing: Missing, points: int) -> Chances:
        """The chances of the three if the player saves now."""
        x, y, z = missing
        return _chances(self._passed(x - points, y, z))

    def after_roll(self, missing: Missing, points: int) -> Chances:
        """The chances of the three if the player rolls now."""
        x, y, z = missing
        lost = self._passed(x, y, z) / 6
        worth = np.zeros((x - points + MOST, 3))  # by points missing, MOST - 1 ahead
        worth[:MOST, 0] = 1.0  # reached, or passed
        for left in self._decisions(missing, points):
            row = left + MOST - 1
            if left < x - points and not self._rolls(missing, left):
                worth[row] = self._passed(left, y, z)
            else:
                worth[row] = lost + _SHARES @ worth[row - MOST : row - LEAST + 1]
        return _chances(worth[-1])

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """values[k, x, y, z]: the chance of the k-th player from the one who begins the turn."""
        from spielwerk.games.dice.engine.solver import evaluate  # needs the compiler

        return evaluate(self)

    def save(self, path: Path) -> None:
        """Write the policy to a file."""
        facts = {"target": self.target, "switches": len(self.switches), "report": self.report}
        # Level 1 packs to nearly twice the size of level 9 but unpacks three times as fast.
        write_table(path, KIND, VERSION, facts, zlib.compress(self.switches.tobytes(), 1))

    def _rolls(self, missing: Missing, left: int) -> bool:
        switches = self.switches[:, *missing]
        return bool(np.count_nonzero(switches >= left) % 2 == 0)

    def _decisions(self, missing: Missing, points: int) -> list[int]:
        """What can be missing at a decision of this turn from now on, the least first."""
        first = missing[0] - points
        reached, waiting = {first}, [first]
        while waiting:
            left = waiting.pop()
            if left == first or self._rolls(missing, left):
                new = {left - pips for pips, _ in THROWS if left > pips} - reached
                reached |= new
                waiting += new
        return sorted(reached)

    def _passed(self, x: int, y: int, z: int) -> NDArray[np.float64]:
        """The chances, the player who has just had the turn first."""
        return np.roll(self.values[:, y, z, x], 1)


def _chances(array: NDArray[np.float64]) -> Chances:
    mine, following, last = array.tolist()
    return mine, following, last


@lru_cache(maxsize=4)
def hold_at(target: int, points: int) -> Policy:
    """The policy that rolls until the turn has so many points, then saves."""
    check_target(target)
    missing = np.arange(target + 1).clip(points) - points
    shape = (1, target + 1, target + 1, target + 1)
    return Policy(target, np.broadcast_to(missing.astype(np.uint8)[:, None, None], shape))


def check_target(target: int) -> None:
    """Raise EngineError for a target beyond what a policy can store."""
    if not 3 <= target <= LARGEST_TARGET:
        solvable = f"only targets from 3 to {LARGEST_TARGET} can"
        others = "hold=25 and random play any target"
        raise EngineError(f"the race to {target} cannot be solved: {solvable}; {others}")


@lru_cache(maxsize=4)
def read_policy(path: Path) -> Policy:
    """Read a policy from a file, or raise TableFileError."""
    facts, content = read_table(path, KIND, VERSION)
    try:
        size = facts["target"] + 1
        shape = (facts["switches"], size, size, size)
        unpacked = zlib.decompress(content, bufsize=math.prod(shape))
        switches = np.frombuffer(unpacked, np.uint8).reshape(shape)
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise TableFileError(path, f"damaged: {error}") from None
    return Policy(size - 1, switches, facts.get("report"))


def policy_path(target: int) -> Path:
    """Where the solved policy for a target is kept."""
    return data_folder() / "dice" / f"{target}.table"


def require_solved(target: int) -> Path:
    """Where the equilibrium for the target is kept, or EngineError that says how to compute it."""
    check_target(target)
    path = SHIPPED if target <= DEFAULT_TARGET else policy_path(target)
    if not path.exists():
        command = f"spielwerk solve dice --target {target}"
        raise EngineError(f"the race to {target} has not been solved yet; run: {command}")
    return path


def load_policy(target: int) -> Policy:
    """The equilibrium for the target: shipped up to 150, else as it was solved by the user."""
    path = require_solved(target)
    policy = read_policy(path)
    if policy.target < target:
        raise TableFileError(path, f"it holds the race to {policy.target}, not to {target}")
    return policy
