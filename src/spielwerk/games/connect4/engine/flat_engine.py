"""The engine for flat boards that fit into 64 bits: it solves what there is time to solve.

First every move is seen at a glance, then in rounds, each twice as long. A round looks further
ahead and then tries to solve the position outright; the table keeps what the solver found when its
time was up. So an answer is there at any moment, and the exact one as soon as there has been time
for it. The solver's book counts as solving: it is left alone where the depth that is allowed does
not cover the rest of the game, so that weak levels stay weak in the opening.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, ClassVar, Final, cast

from spielwerk.engines.interface import (
    Engine,
    Level,
    Limits,
    Result,
    Score,
    Stop,
    best_first,
)
from spielwerk.games.connect4.engine.flat_board import FlatGeometry, position_of
from spielwerk.games.connect4.engine.flat_book import BOOK_BOARD, book_for, squares_of
from spielwerk.games.connect4.engine.flat_solver import INFINITE, STONE, Solver
from spielwerk.games.connect4.rules import ConnectFour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.games.connect4.engine.flat_board import FlatPosition
    from spielwerk.games.connect4.rules import ConnectFourState
    from spielwerk.games.interface import State

FIRST_ROUND: Final = 20_000  # nodes
LOOKING: Final = 4  # one node of so many looks ahead, the others solve
LINE_BUDGET: Final = 10_000  # nodes to prove the moves of the line that is shown
LONGEST_LINE: Final = 12


class FlatRoot:
    """The moves of one position with their scores, which get better with every round."""

    def __init__(self, solver: Solver, position: FlatPosition, limits: Limits) -> None:
        self.solver = solver
        self.position = position
        self.limits = limits
        self.depth = 1
        self.children = {square: position.after(square) for square in solver.landings(position)}
        self._free = solver.geometry.cells - position.stones
        self._deepest = min(self._free, limits.depth or self._free)
        self._may_solve = self._deepest == self._free  # the depth covers the rest of the game
        self._before = solver.nodes
        self._allow(None)
        squares = list(self.children)
        random.Random(limits.seed).shuffle(squares)
        self.scores = {square: self._glance(square) for square in squares}

    @property
    def nodes(self) -> int:
        """Positions visited since the beginning."""
        return self.solver.nodes - self._before

    @property
    def best(self) -> int:
        """The best move; the first one of several, and they are in random order."""
        return max(self.scores, key=lambda square: self.scores[square].value)

    @property
    def score(self) -> Score:
        """What the best move is worth."""
        return self.scores[self.best]

    def choose(self) -> None:
        """Think until the best moves are known or the limits are reached."""
        self._look_up()
        for budget in self._rounds():
            if self.score.exact:
                return
            self._deepen(budget // LOOKING, everything=False)
            if self._may_solve and not self.score.exact:
                self._solve(budget)

    def judge_all(self) -> None:
        """Think until the score of every move is known or the limits are reached."""
        for budget in self._rounds():
            if all(score.exact for score in self.scores.values()):
                return
            self._deepen(budget // LOOKING, everything=True)
            if self._may_solve:
                self._solve_each(budget)

    def line(self) -> tuple[int, ...]:
        """The best move and, as far as they are easily proven, the moves to follow."""
        line, score = [self.best], self.score
        position, value = self.children[self.best], -int(score.value)
        self.solver.budget(LINE_BUDGET)
        while score.exact and len(line) < min(LONGEST_LINE, score.plies or 1):
            square = self._move_worth(position, value)
            if square is None:
                break
            line.append(square)
            position, value = position.after(square), -value
        return tuple(line)

    @property
    def _nodes_left(self) -> int:
        """What the limits leave of the nodes; without a limit one more than nothing."""
        return 1 if self.limits.nodes is None else self.limits.nodes - self.nodes

    def _rounds(self) -> Iterator[int]:
        """The nodes for each round, as long as there is something to do and time to do it."""
        budget = FIRST_ROUND
        while self._may_solve or self.depth < self._deepest:
            if self.solver.stop.flag[0] or self._nodes_left <= 0:
                return
            yield budget
            budget *= 2

    def _allow(self, nodes: int | None) -> None:
        """Let the solver visit so many nodes, but no more than the limits leave."""
        if nodes is not None and self.limits.nodes is not None:
            nodes = min(nodes, self._nodes_left)
        self.solver.budget(nodes)

    def _look_up(self) -> None:
        """Take the moves of the book, if it has the position."""
        entry = self.solver.known(self.position) if self._may_solve else None
        if entry and entry.columns:
            exact = self.solver.exact(entry.score, self.position.stones)
            best = squares_of(entry.columns, list(self.scores))
            self.scores = dict.fromkeys(best, exact)

    def _glance(self, square: int) -> Score:
        """What a move is worth by the book, or when only wins and losses at once are seen."""
        stones = self.position.stones
        known = self.solver.known(self.children[square]) if self._may_solve else None
        if known is not None:
            return self.solver.exact(-known.score, stones)
        if self.solver.wins(self.position, square):
            return self.solver.exact((self._free + 1) // 2, stones)
        value = self.solver.look_ahead(self.children[square], 0)
        return self.solver.as_score(-(value or 0), stones)

    def _deepen(self, budget: int, *, everything: bool) -> None:
        """Look further and further ahead, with so many nodes."""
        self._allow(budget)
        while self.depth < self._deepest:
            if self.score.exact and not everything:
                return
            scores = self._look(self.depth, everything=everything)
            if scores is None:
                return
            self.scores = {square: scores[square] for square in self.scores}
            self.depth += 1

    def _look(self, depth: int, *, everything: bool) -> dict[int, Score] | None:
        """The scores when the answers are looked at so deep; None if there was no time.

        Unless everything is wanted, moves that are worse than the best need only be known as such.
        """
        scores, best = dict(self.scores), -INFINITE
        for square in sorted(scores, key=lambda square: -scores[square].value):
            if not scores[square].exact:
                beta = INFINITE if everything else 1 - best
                value = self.solver.look_ahead(self.children[square], depth, beta)
                if value is None:
                    return None
                scores[square] = self.solver.as_score(-value, self.position.stones)
            best = max(best, round(scores[square].value * STONE))
        return scores

    def _solve(self, budget: int) -> None:
        """Find the exact score and all moves that are worth as much, with so many nodes."""
        self._allow(budget)
        score = self.solver.score(self.position)
        if score is None:
            return
        self._allow(budget)
        worth = self.solver.is_worth
        squares = [square for square in self.scores if worth(self.position, square, score)]
        if squares:
            exact = self.solver.exact(score, self.position.stones)
            self.scores = dict.fromkeys(squares, exact)

    def _solve_each(self, budget: int) -> None:
        """Find the exact score of one move after the other, with so many nodes altogether."""
        for square, known in self.scores.items():
            if not known.exact:
                self._allow(max(1, budget // len(self.scores)))
                score = self.solver.score(self.children[square])
                if score is not None:
                    self.scores[square] = self.solver.exact(-score, self.position.stones)

    def _move_worth(self, position: FlatPosition, score: int) -> int | None:
        """A move that is worth what the position is."""
        moves = self.solver.best_moves(position, score, 1)
        return moves[0] if moves else None


class FlatEngine(Engine[int]):
    """Connect Four by an exact solver, and by looking ahead where there is no time for it.

    On the board of 7 x 6 what takes the solver long comes from a book, unless the depth is limited.
    A score of n means to win with the n-th last stone one has, a fraction is a guess. The table
    takes 8 bytes an entry, though only as much memory as is needed, and keeps what it knows from
    one search to the next, unless nodes are limited: then the same search always ends the same.
    Solving uses `threads`, unless nodes are limited; looking ahead takes one.
    """

    game: ClassVar = ConnectFour.name
    unit: ClassVar = "stones left"
    review_nodes: ClassVar = 16_000_000  # a second; solves most positions from the sixth stone on
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
        """Compile or load every kernel a search needs, and read the book."""
        book_for(BOOK_BOARD)
        state = ConnectFour(4, 4).start()
        self.search(state, Limits(nodes=1000))

    def find_best(self, state: State[int], limits: Limits, stop: Stop) -> Result[int]:
        """The best move within the limits; equal moves are chosen by the seed."""
        root = self._root(state, limits, stop)
        root.choose()
        nodes = root.nodes
        line = tuple(map(root.solver.geometry.move, root.line()))
        depth = root.score.plies if root.score.exact else root.depth
        return Result(line[0], root.score, depth or 1, nodes, line)

    def judge_moves(self, state: State[int], limits: Limits, stop: Stop) -> dict[int, Score]:
        """The score of every legal move for the player who makes it, the best first."""
        root = self._root(state, limits, stop)
        root.judge_all()
        move = root.solver.geometry.move
        return best_first((move(square), score) for square, score in root.scores.items())

    def forget(self) -> None:
        """Drop what earlier searches have found."""
        if self._solver:
            self._solver.forget()

    def perft(self, state: State[int], depth: int) -> int:
        """Count decision sequences with the kernel's move generator."""
        if depth < 1 or state.outcome:
            return int(depth < 1)
        position = cast("ConnectFourState", state)
        return self._solver_for(position.game).perft(position_of(position), depth)

    def _root(self, state: State[int], limits: Limits, stop: Stop) -> FlatRoot:
        position = cast("ConnectFourState", state)
        solver = self._solver_for(position.game)
        solver.use(1 if limits.nodes is not None else limits.threads)
        if limits.nodes is not None:
            solver.forget()
        solver.stop = stop
        return FlatRoot(solver, position_of(position), limits)

    def _solver_for(self, game: ConnectFour) -> Solver:
        """The solver for this size of board; only one is kept."""
        geometry = FlatGeometry(game.width, game.height)
        if self._solver is None or self._solver.geometry != geometry:
            self._solver = Solver(geometry, self._table_bits, book_for(geometry))
        return self._solver
