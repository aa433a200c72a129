"""The engine: iterative deepening over whole turns, exact answers from the solved sectors.

With all sectors of the game it plays perfectly: it keeps every draw, and wins what is won before
the count is full. Of turns that draw it takes those after which most of the answers lose.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import numpy as np

from spielwerk.engines.interface import Engine, Level, Limits, Result, Score, Stop
from spielwerk.games.morris.engine.board import (
    MOST_TURNS,
    MorrisPosition,
    Turn,
    count_decisions,
    decisions_of,
    first_decisions,
)
from spielwerk.games.morris.engine.evaluation import WEIGHTS
from spielwerk.games.morris.engine.kernel import DEEPEST, INFINITE, PROVEN, WIN
from spielwerk.games.morris.engine.memory import SearchMemory
from spielwerk.games.morris.rules import Decision

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.games.interface import Game, State

LONGEST_LINE: Final = 60  # turns of a variation


class RatedTurn(NamedTuple):
    """A turn and what is known of it."""

    turn: Turn
    score: int
    exact: bool
    depth: int


class MorrisRoot:
    """One search in one position."""

    def __init__(
        self, position: MorrisPosition, thinking: SearchMemory, limits: Limits, stop: Stop
    ) -> None:
        self._position = position
        self._thinking = thinking
        self._limits = limits
        self._stop = stop
        thinking.begin(position, forget=limits.time is None)
        self._turns = position.turns()
        random.Random(limits.seed).shuffle(self._turns)
        self._known = thinking.known_scores(position, self._turns)

    def best(self) -> RatedTurn:
        """The best turn: as the sectors say, or as far as the limits allow."""
        if len(self._known) < len(self._turns):
            return self._best_of(self._turns)
        score = max(self._known.values())
        best = [turn for turn in self._turns if self._known[turn] == score]
        if score or len(best) == 1:
            return RatedTurn(best[0], score, exact=True, depth=1)
        # All of these draw against a perfect opponent; of the most difficult for others, let the
        # evaluation choose.
        self._thinking.use_sectors(use=False)
        found = self._best_of(self._most_tempting(best))
        self._thinking.use_sectors(use=True)
        return found._replace(score=0, exact=True)

    def _most_tempting(self, turns: list[Turn]) -> list[Turn]:
        """Those of the turns after which the greatest share of the answers loses."""
        shares = {turn: self._losing_share(self._position.after(turn)) for turn in turns}
        return [turn for turn in turns if shares[turn] == max(shares.values())]

    def _losing_share(self, position: MorrisPosition) -> float:
        """How many of the turns are known to lose."""
        turns = [] if position.is_drawn else position.turns()
        known = self._thinking.known_scores(position, turns).values()
        return sum(score < 0 for score in known) / max(1, len(turns))

    def _best_of(self, turns: list[Turn]) -> RatedTurn:
        order = list(turns)
        found = RatedTurn(order[0], -INFINITE, exact=False, depth=0)
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

    def _best_at(self, depth: int, order: list[Turn], before: RatedTurn) -> RatedTurn:
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
                return RatedTurn(best, alpha, alpha > PROVEN, depth)
            if score > alpha or best is None:
                best, alpha = turn, score
        assert best is not None  # noqa: S101  (a state in which a player decides has turns)
        return RatedTurn(best, alpha, abs(alpha) > PROVEN, depth)

    def each(self) -> dict[Decision, RatedTurn]:
        """What each decision is worth, the best first."""
        beginnings: dict[Decision, list[Turn]] = {}
        for turn in self._turns:
            for decision in first_decisions(turn):
                beginnings.setdefault(decision, []).append(turn)
        found: dict[Decision, RatedTurn] = {}
        for depth in self._depths():
            for decision, turns in beginnings.items():
                old = found.get(decision)
                if old is None or not old.exact:
                    new = self._value_of(turns, depth)
                    found[decision] = new or found[decision]
        return dict(sorted(found.items(), key=lambda item: -item[1].score))

    def _value_of(self, turns: list[Turn], depth: int) -> RatedTurn | None:
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
        return RatedTurn(best, alpha, known or abs(alpha) > PROVEN, depth)

    def line(self, found: RatedTurn) -> list[Turn]:
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

    def _expected(self, position: MorrisPosition) -> Turn | None:
        turns = position.turns()
        known = self._thinking.known_scores(position, turns)
        if turns and len(known) == len(turns):
            best = max(known, key=lambda turn: known[turn])
            return best if known[best] else None
        return self._thinking.expected_turn(position)


UNIT: Final = 100  # the kernels' scores are hundredths


class MorrisEngine(Engine[Decision]):
    """Alpha-beta with the solved sectors that the package or the user's folder holds.

    A turn with its captures is one ply of the depth. `threads` is accepted and ignored. The first
    ply is always looked at, however small the limits are.
    """

    game: ClassVar = "morris"
    unit: ClassVar = "stones"
    clear_advantage: ClassVar = 4.6
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
        *,
        sectors: bool = True,
    ) -> None:
        self._thinking = SearchMemory(table_bits, folder, weights, sectors=sectors)

    @classmethod
    def plain(cls) -> MorrisEngine:
        """Without the solved sectors."""
        return cls(sectors=False)

    def warm_up(self) -> None:
        """Compile or load the kernels, and load the solved sectors."""
        start = MorrisPosition(0, 0, 9, 9, 0)
        self._thinking.begin(start, forget=False)
        self._thinking.score(start, start.turns()[0], 1)
        self._thinking.solved_value(MorrisPosition(0b111, 0b111000, 0, 0, 0))
        self._thinking.expected_turn(start)

    def find_best(self, state: State[Decision], limits: Limits, stop: Stop) -> Result[Decision]:
        """The best move within the limits; from the solved sectors if they hold the position.

        In a solved draw the search chooses among the turns that hold it.
        """
        position = MorrisPosition.of(state)
        root = MorrisRoot(position, self._thinking, limits, stop)
        found = root.best()
        line = root.line(found)
        decisions = tuple(decision for turn in line for decision in decisions_of(turn))
        score = _score(found, position, line)
        return Result(decisions[0], score, found.depth, self._thinking.nodes, decisions)

    def judge_moves(
        self, state: State[Decision], limits: Limits, stop: Stop
    ) -> dict[Decision, Score]:
        """The score of every legal move, the best first."""
        position = MorrisPosition.of(state)
        root = MorrisRoot(position, self._thinking, limits, stop)
        scores = {}
        for decision, found in root.each().items():
            seen_end = abs(found.score) > WIN - DEEPEST  # else the line is not worth its time
            line = root.line(found) if seen_end else [found.turn]
            scores[decision] = _score(found, position, line)
        return scores

    def perft(self, state: State[Decision], depth: int) -> int:
        """Count sequences of single decisions with the kernel's turns."""
        if depth == 0 or state.outcome:
            return int(depth == 0)
        position = MorrisPosition.of(state)
        counts = position.pending, position.quiet, depth
        space = np.empty((depth + 1) * MOST_TURNS, np.int64)
        return int(count_decisions(*position[:4], *counts, space, 0))


def _score(found: RatedTurn, position: MorrisPosition, line: list[Turn]) -> Score:
    value = found.score / UNIT
    if not found.exact:
        return Score(value)
    result = (value > 0) - (value < 0)
    for turn in line:
        position = position.after(turn)
    ends = result and position.is_over
    plies = sum(len(decisions_of(turn)) for turn in line) if ends else None
    return Score(value, exact=True, result=result, plies=plies)


def engine_for(_game: Game[Any]) -> type[MorrisEngine]:
    """The one engine, whatever the options."""
    return MorrisEngine
