"""The engine for flat boards that fit into 64 bits: it solves what there is time to solve."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

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
from spielwerk.games.connect4.engine.flat.board import fits, geometry_of, position_of
from spielwerk.games.connect4.engine.flat.book import book_for
from spielwerk.games.connect4.engine.flat.root import Root
from spielwerk.games.connect4.engine.flat.solver import Solver
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.flat.board import Geometry
    from spielwerk.games.interface import State


class FlatEngine(Engine[int]):
    """Connect Four by an exact solver, and by looking ahead where there is no time for it.

    On the board of 7 x 6 the first four moves come from a book, unless the depth is limited.
    A score of n means to win with the n-th last stone one has, a fraction is a guess. The table
    takes 8 bytes an entry, though only as much memory as is needed, and keeps what it knows from
    one search to the next, unless nodes are limited: then the same search always ends the same.
    It searches in one thread; `threads` is accepted and ignored.
    """

    game: ClassVar = ConnectFour.name
    unit: ClassVar = "stones left"
    levels: ClassVar = (
        Level(Limits(depth=1), blur=8.0),
        Level(Limits(depth=1), blur=4.0),
        Level(Limits(depth=1), blur=2.0),
        Level(Limits(depth=2), blur=1.0),
        Level(Limits(depth=2), blur=0.3),
        Level(Limits(depth=4), blur=0.2),
        Level(Limits(depth=6), blur=0.1),
        Level(Limits(depth=8)),
        Level(Limits(time=0.1)),
        Level(Limits(time=1.0)),
    )

    def __init__(self, table_bits: int = 24) -> None:
        self._table_bits = table_bits
        self._solver: Solver | None = None

    def warm_up(self) -> None:
        """Compile or load every kernel a search needs."""
        state = ConnectFour(4, 4).start()
        self.search(state, Limits(nodes=1000))
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
            nodes = root.nodes
            line = tuple(map(root.solver.geometry.move, root.line()))
        depth = root.score.plies if root.score.exact else root.depth
        return Result(line[0], root.score, depth or 1, nodes, time.perf_counter() - started, line)

    def analyse(
        self, state: State[int], limits: Limits | None = None, stop: Stop | None = None
    ) -> dict[int, Score]:
        """The score of every legal move for the player who makes it, the best first."""
        limits, stop = limits or Limits(), stop or Stop()
        with stop.after(limits.time):
            root = self._root(state, limits, stop)
            root.judge_all()
        move = root.solver.geometry.move
        return best_first((move(square), score) for square, score in root.scores.items())

    def perft(self, state: State[int], depth: int) -> int:
        """Count decision sequences with the kernel's move generator."""
        position = _flat(state)
        if depth < 1 or position.outcome:
            return int(depth < 1)
        return self._solver_for(geometry_of(position.game)).perft(position_of(position), depth)

    def _root(self, state: State[int], limits: Limits, stop: Stop) -> Root:
        require_decision(state)
        position = _flat(state)
        solver = self._solver_for(geometry_of(position.game))
        if limits.nodes is not None:
            solver.forget()
        solver.stop = stop
        return Root(solver, position_of(position), limits)

    def _solver_for(self, geometry: Geometry) -> Solver:
        """The solver for this size of board; only one is kept."""
        if self._solver is None or self._solver.geometry != geometry:
            self._solver = Solver(geometry, self._table_bits, book_for(geometry))
        return self._solver


def _flat(state: State[int]) -> ConnectFourState:
    """The state, which must be one of flat Connect Four on a board that fits."""
    if not isinstance(state, ConnectFourState):
        raise EngineError(f"this engine plays {ConnectFour.name}, not {state.game.name}")
    game = state.game
    if game.layers > 1 or not fits(game.width, game.height):
        size = f"{game.width} x {game.height} x {game.layers}"
        raise EngineError(f"this engine plays flat boards of up to 64 bits, not {size}")
    return state
