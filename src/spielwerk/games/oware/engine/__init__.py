"""The engine for Oware, by the Oware task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.oware.engine.engine import OwareEngine
from spielwerk.games.oware.engine.evaluation import Strategy, strategies

if TYPE_CHECKING:
    from spielwerk.games.oware.rules import Oware

__all__ = ["OwareEngine", "Strategy", "engine_for", "strategies"]


def engine_for(_game: Oware) -> type[OwareEngine]:
    """There is one engine for Oware."""
    return OwareEngine
