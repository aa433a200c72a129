"""The dice race by plain value iteration in Python: a second opinion for small targets.

Positions are (seat to move, points missing to that player, to the next, to the one after).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

Chances = tuple[float, float, float]
Position = tuple[int, int, int, int]
Decide = Callable[[int, int, int, int], bool]
"""Whether to roll: points missing to the player, the next, the one after; points of the turn."""

PRECISION = 1e-13
WAYS = {3: 2, 4: 2, 5: 4, 6: 4, 7: 6, 8: 4, 9: 4, 10: 2, 11: 2}


class Race:
    """All chances of a race; a seat without a policy plays its best."""

    def __init__(self, target: int, seats: tuple[Decide | None, ...]) -> None:
        self.target = target
        self.seats = seats
        self.values: dict[Position, Chances] = {}
        self.rolls: dict[tuple[int, int, int, int, int], bool] = {}
        for total in range(3, 3 * target + 1):
            for x, y in product(range(1, target + 1), repeat=2):
                if 1 <= total - x - y <= target:
                    self._iterate(x, y, total - x - y)

    def _iterate(self, x: int, y: int, z: int) -> None:
        rotations = [(0, x, y, z), (1, y, z, x), (2, z, x, y)]
        self.values.update(dict.fromkeys(rotations, (0.0, 0.0, 0.0)))
        change = 1.0
        while change > PRECISION:
            change = 0.0
            for position in rotations:
                chances = self._turn(*position)
                old = self.values[position]
                change = max(change, *(abs(a - b) for a, b in zip(old, chances, strict=True)))
                self.values[position] = chances

    def _passed(self, seat: int, x: int, y: int, z: int) -> Chances:
        following, last, own = self.values[(seat + 1) % 3, y, z, x]
        return own, following, last

    def _turn(self, seat: int, x: int, y: int, z: int) -> Chances:
        worth: list[Chances] = [(1.0, 0.0, 0.0)] * (x + 11)
        double = self._passed(seat, x, y, z)
        policy = self.seats[seat]
        for points in reversed(range(x)):
            throws = [(6, double), *((WAYS[pips], worth[points + pips]) for pips in WAYS)]
            a, b, c = (sum(ways * chance[k] for ways, chance in throws) / 36 for k in range(3))
            save = self._passed(seat, x - points, y, z)
            rolls = policy(x, y, z, points) if policy else a > save[0] + 1e-12
            self.rolls[seat, x, y, z, points] = rolls
            worth[points] = (a, b, c) if rolls else save
        return worth[0]
