"""How cases about processes lead a client of the game server through a game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.behaviour import GameSteps
from spielwerk.games.interface import NOBODY
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from spielwerk.check.mnm.trial import MnmTrial

WAIT_EVERY: Final = 1.0  # seconds
THINKING_TIME: Final = 3000  # milliseconds for the first move
HASTE: Final = 500  # milliseconds for the moves of a long series


async def _begin(trial: MnmTrial) -> None:
    await trial.join()
    await trial.wait()


async def _idle(trial: MnmTrial, seconds: float) -> None:
    while seconds > 0:
        await asyncio.sleep(min(seconds, WAIT_EVERY))
        await trial.wait()
        seconds -= WAIT_EVERY


async def _move(trial: MnmTrial, number: int) -> None:
    """A position from the end of a game, where little has to be thought about."""
    trial.play_game(trial.game)
    trial.advance(*nearly_a_game(trial))
    await trial.turn(HASTE if number else THINKING_TIME)


def nearly_a_game(trial: MnmTrial) -> list[Any]:
    """Random moves up to the client's last decision of the game."""
    state, enough = trial.game.start(), 0
    moves: list[Any] = []
    while state.turn != NOBODY:
        if state.turn == trial.seat:
            enough = len(moves)
        moves.append(random_move(state, trial.rng))
        state = state.play(moves[-1])
    return moves[:enough]


async def _finish(trial: MnmTrial) -> None:
    await trial.end()


STEPS: Final = GameSteps(_begin, _idle, _move, _finish)
