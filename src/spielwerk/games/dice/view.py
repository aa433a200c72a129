"""The dice race as pages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games.dice.analysis import chances
from spielwerk.games.dice.rules import Throw

if TYPE_CHECKING:
    from spielwerk.games.dice.rules import DiceState, Move


def board(state: DiceState, last: Move | None) -> dict[str, Any]:
    """The points, the throw if it was the last thing to happen, and everybody's chance to win."""
    thrown = last if isinstance(last, Throw) else None
    return {
        "target": state.game.target,
        "rounds": state.game.rounds,
        "round": min(state.turns // 3 + 1, state.game.rounds),
        "player": state.player,
        "saved": list(state.saved),
        "points": state.points,
        "dice": list(thrown) if thrown else None,
        "double": thrown is not None and thrown.first == thrown.second,
        "chances": chances(state),
    }
