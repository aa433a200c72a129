"""Spielwerk: a self-hosted arena for the games that programming courses hand out.

What is public is named here and loaded when it is asked for; `docs/api.md` explains it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spielwerk.bot import Bot, Position, run_bot
    from spielwerk.engines import find_engine
    from spielwerk.engines.interface import Engine, Limits
    from spielwerk.errors import IllegalMove, NotationError, SpielwerkError
    from spielwerk.games import Game, Outcome, State, find_game
    from spielwerk.games.record import Record

__version__ = "0.1.0"

__all__ = [
    "Bot",
    "Engine",
    "Game",
    "IllegalMove",
    "Limits",
    "NotationError",
    "Outcome",
    "Position",
    "Record",
    "SpielwerkError",
    "State",
    "find_engine",
    "find_game",
    "run_bot",
]

_PLACES = ("bot", "games", "games.record", "engines", "engines.interface", "errors")


def __getattr__(name: str) -> Any:
    if name in __all__:
        for place in _PLACES:
            module = import_module(f"spielwerk.{place}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"spielwerk has no {name!r}; it has {', '.join(__all__)}")
