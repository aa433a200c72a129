"""Quarto as numbers: the stone on every square from A1 on (0: free), then the one in hand.

Stones are counted from 1 there. Moves are all squares with all stones handed on, then all squares
with none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.quarto.rules import FirstStone, Placement

if TYPE_CHECKING:
    from spielwerk.games.quarto.rules import Quarto, QuartoState


def moves(game: Quarto) -> list[Placement]:
    """Every decision of a player that can ever be legal."""
    squares = range(game.n * game.n)
    handing = [Placement(square, stone) for square in squares for stone in squares]
    return handing + [Placement(square, None) for square in squares]


def chance(game: Quarto) -> list[FirstStone]:
    """Every decision of chance."""
    return [FirstStone(stone) for stone in range(game.n * game.n)]


def longest(game: Quarto) -> int:
    """How many decisions of players a game has at most."""
    return game.n * game.n


def highest(game: Quarto) -> int:
    """What none of the numbers exceeds."""
    return game.n * game.n


def numbers(state: QuartoState) -> list[int]:
    """The position."""
    return [0 if stone is None else stone + 1 for stone in (*state.board, state.stone)]
