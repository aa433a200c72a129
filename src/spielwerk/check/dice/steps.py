"""How cases about processes lead a dice bot through a game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from spielwerk.check.behaviour import GameSteps
from spielwerk.check.dice.race import BOT, DOUBLE, SMALL
from spielwerk.check.trial import CaseOver

if TYPE_CHECKING:
    from spielwerk.check.dice.trial import DiceTrial


async def _begin(trial: DiceTrial) -> None:
    await trial.join(begins=BOT + 1)


async def _idle(_: DiceTrial, seconds: float) -> None:
    await asyncio.sleep(seconds)


async def _move(trial: DiceTrial, number: int) -> None:
    """A decision; every second throw is a double, so that the game is long."""
    while trial.race.player != BOT and not trial.race.over:
        trial.race.save()
    if trial.race.over:
        raise CaseOver
    if await trial.ask():
        await trial.throw(DOUBLE if number % 2 else SMALL)


async def _finish(trial: DiceTrial) -> None:
    await trial.finish()


STEPS: Final = GameSteps(_begin, _idle, _move, _finish)
