"""Whether strength can be told from drawing and from moving first.

How much moving first is worth, and how often equals draw, is estimated from the same games as the
strengths. If one of two never lost, but drew, ever more strength together with ever more drawing
explains the games ever better; likewise ever more advantage, if a side of the board never lost.
Games that contradict that, of these two or of any others, hold the estimate in place. Without them
the prior alone does, and with it all distances: they are not known, though everybody may be linked
with everybody.

It is seen by weakening the prior: what games hold in place hardly moves, what only the prior holds
moves with its logarithm. Seats at dice are not looked at: everybody sits on all of them in every
bundle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.contests.rating.evidence import PAIR
from spielwerk.contests.rating.ratings import fit

if TYPE_CHECKING:
    from spielwerk.contests.rating.evidence import Evidence, Floats

WEAK: Final = 1e-2  # priors, in games
WEAKER: Final = 1e-4
FAR: Final = 0.5  # in strength; what runs off moves by ln 100, or a good part of it


@dataclass(frozen=True, slots=True)
class Loose:
    """Which of the parameters that all games share are held by the prior alone."""

    advantage: bool = False
    draws: bool = False

    def __bool__(self) -> bool:
        return self.advantage or self.draws


NOTHING: Final = Loose()


def loose(evidence: Evidence) -> Loose:
    """Find what the games of two players leave open."""
    scheme = evidence.scheme
    if scheme.seats != PAIR or not scheme.common:
        return NOTHING
    moved = iter((np.abs(_common(evidence, WEAKER) - _common(evidence, WEAK)) > FAR).tolist())
    return Loose(scheme.advantage and next(moved), scheme.draws and next(moved))


def _common(evidence: Evidence, prior: float) -> Floats:
    return fit(evidence, prior).parameters[len(evidence.entrants) :]
