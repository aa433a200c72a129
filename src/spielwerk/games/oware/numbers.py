"""Oware as numbers: the 14 of the document. The situations that must not come back are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.oware.rules import HOUSES, STONES

if TYPE_CHECKING:
    from spielwerk.games.oware.rules import Board, Oware, OwareState


def moves(game: Oware) -> range:  # noqa: ARG001 - the same for all
    """Every decision of a player that can ever be legal."""
    return range(HOUSES)


def chance(game: Oware) -> tuple[int, ...]:  # noqa: ARG001
    """Every decision of chance."""
    return ()


def longest(game: Oware) -> int:  # noqa: ARG001
    """How many decisions a game has at most: a guess, as only repetition ends a quiet game."""
    return 10_000


def highest(game: Oware) -> int:  # noqa: ARG001
    """What none of the numbers exceeds."""
    return STONES


def numbers(state: OwareState) -> Board:
    """The position."""
    return state.board
