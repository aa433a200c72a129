"""Choosing a move: search, evaluation, solved tables. The compiled kernels live here.

Each game has a package of its name with a function `engine_for(game)`; it is imported when it is
asked for, because kernels are heavy.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from spielwerk.engines.interface import Engine
    from spielwerk.games import Game


class NoEngine(SpielwerkError):
    """A game that no engine plays."""


def find_engine(game: Game[Any]) -> type[Engine[Any]]:
    """The engine for a game with its options chosen, or NoEngine."""
    module = f"{__name__}.{game.name}"
    if find_spec(module) is None:
        raise NoEngine(f"there is no engine for {game.name}")
    engine: type[Engine[Any]] = import_module(module).engine_for(game)
    return engine
