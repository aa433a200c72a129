"""Players by name: what is written after `--against`, in a match or at a table.

random                      moves at random
level=7                     the game's engine at that level for people, 1 to 10
time=0.5,threads=2          the engine with these limits: time, depth, nodes, threads
strategy=1,depth=5          the same with options of the engine itself
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import find_engine
from spielwerk.engines.interface import EngineError, Level, Limits
from spielwerk.errors import NotationError
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from random import Random

    from spielwerk.engines.interface import Engine, Score
    from spielwerk.games import Game, State

FULL_STRENGTH: Final = 10

_LIMITS: Final = {"time": float, "depth": int, "nodes": int, "threads": int}


class Player(ABC):
    """Somebody who decides."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def choose(self, state: State[Any], rng: Random) -> Any:  # noqa: ANN401
        """The player's move; all chance in it comes from the generator."""


class RandomPlayer(Player):
    """A player to whom all legal moves are alike."""

    def choose(self, state: State[Any], rng: Random) -> Any:  # noqa: ANN401
        """Any legal move."""
        return random_move(state, rng)


class EnginePlayer(Player):
    """An engine at a level."""

    def __init__(self, name: str, engine: Engine[Any], level: Level) -> None:
        super().__init__(name)
        self.engine = engine
        self.level = level

    def choose(self, state: State[Any], rng: Random) -> Any:  # noqa: ANN401
        """The engine's best move, or at the lower levels one that is not much worse."""
        limits = self.level.limits
        seeded = Limits(
            limits.time, limits.depth, limits.nodes, limits.threads, rng.getrandbits(32)
        )
        if not self.level.blur:
            return self.engine.search(state, seeded).move
        return blurred(self.engine.analyse(state, seeded), self.level.blur, rng)


def blurred(scores: dict[Any, Score], blur: float, rng: Random) -> Any:  # noqa: ANN401
    """Draw a move, the less likely the more it loses against the best."""
    best = max(score.value for score in scores.values())
    weights = [math.exp((score.value - best) / blur) for score in scores.values()]
    return rng.choices(list(scores), weights)[0]


def make_player(text: str, game: Game[Any]) -> Player:
    """The player that the text describes, for this game; or NotationError."""
    if text == "random":
        return RandomPlayer(text)
    values = _assignments(text)
    kind = find_engine(game)
    try:
        if "level" in values:
            level = _level(kind, text, values.pop("level"), values)
        else:
            chosen = {key: _LIMITS[key](values.pop(key)) for key in (*values,) if key in _LIMITS}
            level = Level(Limits(**chosen) if chosen else kind.levels[-1].limits)
        return EnginePlayer(text, kind(**{key: int(value) for key, value in values.items()}), level)
    except (TypeError, ValueError) as error:
        if isinstance(error, (NotationError, EngineError)):
            raise
        problem = "expected random, level=1..10, or limits like time=1 or depth=6"
        raise NotationError("player", text, problem) from None


def _assignments(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.removeprefix("engine:").split(",")]
    if not all(equals for _, equals, _ in pairs):
        problem = "expected random, level=1..10, or limits like time=1 or depth=6"
        raise NotationError("player", text, problem)
    return {key: value for key, _, value in pairs}


def _level(kind: type[Engine[Any]], text: str, value: str, others: dict[str, str]) -> Level:
    numbers = {str(number): level for number, level in enumerate(kind.levels, start=1)}
    if value not in numbers:
        raise NotationError("player", text, f"levels are 1 to {FULL_STRENGTH}")
    if any(key in _LIMITS for key in others):
        raise NotationError("player", text, "a level has its own limits; give one or the other")
    return numbers[value]
