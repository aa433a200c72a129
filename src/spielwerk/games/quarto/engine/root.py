"""Searches from their root: depth-limited on every board, exact on the 4 x 4 board."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from spielwerk.engines.interface import Score, Stop
from spielwerk.games.quarto.engine.full_lines import every_line_wins, rate_square, squares_of
from spielwerk.games.quarto.engine.search import (
    HORIZON,
    NODES,
    PROVEN,
    STOPPED,
    WIN,
    board_of,
    geometry,
    rate,
)
from spielwerk.games.quarto.engine.solver import (
    HAND,
    LANES,
    TAKEN,
    UNDECIDED,
    YES,
    answers,
    decide,
    play,
    position_of,
    safe_stones,
)
from spielwerk.games.quarto.engine.symmetry import canonical_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from spielwerk.engines.interface import Limits
    from spielwerk.games.quarto.engine.search import Flag, Numbers, Words
    from spielwerk.games.quarto.rules import Placement, QuartoState

UNLIMITED: Final = 1 << 62


@dataclass
class SearchAccount:
    """The limits of a search and its running account."""

    limits: Limits
    stop: Stop
    nodes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def spend(self, nodes: int) -> None:
        """Account for positions visited, by any thread."""
        with self._lock:
            self.nodes += nodes

    @property
    def nodes_left(self) -> int:
        """How many more positions may be visited."""
        return UNLIMITED if self.limits.nodes is None else self.limits.nodes - self.nodes

    @property
    def over(self) -> bool:
        """Whether the search has to come to its end."""
        return bool(self.stop.flag[0]) or self.nodes_left <= 0


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


class DepthSearch:
    """A state whose moves are rated by the kernel."""

    def __init__(self, state: QuartoState, account: SearchAccount) -> None:
        self._empty = state.board.count(None)
        self._kernel = _kernel(state)
        self._account = account

    def best(self, moves: Sequence[Placement], deepest: int) -> Opinion:
        """The best move, found at the greatest depth that the limits allow.

        Of equal moves the earlier counts. One decision is looked ahead whatever the limits.
        """
        opinion = self._best_at(1, moves)
        assert opinion is not None  # noqa: S101 (nothing is stopped at depth 1)
        while not (opinion.score.exact or opinion.depth >= deepest or self._account.over):
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
            if not complete or self._account.over:
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
        nodes = UNLIMITED if free else self._account.nodes_left
        stop = Stop() if free else self._account.stop
        score = self._kernel(move, depth, alpha, report, nodes, stop.flag)
        self._account.spend(int(report[NODES]))
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


T = TypeVar("T")

KNOWN_DRAWS: Final = 2
"""All positions with at most so many stones on the board are draws; see benchmarks/quarto.py."""


class Interrupted(Exception):
    """The limits ran out before the question was answered."""


class ExactSearch:
    """A state of the 4 x 4 board in which the stone in hand does not win at once."""

    def __init__(self, state: QuartoState, table: Words, account: SearchAccount) -> None:
        self.position = position_of(state)
        self._placed = len(state.board) - state.board.count(None)
        self._table = table
        self._account = account

    def safe(self, moves: Sequence[Placement]) -> list[Placement]:
        """The moves that do not hand on a stone that wins at once."""
        return [move for move in moves if self._is_safe(move)]

    def _is_safe(self, move: Placement) -> bool:
        stones = int(safe_stones(self.position, np.uint64(move.square)))
        return move.stone is None or bool(stones >> move.stone & 1)

    def trickiest_first(self, moves: Sequence[Placement]) -> list[Placement]:
        """In the order of how few safe answers they leave."""
        return sorted(moves, key=lambda move: int(answers(self._after(move))))

    def best(self, moves: Sequence[Placement]) -> tuple[Placement, int]:
        """The first of the safe moves with the best result, and that result; or Interrupted."""
        if self._placed < KNOWN_DRAWS or moves[0].stone is None:
            return moves[0], 0
        classes = self._classes(moves)
        if self._placed > KNOWN_DRAWS:
            winning = self._refuting(classes, win=False)
            if winning:
                return winning, 1
        holding = self._refuting(classes, win=True)
        return (holding, 0) if holding else (moves[0], -1)

    def results(self, moves: Sequence[Placement]) -> dict[Placement, int]:
        """The results of the safe moves, of as many as the limits allow."""
        if self._placed < KNOWN_DRAWS or not moves or moves[0].stone is None:
            return dict.fromkeys(moves, 0)
        results: dict[Placement, int] = {}
        classes = self._classes(moves)
        try:
            for same, result in zip(classes, self._each(self._result, classes), strict=True):
                results |= dict.fromkeys(same, result)
        except Interrupted:
            pass
        return results

    def _classes(self, moves: Sequence[Placement]) -> list[list[Placement]]:
        """The moves, those together that lead to the same but for symmetry."""
        classes: dict[int, list[Placement]] = {}
        for move in moves:
            child = self._after(move)
            key = int(canonical_key(child[LANES], child[TAKEN], child[HAND]))
            classes.setdefault(key, []).append(move)
        return list(classes.values())

    def _after(self, move: Placement) -> Words:
        child = np.zeros_like(self.position)
        play(self.position, np.uint64(move.square), np.uint64(move.stone or 0), child)
        return child

    def _result(self, same: Sequence[Placement]) -> int:
        if self._opponent_can(same, win=True):
            return -1
        return 0 if self._opponent_can(same, win=False) else 1

    def _refuting(self, classes: Sequence[Sequence[Placement]], *, win: bool) -> Placement | None:
        """The first move after which the opponent cannot win, or not even hold the draw."""
        can = partial(self._opponent_can, win=win)
        for same, possible in zip(classes, self._each(can, classes), strict=True):
            if not possible:
                return same[0]
        return None

    def _opponent_can(self, same: Sequence[Placement], *, win: bool) -> bool:
        """Whether after one of these moves the opponent can win, or at least hold the draw."""
        nodes = np.zeros(1, np.int64)
        stop, left = self._account.stop.flag, self._account.nodes_left
        answer = decide(self._after(same[0]), win, self._table, nodes, left, stop)
        self._account.spend(int(nodes[0]))
        if answer == UNDECIDED:
            raise Interrupted
        return answer == YES

    def _each(
        self, question: Callable[[Sequence[Placement]], T], classes: Sequence[Sequence[Placement]]
    ) -> Iterator[T]:
        """The answers in order, found by as many threads as the limits name.

        They share the table. A limit of nodes is kept by one thread: it must always mean the same.
        """
        limits = self._account.limits
        if limits.threads == 1 or limits.nodes is not None:
            yield from map(question, classes)
            return
        with ThreadPoolExecutor(limits.threads) as pool:
            try:
                yield from pool.map(question, classes)
            finally:
                pool.shutdown(cancel_futures=True)
