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
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from spielwerk.engines.interface import EngineError
from spielwerk.engines.tables import TableFileError, data_folder, read_table, write_table

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

KIND: Final = "dice-policy"
VERSION: Final = 1
LARGEST_TARGET: Final = 255  # points are stored in a byte
DEFAULT_TARGET: Final = 150
SHIPPED: Final = Path(__file__).with_name(f"{DEFAULT_TARGET}.table")

THROWS: Final = tuple((pips, (3 - (abs(pips - 7) + 1) // 2) / 18) for pips in range(3, 12))
"""The sums of two dice that are no double, and their chances, together 5/6."""

Chances: TypeAlias = tuple[float, float, float]
"""Who wins: the player to move, the next, the one after."""


@dataclass(frozen=True)
class Report:
    """How the decisions of a policy were found.

    Three players need not have an equilibrium in which nobody mixes decisions by chance: in the
    race to 150 there is none in 97 classes of 1,125,100. Where none was found the class is
    unsettled, and `regret` is the most that a player could gain there by another turn. Seen from
    the start that hardly matters: a best response to two such players gains less than 1e-10.
    """

    classes: int  # of score triples that are rotations of each other
    improvements: int
    unsettled: int
    regret: float


@dataclass(frozen=True, eq=False)
class Policy:
    """What a player of the dice race does, and what comes of it if all three do the same.

    `switches[k, x, y, z]` belongs to a turn that began with x points missing to the player, y to
    the next and z to the one after: so many are missing, with the points of the turn, when the
    decision changes for the k-th time, first from ROLL to SAVE; zero: not any more.
    """

    target: int
    switches: NDArray[np.uint8]
    report: Report | None = None

    def roll(self, own: int, following: int, last: int, points: int) -> bool:
        """Whether to roll: saved points in the order of play, and the points of this turn."""
        x, y, z = self._missing(own, following, last, points)
        return bool(np.count_nonzero(self.switches[:, x, y, z] >= x - points) % 2 == 0)

    def chances(self, own: int, following: int, last: int, points: int) -> Chances:
        """The chances of the three if all play by this policy from here."""
        choose = self.after_roll if self.roll(own, following, last, points) else self.after_save
        return choose(own, following, last, points)

    def after_save(self, own: int, following: int, last: int, points: int) -> Chances:
        """The chances of the three if the player saves now."""
        x, y, z = self._missing(own, following, last, points)
        return _chances(self._passed(x - points, y, z))

    def after_roll(self, own: int, following: int, last: int, points: int) -> Chances:
        """The chances of the three if the player rolls now."""
        x, y, z = self._missing(own, following, last, points)
        switches = self.switches[:, x, y, z]
        worth = {left: np.array((1.0, 0.0, 0.0)) for left in range(-10, 1)}
        for left in range(1, x - points + 1):
            worth[left] = self._passed(x, y, z) / 6 + sum(
                chance * worth[left - pips] for pips, chance in THROWS
            )
            if left < x - points and np.count_nonzero(switches >= left) % 2:
                worth[left] = self._passed(left, y, z)
        return _chances(worth[x - points])

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """values[k, x, y, z]: the chance of the k-th player from the one who begins the turn."""
        from spielwerk.games.dice.engine.solver import evaluate  # needs the compiler

        return evaluate(self)

    def reduced(self, target: int) -> Policy:
        """The same policy for a smaller target."""
        size = target + 1
        return Policy(target, self.switches[:, :size, :size, :size])

    def save(self, path: Path) -> None:
        """Write the policy to a file."""
        facts: dict[str, Any] = {"target": self.target, "switches": len(self.switches)}
        facts["report"] = asdict(self.report) if self.report else None
        # Level 1 packs to nearly twice the size of level 9 but unpacks three times as fast.
        write_table(path, KIND, VERSION, facts, zlib.compress(self.switches.tobytes(), 1))

    def _missing(self, own: int, following: int, last: int, points: int) -> tuple[int, int, int]:
        in_play = points >= 0 and own + points < self.target
        if not in_play or not all(0 <= saved < self.target for saved in (own, following, last)):
            scores = f"{own} {following} {last} and {points} points in this turn"
            raise EngineError(f"no position of a race to {self.target}: {scores}")
        return self.target - own, self.target - following, self.target - last

    def _passed(self, x: int, y: int, z: int) -> NDArray[np.float64]:
        """The chances, the player who has just had the turn first."""
        return np.roll(self.values[:, y, z, x], 1)


def _chances(array: NDArray[np.float64]) -> Chances:
    mine, following, last = array.tolist()
    return mine, following, last


def hold_at(target: int, points: int) -> Policy:
    """The policy that rolls until the turn has so many points, then saves."""
    if points < 1:
        raise EngineError(f"hold at {points}: a player who never rolls cannot win")
    check_target(target)
    missing = np.arange(target + 1).clip(points) - points
    shape = (1, target + 1, target + 1, target + 1)
    return Policy(target, np.broadcast_to(missing.astype(np.uint8)[:, None, None], shape))


def check_target(target: int) -> None:
    """Raise EngineError for a target beyond what a policy can store."""
    if not 3 <= target <= LARGEST_TARGET:
        solvable = f"only targets from 3 to {LARGEST_TARGET} can be; hold=25 and random play any"
        raise EngineError(f"the race to {target} cannot be solved, {solvable}")


def read_policy(path: Path) -> Policy:
    """Read a policy from a file, or raise TableFileError."""
    facts, content = read_table(path, KIND, VERSION)
    try:
        size = facts["target"] + 1
        shape = (facts["switches"], size, size, size)
        unpacked = zlib.decompress(content, bufsize=math.prod(shape))
        switches = np.frombuffer(unpacked, np.uint8).reshape(shape)
        report = Report(**facts["report"]) if facts["report"] else None
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise TableFileError(path, f"damaged: {error}") from None
    return Policy(size - 1, switches, report)


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
    if policy.target > target and path == SHIPPED:
        return policy.reduced(target)
    if policy.target != target:
        raise TableFileError(path, f"it holds the race to {policy.target}, not to {target}")
    return policy
