"""Turns whose result is known without a search: the game is over, or the sector is solved.

Scores are those of the kernels. Among wins the one whose next capture or blockade comes first is
best, among losses the one whose count comes nearest to the draw; see `retrograde`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.morris.engine.kernel import TABLE_WIN, WIN
from spielwerk.games.morris.engine.retrograde import SURE

if TYPE_CHECKING:
    from spielwerk.games.morris.engine.position import Position, Turn
    from spielwerk.games.morris.engine.thinking import Thinking


def turn_scores(position: Position, turns: list[Turn], thinking: Thinking) -> dict[Turn, int]:
    """The scores of those turns whose result is known."""
    scores = {turn: _turn_score(position.after(turn), thinking) for turn in turns}
    return {turn: score for turn, score in scores.items() if score is not None}


def _turn_score(after: Position, thinking: Thinking) -> int | None:
    """The score of the turn that led here, for the player who made it."""
    if after.is_lost:
        return WIN - 1
    if after.is_drawn:
        return 0
    value = thinking.solved_value(after)
    if value is None:
        return None
    if abs(value) <= after.quiet:
        return 0
    distance = _distance(abs(value), captured=after.quiet == 0)
    return TABLE_WIN - distance if value < 0 else distance - TABLE_WIN


def _distance(decided: int, *, captured: bool) -> int:
    """The turns to the next capture, then, if this turn is one, those to the one after it."""
    own_count = SURE if captured else decided - 1
    return 64 * (SURE - own_count) + SURE - decided
