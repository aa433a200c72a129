"""Ratings: the time that a ranking takes, and how often its intervals cover the truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, cycle, islice, permutations

import numpy as np

from benchmarks.yardstick import yardstick
from spielwerk.contests.intervals import Certainty, Interval, links
from spielwerk.contests.rating import ELO, RatedGame, fit

ENTRANTS = 30
INTERVALS = 600  # simulated for each figure

Play = Callable[[Sequence[float], np.random.Generator], list[RatedGame]]


def rows() -> Iterator[tuple[str, str]]:
    """Seconds for 30 entrants and about 10,000 games, then the coverage."""
    chance = np.random.default_rng(1)
    strengths = chance.normal(size=ENTRANTS).tolist()
    measure = yardstick()
    for what, games in (
        ("two players", pairs(strengths, 11, chance)),
        ("dice", triples(strengths, 1667, chance, failing=0.02)),
    ):
        for intervals in (False, True):
            start = time.perf_counter()
            rate(games, range(ENTRANTS if intervals else 0))
            seconds = time.perf_counter() - start
            figure = f"{seconds:7.3f} s  {seconds * measure:7.0f} x yardstick"
            yield f"{what}, {len(games)} games{', intervals' * intervals}", figure
    for what, entrants, apart, play in COVERED:
        yield f"covered, {what}", f"{100 * covered(entrants, apart, play):5.1f} %  promised: 95"


def rate(games: list[RatedGame], entrants: Iterable[int]) -> list[Interval]:
    """All of a ranking that is not counting; the intervals of these."""
    certainty = Certainty(fit(games), links(games))
    return [certainty.interval(entrant) for entrant in entrants]


def covered(entrants: int, apart: float, play: Play) -> float:
    """How often the true rating is in its interval, if one is told; strengths are so far apart."""
    chance = np.random.default_rng(2)
    hits = told = 0
    for _ in range(INTERVALS // entrants):
        strengths = apart * chance.normal(size=entrants)
        found = rate(play(strengths.tolist(), chance), range(entrants))
        truths = ELO * (strengths - strengths.mean())
        for truth, (low, high) in zip(truths, found, strict=True):
            if low is not None or high is not None:
                told += 1
                hits += (low is None or low <= truth) and (high is None or truth <= high)
    return hits / told


def pairs(
    strengths: Sequence[float],
    rounds: int,
    chance: np.random.Generator,
    luck: float = 0.0,
    draws: float = 0.5,
) -> list[RatedGame]:
    """Everybody against everybody, both sides; openings favour one side by luck."""
    games = []
    for bundle, (a, b) in enumerate([*combinations(range(len(strengths)), 2)] * rounds):
        favour = 0.2 + luck * chance.normal()
        for first, second in ((a, b), (b, a)):
            ahead, behind = strengths[first] + favour, strengths[second]
            weights = np.exp([ahead, behind, (ahead + behind) / 2]) * [1, 1, draws]
            best = int(chance.choice(3, p=weights / weights.sum()))
            games.append(RatedGame((first, second), (best,) if best < 2 else (), bundle))
    return games


def triples(
    strengths: Sequence[float], bundles: int, chance: np.random.Generator, failing: float = 0.0
) -> list[RatedGame]:
    """Three by three in all six orders; of those who do not win, one may fail before."""
    games = []
    threes = islice(cycle(combinations(range(len(strengths)), 3)), bundles)
    for bundle, three in enumerate(threes):
        for order in permutations(three):
            weights = np.exp([strengths[one] for one in order])
            best = int(chance.choice(3, p=weights / weights.sum()))
            culprit = (best + int(chance.integers(1, 3))) % 3
            others = tuple(seat for seat in range(3) if seat != culprit)
            games.append(RatedGame(order, others if chance.random() < failing else (best,), bundle))
    return games


COVERED: list[tuple[str, int, float, Play]] = [
    ("2 players, 20 pairs, many draws", 2, 1.5, lambda s, chance: pairs(s, 20, chance, draws=4.0)),
    ("4 players, 15 pairs each", 4, 1.0, lambda s, chance: pairs(s, 5, chance)),
    ("6 players, 10 pairs each", 6, 1.0, lambda s, chance: pairs(s, 2, chance)),
    ("10 players, 90 pairs each", 10, 1.0, lambda s, chance: pairs(s, 10, chance)),
    # between equals: openings that decide games make all strengths seem less far apart
    ("8 equals, 35 pairs, lucky openings", 8, 0.0, lambda s, chance: pairs(s, 5, chance, luck=1.5)),
    ("5 bots, 12 dice streams each", 5, 0.5, lambda s, chance: triples(s, 20, chance)),
    ("8 bots, 42 dice streams, 5 % fail", 8, 0.5, lambda s, chance: triples(s, 112, chance, 0.05)),
]
