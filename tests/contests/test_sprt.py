from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from spielwerk.contests.match import (
    PRIOR,
    SHARES,
    Sprt,
    SprtVerdict,
    elo_of,
    interval,
    score_of,
)
from spielwerk.errors import UsageError

Floats = NDArray[np.float64]


VALUES = np.array(SHARES)
EVEN = np.array([0.15, 0.2, 0.3, 0.2, 0.15])
SPLITS = np.array([0.03, 0.02, 0.9, 0.02, 0.03])  # the side decides nearly every game
DECISIVE = np.array([0.25, 0.0, 0.5, 0.0, 0.25])  # no draws

counts = st.lists(st.integers(0, 300), min_size=5, max_size=5)


def shares(pairs: list[int]) -> Counter[float]:
    return Counter(dict(zip(SHARES, pairs, strict=True)))


def root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is zero."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low


def with_mean(weights: Floats, mean: float) -> Floats:
    """The weights, tilted until they have this mean."""
    tilt = root(lambda t: -float(weights * np.exp(t * VALUES) @ (VALUES - mean)), -50, 50)
    tilted = weights * np.exp(tilt * VALUES)
    return np.asarray(tilted / tilted.sum())


def error_rates(test: Sprt, weights: Floats, elo: float, runs: int, pairs: int) -> Floats:
    """How often simulated matches of that strength end with H0, H1 and undecided."""
    rng = np.random.default_rng(20)
    results = rng.choice(5, size=(runs, pairs), p=with_mean(weights, score_of(elo)))
    ends = Counter(_end(test, row) for row in results)
    return np.array([ends[SprtVerdict.H0], ends[SprtVerdict.H1], ends[None]]) / runs


def _end(test: Sprt, results: NDArray[np.int64]) -> SprtVerdict | None:
    """The verdict of the first pair that has one, found by Sprt itself."""
    seen: Counter[float] = Counter()
    for result in results.tolist():
        seen[SHARES[result]] += 1
        if verdict := test.verdict(seen):
            return verdict
    return None


def test_elo_and_score_are_each_other_s_inverse() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    assert [elo_of(score_of(elo)) for elo in (-300, 0, 12.5)] == pytest.approx([-300, 0, 12.5])
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


def test_bounds_are_wald_s() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-2.944439, 2.944439))
    assert Sprt(0, 10, alpha=0.01, beta=0.1).bounds == pytest.approx(
        (math.log(0.1 / 0.99), math.log(0.9 / 0.01))
    )


def test_the_ratio_by_hand() -> None:
    test, seen = Sprt(0, 100), [0.5, 0.5, 1.0]
    padded = [*seen, *SHARES]
    weights = [1.0] * 3 + [PRIOR] * 5
    around = [
        np.average([(share - score_of(elo)) ** 2 for share in padded], weights=weights)
        for elo in (0, 100)
    ]
    assert test.llr(Counter(seen)) == pytest.approx(1.5 * math.log(around[0] / around[1]))


@given(counts)
def test_who_is_swapped_has_the_opposite_ratio(pairs: list[int]) -> None:
    test = Sprt(-10, 10)
    assert test.llr(shares(pairs)) == pytest.approx(-test.llr(shares(pairs[::-1])), abs=1e-9)
    assert Sprt(-40, 5).llr(shares(pairs)) == pytest.approx(
        -Sprt(-5, 40).llr(shares(pairs[::-1])), abs=1e-9
    )


@pytest.mark.parametrize("share", SHARES)
def test_few_pairs_that_are_all_alike_decide_nothing(share: float) -> None:
    for test in (Sprt(0, 10), Sprt(-10, 0), Sprt(-5, 5)):
        assert not any(test.verdict({share: pairs}) for pairs in range(20))


def test_a_verdict_needs_a_bound() -> None:
    test = Sprt(0, 50)
    ends = [test.verdict({1.0: pairs}) for pairs in range(200)]
    first = ends.index(SprtVerdict.H1)
    assert ends == [None] * first + [SprtVerdict.H1] * (200 - first)
    assert test.llr({1.0: first - 1}) < test.bounds[1] <= test.llr({1.0: first})
    assert test.verdict({0.0: 200}) is SprtVerdict.H0


@pytest.mark.parametrize(
    ("test", "weights", "runs", "pairs"),
    [
        (Sprt(0, 100), SPLITS, 300, 300),
        (Sprt(-50, 50, alpha=0.1, beta=0.02), DECISIVE, 300, 500),
    ],
    ids=["splits", "decisive"],
)
def test_it_errs_no_more_often_than_it_may(
    test: Sprt, weights: Floats, runs: int, pairs: int
) -> None:
    for truth, wrong, chance in ((test.elo0, 1, test.alpha), (test.elo1, 0, test.beta)):
        rates = error_rates(test, weights, truth, runs, pairs)
        assert rates[wrong] < chance + 3 * math.sqrt(chance * (1 - chance) / runs)
        assert rates[1 - wrong] > 0.8
        assert rates[2] < 0.02


def test_the_interval_covers_what_it_should() -> None:
    rng = np.random.default_rng(5)
    for weights, pairs in ((EVEN, 10), (EVEN, 100), (SPLITS, 30), (DECISIVE, 15)):
        skewed = with_mean(weights, 0.6)
        samples = rng.multinomial(pairs, skewed, size=600).tolist()
        covered = [low <= 0.6 <= high for low, high in (interval(shares(row)) for row in samples)]
        assert sum(covered) / 600 > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 600)


def test_the_interval_of_many_pairs_is_the_usual_one() -> None:
    pairs = [1000, 2000, 4000, 2500, 1200]
    frequencies = np.array(pairs) / sum(pairs)
    mean = frequencies @ VALUES
    usual = 1.96 * math.sqrt(frequencies @ (VALUES - mean) ** 2 / sum(pairs))
    assert interval(shares(pairs)) == pytest.approx((mean - usual, mean + usual), abs=2e-4)
    assert interval({}) == (0, 1)


@pytest.mark.parametrize(
    ("elos", "chances"),
    [
        ((10, 0), (0.05, 0.05)),
        ((5, 5), (0.05, 0.05)),
        ((math.nan, 5), (0.05, 0.05)),
        ((0, math.inf), (0.05, 0.05)),
        ((-2000, 0), (0.05, 0.05)),
        ((0, 5), (0, 0.05)),
        ((0, 5), (0.05, 0.5)),
        ((0, 5), (math.nan, 0.05)),
    ],
)
def test_a_test_that_cannot_be(elos: tuple[float, float], chances: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match=r"^(sprt|alpha|beta) "):
        Sprt(*elos, *chances)
