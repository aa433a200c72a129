"""The dice race: the equilibrium of three players, stored, and exact win rates.

Importing this needs no compiler; `spielwerk.games.dice.engine.solver` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games.dice.engine.engine import DiceEngine
from spielwerk.games.dice.engine.policy import Policy, hold_at, load_policy

if TYPE_CHECKING:
    from spielwerk.games import Game

__all__ = ["DiceEngine", "Policy", "engine_for", "hold_at", "load_policy"]


def engine_for(_game: Game[Any]) -> type[DiceEngine]:
    """The engine for every target and number of rounds."""
    return DiceEngine
