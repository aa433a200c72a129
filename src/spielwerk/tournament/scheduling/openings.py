"""How games of a contest begin: what chance has decided, and a few random turns.

All games of a bundle begin alike, and everybody has every seat once. So that this is fair, nothing
may be left to chance later on: who begins is always seat 0, and Quarto's first stone is drawn here.

Quarto and Morris show clients the whole position with every question, and an Oware server is told
the whole game, so these can begin anywhere. A Connect Four program knows only the moves that it was
told while it played, and the dice race has no openings at all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.games import CHANCE, NOBODY, find_game
from spielwerk.games.playing import random_move
from spielwerk.games.quarto import Placement, QuartoState
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from random import Random

    from spielwerk.games import Game, State
    from spielwerk.tournament.contest import Contest

Moves = tuple[str, ...]

TRIES: Final = 20  # for an opening that leaves the game open, and for each of its turns


class Line(NamedTuple):
    """Decisions from the start, and where they lead."""

    moves: Moves
    state: State[Any]

    def play(self, move: Any) -> Line:
        """The line with one more decision."""
        return Line((*self.moves, self.state.game.format_move(move)), self.state.play(move))


def allows_openings(contest: Contest) -> bool:
    """Whether games can begin with random turns: the rules allow it, and all players hear of it."""
    if contest.game == "connect4":
        return all(entrant.kind is Kind.ENGINE for entrant in contest.entrants)
    return not find_game(contest.game).throws_dice


def options(contest: Contest) -> tuple[str, ...]:
    """The game's options with nothing left out: those that every game is played with."""
    return tuple(game_of(contest).assignments())


def game_of(contest: Contest) -> Game[Any]:
    """The game as it is played in the contest."""
    return _game(contest.game, contest.options)


@lru_cache(maxsize=64)
def _game(name: str, chosen: tuple[str, ...]) -> Game[Any]:
    return find_game(name).from_text(chosen)


def opening(game: Game[Any], turns: int, rng: Random, besides: Collection[Moves] = ()) -> Moves:
    """What chance decides first, and then so many random turns, or as many as leave it open.

    It is another one than those that are named, unless that is hard to find.
    """
    for _ in range(TRIES):
        lines = _random_turns(game, turns, rng)
        moves, state = lines[-1]
        fresh = not moves or moves not in besides
        if fresh and len(lines) > turns and not _decided(state):
            return moves
    while len(lines) > 1 and _decided(lines[-1].state):
        lines.pop()
    return lines[-1].moves


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
    outcomes = (state.play(move).outcome for move in _telling(state))
    return any(outcome is not None and outcome.winner == player for outcome in outcomes)


def _telling(state: State[Any]) -> Iterable[Any]:
    """The moves to try; in Quarto it does not matter for a win which stone is handed on."""
    if not isinstance(state, QuartoState):
        return state.legal_moves()
    handed = next(iter(state.supply()), None)
    free = [square for square, stone in enumerate(state.board) if stone is None]
    return [Placement(square, handed) for square in free]
