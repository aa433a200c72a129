"""Morris as numbers: the fields from A0 to C7 (0 free, 1 and 2 the players' stones), what both have
in hand, how many stones are to be captured, and the turns without a capture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.morris.rules import FREE, LOSING, QUIET_TURNS, STONES, Decision

if TYPE_CHECKING:
    from spielwerk.games.morris.rules import Morris, MorrisState


def moves(game: Morris) -> list[Decision]:  # noqa: ARG001 - the same for all
    """Every decision of a player that can ever be legal: placing or capturing, then moving."""
    here = [Decision(field) for field in range(24)]
    return here + [Decision(b, a) for a in range(24) for b in range(24) if a != b]


def chance(game: Morris) -> tuple[Decision, ...]:  # noqa: ARG001
    """Every decision of chance."""
    return ()


def longest(game: Morris) -> int:  # noqa: ARG001
    """How many decisions of players a game has at most: so many captures, and quiet turns between.

    A stone less than LOSING for one player, LOSING for the other, and the turns after the last.
    """
    return 2 * LOSING * (QUIET_TURNS + 1)


def highest(game: Morris) -> int:  # noqa: ARG001
    """What none of the numbers exceeds."""
    return QUIET_TURNS


def numbers(state: MorrisState) -> list[int]:
    """The position."""
    board = [(FREE + STONES).index(found) for found in state.board]
    return [*board, *state.hand, state.capture, state.quiet]
