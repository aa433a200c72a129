"""The games that can be set up, and what can be chosen for each."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from spielwerk.games import kits
from spielwerk.wire.options import options_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.games import Game, Option
    from spielwerk.web.site import Limits

LEVELS: Final = 10
TCP: Final = {"quarto": "mnm", "morris": "mnm", "dice": "dice", "connect4": "connect4"}


def offered_games(limits: Limits) -> list[dict[str, Any]]:
    """What the form for a new game needs to know; engines are loaded for it."""
    return [_offered(kind.from_text(()), limits) for kind in (kit.game for kit in kits().values())]


def _offered(game: Game[Any], limits: Limits) -> dict[str, Any]:
    usual = limits.options_for(game.name)
    return {
        "name": game.name,
        "title": game.title,
        "sides": list(game.sides),
        "options": [_option(option, usual) for option in game.options()],
        "time": limits.time_for(game.name),
        "strategies": _strategies() if game.name == "oware" else None,
        "levels": LEVELS,
        "tcp": TCP.get(game.name),
        "wire": options_of(game.name),
    }


def _option(option: Option, usual: Mapping[str, int]) -> dict[str, Any]:
    known = asdict(option) | {"default": usual.get(option.name, option.default)}
    return {name: known[name] for name in ("name", "default", "low", "high")}


@cache
def _strategies() -> list[str]:
    from spielwerk.games.oware.engine.evaluation import strategies  # only whoever asks waits for it

    return [strategy.name for strategy in strategies()]
