"""What contests must know of the dice race."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError
from spielwerk.games.contests import ContestFacts, PlayedMoves
from spielwerk.games.dice.rules import Choice, Dice

if TYPE_CHECKING:
    from collections.abc import Sequence

FACTS: Final = ContestFacts(
    move_time=2000,
    by_points=True,
    # A fault takes the game away from two others, also from one that has won it.
    disqualify=("protocol error", "time-out", "crash", "stall"),
    bonus=(20, 15, 10, 5),
    newcomers=True,
    engine_is_loaded=True,
    why_no_opening="the dice race begins with nothing",
    letter=re.compile("[a-zA-Z0-9]"),
    instead="",
    name_rule="on the dice server a name is letters a to z, A to Z and digits, nothing else",
    name_is_called=True,
    example={
        "name": "Würfel-Wettbewerb",
        "engines": "level=10 hold=20 random",
        "command": "./dicebot -n {name} -p {port} {host}",
        "move": "2.0",
        "order": "points",
        "faults": '"protocol error", "time-out", "crash", "stall"',
        "bonus": "20, 15, 10, 5",
        "more": "# newcomers = false  # true in a ladder: whoever connects takes part\n",
        "meaning": "dice streams for every three, each played in all six orders of seats",
    },
)


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
