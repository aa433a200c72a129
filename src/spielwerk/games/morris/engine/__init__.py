"""Nine Men's Morris: alpha-beta search, and exact tables for small numbers of stones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games.morris.engine.engine import MorrisEngine
from spielwerk.games.morris.engine.solver import Stats, solve, stats

if TYPE_CHECKING:
    from spielwerk.games import Game

__all__ = ["MorrisEngine", "Stats", "engine_for", "solve", "stats"]


def engine_for(_game: Game[Any]) -> type[MorrisEngine]:
    """The engine; the game has no options."""
    return MorrisEngine
