"""The Quarto player: looks a little ahead on every board, and to the end on the 4 x 4 board."""

from __future__ import annotations

from math import prod
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from spielwerk.engines.interface import (
    Engine,
    Level,
    Limits,
    Result,
    Score,
    Stop,
    best_first,
)
from spielwerk.games.interface import CHANCE, NOBODY
from spielwerk.games.quarto.engine.full_lines import count_placements, every_line_wins, squares_of
from spielwerk.games.quarto.engine.root import (
    DepthSearch,
    ExactSearch,
    Interrupted,
    Opinion,
    SearchAccount,
)
from spielwerk.games.quarto.engine.search import board_of, count_sequences, geometry
from spielwerk.games.quarto.rules import Move, Placement, Quarto

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games.interface import Game, State
    from spielwerk.games.quarto.engine.search import Words
    from spielwerk.games.quarto.rules import QuartoState

ANY_STONE: Final = "Every full line wins on this board: it does not matter which stone is given."

_SOLVED: Final = 4
"""The size of the board that is searched to the end."""

_PREVIEW: Final = 3
"""Decisions looked ahead before the exact search: finds short wins, and an answer if stopped."""

_LINE_FROM: Final = 6
"""Stones on the board from which on exact moves are quick enough to write down a whole line."""


class QuartoEngine(Engine[Move]):
    """Exact on the 4 x 4 board, depth-limited on the others.

    On the 4 x 4 board `limits.threads` share the exact search's root moves, unless nodes are
    limited; elsewhere one thread searches. One decision is looked ahead whatever the limits, so a
    stone that wins at once is never handed on while another is left.
    """

    game: ClassVar[str] = "quarto"
    unit: ClassVar[str] = "result (win 1, draw 0, loss -1)"
    clear_advantage: ClassVar[float] = 100.0  # an estimate tells hardly anything of who wins
    levels: ClassVar[tuple[Level, ...]] = (
        Level(Limits(depth=1), blur=2.0),
        Level(Limits(depth=1), blur=1.0),
        Level(Limits(depth=1), blur=0.5),
        Level(Limits(depth=1), blur=0.3),
        Level(Limits(depth=2, time=1.0), blur=0.2),
        Level(Limits(depth=2, time=1.0), blur=0.1),
        Level(Limits(depth=3, time=1.0), blur=0.1),
        Level(Limits(depth=4, time=1.0), blur=0.05),
        Level(Limits(depth=5, time=1.0)),
        Level(Limits(time=1.0)),
    )

    def __init__(self, table_entries: int = 1 << 20) -> None:  # a power of two from 16 on
        self._table_entries = table_entries
        self._table: Words | None = None

    def warm_up(self) -> None:
        """Compile or load every kernel a search needs."""
        state = Quarto(first=0).start().play(Placement(0, 1)).play(Placement(1, 2))
        self.search(state.play(Placement(2, 12)), Limits(nodes=1000))
        large = Quarto(n=7, first=0).start().play(Placement(0, 1))
        self.search(large, Limits(depth=2))

    def find_best(self, state: State[Move], limits: Limits, stop: Stop) -> Result[Move]:
        """The best move within the limits; equal moves are chosen by the seed."""
        account = SearchAccount(limits, stop)
        rng = Random(limits.seed)
        position, moves = _decision(state, rng)
        rng.shuffle(moves)
        opinion = self._opinion(position, moves, _depth(position, limits), account)
        nodes = account.nodes
        line = self._line(position, opinion, account)
        return Result(opinion.move, opinion.score, opinion.depth, nodes, line)

    def judge_moves(self, state: State[Move], limits: Limits, stop: Stop) -> dict[Move, Score]:
        """The score of every legal move for the player who makes it, the best first.

        Where it makes no difference which stone is handed on, of every square with one stone.
        """
        account = SearchAccount(limits, stop)
        position, moves = _decision(state, Random(limits.seed))
        depth = _depth(position, limits)
        exact = _to_the_end(position, depth)
        scores = DepthSearch(position, account).scores(moves, _PREVIEW if exact else depth)
        if exact:
            scores |= self._exact_scores(position, scores, account)
        return best_first(scores.items())

    def perft(self, state: State[Move], depth: int) -> int:
        """Count decision sequences with the kernel's move generator; the draw is one of them."""
        position = cast("QuartoState", state)
        if depth == 0:
            return 1
        if position.turn == CHANCE:
            return sum(self.perft(position.play(move), depth - 1) for move in state.legal_moves())
        if position.turn == NOBODY:
            return 0
        if every_line_wins(position.game.n):
            left = len(position.supply())
            stones = prod(max(left - ply, 1) for ply in range(depth))
            return int(count_placements(squares_of(position), depth)) * stones
        return count_sequences(geometry(position.game.n), board_of(position), depth)

    def remarks(self, state: State[Move]) -> list[str]:
        """Say where the stones make no difference."""
        return [ANY_STONE] if every_line_wins(cast("QuartoState", state).game.n) else []

    def _opinion(
        self, position: QuartoState, moves: Sequence[Placement], depth: int, account: SearchAccount
    ) -> Opinion:
        """The best move, looking so many decisions ahead."""
        exact = _to_the_end(position, depth)
        opinion = DepthSearch(position, account).best(moves, _PREVIEW if exact else depth)
        if not exact or opinion.score.exact:
            return opinion
        return self._exact_opinion(position, moves, opinion, account)

    def _exact_opinion(
        self,
        position: QuartoState,
        moves: Sequence[Placement],
        preview: Opinion,
        account: SearchAccount,
    ) -> Opinion:
        """The proven move; in a lost position the preview's, which loses no sooner than it sees."""
        root = ExactSearch(position, self._cleared_table(), account)
        try:
            move, result = root.best(root.trickiest_first(root.safe(moves)))
        except Interrupted:
            return preview
        empty = position.board.count(None)
        score = Score(float(result), True, result, None if result else empty)
        return Opinion(preview.move if result < 0 else move, score, empty)

    def _exact_scores(
        self, position: QuartoState, scores: dict[Placement, Score], account: SearchAccount
    ) -> dict[Placement, Score]:
        """The proven scores of the moves that are still open, the most promising first."""
        still_open = [move for move, score in scores.items() if not score.exact]
        still_open.sort(key=lambda move: -scores[move].value)
        root = ExactSearch(position, self._cleared_table(), account)
        empty = position.board.count(None)
        return {
            move: Score(float(result), True, result, None if result else empty)
            for move, result in root.results(still_open).items()
        }

    def _line(
        self, position: QuartoState, opinion: Opinion, account: SearchAccount
    ) -> tuple[Placement, ...]:
        """The moves expected, as far as they can be found with little more work."""
        line = [opinion.move]
        position = position.play(opinion.move)
        for depth in range(opinion.depth - 1, 0, -1):
            placed = len(position.board) - position.board.count(None)
            slow = placed < _LINE_FROM and _to_the_end(position, depth)
            if position.turn == NOBODY or slow or account.over:
                break
            moves = _decision(position, Random(0))[1]
            line.append(self._opinion(position, moves, depth, account).move)
            position = position.play(line[-1])
        return tuple(line)

    def _cleared_table(self) -> Words:
        """The table without anything from before: what a search finds must not depend on that."""
        if self._table is None:
            self._table = np.zeros(self._table_entries, np.uint64)
        self._table.fill(0)
        return self._table


def _decision(state: State[Move], rng: Random) -> tuple[QuartoState, list[Placement]]:
    """The state with its moves, if a player has to decide in it.

    Where it makes no difference which stone is handed on, one of them is drawn for all squares.
    """
    position = cast("QuartoState", state)
    if every_line_wins(position.game.n):
        supply = position.supply()
        stone = rng.choice(supply) if supply else None
        free = [square for square, taken in enumerate(position.board) if taken is None]
        return position, [Placement(square, stone) for square in free]
    return position, [move for move in position.legal_moves() if isinstance(move, Placement)]


def _depth(position: QuartoState, limits: Limits) -> int:
    """The decisions to look ahead: no more than there are left."""
    empty = position.board.count(None)
    return empty if limits.depth is None else min(limits.depth, empty)


def _to_the_end(position: QuartoState, depth: int) -> bool:
    """Whether looking so far ahead is a matter for the exact search."""
    return position.game.n == _SOLVED and depth >= position.board.count(None) > _PREVIEW


def engine_for(_game: Game[Any]) -> type[QuartoEngine]:
    """The one engine, whatever the options."""
    return QuartoEngine
