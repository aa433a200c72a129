"""Quarto: exact on the 4 x 4 board, depth-limited on the others; stones count up to 6 x 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.quarto.engine.engine import QuartoEngine

if TYPE_CHECKING:
    from spielwerk.games.quarto.rules import Quarto

__all__ = ["QuartoEngine", "engine_for"]


def engine_for(_game: Quarto) -> type[QuartoEngine]:
    """One engine plays on boards of every size."""
    return QuartoEngine
