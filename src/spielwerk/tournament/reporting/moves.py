"""The moves of a game as a report tells them: the opening apart, dice by whoever threw them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spielwerk.errors import SpielwerkError
from spielwerk.games.dice import Choice, Dice
from spielwerk.tournament.reporting.wording import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.store.contest_records import Pairing
    from spielwerk.tournament.contest import Contest


@dataclass(frozen=True, slots=True)
class Told:
    """What was played in a game."""

    opening: str
    count: int  # moves after the opening, or turns of a dice race
    lines: Sequence[str]  # the same moves; the turns are a line each
    score: Sequence[int] = ()  # the points of each seat at the end of a dice race


def told(contest: Contest, pairing: Pairing, moves: Sequence[str]) -> Told:
    """The moves that are kept of a game, which begin with its opening."""
    opening, own = moves[: len(pairing.opening)], moves[len(pairing.opening) :]
    if contest.game == Dice.name:
        try:
            return _race(Dice.from_text(contest.options), own)
        except SpielwerkError:  # not as these rules have it: then as it is kept
            pass
    return Told(_line(opening), len(own), [_line(own)] if own else [])


def _line(moves: Sequence[str]) -> str:
    return " ".join(map(shown, moves))


def _race(game: Dice, moves: Sequence[str]) -> Told:
    """A dice race turn by turn: the seat, what it threw, and what it has after that."""
    state = game.start()
    turns: list[str] = []
    thrown: list[str] = []
    for text in moves:
        move, before = game.parse_move(text), state
        state = state.play(move)
        if move is not Choice.ROLL:  # a throw says it as well
            thrown.append(text)
        if state.turns != before.turns or state.outcome:
            turns.append(f"{before.player}: {', '.join(thrown)} → {state.saved[before.player]}")
            thrown = []
    if thrown:
        turns.append(f"{state.player}: {', '.join(thrown)}")
    return Told("", len(turns), turns, state.saved)
