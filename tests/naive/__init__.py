"""A second, plain and slow implementation of the rules, from the documents, for the tests."""

from collections.abc import Callable
from copy import deepcopy
from typing import Protocol

from .connect4 import Connect4
from .dice import Dice
from .morris import Morris
from .oware import Oware
from .quarto import Quarto

__all__ = ["GAMES", "Connect4", "Dice", "Morris", "Naive", "Oware", "Quarto", "make", "perft"]


class Naive(Protocol):
    """What every game here offers to the tests."""

    @property
    def turn(self) -> int | None:
        """Return the player who decides, -1 for chance, None when the game is over."""

    @property
    def winner(self) -> int | None:
        """Return the winner, None while the game runs and when there is none."""

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""

    def legal(self) -> set[str]:
        """Return all legal decisions as wire text, none when the game is over."""

    def play(self, text: str) -> None:
        """Carry out a decision or raise ValueError when it is not legal."""


GAMES: dict[str, Callable[..., Naive]] = {
    "quarto": Quarto,
    "morris": Morris,
    "dice": Dice,
    "oware": Oware,
    "connect4": Connect4,
}


def make(game: str, /, **options: int | str) -> Naive:
    """Return a new game of the named kind."""
    if game not in GAMES:
        raise ValueError(f"unknown game {game}")
    return GAMES[game](**options)


def perft(game: str, depth: int, /, **options: int | str) -> int:
    """Count the sequences of exactly that many decisions from the start of the game."""
    return count(make(game, **options), depth)


def count(state: Naive, depth: int) -> int:
    """Count the sequences of exactly that many decisions from the given state."""
    if depth == 0:
        return 1
    decisions = state.legal()
    if depth == 1:
        return len(decisions)
    total = 0
    for text in decisions:
        following = deepcopy(state)
        following.play(text)
        total += count(following, depth - 1)
    return total
