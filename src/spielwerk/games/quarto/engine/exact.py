"""The exact search on the 4 x 4 board from its root: what the moves lead to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from spielwerk.games.quarto.engine.solver import (
    HAND,
    LANES,
    STOPPED,
    TAKEN,
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

    from spielwerk.games.quarto.engine.effort import Effort
    from spielwerk.games.quarto.engine.geometry import Words
    from spielwerk.games.quarto.rules import Placement, QuartoState

T = TypeVar("T")

KNOWN_DRAWS: Final = 2
"""All positions with at most so many stones on the board are draws; see benchmarks/quarto.py."""


class Interrupted(Exception):
    """The limits ran out before the question was answered."""


class ExactRoot:
    """A state of the 4 x 4 board in which the stone in hand does not win at once."""

    def __init__(self, state: QuartoState, table: Words, effort: Effort) -> None:
        self.position = position_of(state)
        self._placed = len(state.board) - state.board.count(None)
        self._table = table
        self._effort = effort

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
        stop, left = self._effort.stop.flag, self._effort.nodes_left
        answer = decide(self._after(same[0]), win, self._table, nodes, left, stop)
        self._effort.spend(int(nodes[0]))
        if answer == STOPPED:
            raise Interrupted
        return answer == YES

    def _each(
        self, question: Callable[[Sequence[Placement]], T], classes: Sequence[Sequence[Placement]]
    ) -> Iterator[T]:
        """The answers in order, found by as many threads as the limits name.

        They share the table. A limit of nodes is kept by one thread: it must always mean the same.
        """
        limits = self._effort.limits
        if limits.threads == 1 or limits.nodes is not None:
            yield from map(question, classes)
            return
        with ThreadPoolExecutor(limits.threads) as pool:
            try:
                yield from pool.map(question, classes)
            finally:
                pool.shutdown(cancel_futures=True)
