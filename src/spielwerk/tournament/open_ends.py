"""Ratings without an end on one side: how high, or low, they must at least be.

Whoever won everything wins everything in every draw of the games too, so draws say nothing about
how much better that is. The games still do: with a low rating, winning them all would have been a
wonder. The chance to win all of them, as a function of the rating, with everybody else as rated,
tells how far each rating can be believed; ratings are drawn from that. In a bundle only the game
counts that was hardest to win, because the others are not independent of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from spielwerk.tournament.connections import OpenEnd
    from spielwerk.tournament.evidence import Evidence, Flags, Floats, Integers
    from spielwerk.tournament.ratings import Fit

REACH: Final = 12.0  # in strength, to both sides of the fit; 2,084 Elo
POINTS: Final = 241  # one every tenth


def shifts(fit: Fit, end: OpenEnd, chances: Floats) -> Floats:
    """How far the entrants stand from where the fit has put them, for each of these chances."""
    grid = np.linspace(-REACH, REACH, POINTS)
    believed = _chance_of_all(fit, end, grid)
    distances: Floats = np.interp(chances, believed, grid)
    return distances if end.upwards else -distances


def _chance_of_all(fit: Fit, end: OpenEnd, grid: Floats) -> Floats:
    """The chance of what was seen if the entrants were so much further out than the fit says."""
    evidence = fit.evidence
    wins, told = _between(evidence, end)
    moved = np.zeros(evidence.parameters)
    moved[: len(evidence.entrants)] = np.isin(evidence.entrants, end.members)
    direction = moved if end.upwards else -moved
    return np.array(
        [_chance(evidence, fit.parameters + far * direction, wins, told) for far in grid]
    )


def _chance(evidence: Evidence, parameters: Floats, wins: Flags, told: Integers) -> float:
    weights = evidence.weights(parameters, told)
    logarithms = np.zeros(evidence.situations)
    logarithms[told] = np.log((weights * wins).sum(axis=0) / weights.sum(axis=0))
    hardest = np.zeros(len(evidence.bundles))
    np.minimum.at(hardest, evidence.pattern_of, logarithms[evidence.situation_of])
    return float(np.exp(evidence.bundles @ hardest))


def _between(evidence: Evidence, end: OpenEnd) -> tuple[Flags, Integers]:
    """The situations between the two sides, and which outcomes of them are the better side's."""
    members, others = (np.isin(evidence.entrants, side) for side in (end.members, end.others))
    better, worse = (members, others) if end.upwards else (others, members)
    ours, theirs = better[evidence.seats], worse[evidence.seats]
    wins = np.zeros((len(evidence.scheme.features), evidence.situations), dtype=np.bool_)
    wins[: len(ours)] = ours
    between = np.logical_and.reduce([*(ours | theirs), ours.any(axis=0), theirs.any(axis=0)])
    between[evidence.hidden] &= (wins[:, evidence.hidden] == evidence.open).all(axis=0)
    return wins[:, between], np.flatnonzero(between)
