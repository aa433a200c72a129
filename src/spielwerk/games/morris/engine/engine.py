"""The engine: iterative deepening over whole turns, exact answers from the solved sectors."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from spielwerk.engines.interface import Engine, Level, Limits, Result, Score, Stop
from spielwerk.games.morris.engine.evaluation import WEIGHTS
from spielwerk.games.morris.engine.position import Position, Turn, decisions_of
from spielwerk.games.morris.engine.root import Found, Root
from spielwerk.games.morris.engine.thinking import Thinking
from spielwerk.games.morris.engine.turns import MOST_TURNS, count_decisions
from spielwerk.games.morris.rules import Decision

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.games.interface import State

UNIT: Final = 100  # the kernels' scores are hundredths


class MorrisEngine(Engine[Decision]):
    """Alpha-beta with the solved sectors that the package or the user's folder holds.

    A turn with its captures is one ply of the depth. `threads` is accepted and ignored. The first
    ply is always looked at, however small the limits are.
    """

    game: ClassVar = "morris"
    unit: ClassVar = "stones"
    clear_advantage: ClassVar = 3.0
    levels: ClassVar = (
        Level(Limits(depth=1), 2.0),
        Level(Limits(depth=1), 1.0),
        Level(Limits(depth=2), 0.7),
        Level(Limits(depth=2), 0.35),
        Level(Limits(depth=3), 0.2),
        Level(Limits(depth=4), 0.1),
        Level(Limits(depth=6), 0.05),
        Level(Limits(depth=8)),
        Level(Limits(time=0.3)),
        Level(Limits(time=1.0)),
    )

    def __init__(
        self,
        table_bits: int = 21,
        folder: Path | None = None,
        weights: NDArray[np.int64] = WEIGHTS,
    ) -> None:
        self._thinking = Thinking(table_bits, folder, weights)

    def warm_up(self) -> None:
        """Compile or load the kernels, and load the solved sectors."""
        start = Position(0, 0, 9, 9, 0)
        self._thinking.begin(start, forget=False)
        self._thinking.score(start, start.turns()[0], 1)
        self._thinking.solved_value(Position(0b111, 0b111000, 0, 0, 0))
        self._thinking.expected_turn(start)
        _perft(start, 1)

    def search(
        self, state: State[Decision], limits: Limits | None = None, stop: Stop | None = None
    ) -> Result[Decision]:
        """The best move within the limits; from the solved sectors if they hold the position.

        In a solved draw the search chooses among the turns that hold it.
        """
        began = time.perf_counter()
        position = Position.of(state)
        limits, stop = limits or Limits(), stop or Stop()
        with stop.after(limits.time):
            root = Root(position, self._thinking, limits, stop)
            found = root.best()
        line = root.line(found)
        decisions = tuple(decision for turn in line for decision in decisions_of(turn))
        spent = time.perf_counter() - began
        score = _score(found, position, line)
        return Result(decisions[0], score, found.depth, self._thinking.nodes, spent, decisions)

    def analyse(
        self, state: State[Decision], limits: Limits | None = None, stop: Stop | None = None
    ) -> dict[Decision, Score]:
        """The score of every legal move, the best first."""
        position = Position.of(state)
        limits, stop = limits or Limits(), stop or Stop()
        with stop.after(limits.time):
            root = Root(position, self._thinking, limits, stop)
            found = root.each()
        return {
            decision: _score(each, position, root.ending(each)) for decision, each in found.items()
        }

    def perft(self, state: State[Decision], depth: int) -> int:
        """Count sequences of single decisions with the kernel's turns."""
        if depth == 0:
            return 1
        return 0 if state.outcome else _perft(Position.of(state), depth)


def _perft(position: Position, depth: int) -> int:
    own, opponent, own_hand, opponent_hand, quiet, pending = position
    space = np.empty((depth + 1) * MOST_TURNS, np.int64)
    return int(
        count_decisions(own, opponent, own_hand, opponent_hand, pending, quiet, depth, space, 0)
    )


def _score(found: Found, position: Position, line: list[Turn]) -> Score:
    value = found.score / UNIT
    if not found.exact:
        return Score(value)
    result = (value > 0) - (value < 0)
    return Score(
        value, exact=True, result=result, plies=_length(position, line) if result else None
    )


def _length(position: Position, line: list[Turn]) -> int | None:
    """The decisions of the line if it ends the game."""
    for turn in line:
        position = position.after(turn)
    return sum(len(decisions_of(turn)) for turn in line) if position.is_over else None
