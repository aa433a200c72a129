"""When to roll and when to save, by name."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.wire.dice.client import Position

    Strategy: TypeAlias = Callable[[Position], bool]  # whether to roll

EQUILIBRIUM: Final = "equilibrium"
RANDOM: Final = "random"
BEYOND: Final = 25  # where to hold when the solved game knows no answer

_HOLD: Final = re.compile(r"hold=([1-9][0-9]{0,3})")


def check_strategy(name: str) -> str:
    """The name, or UsageError if there is no such strategy."""
    if name in (EQUILIBRIUM, RANDOM) or _HOLD.fullmatch(name):
        return name
    known = f"{EQUILIBRIUM}, {RANDOM} or hold=<points>, for example hold={BEYOND}"
    raise UsageError(f"{quote(name)} is no strategy: expected {known}")


def find_strategy(name: str, target: int) -> Strategy:
    """The strategy of that name, ready to decide."""
    hold = _HOLD.fullmatch(check_strategy(name))
    if hold:
        return hold_at(int(hold[1]))
    return by_chance(random.Random()) if name == RANDOM else equilibrium(target)


def hold_at(points: int) -> Strategy:
    """Roll until the turn has so many points."""
    return lambda position: position.points < points


def by_chance(rng: random.Random) -> Strategy:
    """Roll every other time or so."""
    return lambda _: rng.random() < 0.5


def equilibrium(target: int) -> Strategy:
    """Do what the solved game says.

    If somebody has passed the target and the game goes on, the server's target is another, which
    it does not tell before the end; then hold at a number of points that is good in most races.
    """
    from spielwerk.games.dice.engine.policy import load_policy  # NumPy, only where it is needed

    policy = load_policy(target)
    beyond = hold_at(BEYOND)

    def decide(position: Position) -> bool:
        own, following, last, points = position
        if max(own + points, following, last) >= target:
            return beyond(position)
        return policy.roll(own, following, last, points)

    return decide
