"""One rating for every entrant, from all games at once.

Every entrant has a strength, the logarithm of a weight. The chance of a result is its weight
divided by the sum of the weights of all results that the game can have.

Two players (Bradley and Terry, with draws after Davidson and an advantage h for moving first):

    first wins ~ exp(a + h)     second wins ~ exp(b)     draw ~ nu exp((a + h + b) / 2)

Without draws there is no nu. Where no two have met from both sides h cannot be told from strength,
and is taken as 0. Three and more (Plackett and Luce, with an effect s of each seat):

    seat i wins ~ exp(a_i + s_i)

When a player of three fails, the game says that one of the others was better: the chance is the sum
of theirs. A program that cannot finish a game is weaker than one that can, so a forfeit is a game
lost. Not rated are our own failures, games that ran out of rounds, games in which all failed, and
all games of the disqualified.

The fit maximises the likelihood of all games times a weak prior: half a game of every entrant
against the average, half won and half lost, and likewise for h, nu and the seats. Without it an
entrant that won all its games would have no likeliest strength. Ratings are strengths times
400 / ln 10, their mean is 0; 400 points are ten wins to one loss.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from spielwerk.store.records import PairingState, Reason

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from spielwerk.store.records import Ending, Pairing

Floats: TypeAlias = npt.NDArray[np.float64]

PAIR: Final = 2  # seats of a game that can be drawn
ELO: Final = 400 / math.log(10)
"""Points a unit of strength."""

PRIOR: Final = 0.5
"""How many games, half won and half lost, every entrant is taken to have played before."""

RIDGE: Final = 1e-4  # keeps infinity away from the computer where there is no prior
TOLERANCE: Final = 1e-9  # in strength: the last step of a fit is shorter
LONGEST: Final = 4.0  # step: farther away the curvature says nothing
SHORT: Final = 1e-5  # step: taken without a look at the likelihood, which is flat at the top
STEPS: Final = 500  # a fit takes about six


@dataclass(frozen=True, slots=True, order=True)
class RatedGame:
    """A rated game: the entrants by seat, and the seats of which one was better than the rest.

    Of two the first has really begun, even if the schedule had it otherwise.
    """

    seats: tuple[int, ...]
    best: tuple[int, ...]  # one: the winner; several: one of them; none: a draw
    bundle: int = 0


def settled(pairing: Pairing) -> Ending | None:
    """What came of a game that counts: one that is done, and not ended by our own fault."""
    ending = pairing.ending
    if pairing.state != PairingState.DONE or ending is None:
        return None
    return None if ending.reason is Reason.SERVER_ERROR else ending


def rated(pairing: Pairing, struck: Container[int] = ()) -> RatedGame | None:
    """What a game says about strengths; None if it is not rated, as those of the struck are not."""
    ending = settled(pairing)
    if ending is None or any(entrant in struck for entrant in pairing.seats):
        return None
    best = _best(ending, len(pairing.seats))
    if best is None:
        return None
    if pairing.begins and len(pairing.seats) == PAIR:
        return RatedGame(pairing.seats[::-1], tuple(1 - seat for seat in best), pairing.bundle)
    return RatedGame(pairing.seats, best, pairing.bundle)


def _best(ending: Ending, count: int) -> tuple[int, ...] | None:
    """The seats of which one was better than the rest; None if that is not known."""
    if ending.reason is Reason.DRAW:
        return () if count == PAIR else None
    if ending.winner is not None:
        return (ending.winner,)
    others = tuple(seat for seat in range(count) if seat not in ending.culprits)
    return others if 0 < len(others) < count else None


class Model:
    """The likelihood of the games, its slope and its curvature, at any parameters.

    The parameters are the strengths of `entrants`, then those that all games share. Games that
    differ in nothing but their bundle are one kind with a count. A result is a row of `features`:
    which of its players' strengths, and which shared parameters, its weight is made of.
    """

    def __init__(self, games: Sequence[RatedGame]) -> None:
        self.entrants = tuple(sorted({entrant for game in games for entrant in game.seats}))
        self.seats = len(games[0].seats)
        self.has_draws = any(not game.best for game in games)
        self.has_advantage = self.seats == PAIR and _sides_told(games)
        self._features = self._make_features()
        self.shared = len(self._features.T) - self.seats
        self.size = len(self.entrants) + self.shared
        place = {entrant: number for number, entrant in enumerate(self.entrants)}
        kinds = Counter((game.seats, game.best) for game in games)
        self._kinds = {kind: number for number, kind in enumerate(sorted(kinds))}
        self._counts = np.array([kinds[kind] for kind in self._kinds], dtype=np.float64)
        seats = [[place[entrant] for entrant in seats] for seats, _ in self._kinds]
        self._places = np.array(seats, dtype=np.int64).T
        results = range(len(self._features))
        draw = (PAIR,)
        may = [[result in (best or draw) for result in results] for _, best in self._kinds]
        self._may = np.array(may, dtype=np.float64).T
        self._unknown = np.flatnonzero(self._may.sum(axis=0) > 1)  # kinds without a known winner
        squares = self._features[:, :, None] * self._features[:, None, :]
        self._squares = squares.reshape(len(squares), -1).T
        kind_of = [self._kinds[game.seats, game.best] for game in games]
        self._kind_of = np.array(kind_of, dtype=np.int64)  # of every game, as its bundle
        _, self._bundle_of = np.unique([game.bundle for game in games], return_inverse=True)
        played = {(game.bundle, entrant) for game in games for entrant in game.seats}
        self.bundles_of = Counter(entrant for _, entrant in played)

    def _make_features(self) -> Floats:
        if self.seats != PAIR:
            effects = np.eye(self.seats, self.seats - 1)  # compared with the last seat
            return np.hstack([np.eye(self.seats), effects])
        columns = [True, True, self.has_advantage, self.has_draws]
        features = np.array([[1, 0, 1, 0], [0, 1, 0, 0], [0.5, 0.5, 0.5, 1]])
        return features[: PAIR + self.has_draws, columns]

    @property
    def games(self) -> int:
        """How many there are."""
        return int(self._counts.sum())

    @property
    def bundles(self) -> int:
        """How many there are."""
        return int(self._bundle_of.max()) + 1

    # the likelihood

    def height(self, here: Floats, prior: float) -> float:
        """The logarithm of likelihood and prior."""
        weights = self._weights(here)
        chances = (weights * self._may).sum(axis=0) / weights.sum(axis=0)
        before = prior / 2 * (np.logaddexp(0, here) + np.logaddexp(0, -here)).sum()
        before += RIDGE / 2 * here @ here
        return float(self._counts @ np.log(chances) - before)

    def slope(self, here: Floats, prior: float) -> Floats:
        """Where it rises: the features of what happened that were not expected."""
        surprise = self._counts * self._surprise(here)
        slope: Floats = -prior / 2 * np.tanh(here / 2) - RIDGE * here
        own = surprise[: self.seats].ravel()
        slope[: len(self.entrants)] += np.bincount(self._places.ravel(), own, len(self.entrants))
        slope[len(self.entrants) :] += surprise[self.seats :].sum(axis=1)
        return slope

    def curvature(self, here: Floats, prior: float) -> Floats:
        """How fast the slope falls in which direction: a matrix that is always positive.

        Where it is not known who won, what remains open is taken off, unless that leaves no peak in
        sight; without it each step is one of the EM algorithm, which leads upwards, too.
        """
        exact = self._gathered(self._told(here), here, prior)
        if len(self._unknown) and np.linalg.eigvalsh(exact)[0] <= 0:
            return self._gathered(self._scatter(self._weights(here)), here, prior)
        return exact

    def maximum(
        self,
        start: Floats,
        prior: float,
        fixed: Floats | None = None,
        tolerance: float = TOLERANCE,
    ) -> Floats:
        """Newton's way up, with steps that are halved until they lead upwards.

        The sum of the parameters by these weights, if there are some, remains as at the start.
        """
        here, height = start, self.height(start, prior)
        for _ in range(STEPS):
            step = self._step(here, prior, fixed)
            while (higher := self.height(here + step, prior)) < height and _size(step) > SHORT:
                step = step / 2
            here, height = here + step, higher
            if _size(step) < tolerance:
                break
        return here

    def _step(self, here: Floats, prior: float, fixed: Floats | None) -> Floats:
        slope, curvature = self.slope(here, prior), self.curvature(here, prior)
        step: Floats = np.linalg.solve(curvature, slope).astype(np.float64, copy=False)
        if fixed is not None:
            held = np.linalg.solve(curvature, fixed)
            step -= held * (fixed @ step) / (fixed @ held)
        return step / max(1.0, _size(step) / LONGEST)

    def _weights(self, here: Floats) -> Floats:
        """The weights of the results: a row each, a column a kind of game."""
        shared = self._features[:, self.seats :] @ here[len(self.entrants) :]
        own = self._features[:, : self.seats] @ here[self._places]
        weights: Floats = np.exp(own + shared[:, None])
        return weights

    def _surprise(self, here: Floats) -> Floats:
        """The slope that one game of each kind gives to its own parameters."""
        weights = self._weights(here)
        happened = weights * self._may
        surprise: Floats = self._features.T @ (
            happened / happened.sum(axis=0) - weights / weights.sum(axis=0)
        )
        return surprise

    def _told(self, here: Floats) -> Floats:
        """How much the result of one game of each kind tells about its own parameters."""
        weights = self._weights(here)
        told = self._scatter(weights)
        told[..., self._unknown] -= self._scatter((weights * self._may)[:, self._unknown])
        return told

    def _scatter(self, weights: Floats) -> Floats:
        """How the features of the result scatter, if their chances are by these weights."""
        chances = weights / weights.sum(axis=0)
        means = self._features.T @ chances
        squares = (self._squares @ chances).reshape(len(means), len(means), -1)
        scatter: Floats = squares - means[:, None] * means[None, :]
        return scatter

    def _gathered(self, scatter: Floats, here: Floats, prior: float) -> Floats:
        """The curvature of all games from that of one game of each kind."""
        own = len(self.entrants)
        shared = np.arange(own, self.size)[:, None] + np.zeros_like(self._places[:1])
        index = np.vstack([self._places, shared])
        pairs = index[:, None] * self.size + index[None, :]
        counted = (scatter * self._counts).ravel()
        flat = np.bincount(pairs.ravel(), counted, self.size**2).astype(np.float64, copy=False)
        matrix = flat.reshape(self.size, self.size)
        matrix[np.diag_indices(self.size)] += prior / 4 / np.cosh(here / 2) ** 2 + RIDGE
        return matrix

    def dispersion(self, here: Floats) -> float:
        """How much more the results of bundles scatter than those of independent games would.

        Games of a bundle have their opening or their chance in common.
        """
        places = self._places[:, self._kind_of]
        keys = (self._bundle_of * len(self.entrants) + places).ravel()
        surprise = self._surprise(here)[: self.seats, self._kind_of].ravel()
        _, which = np.unique(keys, return_inverse=True)
        found = (np.bincount(which, surprise) ** 2).sum()
        scatter = self._told(here)
        expected = sum(scatter[seat, seat] @ self._counts for seat in range(self.seats))
        return float(found / expected) if expected > RIDGE else 1.0


def _size(step: Floats) -> float:
    return float(np.abs(step).max())


def _sides_told(games: Iterable[RatedGame]) -> bool:
    """Whether moving first can be told from being strong: some two had each both sides."""
    seats = {game.seats for game in games}
    return any(pair[::-1] in seats for pair in seats)


@dataclass(frozen=True)
class Fit:
    """The strengths that explain the games best."""

    model: Model
    parameters: Floats

    @cached_property
    def ratings(self) -> dict[int, float]:
        """The rating of every entrant that has played a rated game."""
        strengths = self.parameters[: len(self.model.entrants)]
        elo = ELO * (strengths - strengths.mean())
        return dict(zip(self.model.entrants, elo.tolist(), strict=True))

    @property
    def advantage(self) -> float | None:
        """What moving first is worth in Elo; None: not known, or more than two players."""
        if not self.model.has_advantage:
            return None
        return ELO * float(self.parameters[len(self.model.entrants)])

    @property
    def draws(self) -> float | None:
        """The share of games between equals that are drawn; None for more than two players."""
        if self.model.seats != PAIR:
            return None
        if not self.model.has_draws:
            return 0.0
        first = (
            math.exp(self.parameters[len(self.model.entrants)]) if self.model.has_advantage else 1.0
        )
        draw = math.exp(self.parameters[-1]) * math.sqrt(first)
        return draw / (1 + first + draw)


def fit(games: Sequence[RatedGame]) -> Fit:
    """Rate every entrant of these games."""
    model = Model(games)
    return Fit(model, model.maximum(np.zeros(model.size), PRIOR))
