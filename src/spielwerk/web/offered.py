"""The games that can be set up, and what can be chosen for each."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from spielwerk.games import GAMES
from spielwerk.wire.options import WIRE_OPTIONS

if TYPE_CHECKING:
    from spielwerk.games import Game, Option

LEVELS: Final = 10
TCP: Final = {"quarto": "mnm", "morris": "mnm", "dice": "dice", "connect4": "connect4"}


@cache
def offered_games() -> list[dict[str, Any]]:
    """What the form for a new game needs to know; engines are loaded for it."""
    return [_offered(kind.from_text(())) for kind in GAMES.values()]


def _offered(game: Game[Any]) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "sides": list(game.sides),
        "options": [_option(option) for option in game.options()],
        "strategies": _strategies() if game.name == "oware" else None,
        "levels": LEVELS,
        "tcp": TCP.get(game.name),
        "wire": WIRE_OPTIONS.get(game.name, {}),
    }


def _option(option: Option) -> dict[str, Any]:
    known = asdict(option)
    return {name: known[name] for name in ("name", "default", "low", "high")}


def _strategies() -> list[str]:
    from spielwerk.engines.oware.strategies import strategies  # only whoever asks waits for it

    return [strategy.name for strategy in strategies()]
