"""Time that passes only when a player sleeps or thinks."""

from __future__ import annotations

from random import Random
from typing import Any

from spielwerk.engines.players import Player
from spielwerk.games import State
from spielwerk.terminal.session import Tempo


class Clockwork:
    """A clock, and every sleep it was asked for."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds

    def tempo(self, show: float = 0.0, pause: float = 0.0, *, every: bool = True) -> Tempo:
        return Tempo(show, pause, every, self.clock, self.sleep)


class Thinker(Player):
    """Plays the first legal move, after so many seconds of that clock."""

    def __init__(self, clockwork: Clockwork, seconds: float) -> None:
        super().__init__("thinker")
        self._clockwork = clockwork
        self._seconds = seconds

    def choose(
        self,
        state: State[Any],
        rng: Random,  # noqa: ARG002
        within: float | None = None,  # noqa: ARG002
    ) -> Any:
        self._clockwork.now += self._seconds
        return state.legal_moves()[0]
