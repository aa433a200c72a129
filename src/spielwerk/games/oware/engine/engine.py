"""The Oware player."""

from __future__ import annotations

import random
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from spielwerk.engines.interface import (
    Engine,
    EngineError,
    Level,
    Limits,
    Result,
    Score,
    Stop,
    best_first,
    require_decision,
)
from spielwerk.games.oware.engine.deepening import Root, Verdict
from spielwerk.games.oware.engine.kernel import path_of, perft
from spielwerk.games.oware.engine.search import ENTRY, new_work, sown_houses
from spielwerk.games.oware.engine.strategies import strategies
from spielwerk.games.oware.engine.weights import TUNED_WEIGHTS
from spielwerk.games.oware.rules import STONES, Oware, OwareState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.interface import State


class OwareEngine(Engine[int]):
    """Alpha-beta for Oware with one of the strategies; a search uses one thread.

    With a limit of depth every line is followed exactly so far and no further. Values go from -1,
    lost, to 1, won. `table_bits` sets the size of the table: 32 bytes times two to that power.
    """

    game: ClassVar = Oware.name
    unit: ClassVar = "expected result, from -1 to 1"
    usual: ClassVar = Limits(depth=5)  # Oware task, section 3.2
    options: ClassVar = {"strategy": range(len(strategies()))}
    levels: ClassVar = (
        Level(Limits(depth=1), blur=0.5),
        Level(Limits(depth=1), blur=0.2),
        Level(Limits(depth=2), blur=0.15),
        Level(Limits(depth=3), blur=0.1),
        Level(Limits(depth=4), blur=0.05),
        Level(Limits(depth=5), blur=0.02),
        Level(Limits(depth=6)),
        Level(Limits(depth=8)),
        Level(Limits(depth=11)),
        Level(Limits(time=1.0)),
    )

    def __init__(
        self,
        strategy: int = 0,
        *,
        table_bits: int = 20,
        weights: NDArray[np.int64] = TUNED_WEIGHTS,
    ) -> None:
        known = strategies()
        if not 0 <= strategy < len(known):
            names = ", ".join(f"{number} ({known[number].name})" for number in range(len(known)))
            raise EngineError(f"strategy {strategy}: there is no such strategy; there are {names}")
        self.strategy = known[strategy]
        self._weights = weights
        self._table_size = 1 << table_bits
        self._table: NDArray[np.uint64] | None = None

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        self.search(Oware().start(), Limits(depth=2))
        self.perft(Oware().start(), 1)

    def search(
        self, state: State[int], limits: Limits | None = None, stop: Stop | None = None
    ) -> Result[int]:
        """The best move within the limits; equal moves are chosen by the seed."""
        limits, stop = limits or Limits(), stop or Stop()
        began = perf_counter()
        root = self._root(state, limits, stop)
        with stop.after(limits.time):
            found = root.best()
        line = random.Random(limits.seed).choice(found.lines)
        seconds = perf_counter() - began
        score = self._score(found.verdict)
        return Result(line[0], score, found.verdict.depth, root.nodes, seconds, line)

    def analyse(
        self, state: State[int], limits: Limits | None = None, stop: Stop | None = None
    ) -> dict[int, Score]:
        """The score of every move, to the depth if that is limited, or to where it is decided."""
        limits, stop = limits or Limits(), stop or Stop()
        root = self._root(state, limits, stop)
        with stop.after(limits.time):
            verdicts = root.every()
        scores = {house: self._score(verdict) for house, verdict in verdicts.items()}
        return best_first(scores.items())

    def perft(self, state: State[int], depth: int) -> int:
        """Count move sequences, ended by repetition, too."""
        position = _require_board(state)
        return int(perft(path_of(position, depth), 0, len(position.seen), depth))

    def _root(self, state: State[int], limits: Limits, stop: Stop) -> Root:
        require_decision(state)
        position = _require_board(state)
        if self._table is None:
            self._table = np.full((self._table_size, ENTRY), 0, np.uint64)
        elif limits.nodes is not None:
            # What the table knows changes no value, but with it more fits into the same nodes.
            self._table.fill(0)
        work = new_work(position, self._weights, self._table, stop.flag)
        sown = sown_houses(position)
        return Root(work, sown, position.legal_moves(), self.strategy.judgement, limits)

    def _score(self, verdict: Verdict) -> Score:
        value = self.strategy.value(verdict.score)
        if not verdict.proven:
            return Score(value)
        result = int(value)
        return Score(value, exact=True, result=result, plies=verdict.depth if result else None)


def _require_board(state: State[int]) -> OwareState:
    """The state as one of Oware, or EngineError if no such position can exist."""
    if not isinstance(state, OwareState):
        raise EngineError(f"no position of Oware: {state}")
    if len(state.board) != 14 or min(state.board) < 0 or sum(state.board) != STONES:
        raise EngineError(f"no board of Oware: {state.board}")
    return state
