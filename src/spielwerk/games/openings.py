"""How games begin that are to differ: what chance decides first, and a few random turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.games.interface import CHANCE, NOBODY
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

    from spielwerk.games.interface import Game, State

Moves = tuple[str, ...]

TURNS: Final = 4
"""How many random turns open a game: enough to differ, few enough to leave it open."""

TRIES: Final = 20  # for an opening that leaves the game open, and for each of its turns


class Line(NamedTuple):
    """Decisions from the start, and where they lead."""

    moves: Moves
    state: State[Any]

    def play(self, move: Any) -> Line:
        """The line with one more decision."""
        return Line((*self.moves, self.state.game.format_move(move)), self.state.play(move))


def opening(game: Game[Any], turns: int, rng: Random, besides: Collection[Moves] = ()) -> Line:
    """What chance decides first, and then so many random turns, or as many as leave it open.

    It is another one than those that are named, unless that is hard to find.
    """
    for _ in range(TRIES):
        lines = _random_turns(game, turns, rng)
        moves, state = lines[-1]
        fresh = not moves or moves not in besides
        if fresh and len(lines) > turns and not _decided(state):
            return lines[-1]
    while len(lines) > 1 and _decided(lines[-1].state):
        lines.pop()
    return lines[-1]


def _random_turns(game: Game[Any], turns: int, rng: Random) -> list[Line]:
    """The line before and after every turn; fewer turns if every try ends the game."""
    lines = [_drawn(Line((), game.start()), rng)]
    while len(lines) <= turns:
        line = _random_turn(lines[-1], rng)
        if line is None:
            break
        lines.append(line)
    return lines


def _random_turn(before: Line, rng: Random) -> Line | None:
    """The line after another whole turn, or None if every try has ended the game."""
    for _ in range(TRIES):
        line, player = before, before.state.turn
        while line.state.turn == player:
            line = line.play(random_move(line.state, rng))
        line = _drawn(line, rng)
        if line.state.turn != NOBODY:
            return line
    return None


def _drawn(line: Line, rng: Random) -> Line:
    """The line after what chance decides there."""
    while line.state.turn == CHANCE:
        line = line.play(random_move(line.state, rng))
    return line


def _decided(state: State[Any]) -> bool:
    """Whether the player to move can win at once."""
    player = state.turn
    outcomes = (state.play(move).outcome for move in state.winning_candidates())
    return any(outcome is not None and outcome.winner == player for outcome in outcomes)
