"""The dice race by plain value iteration in Python: a second opinion for small targets.

Positions are the points missing to the player to move, to the next, to the one after.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

Chances = tuple[float, float, float]
Position = tuple[int, int, int]
Decide = Callable[[Position, int], bool]
"""Whether to roll in a position, with so many points in the turn."""

PRECISION = 1e-13
WAYS = {3: 2, 4: 2, 5: 4, 6: 4, 7: 6, 8: 4, 9: 4, 10: 2, 11: 2}


class Race:
    """All chances of a race; without a policy everybody plays the best turn."""

    def __init__(self, target: int, policy: Decide | None = None) -> None:
        self.policy = policy
        self.values: dict[Position, Chances] = {}
        self.rolls: dict[tuple[Position, int], bool] = {}
        for total in range(3, 3 * target + 1):
            for x, y in product(range(1, target + 1), repeat=2):
                if 1 <= total - x - y <= target:
                    self._iterate(x, y, total - x - y)

    def _iterate(self, x: int, y: int, z: int) -> None:
        rotations = [(x, y, z), (y, z, x), (z, x, y)]
        self.values.update(dict.fromkeys(rotations, (0.0, 0.0, 0.0)))
        change = 1.0
        while change > PRECISION:
            change = 0.0
            for position in rotations:
                chances = self._turn(*position)
                old = self.values[position]
                change = max(change, *(abs(a - b) for a, b in zip(old, chances, strict=True)))
                self.values[position] = chances

    def _passed(self, x: int, y: int, z: int) -> Chances:
        following, last, own = self.values[y, z, x]
        return own, following, last

    def _turn(self, x: int, y: int, z: int) -> Chances:
        worth: list[Chances] = [(1.0, 0.0, 0.0)] * (x + 11)
        double = self._passed(x, y, z)
        for points in reversed(range(x)):
            throws = [(6, double), *((WAYS[pips], worth[points + pips]) for pips in WAYS)]
            a, b, c = (sum(ways * chance[k] for ways, chance in throws) / 36 for k in range(3))
            save = self._passed(x - points, y, z)
            rolls = self.policy((x, y, z), points) if self.policy else a > save[0] + 1e-12
            self.rolls[(x, y, z), points] = rolls
            worth[points] = (a, b, c) if rolls else save
        return worth[0]
