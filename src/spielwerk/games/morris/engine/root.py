"""The root of a search: which turns to look at, how deep, and which of them is best."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.games.morris.engine.exact import turn_scores
from spielwerk.games.morris.engine.kernel import DEEPEST, INFINITE, PROVEN, WIN
from spielwerk.games.morris.engine.position import Position, Turn, first_decisions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.engines.interface import Limits, Stop
    from spielwerk.games.morris.engine.thinking import Thinking
    from spielwerk.games.morris.rules import Decision

LONGEST_LINE: Final = 60  # turns of a variation


class Found(NamedTuple):
    """A turn and what is known of it."""

    turn: Turn
    score: int
    exact: bool
    depth: int


class Root:
    """One search in one position."""

    def __init__(self, position: Position, thinking: Thinking, limits: Limits, stop: Stop) -> None:
        self._position = position
        self._thinking = thinking
        self._limits = limits
        self._stop = stop
        thinking.begin(position, forget=limits.time is None)
        self._turns = position.turns()
        random.Random(limits.seed).shuffle(self._turns)
        self._known = turn_scores(position, self._turns, thinking)

    def best(self) -> Found:
        """The best turn: as the sectors say, or as far as the limits allow."""
        if len(self._known) < len(self._turns):
            return self._best_of(self._turns)
        score = max(self._known.values())
        best = [turn for turn in self._turns if self._known[turn] == score]
        if score or len(best) == 1:
            return Found(best[0], score, exact=True, depth=1)
        # All of these draw against a perfect opponent: let the evaluation choose among them.
        self._thinking.use_sectors(use=False)
        found = self._best_of(best)
        self._thinking.use_sectors(use=True)
        return found._replace(score=0, exact=True)

    def _best_of(self, turns: list[Turn]) -> Found:
        order = list(turns)
        found = Found(order[0], -INFINITE, exact=False, depth=0)
        for depth in self._depths():
            found = self._best_at(depth, order, found)
            order.remove(found.turn)
            order.insert(0, found.turn)
            if found.exact or (len(order) == 1 and self._limits.time):
                break
        return found

    def _depths(self) -> Iterator[int]:
        """One depth after the other; the first one is always looked at, the limits come after."""
        yield 1
        self._thinking.limit(self._limits, self._stop)
        for depth in range(2, min(self._limits.depth or DEEPEST, DEEPEST) + 1):
            if not self._thinking.is_stopped:
                yield depth

    def _best_at(self, depth: int, order: list[Turn], before: Found) -> Found:
        """The best turn at this depth, or what can be said of it if the search was stopped."""
        best, alpha = None, -INFINITE
        for number, turn in enumerate(order):
            score = self._thinking.score(
                self._position, turn, depth, alpha, alpha + 1 if best is not None else INFINITE
            )
            if score > alpha and best is not None and not self._thinking.is_stopped:
                score = self._thinking.score(self._position, turn, depth, alpha)
            if self._thinking.is_stopped:
                if best is None:
                    return before
                if alpha < -PROVEN:  # all that was looked at loses, so try what was not
                    return before._replace(turn=order[number])
                return Found(best, alpha, alpha > PROVEN, depth)
            if score > alpha or best is None:
                best, alpha = turn, score
        assert best is not None  # noqa: S101  (a state in which somebody decides has turns)
        return Found(best, alpha, abs(alpha) > PROVEN, depth)

    def each(self) -> dict[Decision, Found]:
        """What each decision is worth, the best first."""
        beginnings: dict[Decision, list[Turn]] = {}
        for turn in self._turns:
            for decision in first_decisions(turn):
                beginnings.setdefault(decision, []).append(turn)
        found: dict[Decision, Found] = {}
        for depth in self._depths():
            for decision, turns in beginnings.items():
                old = found.get(decision)
                if old is None or not old.exact:
                    new = self._value_of(turns, depth)
                    found[decision] = new or found[decision]
        return dict(sorted(found.items(), key=lambda item: -item[1].score))

    def _value_of(self, turns: list[Turn], depth: int) -> Found | None:
        """The best of the turns that one decision begins; None if the search was stopped."""
        best, alpha = turns[0], -INFINITE
        for turn in turns:
            score = self._known.get(turn)
            if score is None:
                score = self._thinking.score(self._position, turn, depth, alpha)
            if self._thinking.is_stopped:
                return None
            if score > alpha:
                best, alpha = turn, score
        known = all(turn in self._known for turn in turns)
        return Found(best, alpha, known or abs(alpha) > PROVEN, depth)

    def line(self, found: Found) -> list[Turn]:
        """The turns that are expected from here on, the found one first."""
        turns = [found.turn]
        position = self._position.after(found.turn)
        while len(turns) < LONGEST_LINE and not position.is_over:
            turn = self._expected(position)
            if turn is None:
                break
            turns.append(turn)
            position = position.after(turn)
        return turns

    def ending(self, found: Found) -> list[Turn]:
        """The same where the search has seen the end; else only the turn, which is quicker."""
        return self.line(found) if abs(found.score) > WIN - DEEPEST else [found.turn]

    def _expected(self, position: Position) -> Turn | None:
        turns = position.turns()
        known = turn_scores(position, turns, self._thinking)
        if turns and len(known) == len(turns):
            best = max(known, key=lambda turn: known[turn])
            return best if known[best] else None
        return self._thinking.expected_turn(position)
