"""How likely it is that one entrant is better than another.

Where games link two in both directions it is the share of draws in which one was better, ties half.
From few bundles that share is too sure, just as the intervals are too narrow, so it is turned into
a chance by Student's distribution in the same way: 99.9 % of the draws are 86 % with two bundles,
99 % with ten.

Where everything went one way draws say nothing. Between equals it would have gone that way with
some chance; the one who did better is worse with half of that chance (half, because what happened
is neither wholly beyond nor wholly within what chance explains: Lancaster's mid-p). Two wins of two
are 87.5 %.

Nothing can be said after a single bundle, if all draws are alike, or if games tell nothing about
the two: when both have lost everything to others, say.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from spielwerk.tournament.rating.open_ends import Distance
from spielwerk.tournament.rating.ratings import ELO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.tournament.rating.bootstrap import Spread
    from spielwerk.tournament.rating.connections import OpenEnd
    from spielwerk.tournament.rating.ratings import Fit

_NORMAL: Final = NormalDist()


def better(
    fit: Fit, ends: Sequence[OpenEnd], spread: Spread, entrant: int, other: int
) -> float | None:
    """The chance that an entrant is better than another of its pool; None if it is not known."""
    bundles = min(fit.evidence.bundles_of[one] for one in (entrant, other))
    if bundles < 2 or not len(spread.ratings):
        return None
    ahead = fit.ratings[entrant] - fit.ratings[other]
    above, below = _between(fit, ends, entrant, other), _between(fit, ends, other, entrant)
    if above and not below:
        return one_way(above, ahead)
    if below and not above:
        return 1 - one_way(below, -ahead)
    if above or _of(ends, entrant) != _of(ends, other):
        return None
    share = spread.share(entrant, other)
    return None if share is None else by_student(share, bundles, len(spread.ratings))


def _between(fit: Fit, ends: Sequence[OpenEnd], higher: int, lower: int) -> list[Distance]:
    """The distances of all open ends that put one above the other, if games tell of them."""
    parting = [
        Distance(fit, end)
        for end in ends
        if (higher in end.members and lower in end.others and end.upwards)
        or (lower in end.members and higher in end.others and not end.upwards)
    ]
    return [distance for distance in parting if distance]


def _of(ends: Sequence[OpenEnd], entrant: int) -> list[OpenEnd]:
    return [end for end in ends if entrant in end.members]


def one_way(distances: Sequence[Distance], ahead: float) -> float:
    """The chance to be better if everything went that way, and the fit says so many points."""
    return 1 - min(distance.believed(-ahead / ELO) for distance in distances) / 2


def by_student(share: float, bundles: int, draws: int) -> float:
    """The chance that a share of the draws from so many bundles stands for."""
    least = 1 / (2 * draws)  # what is in no draw is not impossible
    freedom = bundles - 1
    student = _NORMAL.inv_cdf(min(max(share, least), 1 - least)) * math.sqrt(freedom / bundles)
    # the normal quantile of Student's (Wallace 1959); good from one degree on
    scale = (8 * freedom + 1) / (8 * freedom + 3)
    normal = scale * math.sqrt(freedom * math.log1p(student**2 / freedom))
    return _NORMAL.cdf(math.copysign(normal, student))
