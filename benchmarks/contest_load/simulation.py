"""Contests that are drawn and not played, by players whose strengths are known."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random
from statistics import NormalDist, correlation, mean, median
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Contest, Entrant
from spielwerk.contests.ranking import rank
from spielwerk.contests.schedule import draw_up
from spielwerk.store.records import Ending, EntrantRecord, Kind, PairingState, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spielwerk.store.records import Pairing

ELO: Final = 400 / math.log(10)  # points a unit of strength
SPREAD: Final = 150.0  # of the strengths, in Elo
FIRST_MOVE: Final = 40.0  # Elo
DRAWS: Final = 0.3  # nu: 13 % between equals
NORMAL: Final = NormalDist()


@dataclass(frozen=True)
class Simulated:
    """A contest, and what nobody knows otherwise."""

    contest: Contest
    entrants: Sequence[EntrantRecord]
    games: Sequence[Pairing]
    strengths: Sequence[float]  # Elo, their mean is 0


def simulate(entrants: int, rounds: int, seed: int, likeness: float = 0.0) -> Simulated:
    """Draw a contest; the two games of an opening are alike in what the side that begins scores.

    `likeness` is the correlation of the chance in them; how likely each outcome is does not change.
    """
    rng = Random(seed)
    strengths = [rng.gauss(0, SPREAD) for _ in range(entrants)]
    strengths = [strength - mean(strengths) for strength in strengths]
    names = [f"bot {number}" for number in range(entrants)]
    players = tuple(Entrant(name, Kind.ENGINE, "random") for name in names)
    contest = Contest("simulated", "connect4", players, rounds=rounds, seed=seed, opening=0)
    records = [EntrantRecord("s", n, name, Kind.ENGINE, "") for n, name in enumerate(names)]
    return Simulated(contest, records, [*_played(contest, strengths, likeness, rng)], strengths)


def _played(
    contest: Contest, strengths: Sequence[float], likeness: float, rng: Random
) -> Iterator[Pairing]:
    bundle, shared = -1, 0.0
    for pairing in draw_up(contest, "s"):
        if pairing.bundle != bundle:
            bundle, shared = pairing.bundle, rng.gauss(0, 1)
        own = math.sqrt(1 - likeness) * rng.gauss(0, 1)
        chance = NORMAL.cdf(math.sqrt(likeness) * shared + own)
        first, second = (strengths[entrant] / ELO for entrant in pairing.seats)
        outcome = _outcome(first + FIRST_MOVE / ELO, second, chance)
        yield replace(pairing, state=PairingState.DONE, attempt=1, game="G", ending=outcome)


def _outcome(first: float, second: float, chance: float) -> Ending:
    """Davidson's model: the weights of a win, a draw and a loss of the first player."""
    weights = math.exp(first), DRAWS * math.exp((first + second) / 2), math.exp(second)
    win, draw = weights[0] / sum(weights), weights[1] / sum(weights)
    if chance > 1 - win:
        return Ending(Reason.WIN, 0)
    return Ending(Reason.DRAW) if chance > 1 - win - draw else Ending(Reason.WIN, 1)


# what the ranking makes of them


@dataclass(frozen=True)
class Findings:
    """How well many contests were ranked."""

    intervals: int
    covering: int
    width: float  # of an interval in Elo, the median in a contest, and the average of these
    correlation: float  # of the ranks with the true ones (Spearman), the average


def judge(contests: int, entrants: int, rounds: int, likeness: float) -> Findings:
    """Rank so many contests, and look whether everybody is where he belongs."""
    found = [_judged(simulate(entrants, rounds, seed, likeness)) for seed in range(contests)]
    return Findings(
        contests * entrants,
        sum(one.covering for one in found),
        mean(one.width for one in found),
        mean(one.correlation for one in found),
    )


def _judged(drawn: Simulated) -> Findings:
    standings = rank(drawn.contest, drawn.entrants, drawn.games).standings
    truth = [drawn.strengths[line.entrant] for line in standings]
    ends = [
        (-math.inf if line.low is None else line.low, math.inf if line.high is None else line.high)
        for line in standings
    ]
    covering = sum(low <= true <= high for (low, high), true in zip(ends, truth, strict=True))
    width = median(high - low for low, high in ends)
    places = [float(sorted(truth, reverse=True).index(true)) for true in truth]
    ranks = correlation([float(line.rank) for line in standings], places)
    return Findings(len(ends), covering, width, ranks)
