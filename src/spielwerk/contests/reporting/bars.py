"""Ratings as bars: where their ends and ticks lie on a common scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.contests.results import Standing

WIDTH: Final = 240  # of a bar's picture, in its own units
MARGIN: Final = 24  # to both sides, for half a figure, and where an open end points outwards
EDGE: Final = 2.0  # how far an open end stays away from the border
TICKS: Final = 5  # about so many
STEPS: Final = (1, 2, 5)  # and their multiples by ten


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating and its interval, in units of the picture."""

    at: float
    left: float
    right: float
    open_left: bool
    open_right: bool


class Scale:
    """From Elo to units of the picture, wide enough for all that is shown."""

    def __init__(self, standings: Iterable[Standing]) -> None:
        ends = [
            end
            for line in standings
            for end in (line.rating, line.low, line.high)
            if end is not None
        ]
        self._low, self._high = min([*ends, -1.0]), max([*ends, 1.0])

    def at(self, elo: float) -> float:
        """Where a rating lies."""
        share = (elo - self._low) / (self._high - self._low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    def ticks(self) -> list[tuple[float, int]]:
        """Where the round figures lie, and which they are."""
        step = _step((self._high - self._low) / TICKS)
        first, last = math.ceil(self._low / step), math.floor(self._high / step)
        return [(self.at(number * step), number * step) for number in range(first, last + 1)]

    def bar(self, standing: Standing) -> Bar | None:
        """The bar of an entrant; None without a rating."""
        if standing.rating is None:
            return None
        at, low, high = self.at(standing.rating), standing.low, standing.high
        if low is None and high is None:  # there is no interval
            return Bar(at, at, at, open_left=False, open_right=False)
        left = EDGE if low is None else self.at(low)
        right = WIDTH - EDGE if high is None else self.at(high)
        return Bar(at, left, right, open_left=low is None, open_right=high is None)


def _step(least: float) -> int:
    """The smallest round figure that is not less."""
    size = 10 ** max(0, math.floor(math.log10(least)))
    return int(next(step * size for step in (*STEPS, 10) if step * size >= least))
