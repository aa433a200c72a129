"""Players by name: what is written after `--against`, in a match or at a table.

random                      moves at random
level=7                     the game's engine at that level for people, 1 to 10
time=0.5,threads=2          the engine with these limits: time, depth, nodes, threads
strategy=1,depth=5          the same with options of the engine itself

Players elsewhere, `remote:HOST:PORT`, are made by `spielwerk.clients`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import NoEngine, find_engine
from spielwerk.engines.interface import LARGEST, Level, Limits
from spielwerk.errors import NotationError, SpielwerkError, quote
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.engines.interface import Engine, Score, Stop
    from spielwerk.games import Game, State
    from spielwerk.games.record import Record

    Making = Callable[[str, Game[Any]], "Player"]  # what makes a player from a text

_LIMITS: Final[dict[str, type[int | float]]] = {
    "time": float,
    "depth": int,
    "nodes": int,
    "threads": int,
}

SHORTEST: Final = 0.001
"""The least time, in seconds, that an engine is given when hardly any is left."""

RANDOM: Final = "random"
"""The player who needs no engine."""

REMOTE: Final = "remote:"
"""How the description of a player elsewhere begins."""


class Fault(StrEnum):
    """What a player has done who gave no move, in the words in which games end."""

    LOST = "connection lost"
    LATE = "time-out"
    ILLEGAL = "illegal move"
    PROTOCOL = "protocol error"


class PlayerFailed(SpielwerkError):
    """A player gave no move that can be played: the game cannot go on."""

    def __init__(self, fault: Fault, problem: str) -> None:
        super().__init__(fault, problem)
        self.fault = fault
        self.problem = problem

    def __str__(self) -> str:
        return self.problem


class Player(ABC):
    """What decides at a seat."""

    heard: Callable[[bool, bytes], None] | None = None
    """Told what goes over the network, if anything does: whether we send it, and the bytes."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> Any:
        """The player's move, within these seconds; all chance in it comes from the generator."""

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:
        """The move where the record stands; players that must know the game so far say so here."""
        return self.choose(record.state, rng, within)


class RandomPlayer(Player):
    """A player to whom all legal moves are alike."""

    def choose(
        self,
        state: State[Any],
        rng: Random,
        within: float | None = None,  # noqa: ARG002
    ) -> Any:
        """Any legal move."""
        return random_move(state, rng)


class EnginePlayer(Player):
    """An engine at a level."""

    def __init__(self, name: str, engine: Engine[Any], level: Level) -> None:
        super().__init__(name)
        self.engine = engine
        self.level = level

    def choose(
        self,
        state: State[Any],
        rng: Random,
        within: float | None = None,
        stop: Stop | None = None,
    ) -> Any:
        """The engine's best move, or at the lower levels one that is not much worse.

        `within` can shorten the level's time, not lengthen it; no time left is a little time.
        """
        limits = self.level.limits
        seeded = Limits(
            _shorter(limits.time, within),
            limits.depth,
            limits.nodes,
            limits.threads,
            rng.getrandbits(32),
        )
        if not self.level.blur:
            return self.engine.search(state, seeded, stop).move
        return blurred(self.engine.analyse(state, seeded, stop), self.level.blur, rng)


def _shorter(time: float | None, within: float | None) -> float | None:
    if within is None:
        return time
    allowed = min(max(within, SHORTEST), LARGEST["time"])
    return allowed if time is None else min(time, allowed)


def blurred(scores: dict[Any, Score], blur: float, rng: Random) -> Any:
    """Draw a move, the less likely the more it loses against the best."""
    best = max(score.value for score in scores.values())
    weights = [math.exp((score.value - best) / blur) for score in scores.values()]
    return rng.choices(list(scores), weights)[0]


def make_player(text: str, game: Game[Any]) -> Player:
    """The player that the text describes, for this game; or NotationError.

    EngineError says which tables it would need, and how to compute them.
    """
    if text == RANDOM:
        return RandomPlayer(text)
    kind = find_engine(game)
    values = _assignments(text, kind)
    options = {key: values.pop(key) for key in kind.options if key in values}
    if "level" in values:
        if len(values) > 1:
            raise NotationError("player", text, "a level has its own limits; give one or the other")
        level = kind.levels[values["level"] - 1]
    else:
        level = Level(Limits(**values) if values else kind.usual or kind.levels[-1].limits)
    engine = kind(**options)
    engine.require(game, level)
    return EnginePlayer(text, engine, level)


def usual_player(game: Game[Any]) -> str:
    """Who plays, or gives a hint, when nothing more is said than that it is a computer."""
    try:
        kind = find_engine(game)
    except NoEngine:
        return RANDOM
    limits = kind.usual or kind.levels[-1].limits
    return f"depth={limits.depth}" if limits.depth else f"time={limits.time or 1}"


def _assignments(text: str, kind: type[Engine[Any]]) -> dict[str, Any]:
    """What is to the left and to the right of each equals sign, the numbers read and checked."""
    values: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or key not in (*_LIMITS, "level", *kind.options):
            known = ", ".join([*_LIMITS, *kind.options])
            problem = f"expected random, level=1 to level=10, or a number for any of {known}"
            raise NotationError("player", text, problem)
        if key in values:
            raise NotationError("player", text, f"{key} is given twice")
        values[key] = _number(text, key, value, kind)
    return values


def _number(text: str, key: str, value: str, kind: type[Engine[Any]]) -> float:
    allowed = range(1, len(kind.levels) + 1) if key == "level" else kind.options.get(key)
    try:
        number = _LIMITS.get(key, int)(value)
    except ValueError:
        raise NotationError("player", text, f"{quote(value)} is no number") from None
    if allowed and number not in allowed:
        problem = f"{key} goes from {allowed[0]} to {allowed[-1]}"
        raise NotationError("player", text, problem)
    return number
