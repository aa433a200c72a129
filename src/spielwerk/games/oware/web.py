"""Oware in the web: the form for a new game offers the engine's strategies."""

from __future__ import annotations

from functools import cache


@cache
def strategies() -> list[str]:
    """Their names in order; the engine is loaded for it."""
    from spielwerk.games.oware.engine.evaluation import strategies as all_strategies

    return [strategy.name for strategy in all_strategies()]
