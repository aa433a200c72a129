"""What can be done with any game: random play, counting positions, openings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.errors import ChanceError
from spielwerk.games.interface import CHANCE, NOBODY, MoveT, State

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from random import Random

    from spielwerk.games.interface import Game, State


def random_move(state: State[MoveT], rng: Random) -> MoveT:
    """One of the legal moves, each as likely as the other; so do chance and the random player."""
    return rng.choice(state.legal_moves())


def random_states(state: State[MoveT], rng: Random) -> Iterator[State[MoveT]]:
    """Play at random to the end, and yield every state on the way, the given one included."""
    yield state
    while state.turn != NOBODY:
        state = state.play(random_move(state, rng))
        yield state


def perft(state: State[Any], depth: int) -> int:
    """The number of decision sequences of exactly this length; a finished game has none."""
    if state.game.throws_dice:
        name = state.game.name
        raise ChanceError(f"{name} has chance decisions; perft counts games without chance")
    return _count(state, depth)


def _count(state: State[Any], depth: int) -> int:
    if depth == 0:
        return 1
    moves = state.legal_moves()
    return len(moves) if depth == 1 else sum(_count(state.play(move), depth - 1) for move in moves)


def drawn(state: State[MoveT]) -> State[MoveT]:
    """The state after a draw that opens the game, decided as its first possibility."""
    return state.play(state.legal_moves()[0]) if state.turn == CHANCE else state


Moves = tuple[str, ...]

TURNS: Final = 4
"""How many random turns open a game: enough to differ, few enough to leave it open."""

TRIES: Final = 20  # for an opening that leaves the game open, and for each of its turns


class Opening(NamedTuple):
    """Decisions from the start, and where they lead."""

    moves: Moves
    state: State[Any]

    def play(self, move: Any) -> Opening:
        """The line with one more decision."""
        return Opening((*self.moves, self.state.game.format_move(move)), self.state.play(move))


def opening(game: Game[Any], turns: int, rng: Random, besides: Collection[Moves] = ()) -> Opening:
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


def _random_turns(game: Game[Any], turns: int, rng: Random) -> list[Opening]:
    """The line before and after every turn; fewer turns if every try ends the game."""
    lines = [_drawn(Opening((), game.start()), rng)]
    while len(lines) <= turns:
        line = _random_turn(lines[-1], rng)
        if line is None:
            break
        lines.append(line)
    return lines


def _random_turn(before: Opening, rng: Random) -> Opening | None:
    """The line after another whole turn, or None if every try has ended the game."""
    for _ in range(TRIES):
        line, player = before, before.state.turn
        while line.state.turn == player:
            line = line.play(random_move(line.state, rng))
        line = _drawn(line, rng)
        if line.state.turn != NOBODY:
            return line
    return None


def _drawn(line: Opening, rng: Random) -> Opening:
    """The line after what chance decides there."""
    while line.state.turn == CHANCE:
        line = line.play(random_move(line.state, rng))
    return line


def _decided(state: State[Any]) -> bool:
    """Whether the player to move can win at once."""
    player = state.turn
    outcomes = (state.play(move).outcome for move in state.winning_candidates())
    return any(outcome is not None and outcome.winner == player for outcome in outcomes)
