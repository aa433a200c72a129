"""Ratings without an end on one side: how high, or low, they must at least be.

Whoever won everything wins everything in every draw of the games too, so draws say nothing about
how much better that is. The games still do: with a low rating, winning them all would have been a
wonder. The chance to win all of them, as a function of the rating, with everybody else as rated,
tells how far each rating can be believed. It is the likelihood of the fit, but for one thing: the
games of a bundle are not independent, so that together they count as one.

Likewise for whoever lost everything, with the chance not to win; at dice it does not matter who of
the others won instead. When another bot failed, whoever was there may have been better than it.
That speaks against a low rating, as in the fit, so there the chance is compared with that of the
likeliest rating farther out. Upwards such games tell nothing: it is not known who was better. If
there are so many that a rating without end is no longer believed there is an end, by draws.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from spielwerk.contests.rating.connections import Connections, Members, OpenEnd
    from spielwerk.contests.rating.evidence import Evidence, Flags, Floats, Integers
    from spielwerk.contests.rating.ratings import Fit

REACH: Final = 12.0  # in strength, to both sides of the fit; 2,084 Elo
POINTS: Final = 241  # one every tenth
GRID: Final = np.linspace(-REACH, REACH, POINTS)
ENDLESS: Final = 50.0  # as far out as if it were endless

TAIL: Final = 0.025
"""What is less likely than that is not believed: each of both sides of 95 %."""


def believable(fit: Fit, links: Connections) -> Connections:
    """The same links without those open ends that games refute."""
    ends = tuple(end for end in links.ends if Distance(fit, end).endless)
    without_end = replace(links, ends=ends)
    sunk = without_end.open(upwards=False)
    return replace(without_end, losers=tuple(one for one in links.losers if one in sunk))


class Distance:
    """How far the entrants of an open end may stand from the others, as far as games tell."""

    def __init__(self, fit: Fit, end: OpenEnd, near: Members | None = None) -> None:
        """Of the others these must take part in a game that counts; any of them if not given."""
        evidence = fit.evidence
        self._fit = fit
        self._told, self._outwards, self._seen = _between(evidence, end, near or end.others)
        self._weights = _weights(evidence, self._told)
        self._direction = np.zeros(evidence.parameters)
        self._direction[: len(evidence.entrants)] = np.isin(evidence.entrants, end.members)
        self._direction *= 1.0 if end.upwards else -1.0
        self._heights = np.array([self._height(far) for far in (*GRID, ENDLESS)])

    def __bool__(self) -> bool:
        """Whether any game speaks for being out there, and not only against it."""
        return bool((self._seen == self._outwards).all(axis=0).any())

    @property
    def endless(self) -> bool:
        """Whether games leave it open that they are as far out as one likes."""
        return float(np.exp(self._heights[-1] - self._heights.max())) > TAIL

    def believed(self, farther: float) -> float:
        """The chance of what was seen if they were so much further out than the fit says.

        It is the share of what it would be at the best place from there on outwards.
        """
        height = self._height(farther)
        outside = self._heights[np.searchsorted(GRID, farther) :]
        return float(np.exp(height - outside.max(initial=height)))

    def least(self, scatter: Floats, chance: float = TAIL) -> float | None:
        """How far out they are at least, but for this chance; None if games do not tell.

        By so much, for each draw, the place that they are measured by may be further out.
        """
        if not self:
            return None
        best = np.maximum.accumulate(self._heights[::-1])[::-1]
        believed = np.maximum.accumulate(np.exp(self._heights - best))[:-1]
        shifted = np.interp(GRID - scatter[:, None], GRID, believed).mean(axis=0)
        return None if shifted[0] > chance else float(np.interp(chance, shifted, GRID))

    def opponents(self) -> Floats:
        """How often everybody has taken part in the games that tell."""
        evidence = self._fit.evidence
        seats = evidence.seats[:, self._told]
        weights = np.broadcast_to(self._weights, seats.shape)
        counts = np.bincount(seats.ravel(), weights.ravel(), len(evidence.entrants))
        return counts.astype(np.float64, copy=False)

    def _height(self, farther: float) -> float:
        """The logarithm of that chance itself."""
        there = self._fit.parameters + farther * self._direction
        weights = self._fit.evidence.weights(there, self._told)
        chances = (weights * self._seen).sum(axis=0) / weights.sum(axis=0)
        return float(self._weights @ np.log(chances))


def _weights(evidence: Evidence, told: Integers) -> Floats:
    """How often each of these situations counts, if those of a bundle count once together."""
    tells = np.zeros(evidence.situations)
    tells[told] = 1.0
    patterns = len(evidence.bundles)
    together = np.bincount(evidence.pattern_of, tells[evidence.situation_of], patterns)
    counts: Floats = evidence.counts(evidence.bundles / np.maximum(together, 1.0))[told]
    return counts


def _between(evidence: Evidence, end: OpenEnd, near: Members) -> tuple[Integers, Flags, Flags]:
    """The situations between both sides that tell, what speaks outwards in each, and what was seen.

    Somebody of a third side may win instead; that says nothing about who is better than the rest,
    but as much as any other outcome about who is worse.
    """
    is_member, is_other = (np.isin(evidence.entrants, side) for side in (end.members, end.others))
    members, others = is_member[evidence.seats], is_other[evidence.seats]
    alone = members | others if end.upwards else ()
    there = others & np.isin(evidence.entrants, near)[evidence.seats]
    tells = np.logical_and.reduce([members.any(axis=0), there.any(axis=0), *alone])
    outwards = np.zeros((len(evidence.scheme.features), evidence.situations), dtype=np.bool_)
    outwards[: len(members)] = ~(others if end.upwards else members)
    hidden, seen = evidence.hidden, outwards.copy()
    seen[:, hidden] = evidence.open
    if end.upwards:
        tells[hidden] &= (outwards == seen)[:, hidden].all(axis=0)
    else:  # a third side that failed lies further out, too, and would go along
        tells &= (members | others | seen[: len(members)]).all(axis=0) | (outwards == seen).all(
            axis=0
        )
    return np.flatnonzero(tells), outwards[:, tells], seen[:, tells]
