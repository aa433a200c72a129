"""One rating for everybody from all games at once.

Everybody has a strength, the logarithm of a weight; the chance of an outcome is its weight divided
by the sum of the weights of all outcomes that the game can have.

Two players (Bradley and Terry, with draws after Davidson and an advantage h for moving first):

    first wins ~ exp(a + h)     second wins ~ exp(b)     draw ~ nu exp((a + h + b) / 2)

Without draws there is no nu; where h cannot be told from strength, as when everybody always has the
same side, it is taken as 0. Three and more (Plackett and Luce, with an effect s of each seat):

    seat i wins ~ exp(a_i + s_i)

Everybody sits on every seat equally often, so the effects change no rating to speak of; but without
them a contest that is under way would favour those who have had the better seats so far. When a bot
fails, the game says that one of the others was better: the chance is the sum of theirs.

The fit maximises the likelihood of all games times a weak prior. It is the same for every order of
the games. Ratings are strengths times 400 / ln 10, their mean is 0. So 400 points are ten wins to
one loss; draws pull the expected share of the points towards one half.

Why a prior: there is a finite and only maximum of the likelihood, h and nu given and all winners
known, exactly if everybody is linked with everybody by a chain of wins and draws in both directions
(Ford 1957; for more than two players Hunter 2004). Somebody who won all games has no likeliest
strength; `tournament.rating.connections` finds who that is, and rankings say so. The prior is half
a game of everybody against the average, half won and half lost, and likewise for h, nu and the
seats. After a hundred games it takes half a point off a rating of 100; three wins to one are 177
points with it and 190.8 without, if there is no h (with both sides of the board it is more). With
simulated games the errors of contests with five bundles each (six entrants, 174 Elo apart) are 144
points with half a game, 178 with a fifth and 119 with a whole one, with seventy bundles 34 with any
of them; the intervals cover the truth equally often. Where h and nu are not given either, one group
is not enough: see `tournament.rating.common`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from spielwerk.contests.rating.evidence import Evidence, Floats

ELO: Final = 400 / math.log(10)
"""Points a unit of strength."""

PRIOR: Final = 0.5
"""How many games, half won and half lost, everybody is taken to have played before the first."""

TOLERANCE: Final = 1e-10  # in strength: the last step of a fit is shorter
LONGEST: Final = 4.0  # step: farther away the curvature says nothing
SHORT: Final = 1e-5  # step: taken without a look at the likelihood
STEPS: Final = 500  # a fit takes about six


@dataclass(frozen=True, slots=True)
class Fit:
    """The strengths that explain the games best."""

    evidence: Evidence
    parameters: Floats
    prior: float

    @property
    def elo(self) -> Floats:
        """The ratings, in the order of `evidence.entrants`."""
        return ratings_of(self.evidence, self.parameters)

    @property
    def ratings(self) -> dict[int, float]:
        """The rating of every entrant that has played a rated game."""
        return dict(zip(self.evidence.entrants, self.elo.tolist(), strict=True))

    @property
    def advantage(self) -> float | None:
        """What moving first is worth in Elo; None: not known, or more than two players."""
        if not self.evidence.scheme.advantage:
            return None
        return ELO * float(self.parameters[len(self.evidence.entrants)])

    @property
    def draws(self) -> float | None:
        """The share of games between equals that are drawn; None for more than two players."""
        scheme = self.evidence.scheme
        if scheme.seats > 2:
            return None
        if not scheme.draws:
            return 0.0
        weights = np.exp(scheme.features[:, 2:] @ self.parameters[len(self.evidence.entrants) :])
        return float(weights[2] / weights.sum())


def ratings_of(evidence: Evidence, parameters: Floats) -> Floats:
    """The strengths among these parameters, a row each, in Elo with mean 0."""
    strengths = parameters[..., : len(evidence.entrants)]
    elo: Floats = ELO * (strengths - strengths.mean(axis=-1, keepdims=True))
    return elo


def fit(evidence: Evidence, prior: float = PRIOR) -> Fit:
    """Rate everybody who has played a rated game."""
    model = Model(evidence, prior)
    counts, chosen = evidence.counts(evidence.bundles), evidence.chosen(evidence.bundles)
    return Fit(evidence, model.maximum(np.zeros(evidence.parameters), counts, chosen), prior)


def limited(step: npt.NDArray[np.floating[Any]]) -> Floats:
    """A step in the same direction that is not too long."""
    shorter: Floats = step / max(1.0, np.abs(step).max() / LONGEST)
    return shorter


class Model:
    """The likelihood of the games, its slope and its curvature, at any parameters.

    `counts` says how often each situation was there, `chosen` is the sum of the winners' features;
    so the same model serves all games and any draw of them.
    """

    def __init__(self, evidence: Evidence, prior: float = PRIOR) -> None:
        self._evidence = evidence
        self._prior = prior
        self._features = evidence.scheme.features
        self._entrants = len(evidence.entrants)
        squares = self._features[:, :, None] * self._features[:, None, :]
        self._squares = squares.reshape(len(squares), -1).T
        seats, common = evidence.seats, evidence.scheme.common
        self._seats = seats.ravel()
        self._pairs = (seats[:, None] * self._entrants + seats[None, :]).ravel()
        self._shared = (seats[:, None] * common + np.arange(common)[None, :, None]).ravel()

    def maximum(self, start: Floats, counts: Floats, chosen: Floats) -> Floats:
        """Newton's way up from a start, with steps that are halved until they lead upwards."""
        here, height = start, self.likelihood(start, counts, chosen)
        for _ in range(STEPS):
            step = self._step(here, counts, chosen)
            there = here + step
            while (higher := self.likelihood(there, counts, chosen)) < height and not _short(step):
                step = step / 2
                there = here + step
            here, height = there, higher
            if np.abs(step).max() < TOLERANCE:
                break
        return here

    def _step(self, here: Floats, counts: Floats, chosen: Floats) -> Floats:
        curvature = self.gather(self.spreads(here), here, counts)
        if not self.peaked(curvature):
            curvature = self.gather(self.spreads(here, hidden=False), here, counts)
        return limited(np.linalg.solve(curvature, self.slope(here, counts, chosen)))

    def peaked(self, curvature: Floats) -> bool:
        """Whether the likelihood falls off in every direction; it does if all winners are known."""
        return not len(self._evidence.hidden) or bool(np.linalg.eigvalsh(curvature)[0] > 0)

    def likelihood(self, here: Floats, counts: Floats, chosen: Floats) -> float:
        """The logarithm of likelihood and prior."""
        weights = self._evidence.weights(here)
        told = chosen @ here - counts @ np.log(weights.sum(axis=0))
        hidden = self._evidence.hidden
        one_of = np.log((weights[:, hidden] * self._evidence.open).sum(axis=0))
        before = self._prior / 2 * (np.logaddexp(0, here) + np.logaddexp(0, -here)).sum()
        return float(told + counts[hidden] @ one_of - before)

    def slope(self, here: Floats, counts: Floats, chosen: Floats) -> Floats:
        """Where the likelihood rises: the features of the winners that were not expected."""
        weights = self._evidence.weights(here)
        expected = weights * (counts / weights.sum(axis=0))
        hidden = self._evidence.hidden
        if len(hidden):
            one_of = weights[:, hidden] * self._evidence.open
            expected[:, hidden] -= one_of * (counts[hidden] / one_of.sum(axis=0))
        seats = self._evidence.scheme.seats
        own = (self._features[:, :seats].T @ expected).ravel()
        slope: Floats = chosen - self.pull(here)
        slope[: self._entrants] -= np.bincount(self._seats, own, self._entrants)
        slope[self._entrants :] -= expected.sum(axis=1) @ self._features[:, seats:]
        return slope

    def pull(self, here: Floats) -> Floats:
        """How strongly the prior pulls everybody towards the average."""
        pull: Floats = self._prior / 2 * np.tanh(here / 2)
        return pull

    def spreads(self, here: Floats, *, hidden: bool = True) -> Floats:
        """The curvature of one game of each situation: how the features of the winner scatter.

        Where the winner is not known, what remains open is taken off. With that the likelihood may
        have no peak in sight; without it each step is one of the EM algorithm and leads upwards.
        """
        weights = self._evidence.weights(here)
        spreads = self._scatter(weights)
        if hidden and len(self._evidence.hidden):
            unknown = self._evidence.hidden
            spreads[..., unknown] -= self._scatter(weights[:, unknown] * self._evidence.open)
        return spreads

    def gather(self, spreads: Floats, here: Floats, counts: Floats) -> Floats:
        """How fast the slope falls in which direction: a matrix, from that of each situation."""
        size, own, seats = len(here), self._entrants, self._evidence.scheme.seats
        all_ = spreads * counts
        matrix = np.zeros((size, size))
        pairs = np.bincount(self._pairs, all_[:seats, :seats].ravel(), own * own)
        matrix[:own, :own] = pairs.reshape(own, own)
        shared = np.bincount(self._shared, all_[:seats, seats:].ravel(), own * (size - own))
        matrix[:own, own:] = shared.reshape(own, size - own)
        matrix[own:, :own] = matrix[:own, own:].T
        matrix[own:, own:] = all_[seats:, seats:].sum(axis=-1)
        matrix[np.diag_indices(size)] += self._prior / 4 / np.cosh(here / 2) ** 2
        return matrix

    def _scatter(self, weights: Floats) -> Floats:
        chances = weights / weights.sum(axis=0)
        means = self._features.T @ chances
        squares = (self._squares @ chances).reshape(len(means), len(means), -1)
        scatter: Floats = squares - means[:, None] * means[None, :]
        return scatter


def _short(step: Floats) -> bool:
    """Whether the likelihood, which is flat to the last bits at the top, cannot judge a step."""
    return bool(np.abs(step).max() < SHORT)
