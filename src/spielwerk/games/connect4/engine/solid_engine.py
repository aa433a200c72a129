"""The engine for solid boards, and for flat ones too large for the exact solver."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, ClassVar, Final, cast

import numpy as np

from spielwerk.engines.interface import (
    Engine,
    Level,
    Limits,
    Result,
    Score,
    Stop,
)
from spielwerk.games.connect4.engine.solid_board import COUNT_BITS, OPEN, perft
from spielwerk.games.connect4.engine.solid_geometry import load
from spielwerk.games.connect4.engine.solid_kernel import expected_line, search_move, survey
from spielwerk.games.connect4.engine.solid_search import (
    ABORTED,
    CANDIDATES,
    COMPLETE,
    FRAME,
    GENERATION,
    INFINITE,
    KILLER,
    MOST_PLIES,
    NODE_LIMIT,
    NODES,
    NUMBERS,
    PROVEN,
    WIN,
    Search,
)
from spielwerk.games.connect4.rules import ConnectFour

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.connect4.engine.solid_board import Integers
    from spielwerk.games.connect4.rules import ConnectFourState
    from spielwerk.games.interface import State

MOST_COLUMNS: Final = 40
"""Of boards with more columns only so many are searched, the most relevant ones."""

OWN_GAIN: Final = (1, 8, 40, 200)
OTHER_GAIN: Final = (1, 7, 35, 180)
"""What a stone promises in a line that only the own side or only the other side has stones in."""

SHORTEST: Final = 4
"""Wins and losses of so many plies are the shortest: the threats on the board exclude others."""


class SolidRoot:
    """The position that an engine is asked about, and what the search knows of its moves."""

    def __init__(
        self,
        state: ConnectFourState,
        limits: Limits,
        stop: Stop,
        table: Integers,
        generation: int,
    ) -> None:
        self._limits = limits
        self._geometry, self._board = load(state)
        self._free = state.board.count(".")
        self._search = self._memory(stop, table, generation)
        self._values: dict[int, int] = {}
        self._solved: set[int] = set()  # columns whose values cannot change any more
        self._finished = False  # whether that of the position cannot
        self.depth = 0
        self._survey(random.Random(limits.seed))
        self.best = max(self._order, key=self._values.__getitem__)

    def _memory(self, stop: Stop, table: Integers, generation: int) -> Search:
        columns = len(self._board.landing)
        frames = np.zeros((MOST_PLIES, FRAME), np.int64)
        frames[:, KILLER] = -1
        width = min(columns, MOST_COLUMNS)
        numbers = np.zeros(NUMBERS, np.int64)
        numbers[NODE_LIMIT] = self._limits.nodes or np.iinfo(np.int64).max
        numbers[GENERATION] = generation
        return Search(
            table=table,
            frames=frames,
            moves=np.zeros((MOST_PLIES, width), np.int32),
            promise=np.zeros((MOST_PLIES, width), np.int32),
            history=np.zeros(self._board.threats.shape, np.int32),
            gain=_gains(),
            columns=np.zeros(width, np.int32),
            numbers=numbers,
            stop=stop.flag,
        )

    def _survey(self, chance: random.Random) -> None:
        """Judge all moves at first sight and settle in which columns the search looks."""
        values = np.full(len(self._board.landing), -INFINITE, np.int64)
        relevance = np.zeros(len(values), np.int64)
        survey(self._board, self._search, values, relevance)
        legal = [column for column, value in enumerate(values.tolist()) if value > -INFINITE]
        chance.shuffle(legal)
        self._values = {column: int(values[column]) for column in legal}
        legal.sort(key=lambda column: (self._values[column] > -PROVEN, relevance[column]))
        self._order = legal[::-1]
        candidates = self._order[:MOST_COLUMNS]
        self._search.columns[: len(candidates)] = candidates
        self._search.numbers[CANDIDATES] = len(candidates)
        self._search.numbers[COMPLETE] = len(candidates) == len(legal)
        if not self._board.totals[OPEN : OPEN + 2].any():  # no line can be won any more
            self._values = dict.fromkeys(legal, 0)
            self._solved.update(legal)
            self._finished = True

    @property
    def nodes(self) -> int:
        """The positions visited so far."""
        return int(self._search.numbers[NODES])

    def move(self, column: int) -> int:
        """The move of the rules that falls into the column."""
        return self._geometry.move(int(self._board.landing[column]))

    def variation(self) -> tuple[int, ...]:
        """The play the search expects, the best move first."""
        line = np.zeros(min(self.depth + 1, self._free), np.int64)
        length = expected_line(self._board, self._search, self.best, line)
        return tuple(self._geometry.move(field) for field in line[:length].tolist())

    def ranked(self) -> list[int]:
        """All columns with room, the best first."""
        return sorted(self._order, key=self._values.__getitem__, reverse=True)

    def choose(self) -> None:
        """Find the best move, each time a ply deeper, until it is known or the limits end it."""
        for depth in self._depths():
            if self._finished or not self._compare(depth):
                return
            self.depth = depth
            if not self._finished and self._covers_all(self._deepest):
                self._settle()

    def _settle(self) -> None:
        """Ask which move wins or else draws, with as many nodes as the search has had so far.

        A draw needs no more looking. The shortest win or the longest loss is left to the search.
        """
        numbers, limit = self._search.numbers, int(self._search.numbers[NODE_LIMIT])
        numbers[NODE_LIMIT] = min(limit, 2 * self.nodes)
        if self._reach(1) <= 0 and self._reach(0) == 0:
            self._solved.add(self.best)
            self._finished = True
        numbers[NODE_LIMIT] = limit

    def _reach(self, goal: int) -> int:
        """Look for a move worth the goal; the last value found, or ABORTED."""
        value = -INFINITE
        for column in self._contenders(self._free):
            value = self._search_move(column, self._free, goal - 1, goal)
            if value == ABORTED:
                break
            if value >= goal:
                self.best, self._values[column] = column, value
                break
        return value

    def judge_all(self) -> None:
        """Find the value of every move, each time a ply deeper."""
        for depth in self._depths():
            for column in self.ranked():
                if self._proven(column):
                    continue
                value = self._search_move(column, depth, -INFINITE, INFINITE)
                if value == ABORTED:
                    return
                self._values[column] = value
            self.depth = depth

    @property
    def _deepest(self) -> int:
        """How deep the limits let the search look."""
        deepest = min(self._free, MOST_PLIES - 4)
        return min(deepest, self._limits.depth or deepest)

    def _depths(self) -> range:
        return range(1, self._deepest + 1)

    def _covers_all(self, depth: int) -> bool:
        """Whether a search to this depth leaves nothing open."""
        return depth >= self._free and bool(self._search.numbers[COMPLETE])

    def _proven(self, column: int) -> bool:
        return column in self._solved or abs(self._values[column]) > PROVEN

    def _lost(self, column: int) -> bool:
        return self._values[column] < -PROVEN

    def _contenders(self, depth: int) -> list[int]:
        """The moves to compare, the best so far first; lost ones only for a final judgement."""
        final = self._covers_all(depth)
        columns = [column for column in self._order if final or not self._lost(column)]
        columns = columns[:MOST_COLUMNS]
        return sorted(columns, key=lambda c: (c == self.best, self._values[c]), reverse=True)

    def _compare(self, depth: int) -> bool:
        """Search the contenders to this depth for the best; whether that came to its end."""
        alpha = -INFINITE
        for column in self._contenders(depth):
            value = self._exceeding(column, depth, alpha)
            if value == ABORTED:
                if self._lost(self.best):
                    self.best = column
                return False
            self._values[column] = value
            if value > alpha:
                alpha, self.best = value, column
            if value > PROVEN:
                break
        if self._lost(self.best):
            self.best = max(self._order, key=self._values.__getitem__)
        value = self._values[self.best]
        self._finished = abs(value) > PROVEN or self._covers_all(depth)
        return True

    def _exceeding(self, column: int, depth: int, alpha: int) -> int:
        """The value of the move if it exceeds alpha; else some value that it does not exceed."""
        if alpha > -INFINITE:
            value = self._search_move(column, depth, alpha, alpha + 1)
            if value <= alpha or value == ABORTED:
                return value
        return self._search_move(column, depth, alpha, INFINITE)

    def _search_move(self, column: int, depth: int, alpha: int, beta: int) -> int:
        value = int(search_move(self._board, self._search, column, depth, alpha, beta))
        if self._covers_all(depth) and alpha < value < beta:
            self._solved.add(column)
        return value

    def best_score(self) -> Score:
        """What the position is worth."""
        score = self.score(self.best)
        return score if self._finished or score.result == 1 else Score(score.value)

    def score(self, column: int) -> Score:
        """What the move is worth for the player who makes it."""
        value = self._values[column]
        if not self._proven(column):
            return Score(float(value))
        if value == 0:
            return Score(0.0, exact=True, result=0, plies=self._free)
        plies = WIN - abs(value)
        known = plies <= SHORTEST or column in self._solved
        return Score(float(value), True, 1 if value > 0 else -1, plies if known else None)


def _gains() -> NDArray[np.int32]:
    """For each side and counts of a line, what a stone in that line promises."""
    gains = np.zeros((2, 1 << 2 * COUNT_BITS), np.int32)
    for side in range(2):
        for stones in range(4):
            gains[side, stones << (1 - side) * COUNT_BITS] = OTHER_GAIN[stones]
            gains[side, stones << side * COUNT_BITS] = OWN_GAIN[stones]
    return gains


GENERATIONS: Final = 255
"""So many searches share the table before it is cleared."""


SMALLEST_TABLE: Final = 4  # bits; the kernels take slots in pairs


class SolidEngine(Engine[int]):
    """Connect Four by alpha-beta on boards of every size.

    It searches in one thread; `threads` is accepted and ignored. `plies` is given where the win is
    proven to be the shortest, else only the result. Boards with more than `MOST_COLUMNS`
    columns with room are searched in the most relevant columns.
    """

    game: ClassVar = ConnectFour.name
    unit: ClassVar = "points"
    clear_advantage: ClassVar = 78.0
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

    def __init__(self, table_bits: int = 20) -> None:
        self._table_size = 1 << max(table_bits, SMALLEST_TABLE)
        self._table: Integers | None = None
        self._generation = 0

    def warm_up(self) -> None:
        """Compile or load every kernel a search needs."""
        state = ConnectFour(4, 2, 2).start()
        self.search(state, Limits(depth=2))

    def find_best(self, state: State[int], limits: Limits, stop: Stop) -> Result[int]:
        """The best move within the limits; equal moves are chosen by the seed."""
        root = self._root(state, limits, stop)
        root.choose()
        move = root.move(root.best)
        return Result(move, root.best_score(), root.depth, root.nodes, root.variation())

    def judge_moves(self, state: State[int], limits: Limits, stop: Stop) -> dict[int, Score]:
        """The score of every legal move for the player who makes it, the best first."""
        root = self._root(state, limits, stop)
        root.judge_all()
        return {root.move(column): root.score(column) for column in root.ranked()}

    def perft(self, state: State[int], depth: int) -> int:
        """Count decision sequences with the kernel's move generator."""
        if depth < 1 or state.outcome:
            return int(depth < 1)
        return int(perft(load(cast("ConnectFourState", state))[1], depth))

    def _root(self, state: State[int], limits: Limits, stop: Stop) -> SolidRoot:
        if self._table is None or self._generation == GENERATIONS:
            self._table = np.zeros((self._table_size, 2), np.int64)
            self._generation = 0
        self._generation += 1
        position = cast("ConnectFourState", state)
        return SolidRoot(position, limits, stop, self._table, self._generation)
