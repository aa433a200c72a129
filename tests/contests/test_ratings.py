from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.contests.rating.evidence import Evidence, Known
from spielwerk.contests.rating.ratings import ELO, PRIOR, Fit, Model, fit
from tests.contests.rated import pairs, triples

if TYPE_CHECKING:
    from random import Random

ALMOST_NONE = 1e-4  # a prior that does not show


def rated(*games: Known, prior: float = ALMOST_NONE) -> Fit:
    return fit(Evidence(games), prior)


def wins(first: int, second: int, count: int, bundle: int = 0) -> list[Known]:
    return [Known((first, second), (0,), bundle)] * count


def draws(first: int, second: int, count: int) -> list[Known]:
    return [Known((first, second), ())] * count


def seats_of(found: Fit) -> list[float]:
    """What each of three seats is worth in Elo, on average nothing."""
    effects = np.append(found.parameters[len(found.evidence.entrants) :], 0.0)
    return list(ELO * (effects - effects.mean()))


# by hand


def test_three_wins_to_one_are_190_8_points() -> None:
    found = rated(*wins(0, 1, 3), Known((0, 1), (1,)))
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * math.log10(3), abs=0.05)
    assert round(found.ratings[0] - found.ratings[1], 1) == 190.8
    assert found.advantage is None


def test_with_the_prior_they_are_a_little_less() -> None:
    found = rated(*wins(0, 1, 3), Known((0, 1), (1,)), prior=PRIOR)
    half = found.ratings[0] / ELO
    # the slope is zero there: three wins, what was expected of four games, and the prior's pull
    slope = 3 - 4 / (1 + math.exp(-2 * half)) - PRIOR / 2 * math.tanh(half / 2)
    assert slope == pytest.approx(0, abs=1e-9)
    assert round(found.ratings[0] - found.ratings[1]) == 177


def test_after_many_games_the_prior_does_not_show() -> None:
    found = rated(*wins(0, 1, 3000), *[Known((0, 1), (1,))] * 1000, prior=PRIOR)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(190.85, abs=0.02)


def test_the_side_that_begins_wins_more_among_equals() -> None:
    found = rated(*wins(0, 1, 3), *wins(1, 0, 3), Known((0, 1), (1,)), Known((1, 0), (1,)))
    assert found.ratings == {0: pytest.approx(0, abs=1e-9), 1: pytest.approx(0, abs=1e-9)}
    assert found.advantage == pytest.approx(400 * math.log10(3), abs=0.05)
    assert found.draws == 0.0


def test_strength_and_moving_first_are_told_apart() -> None:
    # 0 wins 8:1 when it begins and 2:1 when it does not: odds a+h = ln 8, a-h = ln 2
    games = [*wins(0, 1, 8), Known((0, 1), (1,)), Known((1, 0), (0,)), *[Known((1, 0), (1,))] * 2]
    found = rated(*games)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(ELO * math.log(4), abs=0.2)
    assert found.advantage == pytest.approx(ELO * math.log(2), abs=0.2)


def test_draws_follow_davidson() -> None:
    # between equals two wins each and four draws: nu = 4 / 2
    games = [*wins(0, 1, 1), *wins(1, 0, 1), *draws(0, 1, 2), *draws(1, 0, 2)]
    found = rated(*games, Known((0, 1), (1,)), Known((1, 0), (1,)))
    assert found.ratings[0] == pytest.approx(0, abs=1e-9)
    assert found.draws == pytest.approx(0.5, abs=1e-4)
    # unequal: 16 wins, 4 draws, 1 loss is the model's own for a-b = ln 16, nu = 1
    games = [*wins(0, 1, 16), *draws(0, 1, 4), Known((0, 1), (1,))]
    found = rated(*games)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(ELO * math.log(16), abs=0.5)
    assert found.draws == pytest.approx(1 / 3, abs=1e-3)


def test_three_who_beat_each_other_in_a_circle_are_equal() -> None:
    found = rated(*wins(0, 1, 2), *wins(1, 2, 2), *wins(2, 0, 2), prior=PRIOR)
    assert [*found.ratings.values()] == pytest.approx([0, 0, 0], abs=1e-9)


def test_of_three_the_one_that_wins_twice_as_often_has_twice_the_weight() -> None:
    games = [Known(order, (order.index(0),)) for order in permutations(range(3))] * 2
    games += [Known(order, (order.index(1),)) for order in permutations(range(3))]
    games += [Known(order, (order.index(2),)) for order in permutations(range(3))]
    found = rated(*games)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(ELO * math.log(2), abs=0.02)
    assert found.ratings[1] == pytest.approx(found.ratings[2])
    assert seats_of(found) == pytest.approx([0, 0, 0], abs=1e-6)
    assert found.advantage is None
    assert found.draws is None


def test_the_best_seat_at_dice_is_seen_for_what_it_is() -> None:
    games = [Known(order, (seat,)) for order in permutations(range(3)) for seat in (0, 0, 1, 2)]
    found = rated(*games)
    assert [*found.ratings.values()] == pytest.approx([0, 0, 0], abs=1e-6)
    seats = seats_of(found)
    assert seats[0] - seats[1] == pytest.approx(ELO * math.log(2), abs=0.02)
    assert seats[1] == pytest.approx(seats[2], abs=0.01)


def test_a_bot_that_fails_sinks_and_the_others_stay_level() -> None:
    games = [
        Known(order, (order.index(winner),))
        for order in permutations(range(3))
        for winner in range(3)
    ]
    failures = [
        Known(order, tuple(seat for seat in range(3) if order[seat] != 2))
        for order in permutations(range(3))
    ]
    # 2 wins 6 of 24, the others 18 together: the chance of 2 is a quarter
    found = rated(*games, *failures)
    assert found.ratings[0] == pytest.approx(found.ratings[1])
    assert found.ratings[0] - found.ratings[2] == pytest.approx(ELO * math.log(1.5), abs=0.02)


def test_a_bot_that_always_fails_leaves_the_others_undecided() -> None:
    failures = [
        Known(order, tuple(seat for seat in range(3) if order[seat] != 2), bundle)
        for bundle in range(200)
        for order in permutations(range(3))
    ]
    found = rated(*failures, prior=PRIOR)
    assert found.ratings[0] == pytest.approx(found.ratings[1], abs=1e-6)
    assert found.ratings[2] < found.ratings[0] - 800


# where the likelihood has no top


def test_who_wins_everything_is_rated_by_the_prior_and_higher_after_more_wins() -> None:
    few, many = (rated(*wins(0, 1, count), prior=PRIOR) for count in (4, 40))
    assert 0 < few.ratings[0] < many.ratings[0] < 1500


def test_nothing_but_draws_makes_equals() -> None:
    found = rated(*draws(0, 1, 20), *draws(1, 2, 20), prior=PRIOR)
    assert [*found.ratings.values()] == pytest.approx([0, 0, 0], abs=1e-6)
    assert found.draws is not None
    assert 0.9 < found.draws < 1


def test_a_single_game_is_rated() -> None:
    assert rated(Known((3, 8), (0,)), prior=PRIOR).ratings[3] > 0


# the machinery

games_of_two = st.lists(
    st.builds(
        Known,
        st.permutations(range(4)).map(lambda order: tuple(order[:2])),
        st.sampled_from([(), (0,), (1,)]),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=30,
)
games_of_three = st.lists(
    st.builds(
        Known,
        st.permutations(range(5)).map(lambda order: tuple(order[:3])),
        st.sampled_from([(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=30,
)
any_games = st.one_of(games_of_two, games_of_three)


@given(any_games)
def test_at_the_ratings_the_likelihood_is_level(games: list[Known]) -> None:
    evidence = Evidence(games)
    found = fit(evidence)
    counts, chosen = evidence.counts(evidence.bundles), evidence.chosen(evidence.bundles)
    slope = Model(evidence).slope(found.parameters, counts, chosen)
    assert np.abs(slope).max() < 1e-7
    assert sum(found.ratings.values()) == pytest.approx(0, abs=1e-6)
    assert all(abs(rating) < 5000 for rating in found.ratings.values())


@given(any_games, st.randoms(use_true_random=False))
def test_the_order_of_games_changes_not_a_bit(games: list[Known], random: Random) -> None:
    shuffled = random.sample(games, len(games))
    assert np.array_equal(fit(Evidence(games)).parameters, fit(Evidence(shuffled)).parameters)


@settings(max_examples=50)
@given(any_games, st.permutations(range(5)))
def test_numbers_of_entrants_mean_nothing(games: list[Known], numbers: list[int]) -> None:
    found = fit(Evidence(games)).ratings
    renamed = [
        Known(tuple(numbers[one] for one in game.seats), game.best, game.bundle) for game in games
    ]
    again = fit(Evidence(renamed)).ratings
    assert {numbers[one]: rating for one, rating in found.items()} == pytest.approx(again, abs=1e-4)


@settings(max_examples=50)
@given(games_of_two)
def test_one_more_win_brings_the_winner_nearer_to_the_top(games: list[Known]) -> None:
    seats = games[0].seats
    before = fit(Evidence([*games, Known(seats, ())]))
    after = fit(Evidence([*games, Known(seats, ()), Known(seats, (0,)), Known(seats[::-1], (1,))]))
    gain = [found.ratings[seats[0]] - found.ratings[seats[1]] for found in (before, after)]
    assert gain[1] > gain[0]


@settings(max_examples=50)
@given(any_games, st.integers(0, 1000))
def test_slope_and_curvature_are_those_of_the_likelihood(games: list[Known], seed: int) -> None:
    evidence = Evidence(games)
    model = Model(evidence)
    counts, chosen = evidence.counts(evidence.bundles), evidence.chosen(evidence.bundles)
    here = np.random.default_rng(seed).normal(size=evidence.parameters)
    curvature = model.gather(model.spreads(here), here, counts)
    for number, step in enumerate(1e-5 * np.eye(evidence.parameters)):
        up, down = (model.likelihood(here + way * step, counts, chosen) for way in (1, -1))
        assert (up - down) / 2e-5 == pytest.approx(
            model.slope(here, counts, chosen)[number], abs=1e-5
        )
        ahead, behind = (model.slope(here + way * step, counts, chosen) for way in (1, -1))
        assert (behind - ahead) / 2e-5 == pytest.approx(curvature[number], abs=1e-5)


def test_the_fit_ends_within_its_tolerance_of_the_top() -> None:
    evidence = Evidence(pairs([0.0, 0.5, 1.0, 1.5], 20, seed=3))
    found = fit(evidence)
    model = Model(evidence)
    counts, chosen = evidence.counts(evidence.bundles), evidence.chosen(evidence.bundles)
    from_afar = model.maximum(np.linspace(-3, 3, evidence.parameters), counts, chosen)
    assert from_afar == pytest.approx(found.parameters, abs=1e-10)


# known strengths


def test_known_strengths_of_pairs_are_found_again() -> None:
    strengths = np.linspace(-1, 1, 10)
    found = fit(Evidence(pairs(strengths.tolist(), 60, seed=11, advantage=0.3, draws=0.8)))
    assert found.elo == pytest.approx(ELO * strengths, abs=35)
    assert np.abs(found.elo - ELO * strengths).mean() < 16
    assert found.advantage == pytest.approx(0.3 * ELO, abs=10)
    first, draw = math.exp(0.3), 0.8 * math.exp(0.15)
    assert found.draws == pytest.approx(draw / (first + 1 + draw), abs=0.02)


@pytest.mark.parametrize("failing", [0.0, 0.2])
def test_known_strengths_of_triples_are_found_again(failing: float) -> None:
    strengths = np.linspace(-0.5, 0.5, 8)
    games = triples(strengths.tolist(), 600, seed=12, seats=(0.3, 0, -0.3), failing=failing)
    found = fit(Evidence(games))
    assert np.abs(found.elo - ELO * strengths).mean() < 12 + 60 * failing
    assert seats_of(found) == pytest.approx([0.3 * ELO, 0, -0.3 * ELO], abs=12)


def test_who_has_had_the_better_seats_so_far_is_not_favoured() -> None:
    fair = [Known(order, (seat,)) for order in permutations(range(3)) for seat in (0, 0, 1, 2)] * 20
    lucky = [
        Known(order, (seat,)) for order in ((0, 1, 2), (0, 2, 1)) for seat in (0, 0, 1, 2)
    ] * 20
    found = fit(Evidence([*fair, *lucky]))
    assert [*found.ratings.values()] == pytest.approx([0, 0, 0], abs=0.5)
