"""How likely it is that one entrant is better than another.

Where games link two in both directions it is the share of draws in which one was better, ties half.
From few bundles that share is too sure, just as the intervals are too narrow, so it is turned into
a chance by Student's distribution in the same way: 99.9 % of the draws are 86 % with two bundles,
99 % with ten.

Where everything went one way draws say nothing. Between equals it would have gone that way with
some chance; the one who did better is worse with half of that chance (half, because what happened
is neither wholly beyond nor wholly within what chance explains: Lancaster's mid-p). Two wins of two
are 87.5 %, whatever either did to others.

Where only the prior tells strength from draws or from moving first, ratings cannot decide it. Then
nothing counts but what the two did to each other when both had each side equally often.

Nothing can be said after a single bundle, if all draws are alike, or if games tell nothing about
the two: when both have lost everything to others, say.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from spielwerk.contests.rating.open_ends import Distance
from spielwerk.contests.rating.ratings import ELO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.contests.rating.bootstrap import Spread
    from spielwerk.contests.rating.connections import Connections, OpenEnd
    from spielwerk.contests.rating.ratings import Fit

_NORMAL: Final = NormalDist()


def better(fit: Fit, links: Connections, spread: Spread, entrant: int, other: int) -> float | None:
    """The chance that an entrant is better than another of its pool; None if it is not known."""
    bundles = min(fit.evidence.bundles_of[one] for one in (entrant, other))
    if bundles < 2 or not len(spread.ratings):
        return None
    if spread.loose:
        return _among_themselves(links, spread, entrant, other)
    above, below = _between(fit, links, entrant, other), _between(fit, links, other, entrant)
    if above and not below:
        return one_way(above)
    if below and not above:
        return 1 - one_way(below)
    if above or _of(links.ends, entrant) != _of(links.ends, other):
        return None
    share = spread.share(entrant, other)
    return None if share is None else by_student(share, bundles, len(spread.ratings))


def _among_themselves(links: Connections, spread: Spread, entrant: int, other: int) -> float | None:
    """The chance by the points of these two against each other, which needs no ratings."""
    evidence = spread.evidence
    met = int(evidence.bundles @ evidence.met(entrant, other))
    if met < 2:
        return None
    if links.group(entrant) != links.group(other):  # all went one way
        worse = 0.5 ** (met + 1)
        return 1 - worse if evidence.lead(entrant, other).sum() > 0 else worse
    share = spread.own_share(entrant, other)
    return None if share is None else by_student(share, met, len(spread.ratings))


def _between(fit: Fit, links: Connections, higher: int, lower: int) -> list[float]:
    """For each open end that puts one above the other, how far it is believed that they are equals.

    Only games with the other one's group tell: what was done to others says nothing about these
    two.
    """
    up = [
        Distance(fit, end, links.group(lower))
        for end in links.ends
        if end.upwards and higher in end.members and lower in end.others
    ]
    down = [
        Distance(fit, end, links.group(higher))
        for end in links.ends
        if not end.upwards and lower in end.members and higher in end.others
    ]
    ahead = (fit.ratings[higher] - fit.ratings[lower]) / ELO
    return [distance.believed(-ahead) for distance in (*up, *down) if distance]


def _of(ends: Sequence[OpenEnd], entrant: int) -> list[OpenEnd]:
    return [end for end in ends if entrant in end.members]


def one_way(believed: Sequence[float]) -> float:
    """The chance to be better if everything went that way, and that is how equals are believed."""
    return 1 - min(believed) / 2


def by_student(share: float, bundles: int, draws: int) -> float:
    """The chance that a share of the draws from so many bundles stands for."""
    least = 1 / (2 * draws)  # what is in no draw is not impossible
    freedom = bundles - 1
    student = _NORMAL.inv_cdf(min(max(share, least), 1 - least)) * math.sqrt(freedom / bundles)
    # the normal quantile of Student's (Wallace 1959); good from one degree on
    scale = (8 * freedom + 1) / (8 * freedom + 3)
    normal = scale * math.sqrt(freedom * math.log1p(student**2 / freedom))
    return _NORMAL.cdf(math.copysign(normal, student))
