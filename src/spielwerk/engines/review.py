"""A finished game reviewed: the chances in every position, and the moves that gave them away.

All is told as chances to win, a draw being half a win. A review looks at one position after the
other, the last first, with so many nodes at each: the same effort finds the same on every machine.
Estimates may contradict each other, a review may not: a position is worth at least what the move
played in it kept, and at most what is proven.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from spielwerk.engines.interface import Limits
from spielwerk.engines.regret import JudgedDecision, Point, regrets, told
from spielwerk.games import CHANCE, find_kit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spielwerk.engines.analysis import Engines, Interrupt
    from spielwerk.engines.interface import Result
    from spielwerk.games import State

STEP: Final = 8  # times the nodes of the effort before
DEEPEST: Final = 2


class Look(NamedTuple):
    """What was found in one position, and the turn that keeps it."""

    point: Point
    better: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that gave something away."""

    ply: int
    seat: int
    move: str
    better: str
    grade: str
    loss: float
    exact: bool


class Review:
    """A game as far as it has been looked at; `advance` is called in one thread only."""

    grades: ClassVar[Mapping[str, float]] = {"??": 0.55, "?": 0.25, "?!": 0.10}
    """From which loss on a mistake is graded so: half a game is `?`, more of it is `??`."""

    def __init__(
        self, states: Sequence[State[Any]], moves: Sequence[Any], effort: int = 0, opening: int = 0
    ) -> None:
        self.effort = effort
        self.failed = False
        self.total = len(states)
        self.states = states
        self._moves = moves
        self._looks: list[Look | None] = [None] * self.total
        self._left = self.total
        # A drawn opening is no player's doing.
        self._movers = [CHANCE] * opening + [state.turn for state in states[opening:]]
        self._plies = range(opening, len(moves))

    @property
    def looked(self) -> int:
        """How many positions have been looked at."""
        return self.total - self._left

    @property
    def done(self) -> bool:
        """Whether all have been."""
        return not self._left

    def give_up(self) -> None:
        """Something went wrong: there is no more to come."""
        self.failed = True

    def advance(self, engines: Engines, interrupt: Interrupt) -> None:
        """Look at one more position; if that is interrupted, it will be looked at again."""
        ply = self._left - 1
        look = self.look(ply, engines, interrupt)
        if not interrupt.raised:
            self._looks[ply] = look
            self._left = ply

    def look(self, ply: int, engines: Engines, interrupt: Interrupt) -> Look | None:
        """What the engine finds there, once more with a doubt that only more nodes can settle."""
        state, later = self.states[ply], self._looks[ply + 1 :][:1]
        if state.turn == CHANCE:  # a draw that opens the game: nothing to judge
            return later[0] if later else None
        if state.outcome:
            return Look(_decided(state))
        look = self._searched(state, self.effort, engines, interrupt)
        if not later or later[0] is None or not self._drops(state.turn, look.point, later[0].point):
            return look
        if self._is_played(ply, look) and not look.point.exact:  # did the engine overlook it, too?
            look = self._searched(state, self.effort + 1, engines, interrupt)
            if self._is_played(ply, look) and not look.point.exact:
                look = Look(replace(later[0].point, exact=False), look.better)
        elif look.point.exact and not later[0].point.exact and not interrupt.raised:
            again = self._searched(self.states[ply + 1], self.effort + 1, engines, interrupt)
            self._looks[ply + 1] = self._looks[ply + 1] if interrupt.raised else again
        return look

    def _drops(self, mover: int, before: Point, after: Point) -> bool:
        return before.chances[mover] - after.chances[mover] >= min(self.grades.values())

    def _is_played(self, ply: int, look: Look) -> bool:
        played = self.states[ply].game.format_move(self._moves[ply])
        return look.better.split(";")[0] == played

    def _searched(
        self, state: State[Any], effort: int, engines: Engines, interrupt: Interrupt
    ) -> Look:
        engine = engines.of(state.game)
        limits = Limits(nodes=engine.review_nodes * STEP**effort, seed=0)
        found = engine.search(state, limits, interrupt.part())
        own, exact = engine.chance(found.score), found.score.result is not None
        chances = (own, 1 - own) if state.turn == 0 else (1 - own, own)
        return Look(Point(chances, exact, found.score.plies), _turn(state, found))

    # what is told

    def decisions(self) -> list[JudgedDecision]:
        """All decisions, those of chance too, whose positions before and after are known."""
        return [*_judged(self._points(), self._movers)]

    def told(self) -> dict[str, Any]:
        """All that was found, as it is kept and as programs get it."""
        points = self._points()
        decisions = [*_judged(points, self._movers)]
        mistakes = list(self._mistakes(decisions))
        return {
            "points": [point and asdict(point) for point in points],
            "mistakes": [asdict(mistake) for mistake in mistakes],
            "players": self._players(decisions, mistakes),
            "unexplained": unexplained(points, mistakes),
        }

    def _points(self) -> list[Point | None]:
        return consistent([look and look.point for look in self._looks], self._movers)

    def _mistakes(self, decisions: Sequence[JudgedDecision]) -> Iterator[Mistake]:
        for one in decisions:
            look, loss = self._looks[one.ply], one.loss if one.mover >= 0 else 0.0
            grade = next((name for name, least in self.grades.items() if loss >= least), "")
            if grade and look:
                move = self.states[one.ply].game.format_move(self._moves[one.ply])
                yield Mistake(one.ply, one.mover, move, look.better, grade, loss, one.exact)

    def _players(
        self, decisions: Sequence[JudgedDecision], mistakes: Sequence[Mistake]
    ) -> list[dict[str, Any]]:
        """What chance, the player's own decisions and those of others did to each one's chance."""
        cost = regrets(decisions, self._plies, min(self.grades.values()))
        players = []
        for seat in range(len(decisions[0].before.chances) if decisions else 0):
            change = {"luck": 0.0, "errors": 0.0, "gifts": 0.0}
            for one in decisions:
                came = one.after.chances[seat] - one.before.chances[seat]
                name = "luck" if one.mover < 0 else "errors" if one.mover == seat else "gifts"
                change[name] += -came if name == "errors" else came
            own = [mistake.grade for mistake in mistakes if mistake.seat == seat]
            counts = {one: own.count(one) for one in self.grades}
            players.append({**change, "mistakes": counts, **told(cost.get(seat, {}))})
        return players


def review_of(game: str) -> type[Review]:
    """How games of that name are reviewed: `REVIEW` in the game's `analysis.py`, or as usual."""
    kind: type[Review] = getattr(find_kit(game).part("analysis"), "REVIEW", Review)
    return kind


def consistent(points: Sequence[Point | None], movers: Sequence[int]) -> list[Point | None]:
    """The points without contradictions between a position and the one that was reached from it."""
    told = list(points)
    for ply in range(len(told) - 2, -1, -1):
        told[ply] = _at_least(told[ply], told[ply + 1], movers[ply])
    for ply in range(len(told) - 1):
        told[ply + 1] = _at_most(told[ply + 1], told[ply], movers[ply])
    return told


def _at_least(point: Point | None, after: Point | None, mover: int) -> Point | None:
    """The position is worth what the move that was played kept, if it seemed worth less."""
    if point is None or after is None or mover < 0:
        return point
    if after.chances[mover] <= point.chances[mover] or (point.exact and not after.exact):
        return point
    won = after.exact and (point.exact or after.chances[mover] == 1)
    return Point(after.chances, won, None if after.plies is None else after.plies + 1)


def _at_most(point: Point | None, before: Point | None, mover: int) -> Point | None:
    """No move keeps more than was proven before it."""
    if point is None or before is None or mover < 0 or point.exact or not before.exact:
        return point
    if point.chances[mover] <= before.chances[mover]:
        return point
    return Point(before.chances, exact=before.chances[mover] == 0)


def _judged(points: Sequence[Point | None], movers: Sequence[int]) -> Iterator[JudgedDecision]:
    """Each decision whose positions before and after are known."""
    for ply, (before, after) in enumerate(pairwise(points)):
        if before and after:
            yield JudgedDecision(ply, movers[ply], before, after)


def unexplained(points: Sequence[Point | None], mistakes: Sequence[Mistake]) -> int | None:
    """The player who lost a game that was not lost from the start, by no mistake that was found."""
    start, end = (points[0], points[-1]) if points else (None, None)
    if not (start and end and end.exact and len(end.chances) == 2) or 0 not in end.chances:
        return None
    loser = end.chances.index(0)
    lost = start.exact and start.chances[loser] == 0
    return None if lost or any(one.seat == loser for one in mistakes) else loser


def _decided(state: State[Any]) -> Point:
    winner = state.outcome.winner if state.outcome else None
    chances = (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))
    return Point(chances, exact=True, plies=0)


def _turn(state: State[Any], found: Result[Any]) -> str:
    """The whole turn that begins with the move found, as far as the engine says it."""
    written, mover = [], state.turn
    for move in found.variation or (found.move,):
        if state.turn != mover:
            break
        written.append(state.game.format_move(move))
        state = state.play(move)
    return ";".join(written)
