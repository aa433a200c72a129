"""Connect Four as numbers: every field by its number, 0 free, 1 and 2 the players' stones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.connect4.rules import FREE, STONES

if TYPE_CHECKING:
    from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState


def moves(game: ConnectFour) -> range:
    """Every decision of a player that can ever be legal."""
    return range(game.size)


def chance(game: ConnectFour) -> tuple[int, ...]:  # noqa: ARG001 - the same for all
    """Every decision of chance."""
    return ()


def longest(game: ConnectFour) -> int:
    """How many decisions of players a game has at most."""
    return game.size


def highest(game: ConnectFour) -> int:  # noqa: ARG001
    """What none of the numbers exceeds."""
    return len(STONES)


def numbers(state: ConnectFourState) -> list[int]:
    """The position."""
    return [(FREE + STONES).index(found) for found in state.board]
