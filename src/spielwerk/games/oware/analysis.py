"""How Oware is judged: seen by the first player, with the stones that every move collects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from spielwerk.engines.analysis import PositionJudge

if TYPE_CHECKING:
    from spielwerk.games.interface import State
    from spielwerk.games.oware.rules import OwareState


class OwareJudge(PositionJudge):
    """Judges as the task does: by a numbered strategy, from the view of player A."""

    hint_player = "strategy=0,depth=5"
    perspective = 0

    def gain(self, state: State[Any], turn: tuple[Any, ...]) -> int:
        """The stones that a move collects."""
        before = cast("OwareState", state)
        return before.play(turn[0]).board[before.player] - before.board[before.player]


JUDGE = OwareJudge()
