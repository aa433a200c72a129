"""How fast games are played, and how long the rest will take."""

from __future__ import annotations

from collections import deque
from typing import Final

LAST: Final = 50  # games that the estimate rests on
FEWEST: Final = 3  # without which there is none
QUICK: Final = 0.5  # seconds; games that are shorter are begun ahead of time


class Pace:
    """The time that the last games took, each of them, and from one end to the next."""

    def __init__(self) -> None:
        self._lengths: deque[float] = deque(maxlen=LAST)
        self._gaps: deque[float] = deque(maxlen=LAST)  # times the games that were played at once
        self._last: float | None = None

    def note(self, now: float, seconds: float, jobs: int) -> None:
        """A game has ended that took so long, while so many were played at once."""
        self._lengths.append(seconds)
        if self._last is not None:
            self._gaps.append((now - self._last) * max(jobs, 1))
        self._last = now

    def pause(self) -> None:
        """The time until the next end says nothing."""
        self._last = None

    @property
    def quick(self) -> bool:
        """Whether games are so short that writing them down takes a part of the time."""
        known = len(self._lengths) >= FEWEST
        return known and sum(self._lengths) / len(self._lengths) < QUICK

    def rate(self, jobs: int) -> float | None:
        """Games a minute with so many at once; None while that is not known."""
        if len(self._lengths) < FEWEST or jobs < 1:
            return None
        # The first games end together, or nearly: what lies between says too little. Later it
        # says more, because it includes all that is not play.
        each = sum(self._lengths) / len(self._lengths)
        between = sum(self._gaps) / len(self._gaps) if self._gaps else 0.0
        return 60 * jobs / max(each, between, 0.0001)

    def left(self, games: int, jobs: int) -> float | None:
        """Seconds for so many more games; the last ones do not fill all places."""
        rate = self.rate(min(jobs, games))
        return 0.0 if games == 0 else None if rate is None else 60 * games / rate
