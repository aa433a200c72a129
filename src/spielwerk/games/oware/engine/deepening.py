"""Searching a position to one depth after the other, until it is decided or the limits are met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spielwerk.games.oware.engine.evaluation import MOVER_LOSES, MOVER_WINS
from spielwerk.games.oware.engine.kernel import WIN
from spielwerk.games.oware.engine.search import (
    HALTED,
    MAX_DEPTH,
    NODE_LIMIT,
    NODES,
    Work,
    score_moves,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spielwerk.engines.interface import Limits


class Verdict(NamedTuple):
    """A score as the kernel gives it, the depth at which it was found, and whether it is proven."""

    score: int
    depth: int
    proven: bool


@dataclass(frozen=True, slots=True)
class Found:
    """The verdict on a position, and its equal best moves, each with the line expected from it."""

    verdict: Verdict
    lines: tuple[tuple[int, ...], ...]


class Root:
    """A position being searched with one judgement."""

    def __init__(
        self, work: Work, sown: int, houses: Sequence[int], judgement: int, limits: Limits
    ) -> None:
        self.work = work
        self.sown = sown
        self.houses = houses
        self.judgement = judgement
        self.last_depth = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        self.fixed = limits.depth is not None
        if limits.nodes is not None:
            work.control[NODE_LIMIT] = limits.nodes

    @property
    def nodes(self) -> int:
        """The positions visited so far."""
        return int(self.work.control[NODES])

    def best(self) -> Found:
        """The best moves as far as the limits allow to look; depth 1 is never halted.

        A win is found at the least depth. In a lost position all moves are equal, and those are
        returned that looked best before the loss came into sight.
        """
        iterations = self._iterations()
        found = next(iterations)
        for deeper in iterations:
            lost = deeper.verdict.score == -WIN
            found = Found(deeper.verdict, found.lines if lost else deeper.lines)
        return found

    def every(self) -> dict[int, Verdict]:
        """The verdict on each move, to the same depth or to where it is decided."""
        verdicts: dict[int, Verdict] = {}
        open_moves = list(self.houses)
        for depth in range(1, self.last_depth + 1):
            scores = self._scores(self.judgement, depth, open_moves, every=True)
            if scores is None:
                break
            draws = self._draws(depth, open_moves, scores, every=True)
            for house, score in scores.items():
                proven = abs(score) == WIN or house in draws
                verdicts[house] = Verdict(score, depth, proven)
            open_moves = [house for house in ranked(scores) if not verdicts[house].proven]
            if not open_moves:
                break
        return verdicts

    def _iterations(self) -> Iterator[Found]:
        """What is found at each depth, until it is proven or the search is halted."""
        houses = self.houses
        for depth in range(1, self.last_depth + 1):
            scores = self._scores(self.judgement, depth, houses)
            if scores is None:
                return
            best = max(scores.values())
            lines = self._lines(house for house in scores if scores[house] == best)
            draws = self._draws(depth, houses, scores)
            proven = abs(best) == WIN or bool(draws)
            yield Found(Verdict(best, depth, proven), self._lines(draws) if draws else lines)
            if proven:
                return
            houses = ranked(scores)

    def _scores(
        self, judgement: int, depth: int, houses: Sequence[int], *, every: bool = False
    ) -> dict[int, int] | None:
        """The score of each move, or None if halted; exact are the greatest, or every one."""
        found = np.zeros(len(houses), np.int64)
        order = np.array(houses, np.int64)
        score_moves(self.work, judgement, self.sown, depth, order, found, every)
        halted = self.work.control[HALTED]
        return None if halted else dict(zip(houses, found.tolist(), strict=True))

    def _draws(
        self, depth: int, houses: Sequence[int], scores: dict[int, int], *, every: bool = False
    ) -> set[int]:
        """The moves that draw for certain, asked when a score of 0 lets hope for it.

        They do if they score 0 with the games that are unfinished at the depth taken for lost, and
        likewise taken for won.
        """
        level = 0 in scores.values() if every else max(scores.values()) == 0
        if not level or (self.fixed and depth < self.last_depth):
            return set()
        lost, won = (MOVER_WINS, MOVER_LOSES) if depth % 2 else (MOVER_LOSES, MOVER_WINS)
        feared = self._scores(lost, depth, houses, every=every)
        if feared is None or 0 not in feared.values():
            return set()
        hoped = self._scores(won, depth, houses, every=every)
        if hoped is None or not (every or max(hoped.values()) == 0):
            return set()
        return {house for house in houses if feared[house] == 0 == hoped[house]}

    def _lines(self, houses: Iterator[int] | set[int]) -> tuple[tuple[int, ...], ...]:
        return tuple(self._line(house) for house in sorted(houses))

    def _line(self, house: int) -> tuple[int, ...]:
        replies = self.work.replies[house, 1:].tolist()
        return (house, *replies[: replies.index(-1)])


def ranked(scores: dict[int, int]) -> list[int]:
    """The moves, the greatest score first."""
    return sorted(scores, key=scores.__getitem__, reverse=True)
