"""The strategies: what they decide, and what they need to be there for it."""

from __future__ import annotations

from random import Random

import pytest

from spielwerk.clients.dice.bot import (
    BEYOND,
    check_strategy,
    equilibrium,
    find_strategy,
    hold_at,
)
from spielwerk.errors import UsageError
from spielwerk.games.dice.engine.policy import load_policy
from spielwerk.wire.dice.client import RacePosition


def positions(target: int, count: int) -> list[RacePosition]:
    rng = Random(1)
    found: list[RacePosition] = []
    while len(found) < count:
        own, following, last, points = (rng.randrange(target) for _ in range(4))
        if own + points % 60 < target:
            found.append(RacePosition(own, following, last, points % 60))
    return found


@pytest.mark.parametrize("target", [150, 100, 3])
def test_the_equilibrium_is_the_solved_one(target: int) -> None:
    policy, strategy = load_policy(target), find_strategy("equilibrium", target)
    asked = positions(target, 2000)
    decisions = [strategy(position) for position in asked]
    assert decisions == [
        policy.roll((target - own, target - following, target - last), points)
        for own, following, last, points in asked
    ]
    assert target == 3 or set(decisions) == {True, False}


@pytest.mark.parametrize("position", [(140, 0, 0), (0, 150, 0), (0, 0, 200), (180, 170, 160)])
def test_beyond_the_target_the_bot_goes_on_by_itself(position: tuple[int, int, int]) -> None:
    strategy = equilibrium(150)
    assert strategy(RacePosition(*position, 9)) is True
    assert strategy(RacePosition(*position, BEYOND)) is False


def test_holding_rolls_until_the_turn_has_enough() -> None:
    strategy = find_strategy("hold=20", 150)
    rolls = [strategy(RacePosition(7, 140, 3, points)) for points in range(40)]
    assert rolls == 20 * [True] + 20 * [False]
    assert hold_at(1)(RacePosition(0, 0, 0, 0))


@pytest.mark.parametrize("name", ["", "hold", "hold=", "hold=0", "hold=-1", "hold=12345", "Random"])
def test_no_strategy(name: str) -> None:
    with pytest.raises(UsageError, match="expected equilibrium, random or hold=<points>"):
        check_strategy(name)
