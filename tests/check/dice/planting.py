"""Faults that are planted in bots, and what the check must say about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.check.dice.honest import HonestBot

PLANTED: list[PlantedFault] = []


@dataclass(frozen=True)
class PlantedFault:
    """A bot, the case that finds its fault, and how it is named there."""

    bot: type[HonestBot]
    case: str
    kind: str
    problem: str  # words of the sentence
    hint: str  # and of the hint; nothing if there must be none


def found(
    case: str, kind: str, problem: str, hint: str = ""
) -> Callable[[type[HonestBot]], type[HonestBot]]:
    """What the check says about a bot."""

    def plant(bot: type[HonestBot]) -> type[HonestBot]:
        PLANTED.append(PlantedFault(bot, case, kind, problem, hint))
        return bot

    return plant
