"""What every engine is: given a state and limits, a move and what it is worth.

Engines are written to be fast; the rules stay the referee. A search can be stopped at any moment
from another thread and then returns the best it has found.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Final, Generic

import numpy as np

from spielwerk.errors import SpielwerkError
from spielwerk.games.interface import NOBODY, MoveT, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from spielwerk.games.interface import Game


class EngineError(SpielwerkError, ValueError):
    """An engine was asked for something that has no answer."""


LARGEST: Final = {"time": 10**7, "depth": 10**6, "nodes": 10**18, "threads": 1024}


SURE: Final = 4.0  # clear advantages: a chance of 98.8 %, and no estimate is surer


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an engine may think; without any limit it thinks until it knows or is stopped.

    >>> Limits(time=0.5, depth=6)
    Limits(time=0.5, depth=6, nodes=None, threads=1, seed=None)
    """

    time: float | None = None  # seconds
    depth: int | None = None  # decisions or whole turns looked ahead, as the engine counts
    nodes: int | None = None  # positions visited
    threads: int = 1  # that search together
    seed: int | None = None  # decides between equal moves; None: differently every time

    def __post_init__(self) -> None:
        for name, most in LARGEST.items():
            value = getattr(self, name)
            if value is not None and not 0 < value <= most:
                problem = f"a limit must be greater than zero, at most {most}"
                raise EngineError(f"{name}={value}: {problem}")


class Stop:
    """A flag that ends a search; kernels look at `flag[0]` every few hundred nodes.

    Once set it stays set, also when it was time that set it: make a new one for each search.
    """

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)

    def set(self) -> None:
        """End the search as soon as it looks."""
        self.flag[0] = 1

    @contextmanager
    def after(self, seconds: float | None) -> Iterator[None]:
        """Within the block, set the flag once the time is over."""
        timer = None if seconds is None else threading.Timer(seconds, self.set)
        if timer:
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            if timer:
                timer.cancel()


@dataclass(frozen=True, slots=True)
class Score:
    """What a position is worth for the player who decides there.

    `value` is in the engine's own unit, greater is better. `exact` says that it is proven. `result`
    is 1, 0 or -1 where win, draw or loss is proven; `plies` the decisions until then, if known.
    """

    value: float
    exact: bool = False
    result: int | None = None
    plies: int | None = None

    def __str__(self) -> str:
        if self.result is None:
            return f"{self.value:+.6g}" if self.exact else f"~{self.value:+.3g}"
        word = ("draw", "win", "loss")[self.result]
        return word if self.plies is None or not self.result else f"{word} in {self.plies}"


@dataclass(frozen=True, slots=True)
class Result(Generic[MoveT]):
    """The move an engine would play, and how it came to that."""

    move: MoveT
    score: Score
    depth: int
    nodes: int
    variation: tuple[MoveT, ...]  # the line it expects, the move first
    time: float = 0.0  # seconds


@dataclass(frozen=True, slots=True)
class Level:
    """A strength for people: limits, and how loosely it chooses among the moves.

    With `blur` 0 the best move is played; else a move is drawn with probability proportional to
    exp(-loss / blur), the loss in the engine's unit.
    """

    limits: Limits
    blur: float = 0.0


class Engine(ABC, Generic[MoveT]):
    """A player for one game. One search at a time; make one engine for each thread.

    The first search of a new installation compiles the engine, which takes some seconds.

    >>> race = find_game("dice")()
    >>> engine = find_engine(race)()
    >>> found = engine.search(race.start(), Limits(time=1))
    >>> race.format_move(found.move), found.score.exact
    ('ROLL', True)
    >>> [race.format_move(move) for move in engine.analyse(race.start())]
    ['ROLL', 'SAVE']
    """

    game: ClassVar[str]  # the name of its game
    unit: ClassVar[str]  # what a score's value counts
    clear_advantage: ClassVar[float] = 1.0  # so much of it wins three games of four
    review_nodes: ClassVar[int] = 500_000  # that a review visits for a position, at first
    levels: ClassVar[tuple[Level, ...]]  # ten of them, from beatable to full strength
    usual: ClassVar[Limits | None] = None  # if nothing is said; else those of the last level
    options: ClassVar[Mapping[str, range]] = {}  # what people may pass to the constructor

    def require(self, game: Game[MoveT], level: Level) -> None:  # noqa: ARG002
        """Raise EngineError if tables are missing that this level needs in the game."""
        return

    @classmethod
    def plain(cls) -> Engine[MoveT]:
        """An engine without tables, which knows only what it sees when it looks ahead."""
        return cls()

    @abstractmethod
    def warm_up(self) -> None:
        """Compile or load every kernel a search needs."""

    def search(
        self, state: State[MoveT], limits: Limits | None = None, stop: Stop | None = None
    ) -> Result[MoveT]:
        """The best move within the limits; equal moves are chosen by the seed."""
        began = perf_counter()
        limits, stop = limits or Limits(), stop or Stop()
        self._require_decision(state)
        with stop.after(limits.time):
            found = self.find_best(state, limits, stop)
        return replace(found, time=perf_counter() - began)

    def analyse(
        self, state: State[MoveT], limits: Limits | None = None, stop: Stop | None = None
    ) -> dict[MoveT, Score]:
        """The score of every legal move for the player who makes it, the best first.

        Of moves that cannot make a difference one may stand for all; `remarks` then says so.
        """
        limits, stop = limits or Limits(), stop or Stop()
        self._require_decision(state)
        with stop.after(limits.time):
            return self.judge_moves(state, limits, stop)

    @abstractmethod
    def find_best(self, state: State[MoveT], limits: Limits, stop: Stop) -> Result[MoveT]:
        """What `search` answers; the flag is set when the time is over."""

    @abstractmethod
    def judge_moves(self, state: State[MoveT], limits: Limits, stop: Stop) -> dict[MoveT, Score]:
        """What `analyse` answers; the flag is set when the time is over."""

    def chance(self, score: Score) -> float:
        """The chance to win, a draw being half a win; what is not proven is never certain."""
        if score.result is not None:
            return (1 + score.result) / 2
        logit = max(-SURE, min(SURE, score.value / self.clear_advantage))
        return 1 / (1 + 3**-logit)

    def remarks(self, state: State[MoveT]) -> list[str]:  # noqa: ARG002
        """What else is worth telling people about the state, a line each."""
        return []

    @abstractmethod
    def perft(self, state: State[MoveT], depth: int) -> int:
        """Count decision sequences with the kernel's move generator, or raise ChanceError."""

    def _require_decision(self, state: State[MoveT]) -> None:
        """Raise EngineError unless a player has to decide in this state, which is of our game."""
        if state.game.name != self.game:
            raise EngineError(f"this engine plays {self.game}, not {state.game.name}")
        if state.turn == NOBODY:
            raise EngineError(f"the game is over, there is nothing to decide: {state}")
        if state.turn < 0:
            raise EngineError(f"chance decides here, not a player: {state}")


def best_first(scores: Iterable[tuple[MoveT, Score]]) -> dict[MoveT, Score]:
    """The moves in order; of those that win the quickest first, of those that lose the slowest."""

    def rank(item: tuple[MoveT, Score]) -> tuple[float, int]:
        plies = item[1].plies or 0
        return item[1].value, -plies if item[1].result == 1 else plies

    return dict(sorted(scores, key=rank, reverse=True))
