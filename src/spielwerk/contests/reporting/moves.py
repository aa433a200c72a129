"""The moves of a game as they are told: the opening apart, a dice race turn by turn.

Reports and the command line tell a game in this one way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spielwerk.contests.reporting.wording import shown
from spielwerk.errors import SpielwerkError
from spielwerk.games.dice.rules import Choice, Dice

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Told:
    """What was played in a game."""

    opening: str
    count: int  # moves after the opening, or turns of a dice race
    lines: Sequence[str]  # the same moves; the turns are a line each
    score: Sequence[int] = ()  # the points of each seat at the end of a dice race


def told(
    name: str, options: Sequence[str], moves: Sequence[str], opening: int, who: Sequence[str]
) -> Told:
    """The moves that are kept of a game, the first of which open it; `who` sits on which seat."""
    if name == Dice.name:
        try:
            return _race(Dice.from_text(options), moves, who)
        except SpielwerkError:  # not as these rules have it: then as it is kept
            pass
    own = moves[opening:]
    return Told(_line(moves[:opening]), len(own), [_line(own)] if own else [])


def _line(moves: Sequence[str]) -> str:
    return " ".join(map(shown, moves))


def _race(game: Dice, moves: Sequence[str], who: Sequence[str]) -> Told:
    """A dice race turn by turn: who it is, what was thrown, and the points after that."""
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
    return Told("", len(turns), turns, state.saved)
