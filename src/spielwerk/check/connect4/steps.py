"""How cases about processes lead a program through a game, in both roles."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.behaviour import GameSteps
from spielwerk.check.connect4.play import DRAW, Aim
from spielwerk.check.trial import CaseOver
from spielwerk.games.connect4.rules import ConnectFour

if TYPE_CHECKING:
    from spielwerk.check.connect4.host import HostTrial
    from spielwerk.check.connect4.join import JoinTrial

LONG: Final = ConnectFour(20, 20, 1)  # a board for many moves


async def _idle(_: Any, seconds: float) -> None:
    await asyncio.sleep(seconds)


async def _join(trial: JoinTrial) -> None:
    await trial.joined()


def _join_long(trial: JoinTrial) -> None:
    if trial.told_by_list:
        trial.game = LONG


async def _joiner_moves(trial: JoinTrial, number: int) -> None:
    if not number:
        await trial.first(program=True)
    if trial.state.outcome:
        raise CaseOver
    await trial.turn(DRAW)


async def _end_join(trial: JoinTrial) -> None:
    await trial.play_out(Aim())


async def _host(trial: HostTrial) -> None:
    await trial.begin()


async def _host_moves(trial: HostTrial, _: int) -> None:
    if trial.machine.state.outcome:
        raise CaseOver
    await trial.play(1)


async def _end_host(trial: HostTrial) -> None:
    await trial.play_out(Aim())
    await trial.part()


JOIN_STEPS: Final = GameSteps(_join, _idle, _joiner_moves, _end_join, _join_long)
HOST_STEPS: Final = GameSteps(_host, _idle, _host_moves, _end_host)
