"""The memory of a search: the working array, the table of positions, the solved sectors."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.games.morris.engine.board import NO_TURN
from spielwerk.games.morris.engine.kernel import (
    CLASS_STARTS,
    HISTORY,
    INFINITE,
    MEMORY,
    NODE_LIMIT,
    NODES,
    NOT_SOLVED,
    PATH,
    STARTS,
    STOPPED,
    WEIGHTS_AT,
    look_up,
    search,
    stored_turn,
)
from spielwerk.games.morris.engine.sectors import SolvedSectors

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.engines.interface import Limits, Stop
    from spielwerk.games.morris.engine.board import MorrisPosition, Turn

UNLIMITED: Final = 1 << 60
SMALLEST_TABLE: Final = 4  # bits; the kernels take slots in groups


class SearchMemory:
    """What the kernels work on; filled when it is first needed."""

    def __init__(self, table_bits: int, folder: Path | None, weights: NDArray[np.int64]) -> None:
        self._table_bits = max(table_bits, SMALLEST_TABLE)
        self._folder = folder
        self._weights = weights
        self._flag = np.zeros(1, np.uint8)

    @cached_property
    def _memory(self) -> NDArray[np.int64]:
        memory = np.zeros(MEMORY, np.int64)
        memory[WEIGHTS_AT : WEIGHTS_AT + self._weights.size] = self._weights.ravel()
        memory[CLASS_STARTS : CLASS_STARTS + 10] = self._sectors.class_starts
        memory[STARTS : STARTS + 100] = self._sectors.starts.ravel()
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
        memory[NODES], memory[NODE_LIMIT], memory[STOPPED] = 0, UNLIMITED, 0
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
        """Whether the search looks into the solved sectors."""
        self._memory[STARTS : STARTS + 100] = self._sectors.starts.ravel() if use else -1

    @property
    def nodes(self) -> int:
        """Positions visited since the search began."""
        return int(self._memory[NODES])

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
        where = self._memory, self._table, self._sectors.values, self._sectors.classes
        return -int(search(*after[:5], depth - 1, -high, -low, 1, *where, self._flag))

    def solved_value(self, position: MorrisPosition) -> int | None:
        """The byte of the position in the solved sectors, or None."""
        if not position.is_moving:
            return None
        sectors = self._sectors
        value = look_up(
            position.own, position.opponent, self._memory, sectors.values, sectors.classes
        )
        return None if value == NOT_SOLVED else int(value)

    def expected_turn(self, position: MorrisPosition) -> Turn | None:
        """The turn that the search holds for best in a position it has visited."""
        for key in (position.key, position.counted_key):
            turn = int(stored_turn(key, self._table))
            if turn != NO_TURN and turn in position.turns():
                return turn
        return None
