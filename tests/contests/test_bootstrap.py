from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.contests.rating.bootstrap import FEWEST, NOWHERE, Spread, spread, tail_of
from spielwerk.contests.rating.connections import OpenEnd, connections
from spielwerk.contests.rating.evidence import Evidence, Known
from spielwerk.contests.rating.open_ends import TAIL, Distance, believable
from spielwerk.contests.rating.ratings import ELO, Model, fit
from tests.contests.rated import pairs, triples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CLASS = (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0)


def spread_of(games: Sequence[Known], resamples: int = 200, seed: int = 1) -> Spread:
    found = fit(Evidence(games))
    return spread(found, seed, resamples, believable(found, connections(games)).ends)


def interval_of(found: Spread, entrant: int) -> tuple[float, float]:
    low, high = found.interval(entrant)
    assert low is not None
    assert high is not None
    return low, high


def low_of(found: Spread, entrant: int) -> float:
    """Of a rating without an upper end."""
    low, high = found.interval(entrant)
    assert low is not None
    assert high is None
    return low


def high_of(found: Spread, entrant: int) -> float:
    """Of a rating without a lower end."""
    low, high = found.interval(entrant)
    assert low is None
    assert high is not None
    return high


# draws


def test_a_seed_fixes_everything() -> None:
    games = pairs(CLASS, 3, seed=1)
    assert np.array_equal(spread_of(games).ratings, spread_of(games).ratings)
    assert not np.array_equal(spread_of(games).ratings, spread_of(games, seed=2).ratings)


def test_the_order_of_games_changes_not_a_bit() -> None:
    for games in (pairs(CLASS, 3, seed=1), triples(CLASS, 30, seed=1, failing=0.2)):
        shuffled = Random(3).sample(games, len(games))
        assert np.array_equal(spread_of(games).ratings, spread_of(shuffled).ratings)


def test_each_draw_is_rated_as_the_same_games_would_be() -> None:
    games = triples(CLASS, 40, seed=4, failing=0.2)
    found = fit(Evidence(games))
    evidence, model = found.evidence, Model(found.evidence)
    generator = np.random.default_rng(9)
    total = evidence.bundles.sum()
    draws = generator.multinomial(int(total), evidence.bundles / total, 20).astype(np.float64)
    ratings = spread(found, 9, 20).ratings
    for draw, row in zip(draws, ratings, strict=True):
        exact = model.maximum(
            np.zeros(evidence.parameters), evidence.counts(draw), evidence.chosen(draw)
        )
        strengths = exact[: len(evidence.entrants)]
        assert row == pytest.approx(ELO * (strengths - strengths.mean()), abs=0.2)


def test_every_draw_has_mean_zero() -> None:
    ratings = spread_of(pairs(CLASS, 3, seed=1)).ratings
    assert ratings.mean(axis=1) == pytest.approx(np.zeros(len(ratings)), abs=1e-9)


def test_bundles_are_drawn_whole() -> None:
    # in every bundle the one that begins wins: drawn as bundles nothing ever changes
    games = [Known(seats, (0,), bundle) for bundle in range(20) for seats in ((0, 1), (1, 0))]
    assert np.ptp(spread_of(games).ratings) < 1e-6
    alone = [Known(game.seats, game.best, number) for number, game in enumerate(games)]
    assert spread_of(alone).ratings.std() > 10


def test_more_games_make_narrower_intervals() -> None:
    few, many = (interval_of(spread_of(pairs(CLASS, rounds, seed=5)), 2) for rounds in (3, 27))
    assert 2 < (few[1] - few[0]) / (many[1] - many[0]) < 6


def test_without_resamples_nothing_is_said() -> None:
    found = spread_of(pairs(CLASS, 2, seed=1), resamples=0)
    assert found.interval(0) == NOWHERE
    assert found.share(0, 1) is None


def test_from_a_single_bundle_nothing_can_be_said() -> None:
    assert spread_of([Known((0, 1), (0,)), Known((1, 0), ())]).interval(0) == NOWHERE


def test_two_bundles_that_differ_are_too_few_for_an_interval_and_three_are_enough() -> None:
    games = [Known((0, 1), (bundle % 2,), bundle) for bundle in range(FEWEST)]
    assert spread_of(games[:-1]).interval(0) == NOWHERE
    low, high = interval_of(spread_of(games), 0)
    assert low < 0 < high


def test_bundles_that_are_all_alike_say_nothing_about_chance() -> None:
    sides = [((0, 1), (0,)), ((1, 0), ())]  # one wins when it begins, and draws when it does not
    found = spread_of([Known(*side, bundle) for bundle in range(30) for side in sides])
    assert found.interval(0) == NOWHERE
    assert found.share(0, 1) is None


def unbeaten(count: int) -> list[Known]:
    """Two of whom one has won and drawn."""
    results = [((0, 1), 2, (0,)), ((1, 0), 3, (1,))]
    return [
        Known(seats, best if bundle % often else (), bundle)
        for bundle in range(count)
        for seats, often, best in results
    ]


def test_what_only_the_prior_holds_has_no_interval() -> None:
    games = unbeaten(50)
    assert connections(games).ends == ()
    assert spread_of(games).interval(0) == NOWHERE
    lost = Known((0, 1), (1,), 60)
    assert spread_of([*games, lost]).interval(0) != NOWHERE


# percentiles and chances


@pytest.mark.parametrize(
    ("bundles", "student"), [(8, 2.3646), (10, 2.2622), (30, 2.0452), (100, 1.9842)]
)
def test_the_percentiles_are_students(bundles: int, student: float) -> None:
    wide = student * math.sqrt(bundles / (bundles - 1))
    assert tail_of(bundles) == pytest.approx(math.erfc(wide / math.sqrt(2)) / 2, rel=0.06)


def test_many_bundles_need_no_correction() -> None:
    assert tail_of(10_000) == pytest.approx(TAIL, rel=0.01)


def test_ties_count_half() -> None:
    found = fit(Evidence([Known((0, 1), (0,))]))
    ratings = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 1.0]])
    drawn = Spread(found, ratings, freed=ratings, draws=np.ones((4, 1)))
    assert drawn.share(0, 1) == 0.625
    assert drawn.share(1, 0) == 0.375


def test_what_a_fit_cannot_tell_apart_is_a_tie() -> None:
    found = fit(Evidence([Known((0, 1), (0,))]))
    ratings = np.array([[1.0, 0.0], [0.003, 0.0], [0.0, 0.003], [0.002, 0.0]])
    drawn = Spread(found, ratings, freed=ratings, draws=np.ones((4, 1)))
    assert drawn.share(0, 1) == 0.625
    assert drawn.share(1, 0) == 0.375


def test_the_better_one_is_ahead_in_a_growing_share_of_the_draws() -> None:
    shares = [spread_of(pairs([0.0, 0.5], rounds, seed=6)).share(1, 0) for rounds in (4, 100)]
    assert shares[0] is not None
    assert shares[1] is not None
    assert 0.5 < shares[0] < shares[1] <= 1


# open ends


def test_ten_wins_of_ten_say_at_least_140_points() -> None:
    games = [Known((0, 1), (0,), bundle) for bundle in range(10)]
    found = fit(Evidence(games))
    least = Distance(found, OpenEnd((0,), (1,), upwards=True)).least(np.zeros(1), TAIL)
    assert least is not None
    distance = found.elo[0] - found.elo[1] + ELO * least
    chance = TAIL ** (1 / 10)  # to win a game, so that ten of ten are just believable
    assert distance == pytest.approx(ELO * math.log(chance / (1 - chance)), abs=1)
    assert low_of(spread_of(games), 0) == pytest.approx(distance / 2, abs=1)


def test_two_sides_that_have_each_other_as_their_end_share_the_distance() -> None:
    found = spread_of([Known((0, 1), (0,), bundle) for bundle in range(10)])
    assert low_of(found, 0) == pytest.approx(-high_of(found, 1))


def test_who_did_equally_badly_has_the_same_interval() -> None:
    # four who lost everything to the same two, of whom one is better than the other
    body = pairs([0.0, 1.0], 12, seed=3)
    lost = [
        Known(seats, (seats.index(best),), 100 * loser + 2 * bundle + best)
        for loser in range(2, 6)
        for bundle in range(6)
        for best in (0, 1)
        for seats in ((best, loser), (loser, best))
    ]
    found = spread_of([*body, *lost])
    highs = [high_of(found, loser) for loser in range(2, 6)]
    assert highs == pytest.approx([highs[0]] * 4, abs=1e-6)


def test_the_games_of_a_bundle_count_as_one() -> None:
    sides = [
        Known(seats, (seats.index(0),), bundle) for bundle in range(5) for seats in ((0, 1), (1, 0))
    ]
    alone = [Known((0, 1), (0,), bundle) for bundle in range(5)]
    lows = [low_of(spread_of(games), 0) for games in (sides, alone)]
    assert lows[0] == pytest.approx(lows[1], abs=15)


def test_more_wins_say_more() -> None:
    lows = [
        low_of(spread_of([Known((0, 1), (0,), n) for n in range(wins)]), 0) for wins in (3, 10, 100)
    ]
    assert lows == sorted(lows)
    assert lows[0] < 0 < lows[2]


def test_a_loser_of_everything_gets_an_upper_end_as_a_winner_gets_a_lower() -> None:
    body = [Known((0, 1), (bundle % 2,), bundle) for bundle in range(20)]
    beaten = [
        Known((one, 2), (0,), 100 + 2 * bundle + one) for bundle in range(10) for one in (0, 1)
    ]
    winning = [
        Known(game.seats, (1,) if 2 in game.seats else game.best, game.bundle) for game in beaten
    ]
    worst, best = spread_of([*body, *beaten]), spread_of([*body, *winning])
    assert high_of(worst, 2) == pytest.approx(-low_of(best, 2), abs=10)


def test_a_bot_that_always_fails_at_dice_is_below_with_certainty() -> None:
    games = triples([0.0, 0.0, 0.0, 0.0], 40, seed=1)
    failing = [
        Known(game.seats, tuple(seat for seat in range(3) if game.seats[seat] != 3), game.bundle)
        if 3 in game.seats
        else game
        for game in games
    ]
    found = spread_of(failing)
    assert high_of(found, 3) < -50
    assert all(interval_of(found, one)[0] > -150 for one in (0, 1, 2))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.builds(
            Known,
            st.permutations(range(4)).map(lambda order: tuple(order[:3])),
            st.sampled_from([(0,), (1,), (2,), (0, 1), (1, 2)]),
            st.integers(0, 5),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_every_contest_however_odd_has_a_spread(games: list[Known]) -> None:
    found = spread_of(games, 20)
    assert np.isfinite(found.ratings).all()
    for entrant, rating in found.fit.ratings.items():
        low, high = found.interval(entrant)
        assert low is None or low <= rating
        assert high is None or rating <= high
    assert all(0 <= (found.share(games[0].seats[0], one) or 0) <= 1 for one in games[0].seats)


# do the intervals hold what they promise


def covered(
    play: Callable[[Sequence[float], int], list[Known]], entrants: int, apart: float, contests: int
) -> float:
    """How often the true rating lies within the interval."""
    generator = np.random.default_rng(2024)
    hits = total = 0
    for number in range(contests):
        strengths = apart * generator.normal(size=entrants)
        found = spread_of(play(strengths.tolist(), number), 200)
        for entrant, truth in enumerate(ELO * (strengths - strengths.mean())):
            low, high = found.interval(entrant)
            hits += (low is None or low <= truth) and (high is None or truth <= high)
            total += 1
    return hits / total


def test_intervals_of_pairs_cover_the_truth() -> None:
    assert 0.90 <= covered(lambda s, n: pairs(s, 4, n), 6, 0.7, 30) <= 0.98


def test_intervals_cover_the_truth_between_equals_when_openings_decide() -> None:
    assert 0.90 <= covered(lambda s, n: pairs(s, 4, n, luck=1.5), 6, 0.0, 30) <= 0.98


def test_intervals_of_triples_cover_the_truth() -> None:
    assert 0.90 <= covered(lambda s, n: triples(s, 40, n), 5, 0.4, 30) <= 0.98


def test_the_intervals_of_two_who_often_draw_cover_the_truth_or_are_not_told() -> None:
    for apart, draws, rounds in ((2.5, 3.0, 10), (3.0, 5.0, 20)):
        spreads = [
            spread_of(pairs([apart, 0.0], rounds, seed, 0.1, draws), 200) for seed in range(60)
        ]
        told = [interval_of(found, 0) for found in spreads if None not in found.interval(0)]
        assert 20 < len(told) < 55
        assert np.mean([low <= ELO * apart / 2 <= high for low, high in told]) >= 0.9


def test_the_cheap_spread_is_near_the_dear_one() -> None:
    games = pairs(CLASS, 10, seed=8)
    cheap, dear = (interval_of(spread_of(games, count), 0) for count in (100, 1000))
    assert cheap == pytest.approx(dear, abs=0.25 * (dear[1] - dear[0]))
