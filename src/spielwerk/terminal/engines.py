"""Engines made ready for people who wait: they are told when kernels have to be compiled."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any

from spielwerk.engines import find_engine
from spielwerk.engines.compiled import is_compiled
from spielwerk.engines.players import EnginePlayer, Player, make_player

if TYPE_CHECKING:
    from spielwerk.engines.interface import Engine
    from spielwerk.games import Game


def ready_engine(game: Game[Any]) -> Engine[Any]:
    """The engine of the game, warmed up."""
    engine = find_engine(game)()
    _warm_up(engine)
    return engine


def ready_player(text: str, game: Game[Any]) -> Player:
    """The player that the text describes, warmed up."""
    player = make_player(text, game)
    if isinstance(player, EnginePlayer):
        _warm_up(player.engine)
    return player


def _warm_up(engine: Engine[Any]) -> None:
    """Load the kernels, or compile them and say so."""
    if not is_compiled(inspect.getfile(type(engine))):
        message = f"Compiling the {engine.game} engine: this happens once and takes a while ..."
        print(message, file=sys.stderr)  # noqa: T201
    engine.warm_up()
