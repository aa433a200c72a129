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

Entrants that no chain of games links are in different pools: their ratings say nothing about each
other. Within a pool, entrants that chains of wins and draws link in both directions make a group.
Between two groups one side has always won, so nothing says how far they are apart at most (Ford
1957). When a player of three fails, both others count as better here. Ratings are measured against
the mean of the largest group, so an entrant that won everything leaves the intervals of the others
as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from spielwerk.contests.rating import ELO, PAIR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from spielwerk.contests.rating import Fit, Floats, RatedGame

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

Members: TypeAlias = tuple[int, ...]

NOWHERE: Final[Interval] = (None, None)


@dataclass(frozen=True)
class Links:
    """How the games link the entrants."""

    pools: tuple[Members, ...]  # the largest first
    groups: tuple[Members, ...]  # the better first, as far as that is known
    winners: Members  # those that won every game
    losers: Members  # those that lost some and neither won nor drew any
    winless: Members  # the losers, and those that only saw others fail

    def body(self, pool: Members) -> Members:
        """The largest group of a pool, by which the others are measured; none if two are."""
        groups = self.groups_of(pool)
        largest = max(map(len, groups))
        found = [group for group in groups if len(group) == largest]
        return found[0] if len(found) == 1 else ()

    def groups_of(self, pool: Members) -> list[Members]:
        """The groups of a pool."""
        return [group for group in self.groups if group[0] in pool]

    @cached_property
    def open(self) -> frozenset[int]:
        """Those whose ratings need not have an end on both sides."""
        firm = {entrant for pool in self.pools for entrant in self.body(pool)}
        every = {entrant for pool in self.pools for entrant in pool}
        return frozenset(every - firm | {*self.winless})


def links(games: Sequence[RatedGame]) -> Links:
    """Find the pools and groups of these games."""
    results = sorted({(game.seats, game.best) for game in games})
    entrants = tuple(sorted({entrant for seats, _ in results for entrant in seats}))
    met = _Chains(entrants, ((a, b) for seats, _ in results for a in seats for b in seats))
    better = _Chains(entrants, (pair for result in results for pair in _beaten(*result)))
    won = {seats[best[0]] for seats, best in results if len(best) == 1}
    drew = {entrant for seats, best in results if not best for entrant in seats}
    lost = {
        entrant
        for seats, best in results
        for seat, entrant in enumerate(seats)
        if best and seat not in best
    }
    unsettled = {entrant for seats, best in results if len(best) != 1 for entrant in seats}
    winless = tuple(entrant for entrant in entrants if entrant not in won | drew)
    return Links(
        pools=tuple(sorted(met.classes(), key=lambda pool: (-len(pool), pool))),
        groups=tuple(sorted(better.classes(), key=lambda group: (-better.below(group), group))),
        winners=tuple(entrant for entrant in entrants if entrant not in lost | unsettled),
        losers=tuple(entrant for entrant in winless if entrant in lost),
        winless=winless,
    )


def _beaten(seats: Members, best: Members) -> Iterator[tuple[int, int]]:
    """Pairs of entrants of which the first was at least as good as the second."""
    for a, first in enumerate(seats):
        for b, second in enumerate(seats):
            if not best or (a in best and b not in best):
                yield first, second


class _Chains:
    """Which entrants every entrant reaches by a chain of pairs."""

    def __init__(self, entrants: Members, pairs: Iterable[tuple[int, int]]) -> None:
        self._entrants = entrants
        self._place = {entrant: place for place, entrant in enumerate(entrants)}
        self._reach: npt.NDArray[np.bool_] = np.eye(len(entrants), dtype=np.bool_)
        for a, b in pairs:
            self._reach[self._place[a], self._place[b]] = True
        for middle in range(len(entrants)):  # Warshall
            self._reach |= np.outer(self._reach[:, middle], self._reach[middle])

    def classes(self) -> list[Members]:
        """Those that reach each other."""
        mutual = self._reach & self._reach.T
        rows = (np.flatnonzero(row) for row in mutual)
        return sorted({tuple(self._entrants[place] for place in row) for row in rows})

    def below(self, members: Members) -> int:
        """How many others these reach."""
        return int(self._reach[self._place[members[0]]].sum()) - len(members)


class Certainty:
    """What the games leave open about the ratings of a fit."""

    def __init__(self, fit: Fit, links: Links) -> None:
        self.fit, self.links = fit, links
        self._model = fit.model
        self._in_bundle = self._model.games / self._model.bundles
        bundles = self._model.bundles * (self._model.seats - 1)  # results that differ freely
        # what all games share, like moving first, nearly cancels out within a bundle
        free = len(self._model.entrants) - len(links.pools)
        self._freedom = max(1.0, BEFORE + bundles - free)
        found = self._model.dispersion(fit.parameters) * bundles
        self._dispersion = (BEFORE + found) / self._freedom

    @cached_property
    def _peak(self) -> Floats:
        return self._model.maximum(self.fit.parameters, NO_PRIOR)

    @cached_property
    def _top(self) -> float:
        return self._model.height(self._peak, NO_PRIOR)

    @cached_property
    def _inverse(self) -> Floats:
        inverse: Floats = np.linalg.inv(self._model.curvature(self._peak, NO_PRIOR)).astype(float)
        return inverse

    @cached_property
    def loose(self) -> tuple[bool, bool]:
        """Whether games do not tell moving first, or drawing, from strength.

        What only the prior held runs off without it.
        """
        if self._model.seats != PAIR:
            return False, False
        moved = np.abs(self._peak - self.fit.parameters)[len(self._model.entrants) :] > MOVED
        return (
            self._model.has_advantage and bool(moved[0]),
            self._model.has_draws and bool(moved[-1]),
        )

    def interval(self, entrant: int) -> Interval:
        """Where the rating is in 95 of 100 cases; None for an end that is open, or not known."""
        if any(self.loose):
            return NOWHERE
        ratings = self.fit.ratings
        pool = next(pool for pool in self.links.pools if entrant in pool)
        firm = [one for one in pool if one not in self.links.open]
        body = firm if len(firm) > 1 else pool
        weights = self._weights([entrant]) - self._weights(body) / len(body)
        mean = sum(ratings[one] for one in body) / len(body)
        low, high = self._ends(weights)
        if low is not None and high is not None and self._model.bundles_of[entrant] < FEWEST:
            return NOWHERE
        return (
            None if low is None else min(ratings[entrant], mean + ELO * low),
            None if high is None else max(ratings[entrant], mean + ELO * high),
        )

    def _weights(self, entrants: Iterable[int]) -> Floats:
        weights = np.zeros(self._model.size)
        weights[[self._model.entrants.index(one) for one in entrants]] = 1.0
        return weights

    def _ends(self, weights: Floats) -> Interval:
        """From where to where the sum of the parameters by these weights is believed."""
        drop = self._dispersion * student(self._freedom) ** 2 / 2
        low, high = (self._end(weights, side, drop) for side in (-1.0, 1.0))
        if low is None or high is None:  # all went one way
            drop = -math.log(2 * TAIL) * self._in_bundle
            low = None if low is None else self._end(weights, -1.0, drop)
            high = None if high is None else self._end(weights, 1.0, drop)
        return low, high

    def _end(self, weights: Floats, side: float, drop: float) -> float | None:
        """Where the likelihood has dropped so far, if it does.

        Its root grows evenly with the distance from the maximum, as a rule.
        """
        best = float(weights @ self._peak)
        most = side * (float(weights @ self.fit.parameters) - best) + REACH
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
        bundles = self._model.bundles_of
        if min(bundles[entrant], bundles[other]) < 2:
            return None
        weights = self._weights([entrant]) - self._weights([other])
        ahead, drop = float(weights @ self._peak), self._drop(weights, 0.0)
        if abs(ahead) > FAR:
            worse = math.exp(-drop / self._in_bundle) / 2
        elif not any({entrant, other} <= {*group} for group in self.links.groups):
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
