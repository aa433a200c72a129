"""The engine for solid boards, and for flat ones too large for the exact solver."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from spielwerk.engines.interface import (
    Engine,
    EngineError,
    Level,
    Limits,
    Result,
    Score,
    Stop,
    require_decision,
)
from spielwerk.games.connect4.engine.solid.board import perft
from spielwerk.games.connect4.engine.solid.geometry import WEIGHTS, Weights, load
from spielwerk.games.connect4.engine.solid.root import Root
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.solid.board import Integers
    from spielwerk.games.interface import State

GENERATIONS: Final = 255
"""So many searches share the table before it is cleared."""


SMALLEST_TABLE: Final = 4  # bits; the kernels take slots in pairs


class SolidEngine(Engine[int]):
    """Connect Four by alpha-beta on boards of every size.

    It searches in one thread; `threads` is accepted and ignored. `plies` is given where the win is
    proven to be the shortest, else only the result. Boards with more than `root.MOST_COLUMNS`
    columns with room are searched in the most relevant columns.
    """

    game: ClassVar = ConnectFour.name
    unit: ClassVar = "points"
    clear_advantage: ClassVar = 60.0
    levels: ClassVar = (  # the times only matter on very large boards, but for the last two
        Level(Limits(depth=1, time=1.0), blur=3000.0),  # even overlooks threats
        Level(Limits(depth=1, time=1.0), blur=1200.0),
        Level(Limits(depth=1, time=1.0), blur=30.0),
        Level(Limits(depth=1, time=1.0), blur=12.0),
        Level(Limits(depth=2, time=1.0), blur=8.0),
        Level(Limits(depth=3, time=1.0), blur=5.0),
        Level(Limits(depth=4, time=1.0), blur=2.0),
        Level(Limits(depth=6, time=0.2)),
        Level(Limits(time=0.3)),
        Level(Limits(time=1.0)),
    )

    def __init__(self, table_bits: int = 20, weights: Weights = WEIGHTS) -> None:
        self._weights = weights
        self._table_size = 1 << max(table_bits, SMALLEST_TABLE)
        self._table: Integers | None = None
        self._generation = 0

    def warm_up(self) -> None:
        """Compile or load every kernel a search needs."""
        state = ConnectFour(4, 2, 2).start()
        self.search(state, Limits(depth=2))
        self.perft(state, 1)

    def search(
        self, state: State[int], limits: Limits | None = None, stop: Stop | None = None
    ) -> Result[int]:
        """The best move within the limits; equal moves are chosen by the seed."""
        started = time.perf_counter()
        limits, stop = limits or Limits(), stop or Stop()
        with stop.after(limits.time):
            root = self._root(state, limits, stop)
            root.choose()
        return Result(
            move=root.move(root.best),
            score=root.best_score(),
            depth=root.depth,
            nodes=root.nodes,
            time=time.perf_counter() - started,
            variation=root.variation(),
        )

    def analyse(
        self, state: State[int], limits: Limits | None = None, stop: Stop | None = None
    ) -> dict[int, Score]:
        """The score of every legal move for the player who makes it, the best first."""
        limits, stop = limits or Limits(), stop or Stop()
        with stop.after(limits.time):
            root = self._root(state, limits, stop)
            root.judge_all()
        return {root.move(column): root.score(column) for column in root.ranked()}

    def perft(self, state: State[int], depth: int) -> int:
        """Count decision sequences with the kernel's move generator."""
        position = _solid(state)
        if depth < 1 or position.outcome:
            return int(depth < 1)
        return int(perft(load(position)[1], depth))

    def _root(self, state: State[int], limits: Limits, stop: Stop) -> Root:
        require_decision(state)
        if self._table is None or self._generation == GENERATIONS:
            self._table = np.zeros((self._table_size, 2), np.int64)
            self._generation = 0
        self._generation += 1
        return Root(_solid(state), self._weights, limits, stop, self._table, self._generation)


def _solid(state: State[int]) -> ConnectFourState:
    """The state, which must be one of Connect Four."""
    if not isinstance(state, ConnectFourState):
        raise EngineError(f"this engine plays {ConnectFour.name}, not {state.game.name}")
    return state
