"""How cases about processes lead a dice bot through a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.check.behaviour import GameSteps
from spielwerk.check.dice.race import BOT, DOUBLE, SMALL
from spielwerk.check.dice.scoring import ROUNDS
from spielwerk.check.trial import CaseOver

if TYPE_CHECKING:
    from spielwerk.check.dice.trial import DiceTrial


async def _begin(trial: DiceTrial) -> None:
    await trial.join()


async def _idle(trial: DiceTrial, seconds: float) -> None:
    await trial.quiet(seconds)


async def _move(trial: DiceTrial, _: int) -> None:
    """One decision of the bot, as long as a game lasts, in which no player gets on."""
    race = trial.race
    if race.state.turns > 3 * (ROUNDS - 3):
        raise CaseOver
    if await trial.ask():
        small = not race.state.points and race.total + sum(SMALL) < trial.target
        await trial.throw(SMALL if small else DOUBLE)
    while race.player != BOT:
        await trial.other_turn()


async def _finish(trial: DiceTrial) -> None:
    await trial.finish()


STEPS: Final = GameSteps(_begin, _idle, _move, _finish)
