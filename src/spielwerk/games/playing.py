"""What can be done with any game, knowing only the interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.errors import ChanceError
from spielwerk.games.interface import CHANCE, NOBODY, MoveT, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random


def random_move(state: State[MoveT], rng: Random) -> MoveT:
    """One of the legal moves, each as likely as the other; so do chance and the random player."""
    return rng.choice(state.legal_moves())


def random_states(state: State[MoveT], rng: Random) -> Iterator[State[MoveT]]:
    """Play at random to the end, and yield every state on the way, the given one included."""
    yield state
    while state.turn != NOBODY:
        state = state.play(random_move(state, rng))
        yield state


def play_turn(state: State[MoveT], moves: Sequence[MoveT]) -> State[MoveT]:
    """Play decisions that were given at once; all of them must belong to one player's turn."""
    player = state.turn
    for move in moves:
        if state.turn != player:
            raise state.illegal(move, "The turn is over, this decision is left over")
        state = state.play(move)
    return state


def perft(state: State[Any], depth: int) -> int:
    """The number of decision sequences of exactly this length; a finished game has none."""
    _refuse_dice(state)
    return _count(state, depth)


def _refuse_dice(state: State[Any]) -> None:
    if state.game.throws_dice:
        name = state.game.name
        raise ChanceError(f"{name} has chance decisions; perft counts games without chance")


def _count(state: State[Any], depth: int) -> int:
    if depth == 0:
        return 1
    moves = state.legal_moves()
    return len(moves) if depth == 1 else sum(_count(state.play(move), depth - 1) for move in moves)


def drawn(state: State[MoveT]) -> State[MoveT]:
    """The state after a draw that opens the game, decided as its first possibility."""
    return state.play(state.legal_moves()[0]) if state.turn == CHANCE else state
