"""What a search of Morris works on: its table, its working memory, the solved sectors.

Scores are those of the kernels. Of turns whose result is known without a search, among wins the one
whose next capture or blockade comes first is best, among losses the one whose count comes nearest
to the draw; see `retrograde`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.games.morris.engine.board import NO_TURN, MorrisPosition, Turn
from spielwerk.games.morris.engine.kernel import (
    ADDRESSES,
    CLASS_STARTS,
    HISTORY,
    INFINITE,
    LOOK_UPS,
    MEMORY,
    NODE_LIMIT,
    NODES,
    PATH,
    STOPPED,
    TABLE_WIN,
    WEIGHTS_AT,
    WIN,
    search,
    stored_turn,
)
from spielwerk.games.morris.engine.retrograde import SURE
from spielwerk.games.morris.engine.sectors import SolvedSectors

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.engines.interface import Limits, Stop

UNLIMITED: Final = 1 << 60


class SearchMemory:
    """What the kernels work on; filled when it is first needed."""

    def __init__(
        self,
        table_bits: int,
        folder: Path | None,
        weights: NDArray[np.int64],
        *,
        sectors: bool = True,
    ) -> None:
        self._may_use_sectors = sectors
        self._table_bits = table_bits
        self._folder = folder
        self._weights = weights
        self._flag = np.zeros(1, np.uint8)

    @cached_property
    def _memory(self) -> NDArray[np.int64]:
        memory = np.zeros(MEMORY, np.int64)
        memory[WEIGHTS_AT : WEIGHTS_AT + self._weights.size] = self._weights.ravel()
        memory[CLASS_STARTS : CLASS_STARTS + 10] = self._sectors.class_starts
        return memory

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        return np.zeros(2 << self._table_bits, np.int64)

    @cached_property
    def _sectors(self) -> SolvedSectors:
        return SolvedSectors(self._folder)

    def begin(self, position: MorrisPosition, *, forget: bool) -> None:
        """Start a search that nothing stops until `limit` is called."""
        self._flag = np.zeros(1, np.uint8)
        memory = self._memory
        memory[NODES], memory[LOOK_UPS], memory[NODE_LIMIT], memory[STOPPED] = 0, 0, UNLIMITED, 0
        memory[HISTORY:PATH] = 0
        memory[PATH] = position.key
        self.use_sectors(use=True)
        if forget:
            self._table.fill(0)

    def limit(self, limits: Limits, stop: Stop) -> None:
        """From now on the search ends when the limits or the flag say so."""
        self._memory[NODE_LIMIT] = limits.nodes or UNLIMITED
        self._flag = stop.flag
        self._memory[STOPPED] = stop.flag[0] or self.nodes >= self._memory[NODE_LIMIT]

    def use_sectors(self, *, use: bool) -> None:
        """Whether the search looks into the solved sectors, if it may at all."""
        looks = use and self._may_use_sectors
        self._memory[ADDRESSES:CLASS_STARTS] = self._sectors.addresses.ravel() if looks else 0

    @property
    def nodes(self) -> int:
        """Positions visited since the search began."""
        return int(self._memory[NODES])

    @property
    def look_ups(self) -> int:
        """How often the search has looked into the solved sectors since it began."""
        return int(self._memory[LOOK_UPS])

    @property
    def is_stopped(self) -> bool:
        """Whether the last score is worthless because the search was stopped."""
        return bool(self._memory[STOPPED])

    def score(
        self,
        position: MorrisPosition,
        turn: Turn,
        depth: int,
        low: int = -INFINITE,
        high: int = INFINITE,
    ) -> int:
        """What the turn is worth for the player who makes it, looking `depth` turns ahead."""
        after = position.after(turn)
        where = self._memory, self._table, self._sectors.classes
        return -int(search(*after[:5], depth - 1, -high, -low, 1, *where, self._flag))

    def solved_value(self, position: MorrisPosition) -> int | None:
        """The byte of the position in the solved sectors, or None."""
        if position.pending or not self._may_use_sectors:
            return None
        hands = position.own_hand + position.opponent_hand
        return self._sectors.value(position.own, position.opponent, hands)

    def known_scores(self, position: MorrisPosition, turns: list[Turn]) -> dict[Turn, int]:
        """The scores of those turns whose result is known without a search."""
        scores = {turn: self._score_after(position.after(turn)) for turn in turns}
        return {turn: score for turn, score in scores.items() if score is not None}

    def _score_after(self, after: MorrisPosition) -> int | None:
        """The score of the turn that led here, for the player who made it."""
        if after.is_lost:
            return WIN - 1
        if after.is_drawn:
            return 0
        value = self.solved_value(after)
        if value is None:
            return None
        decided = abs(value)
        if decided <= after.quiet:
            return 0
        # The turns to the next capture; if this turn is one, then those to the one after it.
        own_count = SURE if after.quiet == 0 else decided - 1
        distance = 64 * (SURE - own_count) + SURE - decided
        return TABLE_WIN - distance if value < 0 else distance - TABLE_WIN

    def expected_turn(self, position: MorrisPosition) -> Turn | None:
        """The turn that the search holds for best in a position it has visited."""
        for key in (position.key, position.counted_key):
            turn = int(stored_turn(key, self._table))
            if turn != NO_TURN and turn in position.turns():
                return turn
        return None
