"""What the engines of all games share: limits, levels, compiled kernels, table files, matches.

A game's own engine is `engine` in its folder, with a function `engine_for(game)`; it is imported
when it is asked for, because kernels are heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.errors import SpielwerkError
from spielwerk.games import part_of

if TYPE_CHECKING:
    from spielwerk.engines.interface import Engine
    from spielwerk.games import Game


class NoEngine(SpielwerkError):
    """A game that no engine plays."""


def find_engine(game: Game[Any]) -> type[Engine[Any]]:
    """The engine for a game with its options chosen, or NoEngine.

    >>> len(find_engine(find_game("dice")()).levels)
    10
    """
    part = part_of(game, "engine")
    if part is None:
        raise NoEngine(f"there is no engine for {game.name}")
    engine: type[Engine[Any]] = part.engine_for(game)
    return engine
