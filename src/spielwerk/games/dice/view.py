"""The dice race as pages show it, and as reports tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.errors import SpielwerkError
from spielwerk.games.dice.analysis import chances
from spielwerk.games.dice.rules import Choice, Dice, Throw
from spielwerk.games.interface import PlayedMoves

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def told(options: Sequence[str], moves: Sequence[str], who: Sequence[str]) -> PlayedMoves | None:
    """The race turn by turn: who it is, what was thrown, and the points after that.

    None if the moves are not as these rules have it.
    """
    try:
        return _race(Dice.from_text(options), moves, who)
    except SpielwerkError:
        return None


def _race(game: Dice, moves: Sequence[str], who: Sequence[str]) -> PlayedMoves:
    state = game.start()
    turns: list[str] = []
    thrown: list[str] = []
    for text in moves:
        move, before = game.parse_move(text), state
        state = state.play(move)
        if move is not Choice.ROLL:  # a throw says it as well
            thrown.append(text)
        if state.turns != before.turns or state.outcome:
            points = state.saved[before.player]
            turns.append(f"{who[before.player]}: {', '.join(thrown)} → {points}")
            thrown = []
    if thrown:
        turns.append(f"{who[state.player]}: {', '.join(thrown)}")
    return PlayedMoves("", len(turns), turns, state.saved)
