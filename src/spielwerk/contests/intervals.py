"""How sure a rating is, and how likely one entrant is better than another.

Both come from the likelihood of the games alone, without the prior. A rating is believed unless it
would make what happened too unlikely: at the ends of its interval the likelihood, with everything
else fitted anew, has dropped by as much below its maximum as the rating's true value exceeds in 5
of 100 cases (the profile likelihood). Where it never drops that far the interval has no end.
The chance to be better is the drop where both are equal, taken the same way.

Games of a bundle have their opening or their chance in common, so they tell less, or more, than
as many independent games. The drop is divided by the dispersion that the bundles show, and
Student's distribution stands for its uncertainty. Where all went one way the maximum is at
infinity. Then the drop is the logarithm of the chance that it goes so, and games of a bundle count
as one.

Ratings are measured against the mean of the largest group that the games link in both directions,
so an entrant that won everything leaves the intervals of the others as they are.
"""

from __future__ import annotations

import math
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from spielwerk.contests.rating import ELO
from spielwerk.contests.results import PAIR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.contests.links import Links
    from spielwerk.contests.rating import Fit, Floats

TAIL: Final = 0.025
"""What is less likely than that is not believed: each of both sides of 95 %."""

FEWEST: Final = 3
"""With fewer bundles of an entrant there is no interval, unless all went one way."""

NO_PRIOR: Final = 0.0
REACH: Final = 12.0  # in strength, 2,084 Elo: what is not refuted so far from the rating is open
FAR: Final = 6.0  # in strength: where a maximum lies so far out it is at infinity
MOVED: Final = 2.0  # in strength
CLOSE: Final = 0.01  # of half an interval: how exact its ends are
NEAR: Final = 1e-3  # in strength: how exact all others are fitted anew
TRIALS: Final = 20  # for an end; it takes about two
BEFORE: Final = 4.0  # bundles of independent games that the dispersion begins with

_NORMAL: Final = NormalDist()
_Z: Final = _NORMAL.inv_cdf(1 - TAIL)

Interval: TypeAlias = tuple[float | None, float | None]

NOWHERE: Final[Interval] = (None, None)


class Certainty:
    """What the games leave open about the ratings of a fit."""

    def __init__(self, fit: Fit, links: Links) -> None:
        self._fit, self._links = fit, links
        self._model = fit.model
        self._ratings = fit.ratings
        self._peak = self._model.maximum(fit.parameters, NO_PRIOR)
        self._top = self._model.height(self._peak, NO_PRIOR)
        self._inverse = np.linalg.inv(self._model.curvature(self._peak, NO_PRIOR))
        bundles = self._model.bundles * (self._model.seats - 1)  # results that differ freely
        free = self._model.size - len(links.pools)
        self._freedom = max(1.0, BEFORE + bundles - free)
        found = self._model.dispersion(fit.parameters) * bundles
        self._dispersion = (BEFORE + found) / self._freedom
        self._in_bundle = self._model.games / self._model.bundles

    @cached_property
    def loose(self) -> tuple[bool, bool]:
        """Whether games do not tell moving first, or drawing, from strength.

        What only the prior held runs off without it.
        """
        if self._model.seats != PAIR:
            return False, False
        moved = np.abs(self._peak - self._fit.parameters)[len(self._model.entrants) :] > MOVED
        return (
            self._model.has_advantage and bool(moved[0]),
            self._model.has_draws and bool(moved[-1]),
        )

    def interval(self, entrant: int) -> Interval:
        """Where the rating is in 95 of 100 cases; None for an end that is open, or not known."""
        if any(self.loose):
            return NOWHERE
        pool = self._links.pool(entrant)
        firm = [one for one in pool if one not in self._links.open]
        body = firm if len(firm) > 1 else pool
        weights = self._weights([entrant]) - self._weights(body) / len(body)
        mean = sum(self._ratings[one] for one in body) / len(body)
        low, high = self._ends(weights)
        if low is not None and high is not None and self._model.bundles_of[entrant] < FEWEST:
            return NOWHERE
        rating = self._ratings[entrant]
        return (
            None if low is None else min(rating, mean + ELO * low),
            None if high is None else max(rating, mean + ELO * high),
        )

    def _weights(self, entrants: Iterable[int]) -> Floats:
        weights = np.zeros(self._model.size)
        weights[[self._model.entrants.index(one) for one in entrants]] = 1.0
        return weights

    def _ends(self, weights: Floats) -> Interval:
        """From where to where the sum of the parameters by these weights is believed."""
        both = [self._end(weights, side, self._usual) for side in (-1.0, 1.0)]
        if None not in both:
            return both[0], both[1]
        ends = [
            None if end is None else self._end(weights, side, -math.log(2 * TAIL) * self._in_bundle)
            for side, end in zip((-1.0, 1.0), both, strict=True)
        ]
        return ends[0], ends[1]

    @cached_property
    def _usual(self) -> float:
        """By how much the likelihood drops towards an end."""
        return self._dispersion * student(self._freedom) ** 2 / 2

    def _end(self, weights: Floats, side: float, drop: float) -> float | None:
        """Where the likelihood has dropped so far, if it does.

        Its root grows evenly with the distance from the maximum, as a rule.
        """
        best = float(weights @ self._peak)
        most = side * (float(weights @ self._fit.parameters) - best) + REACH
        guess = math.sqrt(2 * drop * float(weights @ self._inverse @ weights))
        near, far = (0.0, 0.0), (most, math.inf)  # distances, and shares of the root
        for trial in range(TRIALS):
            distance = guess if near[0] < guess < far[0] else (near[0] + far[0]) / 2
            distance = far[0] if trial == 0 and guess >= most else distance
            share = math.sqrt(self._drop(weights, best + side * distance) / drop)
            if share < 1 and distance == most:
                return None
            if abs(share - 1) < CLOSE:
                break
            near, far = ((distance, share), far) if share < 1 else (near, (distance, share))
            guess = distance / share if share and trial < 2 else (near[0] + far[0]) / 2
        return best + side * distance

    def _drop(self, weights: Floats, value: float) -> float:
        """How far the likelihood drops if the sum by these weights has this value."""
        along = self._inverse @ weights
        start = self._peak + along * (value - weights @ self._peak) / (weights @ along)
        there = self._model.maximum(start, NO_PRIOR, weights, NEAR)
        return max(0.0, self._top - self._model.height(there, NO_PRIOR))

    def better(self, entrant: int, other: int) -> float | None:
        """The chance that an entrant is better than another of its pool; None if not known."""
        model, links = self._model, self._links
        if min(model.bundles_of[one] for one in (entrant, other)) < 2:
            return None
        weights = self._weights([entrant]) - self._weights([other])
        ahead, drop = float(weights @ self._peak), self._drop(weights, 0.0)
        if abs(ahead) > FAR:
            worse = math.exp(-drop / self._in_bundle) / 2
        elif links.group(entrant) != links.group(other):
            return None
        else:
            worse = student_tail(math.sqrt(2 * drop / self._dispersion), self._freedom)
        return 1 - worse if ahead > 0 else worse


def student(freedom: float) -> float:
    """Student's quantile from the normal one (Cornish and Fisher); good from four degrees on."""
    return _Z + (_Z**3 + _Z) / (4 * freedom) + (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / (96 * freedom**2)


def student_tail(value: float, freedom: float) -> float:
    """The chance to be beyond a value in Student's distribution (Wallace 1959)."""
    scale = (8 * freedom + 1) / (8 * freedom + 3)
    return _NORMAL.cdf(-scale * math.sqrt(freedom * math.log1p(value**2 / freedom)))
