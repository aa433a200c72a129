"""Is A better than B? The mathematics of matches that stop by themselves.

The two games from one opening with the sides swapped count as one observation, because they are not
independent of each other: A's share of their points is 0, 1/4, 1/2, 3/4 or 1 (the pentanomial). The
test is the generalized sequential probability ratio test on the mean share. Under a hypothesis the
shares are taken as normal, with its mean and the variance that fits best; so the logarithm of the
likelihood ratio is N/2 log(variance around mean 0 / variance around mean 1).

A few pairs that were all alike prove nothing: half an observation is added to each of the five
shares (Jeffreys' prior). With a thousandth instead, the variance is so small that six even pairs
end a test of 0 against 10 Elo; simulated, between players of whose pairs nine of ten are even, such
tests of 0 against 20 accept H0 wrongly more often than not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What A can get of the two points of a pair."""

PRIOR: Final = 0.5
"""How often each share is taken as seen before the first pair."""

LARGEST_ELO: Final = 1000.0
"""Beyond this a hypothesis says nothing: the weaker side gets three points of a thousand."""

CHI_SQUARE: Final = 1.959964**2  # 95 % of it, one degree of freedom


class SprtVerdict(StrEnum):
    """Which hypothesis was accepted."""

    H0 = "H0 accepted"
    H1 = "H1 accepted"


def score_of(elo: float) -> float:
    """The share of the points that a player so many Elo stronger is expected to get."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """How many Elo stronger a player is who gets this share of the points."""
    if 0 < score < 1:
        return 400 * math.log10(score / (1 - score))
    return math.inf if score >= 1 else -math.inf


def interval(shares: Mapping[float, int]) -> tuple[float, float]:
    """The 95 % interval of the mean share: the means that are not much less likely than the best.

    It follows the likelihood of the test, so it is wide after few observations, like Student's.
    """
    count = sum(shares.values())
    if not count:
        return 0.0, 1.0
    mean, variance = _moments(shares)
    reach = math.sqrt(variance * math.expm1(CHI_SQUARE / count))
    return max(mean - reach, 0.0), min(mean + reach, 1.0)


@dataclass(frozen=True)
class Sprt:
    """The test of Elo `elo0` (H0) against `elo1` (H1), and how often it may err either way."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance to accept H1 though H0 is true."""
    beta: float = 0.05
    """The chance to accept H0 though H1 is true."""

    def __post_init__(self) -> None:
        if not -LARGEST_ELO <= self.elo0 < self.elo1 <= LARGEST_ELO:
            raise UsageError(
                f"sprt {self.elo0:g},{self.elo1:g}: the first must be less than the second, "
                f"both from {-LARGEST_ELO:g} to {LARGEST_ELO:g} Elo"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise UsageError(f"{name} {chance:g}: must be more than 0 and less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where H0 and where H1 is accepted (Wald)."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, shares: Mapping[float, int]) -> float:
        """The log-likelihood ratio of H1 to H0 after these pairs; above 0 speaks for H1."""
        mean, variance = _moments(shares)
        around0, around1 = (
            variance + (mean - score_of(elo)) ** 2 for elo in (self.elo0, self.elo1)
        )
        return sum(shares.values()) / 2 * math.log(around0 / around1)

    def verdict(self, shares: Mapping[float, int]) -> SprtVerdict | None:
        """What is decided after these pairs, if anything is."""
        (lower, upper), llr = self.bounds, self.llr(shares)
        if llr >= upper:
            return SprtVerdict.H1
        return SprtVerdict.H0 if llr <= lower else None


def _moments(shares: Mapping[float, int]) -> tuple[float, float]:
    """Mean and variance of what was seen, with the prior."""
    weights = [(share, PRIOR) for share in SHARES] + [*shares.items()]
    count = sum(weight for _, weight in weights)
    mean = sum(share * weight for share, weight in weights) / count
    return mean, sum(weight * (share - mean) ** 2 for share, weight in weights) / count
