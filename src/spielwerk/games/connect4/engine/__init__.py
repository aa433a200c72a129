"""Connect Four: an exact solver for flat boards of up to 64 bits, a search for all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.connect4.engine.flat_board import fits
from spielwerk.games.connect4.rules import ConnectFour

if TYPE_CHECKING:
    from spielwerk.engines.interface import Engine


def engine_for(game: ConnectFour) -> type[Engine[int]]:
    """The solver where the board fits, the search elsewhere; only that one is imported."""
    if game.layers == 1 and fits(game.width, game.height):
        from spielwerk.games.connect4.engine.flat_engine import FlatEngine

        return FlatEngine
    from spielwerk.games.connect4.engine.solid_engine import SolidEngine

    return SolidEngine


def variants() -> list[ConnectFour]:
    """A game for each engine, the likelier first."""
    return [ConnectFour(), ConnectFour(4, 4, 4)]
