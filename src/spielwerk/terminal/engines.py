"""Engines made ready for people who wait: they are told when kernels have to be compiled."""

from __future__ import annotations

import inspect
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from spielwerk.engines import find_engine
from spielwerk.engines.compiled import is_compiled
from spielwerk.engines.players import EnginePlayer, Player, make_player
from spielwerk.engines.warm import compile_elsewhere, warm_up
from spielwerk.terminal.keyboard import interruptible

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.engines.interface import Engine
    from spielwerk.engines.players import Making
    from spielwerk.games import Game, State
    from spielwerk.games.record import Record


class PatientPlayer(Player):
    """A player whose thinking can be interrupted."""

    def __init__(self, player: Player) -> None:
        super().__init__(player.name)
        self.player = player

    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> Any:
        """What the player chooses."""
        return interruptible(lambda: self.player.choose(state, rng, within))

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:
        """What the player decides."""
        return interruptible(lambda: self.player.decide(record, rng, within))


def ready_engine(game: Game[Any]) -> Engine[Any]:
    """The engine of the game, warmed up."""
    engine = find_engine(game)()
    _warm_up(engine)
    return engine


def ready_player(text: str, game: Game[Any], make: Making = make_player) -> Player:
    """The player that the text describes, warmed up."""
    player = make(text, game)
    if isinstance(player, EnginePlayer):
        _warm_up(player.engine)
    return PatientPlayer(player)


def _warm_up(engine: Engine[Any]) -> None:
    """Load the kernels, or compile them and say so."""
    announce(type(engine))
    interruptible(lambda: warm_up(engine))


def compile_for_others(game: Game[Any], asked: Callable[[], bool]) -> None:
    """Have the game's engine compiled, and say so, before other processes wait for it."""
    if announce(find_engine(game)):
        with suppress(subprocess.CalledProcessError):  # the process that needs the engine says why
            interruptible(lambda: compile_elsewhere(game), asked)


def announce(kind: type[Engine[Any]]) -> bool:
    """Say that the engine is compiled, if it has to be; whether it has."""
    if is_compiled(inspect.getfile(kind)):
        return False
    message = f"Compiling the {kind.game} engine: this happens once and takes a while ..."
    print(message, file=sys.stderr)  # noqa: T201
    return True
