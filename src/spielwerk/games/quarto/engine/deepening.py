"""The depth-limited search from its root: one decision deeper each time, within the limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spielwerk.engines.interface import Score, Stop
from spielwerk.games.quarto.engine.effort import UNLIMITED
from spielwerk.games.quarto.engine.full_lines import every_line_wins, rate_square, squares_of
from spielwerk.games.quarto.engine.geometry import board_of, geometry
from spielwerk.games.quarto.engine.search import HORIZON, NODES, PROVEN, STOPPED, WIN, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.games.quarto.engine.effort import Effort
    from spielwerk.games.quarto.engine.geometry import Flag, Numbers
    from spielwerk.games.quarto.rules import Placement, QuartoState


@dataclass(frozen=True, slots=True)
class Opinion:
    """The move of a depth-limited search, what it is worth, and how deep it looked."""

    move: Placement
    score: Score
    depth: int


class _Rating(NamedTuple):
    score: int  # in the kernel's unit
    guessed: bool  # whether the evaluation had a part in it

    def settled(self, empty: int) -> Score:
        """As a Score; a draw lasts until the board is full."""
        if abs(self.score) >= PROVEN:
            result = 1 if self.score > 0 else -1
            plies = WIN - abs(self.score)
            return Score(float(result), True, result, plies if plies <= empty else None)
        if self.guessed:
            return Score(self.score / 1000)
        return Score(0.0, True, 0, empty)


class Root:
    """A state whose moves are rated by the kernel."""

    def __init__(self, state: QuartoState, effort: Effort) -> None:
        self._empty = state.board.count(None)
        self._kernel = _kernel(state)
        self._effort = effort

    def best(self, moves: Sequence[Placement], deepest: int) -> Opinion:
        """The best move, found at the greatest depth that the limits allow.

        Of equal moves the earlier counts. One decision is looked ahead whatever the limits.
        """
        opinion = self._best_at(1, moves)
        assert opinion is not None  # noqa: S101 (nothing is stopped at depth 1)
        while not (opinion.score.exact or opinion.depth >= deepest or self._effort.over):
            # With the best so far in front, a search that is stopped cannot have lost it.
            others = [move for move in moves if move != opinion.move]
            deeper = self._best_at(opinion.depth + 1, (opinion.move, *others))
            if deeper is None:
                break
            opinion = deeper
        return opinion

    def _best_at(self, depth: int, moves: Sequence[Placement]) -> Opinion | None:
        """The best move at this depth; if stopped, of those looked at, or None."""
        best, chosen, guessed = -WIN, moves[0], False
        for number, move in enumerate(moves):
            rating = self._rate(move, depth, best)
            if rating is None:
                if best <= -1000:  # all that was looked at loses, so try what was not
                    return Opinion(move, Score(-1.0), depth - 1) if number else None
                return Opinion(chosen, Score(best / 1000), depth - 1)
            guessed |= rating.guessed
            if rating.score > best:
                best, chosen = rating.score, move
            if best == WIN - 1:
                break
        return Opinion(chosen, _Rating(best, guessed).settled(self._empty), depth)

    def scores(self, moves: Sequence[Placement], deepest: int) -> dict[Placement, Score]:
        """The score of every move, each at the greatest depth that the limits allow."""
        scores = {move: Score(0.0) for move in moves}
        for depth in range(1, deepest + 1):
            open_moves = [move for move in moves if not scores[move].exact]
            deeper = self._scores_at(depth, open_moves)
            # Depths are not mixed: an odd one flatters the side that an even one does not.
            complete = len(deeper) == len(open_moves)
            scores |= {move: score for move, score in deeper.items() if complete or score.exact}
            if not complete or self._effort.over:
                break
        return scores

    def _scores_at(self, depth: int, moves: Sequence[Placement]) -> dict[Placement, Score]:
        """The scores of these moves, or of the first of them if it was stopped."""
        scores = {}
        for move in moves:
            rating = self._rate(move, depth, -WIN)
            if rating is None:
                break
            scores[move] = rating.settled(self._empty)
        return scores

    def _rate(self, move: Placement, depth: int, alpha: int) -> _Rating | None:
        """Ask the kernel; None if it was stopped, which at depth 1 it never is."""
        report = np.zeros(3, np.int64)
        free = depth == 1
        nodes = UNLIMITED if free else self._effort.nodes_left
        stop = Stop() if free else self._effort.stop
        score = self._kernel(move, depth, alpha, report, nodes, stop.flag)
        self._effort.spend(int(report[NODES]))
        return None if report[STOPPED] else _Rating(score, bool(report[HORIZON]))


def _kernel(state: QuartoState) -> Callable[[Placement, int, int, Numbers, int, Flag], int]:
    """What rates a move on this board: depth, alpha, report, nodes at most, flag to stop."""
    n = state.game.n
    if every_line_wins(n):
        squares = squares_of(state)
        return lambda move, *rest: rate_square(squares, move.square, *rest)
    lines, board = geometry(n), board_of(state)

    def by_stone(move: Placement, *rest: Any) -> int:
        return rate(lines, board, move.square, -1 if move.stone is None else move.stone, *rest)

    return by_stone
