"""A finished game's evaluation, position by position, and the moves that threw something away.

It is computed from the end: what an engine has found out about later positions helps it with the
earlier ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.interface import Limits, Score
from spielwerk.games import CHANCE
from spielwerk.games.dice.rules import DiceState
from spielwerk.tables.chances import RACES, chances
from spielwerk.tables.judging import later, race_options, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games import State
    from spielwerk.tables.judging import Engines, Interrupt

CLEARLY: Final = 0.35  # of the way from lost to even, given away, is a fault also by estimate
COSTLY: Final = 0.005  # chance to win, given away in dice


@dataclass(frozen=True, slots=True)
class Point:
    """What a position is worth to player 0, or everybody's chances."""

    value: float | tuple[float, ...]
    score: Score | None = None  # for player 0


@dataclass(frozen=True, slots=True)
class Fault:
    """A move that threw something away; scores are for the player who made it."""

    ply: int
    seat: int
    move: str
    better: str
    before: Score
    after: Score


class Curve:
    """The curve of one game, growing; `advance` is called in a worker's thread only."""

    def __init__(self, states: Sequence[State[Any]], moves: Sequence[Any]) -> None:
        self.points: list[Point | None] = [None] * len(states)
        self.faults: list[Fault] = []
        self._states = list(states)
        self._moves = list(moves)
        self._later: Score | None = None  # of the position after, for player 0

    @property
    def done(self) -> bool:
        """Whether every position has been looked at."""
        return not self._states

    def advance(self, engines: Engines, seconds: float, interrupt: Interrupt) -> None:
        """Look at one more position, unless interrupted."""
        state, ply = self._states[-1], len(self._states) - 1
        if isinstance(state, DiceState):
            self._race(state, ply)
        elif state.turn == CHANCE:  # a draw that opens the game: nothing to judge
            self.points[ply] = self.points[ply + 1] if ply + 1 < len(self.points) else None
        elif state.outcome:
            self._note(ply, _decided(state), "")
        else:
            engine = engines.of(state.game)
            found = engine.search(state, Limits(time=seconds, seed=0), interrupt.part())
            if interrupt.raised:
                return  # what it found is worth little: look again
            before = _seen_by(0, state.turn, self._at_least(state.turn, found.score, engine.unit))
            self._compare(state, ply, found.move, before, engine.unit)
            self._note(ply, before, engine.unit)
        self._states.pop()

    def give_up(self) -> None:
        """Leave it as it is: something went wrong."""
        self._states.clear()

    def _note(self, ply: int, score: Score, unit: str) -> None:
        self.points[ply] = Point(share(score, unit), score)
        self._later = score

    def _at_least(self, player: int, score: Score, unit: str) -> Score:
        """The score, or what the move that was played led to, if that is known to be better."""
        if score.exact or self._later is None:
            return score
        after = later(_seen_by(player, 0, self._later))
        return after if share(after, unit) > share(score, unit) else score

    def _compare(self, state: State[Any], ply: int, better: Any, before: Score, unit: str) -> None:
        """Whether the move played here was much worse than the best."""
        if ply >= len(self._moves) or self._later is None or better == self._moves[ply]:
            return
        own, after = (_seen_by(state.turn, 0, score) for score in (before, self._later))
        if _thrown_away(own, after, unit):
            self._blame(state, ply, better, own, after)

    def _blame(self, state: State[Any], ply: int, better: Any, own: Score, after: Score) -> None:
        write = state.game.format_move
        fault = Fault(ply, state.turn, write(self._moves[ply]), write(better), own, after)
        self.faults.insert(0, fault)

    def _race(self, state: DiceState, ply: int) -> None:
        RACES.read(state.game)
        known = chances(state)
        self.points[ply] = None if known is None else Point(tuple(known))
        if state.turn < 0 or known is None or ply >= len(self._moves):
            return
        options = race_options(state) or []
        played = [option for option in options if option[0] is self._moves[ply]]
        if played and options[0][1].value - played[0][1].value > COSTLY:
            self._blame(state, ply, options[0][0], options[0][1], played[0][1])


def _decided(state: State[Any]) -> Score:
    """What the end is worth to player 0."""
    winner = state.outcome.winner if state.outcome else None
    result = 0 if winner is None else 1 if winner == 0 else -1
    return Score(float(result), exact=True, result=result, plies=0)


def _seen_by(viewer: int, player: int, score: Score) -> Score:
    """One player's score as the viewer sees it."""
    if viewer == player:
        return score
    result = None if score.result is None else -score.result
    return Score(-score.value, score.exact, result, score.plies)


def _thrown_away(before: Score, after: Score, unit: str) -> bool:
    """Whether a proven result got worse, or the estimate clearly did."""
    if before.result is not None and after.result is not None:
        return after.result < before.result
    return share(before, unit) - share(after, unit) > CLEARLY
