"""The Oware player: one depth after the other, until it is decided or the limits are met."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, cast

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
from spielwerk.games.oware.engine.endgames import SURE_WIN, own_folder, solved_codes
from spielwerk.games.oware.engine.evaluation import (
    MOVER_LOSES,
    MOVER_WINS,
    STRATEGIES,
    TUNED_WEIGHTS,
)
from spielwerk.games.oware.engine.kernel import WIN, path_of, perft
from spielwerk.games.oware.engine.proof import proven_result
from spielwerk.games.oware.engine.search import (
    ENTRY,
    HALTED,
    IN_TABLES,
    MAX_DEPTH,
    NODE_LIMIT,
    NODES,
    Work,
    new_work,
    score_moves,
    sown_houses,
)
from spielwerk.games.oware.rules import STANDARD, STONES, Oware, format_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.games.interface import Game, State
    from spielwerk.games.oware.rules import OwareState


NEAR: Final = 8
"""So many moves ahead an end is looked for where the result is known anyway."""

WARM_UP: Final = (format_board(STANDARD), "20 20 1 1 1 1 0 0 1 1 1 1 0 0 moves 00")
"""Positions with which every kernel is needed."""

NO_TABLES: Final = np.zeros(0, np.uint8)


class HouseScore(NamedTuple):
    """A score as the kernel gives it, the depth at which it was found, and whether it is proven."""

    score: int
    depth: int
    proven: bool
    plies: int | None = None  # to the end of the game, if it was seen


@dataclass(frozen=True, slots=True)
class BestHouses:
    """The verdict on a position, and its equal best moves, each with the line expected from it."""

    verdict: HouseScore
    lines: tuple[tuple[int, ...], ...]


class OwareRoot:
    """A position being searched with one judgement."""

    def __init__(self, work: Work, state: OwareState, judgement: int, limits: Limits) -> None:
        self.work = work
        self.sown = sown_houses(state)
        self.houses = state.legal_moves()
        self.judgement = judgement
        self.last_depth = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        self.fixed = limits.depth is not None
        if limits.nodes is not None:
            work.control[NODE_LIMIT] = limits.nodes
        self.known = self._known_results(state)

    def _known_results(self, state: OwareState) -> dict[int, int]:
        """The moves whose result the endgame tables tell, with all that is remembered.

        To find out takes half of the nodes at most.
        """
        known: dict[int, int] = {}
        if STONES - sum(state.board[:2]) > self.work.control[IN_TABLES]:
            return known
        room = int(self.work.control[NODE_LIMIT]) // 2 // len(self.houses)
        for house in self.houses:
            result = _result_of(state.play(house), self.work, room)
            if result is not None:
                known[house] = -result
        return known

    @property
    def nodes(self) -> int:
        """The positions visited so far."""
        return int(self.work.control[NODES])

    def best(self) -> BestHouses:
        """The best moves as far as the limits allow to look; depth 1 is never halted.

        A win is found at the least depth. In a lost position all moves are equal, and those are
        returned that looked best before the loss came into sight. Of moves whose equal result is
        known from the endgame tables, those are that look best without them.
        """
        best = max(self.known.values(), default=-1)
        if best < 1 and len(self.known) < len(self.houses):
            return self._found([house for house in self.houses if self.known.get(house) != -1])
        self.work.control[IN_TABLES] = -1
        self.last_depth = min(self.last_depth, NEAR)
        found = self._found([house for house in self.houses if self.known.get(house) == best])
        seen = found.verdict.score == best * WIN
        known = HouseScore(best * SURE_WIN, found.verdict.depth, proven=True)
        return found if seen else BestHouses(known, found.lines)

    def _found(self, houses: Sequence[int]) -> BestHouses:
        iterations = self._iterations(houses)
        found = next(iterations)
        for deeper in iterations:
            lost = deeper.verdict.score <= -SURE_WIN
            found = BestHouses(deeper.verdict, found.lines if lost else deeper.lines)
        return found

    def every(self) -> dict[int, HouseScore]:
        """The verdict on each move, to the same depth or to where it is decided."""
        verdicts: dict[int, HouseScore] = {}
        open_moves = list(self.houses)
        for depth in range(1, self.last_depth + 1):
            scores = self._scores(self.judgement, depth, open_moves, every=True)
            if scores is None:
                break
            draws = self._draws(depth, open_moves, scores, every=True)
            for house, score in scores.items():
                verdicts[house] = self._verdict(score, depth, house in draws)
            closed = self.known if depth >= NEAR else ()
            open_moves = [
                house
                for house in ranked(scores)
                if not verdicts[house].proven and house not in closed
            ]
            if not open_moves:
                break
        for house, result in self.known.items():
            if not verdicts[house].proven:
                verdicts[house] = HouseScore(result * SURE_WIN, verdicts[house].depth, proven=True)
        return verdicts

    def _verdict(self, score: int, depth: int, drawn: bool) -> HouseScore:
        plies = depth if abs(score) == WIN else None
        return HouseScore(score, depth, abs(score) >= SURE_WIN or drawn, plies)

    def _iterations(self, houses: Sequence[int]) -> Iterator[BestHouses]:
        """What is found at each depth, until it is proven or the search is halted."""
        for depth in range(1, self.last_depth + 1):
            scores = self._scores(self.judgement, depth, houses)
            if scores is None:
                return
            best = max(scores.values())
            lines = self._lines(house for house in scores if scores[house] == best)
            draws = self._draws(depth, houses, scores)
            verdict = self._verdict(best, depth, bool(draws))
            yield BestHouses(verdict, self._lines(draws) if draws else lines)
            if verdict.proven:
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


def _result_of(state: OwareState, work: Work, room: int) -> int | None:
    """1, 0 or -1 for the player whose turn it is or would be; None if that is not known."""
    if state.outcome:
        winner = state.outcome.winner
        return 0 if winner is None else 1 if winner == state.player else -1
    return proven_result(state, work.codes, room, work.control[NODES:], work.stop)


def ranked(scores: dict[int, int]) -> list[int]:
    """The moves, the greatest score first."""
    return sorted(scores, key=scores.__getitem__, reverse=True)


class OwareEngine(Engine[int]):
    """Alpha-beta for Oware with one of the strategies; a search uses one thread.

    With a limit of depth every line is followed exactly so far and no further. Values go from -1,
    lost, to 1, won. `table_bits` sets the size of the table: 32 bytes times two to that power.
    A strategy that is named uses no endgame tables, for the task forbids them; without a name it is
    the strongest one with the tables of the folder and of the package.
    """

    game: ClassVar = Oware.name
    unit: ClassVar = "expected result, from -1 to 1"
    clear_advantage: ClassVar = 0.41
    usual: ClassVar = Limits(depth=5)  # Oware task, section 3.2
    options: ClassVar = {"strategy": range(len(STRATEGIES))}
    levels: ClassVar = (
        Level(Limits(depth=1), blur=0.5),
        Level(Limits(depth=1), blur=0.2),
        Level(Limits(depth=2), blur=0.15),
        Level(Limits(depth=3), blur=0.1),
        Level(Limits(depth=4), blur=0.05),
        Level(Limits(depth=5), blur=0.02),
        Level(Limits(depth=6)),
        Level(Limits(depth=8)),
        Level(Limits(depth=11)),
        Level(Limits(time=1.0)),
    )

    def __init__(
        self,
        strategy: int | None = None,
        *,
        table_bits: int = 20,
        weights: NDArray[np.int64] = TUNED_WEIGHTS,
        folder: Path | None = None,
    ) -> None:
        self.strategy = STRATEGIES[strategy or 0]
        self._folder = (folder or own_folder()) if strategy is None else None
        self._weights = weights
        self._table_size = 1 << table_bits
        self._table: NDArray[np.uint64] | None = None

    @classmethod
    def plain(cls) -> OwareEngine:
        """The usual strategy by its name, which forbids it the tables."""
        return cls(strategy=0)

    def warm_up(self) -> None:
        """Compile or load the kernels."""
        for text in WARM_UP:
            self.search(Oware().parse_state(text), Limits(depth=2))

    def find_best(self, state: State[int], limits: Limits, stop: Stop) -> Result[int]:
        """The best move within the limits; equal moves are chosen by the seed."""
        root = self._root(state, limits, stop)
        found = root.best()
        line = random.Random(limits.seed).choice(found.lines)
        score = self._score(found.verdict)
        return Result(line[0], score, found.verdict.depth, root.nodes, line)

    def judge_moves(self, state: State[int], limits: Limits, stop: Stop) -> dict[int, Score]:
        """The score of every move, to the depth if that is limited, or to where it is decided."""
        verdicts = self._root(state, limits, stop).every()
        scores = {house: self._score(verdict) for house, verdict in verdicts.items()}
        return best_first(scores.items())

    def perft(self, state: State[int], depth: int) -> int:
        """Count move sequences, ended by repetition, too."""
        position = cast("OwareState", state)
        return int(perft(path_of(position, depth), 0, len(position.seen), depth))

    def _root(self, state: State[int], limits: Limits, stop: Stop) -> OwareRoot:
        position = cast("OwareState", state)
        if self._table is None:
            self._table = np.full((self._table_size, ENTRY), 0, np.uint64)
        elif limits.nodes is not None:
            # What the table knows changes no value, but with it more fits into the same nodes.
            self._table.fill(0)
        codes = solved_codes(self._folder) if self._folder else NO_TABLES
        work = new_work(position, self._weights, self._table, codes, stop.flag)
        return OwareRoot(work, position, self.strategy.judgement, limits)

    def _score(self, verdict: HouseScore) -> Score:
        value = self.strategy.value(verdict.score)
        if not verdict.proven:
            return Score(value)
        return Score(value, exact=True, result=int(value), plies=verdict.plies)


def engine_for(_game: Game[Any]) -> type[OwareEngine]:
    """The one engine, whatever the options."""
    return OwareEngine
