"""How sure a rating is: what it would have been with other games.

As many bundles as were played are drawn from them with replacement, and everybody is rated anew;
that many times over. Whole bundles, because the games from one opening, or with one stream of dice,
are not independent of each other. The interval holds the middle 95 % of the ratings.

Drawn from few bundles the ratings scatter too little, so the percentiles are those that Student's
distribution asks for (Hesterberg 2015): 0.9 and 99.1 after 10 bundles of an entrant, 2.3 and 97.7
after 100. Simulated with round robins of three and more, the intervals cover the true rating in 92
to 97 of 100 cases from ten bundles on; with the plain percentiles it would be 88 to 96. With fewer
it is fewer, 85 with six and 70 with three, where the interval is all that was drawn; two would give
52, so they give none. Where a rating has an open end draws do not say where the other one is; that
is what `tournament.rating.open_ends` is for.

Where only the prior tells strength from draws or from moving first (`tournament.rating.common`)
there are none either. Without that rule two entrants who often draw, 261 to 521 Elo apart, would be
covered in 59 to 93 of 100 cases after 10 to 30 bundles; those intervals that are told cover the
truth in 93 and more.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from spielwerk.contests.rating.common import NOTHING, Loose, loose
from spielwerk.contests.rating.open_ends import TAIL, Distance
from spielwerk.contests.rating.ratings import ELO, Model, limited, ratings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.contests.rating.connections import OpenEnd
    from spielwerk.contests.rating.evidence import Evidence, Floats
    from spielwerk.contests.rating.ratings import Fit

RESAMPLES: Final = 500
"""Enough for an interval: each of its ends is then sure to about a tenth of its width."""

FEW: Final = 10
"""With fewer bundles of an entrant its interval is rough."""

FEWEST: Final = 3
"""With fewer bundles there is no interval, unless it has an open end."""

CLOSE: Final = 0.05 / ELO
"""A draw's fit is good enough when its last step was a twentieth of a point."""

PATIENCE: Final = 25  # steps with the curvature of the start, before a draw is fitted with care

ALIKE: Final = 0.5  # points: draws that differ by less do not differ, as they are fitted

_NORMAL: Final = NormalDist()
_Z: Final = _NORMAL.inv_cdf(1 - TAIL)

Interval: TypeAlias = tuple[float | None, float | None]

NOWHERE: Final[Interval] = (None, None)


@dataclass(frozen=True, slots=True)
class Spread:
    """The ratings of all draws: a row each, a column for everybody in `evidence.entrants`."""

    fit: Fit
    ratings: Floats
    freed: Floats  # the same without the pull of the prior
    draws: Floats  # how often each pattern was drawn
    ends: tuple[OpenEnd, ...] = ()
    loose: Loose = NOTHING  # what only the prior holds

    @property
    def evidence(self) -> Evidence:
        """The games."""
        return self.fit.evidence

    def interval(self, entrant: int) -> Interval:
        """Where the rating is in 95 of 100 cases; None for an end that is open, or not known.

        Neither is known with too few bundles, if all draws are alike, or if only the prior holds
        the rating. Where there is an interval the rating is in it.
        """
        if self.loose or not len(self.draws):
            return NOWHERE
        open_ = [end for end in self.ends if entrant in end.members]
        low, high = self._beyond(entrant, open_) if open_ else self._within(entrant)
        rating = self.fit.ratings[entrant]
        return low if low is None else min(low, rating), high if high is None else max(high, rating)

    def _within(self, entrant: int) -> Interval:
        """The middle of the draws."""
        drawn, bundles = self._column(self.ratings, entrant), self.evidence.bundles_of[entrant]
        if _alike(drawn) or bundles < FEWEST:
            return NOWHERE
        tail = tail_of(bundles)
        low, high = np.quantile(drawn, [tail, 1 - tail]).tolist()
        return low, high

    def _beyond(self, entrant: int, ends: Sequence[OpenEnd]) -> Interval:
        """From an end on, if there is one; the draws say where the others stand."""
        end = ends[0]
        distance = Distance(self.fit, end)
        outwards = 1 if end.upwards else -1
        scatter = outwards * (self._inner(entrant, end) + self._outer(distance, end)) / ELO
        least = distance.least(scatter)
        if least is None or len(ends) > 1:
            return NOWHERE
        share = 1 - len(end.members) / len(self.evidence.entrants)  # the mean of all goes along
        found = self.fit.ratings[entrant] + outwards * ELO * share * least
        return (found, None) if end.upwards else (None, found)

    def _inner(self, entrant: int, end: OpenEnd) -> Floats:
        """How the entrant's place among the members of its end differs from draw to draw."""
        places = [self.evidence.entrants.index(one) for one in end.members]
        moved = self._moved(places)
        inner: Floats = moved[:, end.members.index(entrant)] - moved.mean(axis=1)
        return inner

    def _outer(self, distance: Distance, end: OpenEnd) -> Floats:
        """How the place of the others does, seen from all whose ratings have both ends."""
        entrants = self.evidence.entrants
        beyond = {one for other in self.ends for one in other.members}
        firm = [place for place, one in enumerate(entrants) if one not in beyond]
        against = distance.opponents()[firm] * np.isin(entrants, end.others)[firm]
        if not against.sum():
            return np.zeros(len(self.ratings))
        moved = self._moved(firm)
        outer: Floats = moved @ against / against.sum() - moved.mean(axis=1)
        return outer

    def _moved(self, places: Sequence[int]) -> Floats:
        """By how much the ratings of these differ from those of the fit."""
        moved: Floats = self.ratings[:, places] - self.fit.elo[places]
        return moved

    def share(self, entrant: int, other: int) -> float | None:
        """The share of draws in which one was ahead of the other, ties half; None if all alike.

        The prior does not count: whoever is far above the average would be ahead of an equal who
        has played less.
        """
        ahead = self._column(self.freed, entrant) - self._column(self.freed, other)
        return None if _alike(ahead) else _share(ahead)

    def own_share(self, entrant: int, other: int) -> float | None:
        """Likewise by points, and by nothing but the games of these two with each other."""
        if np.count_nonzero(self.evidence.met(entrant, other)) < 2:
            return None
        return _share(self.draws @ self.evidence.lead(entrant, other))

    def _column(self, ratings: Floats, entrant: int) -> Floats:
        column: Floats = ratings[:, self.evidence.entrants.index(entrant)]
        return column


def _alike(drawn: Floats) -> bool:
    """Whether draws say nothing about chance, as there was none in them."""
    return not len(drawn) or bool(np.ptp(drawn) < ALIKE)


def _share(ahead: Floats) -> float:
    """In which part of the draws somebody was ahead; ties count half."""
    return float((ahead >= ALIKE).mean() + (np.abs(ahead) < ALIKE).mean() / 2)


def spread(fit: Fit, seed: int, resamples: int = RESAMPLES, ends: Sequence[OpenEnd] = ()) -> Spread:
    """Rate everybody again and again."""
    evidence, generator = fit.evidence, np.random.default_rng(seed)
    draws = _draws(evidence, generator, resamples)
    chosen = evidence.chosen(draws)
    refit = _Refit(fit)
    rows = [refit(evidence.counts(draw), row) for draw, row in zip(draws, chosen, strict=True)]
    both = np.array(rows).reshape(resamples, 2, evidence.parameters)
    ratings, freed = (ratings_of(evidence, both[:, which]) for which in (0, 1))
    return Spread(fit, ratings, freed, draws, tuple(ends), loose(evidence))


def tail_of(bundles: int) -> float:
    """Which part of the draws lies outside on either side; it takes two bundles at least."""
    freedom = bundles - 1
    # Student's quantile from the normal one (Cornish and Fisher); good from four degrees on
    student = (
        _Z + (_Z**3 + _Z) / (4 * freedom) + (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / (96 * freedom**2)
    )
    return _NORMAL.cdf(-student * (bundles / freedom) ** 0.5)


def _draws(evidence: Evidence, generator: np.random.Generator, resamples: int) -> Floats:
    """How often each pattern was drawn."""
    total = evidence.bundles.sum()
    draws = generator.multinomial(int(total), evidence.bundles / total, resamples)
    return draws.astype(np.float64)


class _Refit:
    """Rates everybody anew, beginning with the ratings that all games gave."""

    def __init__(self, fit: Fit) -> None:
        self._start = fit.parameters
        self._model = Model(fit.evidence, fit.prior)
        self._spreads = self._model.spreads(fit.parameters)

    def __call__(self, counts: Floats, chosen: Floats) -> tuple[Floats, Floats]:
        """The parameters that explain the games of one draw best, and those without the prior.

        The latter are a step away, in the direction against the prior's pull.
        """
        here, inverse = self._explained(counts, chosen)
        return here, here + limited(inverse @ self._model.pull(here))

    def _explained(self, counts: Floats, chosen: Floats) -> tuple[Floats, Floats]:
        """The parameters, and the inverse of the curvature.

        The curvature at the start, which is quickly gathered, is near enough as a rule.
        """
        here = self._start
        curvature = self._model.gather(self._spreads, here, counts)
        if self._model.peaked(curvature):
            inverse: Floats = np.linalg.inv(curvature).astype(np.float64, copy=False)
            for _ in range(PATIENCE):
                step = limited(inverse @ self._model.slope(here, counts, chosen))
                here = here + step
                if np.abs(step).max() < CLOSE:
                    return here, inverse
        here = self._model.maximum(self._start, counts, chosen)
        spreads = self._model.spreads(here, hidden=False)
        curvature = self._model.gather(spreads, here, counts)
        return here, np.linalg.inv(curvature).astype(np.float64, copy=False)
