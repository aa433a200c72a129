"""The dice race as numbers: what the players have saved, the points of this turn, the turns before.

Moves are ROLL and SAVE; chance has the 36 throws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.dice.rules import THROWS, Choice

if TYPE_CHECKING:
    from spielwerk.games.dice.rules import Dice, DiceState, Throw


def moves(game: Dice) -> tuple[Choice, ...]:  # noqa: ARG001 - the same for all
    """Every decision of a player that can ever be legal."""
    return (Choice.ROLL, Choice.SAVE)


def chance(game: Dice) -> tuple[Throw, ...]:  # noqa: ARG001
    """Every decision of chance."""
    return THROWS


def longest(game: Dice) -> int:
    """How many decisions of players a game has at most: a throw brings 3 points or ends a turn."""
    return 3 * game.rounds * (game.target // 3 + 2)


def highest(game: Dice) -> int:
    """What none of the numbers exceeds; the last throw may exceed the target by 10."""
    return max(game.target + 10, 3 * game.rounds)


def numbers(state: DiceState) -> list[int]:
    """The position."""
    return [*state.saved, state.points, state.turns]
