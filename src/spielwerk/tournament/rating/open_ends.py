"""Ratings without an end on one side: how high, or low, they must at least be.

Whoever won everything wins everything in every draw of the games too, so draws say nothing about
how much better that is. The games still do: with a low rating, winning them all would have been a
wonder. The chance to win all of them, as a function of the rating, with everybody else as rated,
tells how far each rating can be believed; ratings are drawn from that. In a bundle only the game
counts that was hardest to win, because the others are not independent of it.

Likewise for whoever lost everything, with the chance not to win; at dice it does not matter who of
the others won instead. But if others only failed it is not known who was better than they, and
games like that tell nothing: such a rating stays where the fit has put it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from spielwerk.tournament.rating.connections import Members, OpenEnd
    from spielwerk.tournament.rating.evidence import Evidence, Flags, Floats, Integers
    from spielwerk.tournament.rating.ratings import Fit

REACH: Final = 12.0  # in strength, to both sides of the fit; 2,084 Elo
POINTS: Final = 241  # one every tenth


class Distance:
    """How far the entrants of an open end may stand from the others, as far as games tell."""

    def __init__(self, fit: Fit, end: OpenEnd, near: Members | None = None) -> None:
        """Of the others these must take part in a game that counts; any of them if not given."""
        self._fit = fit
        self._upwards = end.upwards
        self._better, self._told = _between(fit.evidence, end, near or end.others)
        outwards = 1.0 if end.upwards else -1.0
        self._direction = np.zeros(fit.evidence.parameters)
        self._direction[: len(fit.evidence.entrants)] = outwards * np.isin(
            fit.evidence.entrants, end.members
        )

    def __bool__(self) -> bool:
        return bool(len(self._told))

    def believed(self, farther: float) -> float:
        """The chance of what was seen if they were so much further out than the fit says."""
        evidence = self._fit.evidence
        weights = evidence.weights(self._fit.parameters + farther * self._direction, self._told)
        logarithms = np.zeros(evidence.situations)
        logarithms[self._told] = np.log((weights * self._better).sum(axis=0) / weights.sum(axis=0))
        hardest = np.zeros(len(evidence.bundles))
        np.minimum.at(hardest, evidence.pattern_of, logarithms[evidence.situation_of])
        return float(np.exp(evidence.bundles @ hardest))

    def shifts(self, chances: Floats) -> Floats:
        """How far the entrants stand from where the fit has put them, for each of these chances."""
        if not self:
            return np.zeros(len(chances))
        grid = np.linspace(-REACH, REACH, POINTS)
        distances: Floats = np.interp(chances, [self.believed(far) for far in grid], grid)
        return distances if self._upwards else -distances


def _between(evidence: Evidence, end: OpenEnd, near: Members) -> tuple[Flags, Integers]:
    """Which outcomes are not the worse side's, and the situations between both sides that tell.

    Somebody of a third side may win instead; that says nothing about who is better than the rest,
    but as much as any other outcome about who is worse.
    """
    is_member, is_other = (np.isin(evidence.entrants, side) for side in (end.members, end.others))
    members, others = is_member[evidence.seats], is_other[evidence.seats]
    alone = members | others if end.upwards else ()
    there = others & np.isin(evidence.entrants, near)[evidence.seats]
    tells = np.logical_and.reduce([members.any(axis=0), there.any(axis=0), *alone])
    better = np.zeros((len(evidence.scheme.features), evidence.situations), dtype=np.bool_)
    better[: len(members)] = ~(others if end.upwards else members)
    tells[evidence.hidden] &= (better[:, evidence.hidden] == evidence.open).all(axis=0)
    return better[:, tells], np.flatnonzero(tells)
