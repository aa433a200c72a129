"""Ratings, their intervals and the chance to be better, where the truth is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from spielwerk.contests.intervals import NOWHERE, Certainty, student, student_tail
from spielwerk.contests.links import links
from spielwerk.contests.rating import ELO, PRIOR, Model, RatedGame, fit, rated
from spielwerk.store.contest_records import PairingState
from spielwerk.store.records import Reason
from tests.contests.rated import a_pairing, drawn, pairs, triples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.contests.intervals import Interval


def meetings(results: str, seats: tuple[int, int] = (0, 1), first: int = 0) -> list[RatedGame]:
    """Games of two in turn from both sides, two a bundle: + won, - lost, = drawn by the first."""
    games = []
    for number, result in enumerate(results):
        best = {"+": (0,), "-": (1,), "=": ()}[result]
        turned = number % 2
        side = seats[::-1] if turned else seats
        seen = tuple(1 - seat for seat in best) if turned else best
        games.append(RatedGame(side, seen, first + number // 2))
    return games


def certainty(games: Sequence[RatedGame]) -> Certainty:
    return Certainty(fit(games), links(games))


def inside(truth: float, interval: Interval) -> bool:
    low, high = interval
    return (low is None or low <= truth) and (high is None or truth <= high)


# which games are rated


@pytest.mark.parametrize(
    ("outcome", "best"),
    [
        ((0, Reason.WIN, ()), (0,)),
        ((1, Reason.CONNECTION_LOST, (0,)), (1,)),
        ((None, Reason.CONNECTION_LOST, (0,)), (1, 2)),
        ((None, Reason.CONNECTION_LOST, (0, 2)), (1,)),
        ((None, Reason.CONNECTION_LOST, (0, 1, 2)), None),
        ((None, Reason.DRAW, ()), None),
        ((None, Reason.SERVER_ERROR, ()), None),
    ],
)
def test_a_game_of_three_says_which_seats_were_better(
    outcome: tuple[int | None, Reason, tuple[int, ...]], best: tuple[int, ...] | None
) -> None:
    found = rated(a_pairing(0, (4, 5, 6), *outcome))
    assert (found and found.best) == best


def test_a_draw_of_two_is_rated_and_games_of_the_struck_are_not() -> None:
    assert rated(drawn(0, (0, 1))) == RatedGame((0, 1), ())
    assert rated(drawn(0, (0, 1)), struck={1}) is None


def test_the_first_of_two_is_the_one_that_really_began() -> None:
    assert rated(a_pairing(0, (3, 4), 0, begins=1, bundle=2)) == RatedGame((4, 3), (1,), 2)


def test_a_game_that_is_not_done_is_not_rated() -> None:
    from dataclasses import replace

    assert rated(replace(a_pairing(0, (0, 1), 0), state=PairingState.REPEAT)) is None


# the fit


def test_three_wins_to_one_are_177_points() -> None:
    games = [RatedGame((0, 1), (0,))] * 3 + [RatedGame((0, 1), (1,))]
    ratings = fit(games).ratings
    assert ratings[0] - ratings[1] == pytest.approx(177.1, abs=0.5)  # 190.8 without the prior
    assert sum(ratings.values()) == pytest.approx(0, abs=1e-9)


def test_strengths_first_move_and_draws_are_found_again() -> None:
    truth = np.array([1.0, 0.4, -0.2, -1.2])
    found = fit(pairs(truth.tolist(), 300, seed=1, advantage=0.5, draws=0.6))
    assert [*found.ratings.values()] == pytest.approx(
        (ELO * (truth - truth.mean())).tolist(), abs=15
    )
    assert found.advantage == pytest.approx(0.5 * ELO, abs=10)
    drawn_by_equals = 0.6 * math.exp(0.25) / (1 + math.exp(0.5) + 0.6 * math.exp(0.25))
    assert found.draws == pytest.approx(drawn_by_equals, abs=0.02)


def test_strengths_at_three_are_found_again_though_some_fail() -> None:
    truth = np.array([0.8, 0.3, -0.1, -1.0])
    found = fit(triples(truth.tolist(), 400, seed=2, failing=0.2))
    assert [*found.ratings.values()] == pytest.approx(
        (ELO * (truth - truth.mean())).tolist(), abs=30
    )
    assert (found.advantage, found.draws) == (None, None)


def test_without_draws_none_are_expected() -> None:
    found = fit(meetings("+-++"))
    assert found.draws == 0
    assert found.advantage is not None


def test_who_always_has_the_same_side_tells_nothing_about_it() -> None:
    assert fit([RatedGame((0, 1), (0,)), RatedGame((0, 1), (1,))]).advantage is None


def test_slope_and_curvature_are_those_of_the_height() -> None:
    model = Model(triples([0.5, 0.0, -0.5, 0.1], 5, seed=3, failing=0.3))
    here = np.random.default_rng(4).normal(size=model.size)
    step = 1e-5 * np.eye(model.size)
    rise = [model.height(here + one, PRIOR) - model.height(here - one, PRIOR) for one in step]
    assert model.slope(here, PRIOR) == pytest.approx(np.array(rise) / 2e-5, abs=1e-5)
    fall = [model.slope(here - one, PRIOR) - model.slope(here + one, PRIOR) for one in step]
    assert np.abs(model.curvature(here, PRIOR) - np.array(fall) / 2e-5).max() < 1e-4


def test_the_order_of_the_games_does_not_matter() -> None:
    games = pairs([0.5, 0.0, -0.5], 5, seed=5)
    both = fit(games).ratings, fit(games[::-1]).ratings
    assert both[0] == pytest.approx(both[1], abs=1e-9)


# links


def test_entrants_that_no_games_link_are_in_different_pools() -> None:
    found = links([RatedGame((0, 1), ()), RatedGame((2, 3), (0,)), RatedGame((3, 4), ())])
    assert found.pools == ((2, 3, 4), (0, 1))
    assert found.groups == ((2,), (0, 1), (3, 4))
    assert found.open == {2}


def test_a_cycle_of_wins_is_one_group() -> None:
    found = links([RatedGame((0, 1), (0,)), RatedGame((1, 2), (0,)), RatedGame((2, 0), (0,))])
    assert (found.groups, found.open) == (((0, 1, 2),), frozenset())
    assert (found.winners, found.losers) == ((), ())


def test_groups_stand_in_order_and_those_that_won_or_lost_all_are_known() -> None:
    games = [RatedGame((0, 1), ()), *meetings("++", (2, 0)), *meetings("--", (3, 1))]
    found = links(games)
    assert found.groups == ((2,), (0, 1), (3,))
    assert (found.winners, found.losers, found.open) == ((2,), (3,), frozenset({2, 3}))


def test_two_groups_of_one_size_are_both_open() -> None:
    found = links([*meetings("=", (0, 1)), *meetings("=", (2, 3)), *meetings("+", (0, 2))])
    assert found.body(found.pools[0]) == ()
    assert found.open == {0, 1, 2, 3}


def test_who_only_saw_others_fail_has_neither_won_nor_lost() -> None:
    found = links([RatedGame((0, 1, 2), (1, 2)), RatedGame((0, 1, 2), (1,))])
    assert (found.winless, found.losers) == ((0, 2), (0, 2))
    assert links([RatedGame((0, 1, 2), (1, 2))]).losers == (0,)


# intervals


@pytest.mark.parametrize("draws", [0.5, 3.0])
def test_intervals_cover_the_truth_of_pairs(draws: float) -> None:
    truth = ELO * np.array([0.9, 0.3, -0.3, -0.9])
    hits = 0
    for seed in range(15):
        found = certainty(pairs((truth / ELO).tolist(), 6, seed=seed, draws=draws))
        hits += sum(inside(one, found.interval(n)) for n, one in enumerate(truth))
    assert hits >= 52  # of 60; 95 % are 57


def test_intervals_cover_the_truth_at_three() -> None:
    truth = ELO * np.array([0.6, 0.2, -0.2, -0.6])
    hits = 0
    for seed in range(12):
        found = certainty(triples((truth / ELO).tolist(), 20, seed=seed, failing=0.1))
        hits += sum(inside(one, found.interval(n)) for n, one in enumerate(truth))
    assert hits >= 41  # of 48; 95 % are 45.6


def test_more_games_make_it_surer() -> None:
    few, many = (certainty(pairs([0.5, 0, -0.5], n, seed=6)).interval(0) for n in (10, 40))
    assert None not in (*few, *many)
    assert 2 * (many[1] or 0) - 2 * (many[0] or 0) == pytest.approx(
        (few[1] or 0) - (few[0] or 0), rel=0.35
    )


def test_games_that_only_repeat_each_other_in_a_bundle_tell_less() -> None:
    once = pairs([0.3, 0.0, -0.3], 15, seed=7)
    thrice = [RatedGame(game.seats, game.best, game.bundle) for game in once for _ in range(3)]
    one, three = certainty(once).interval(0), certainty(thrice).interval(0)
    assert three == pytest.approx(one, abs=40)
    assert (three[1] or 0) - (three[0] or 0) > 0.8 * ((one[1] or 0) - (one[0] or 0))


def test_who_won_everything_has_a_lower_end_alone_and_others_keep_both() -> None:
    rest = pairs([0.3, 0.0, -0.3], 10, seed=8)
    wins = [game for n in range(3) for game in meetings("+" * 20, (3, n), first=1000 + 10 * n)]
    found, usual = certainty([*rest, *wins]), certainty(rest)
    low, high = found.interval(3)
    assert high is None
    assert low is not None
    for entrant in range(3):
        both = [one or math.nan for one in (*found.interval(entrant), *usual.interval(entrant))]
        assert both[1] - both[0] == pytest.approx(both[3] - both[2], rel=0.2)
    more = [game for n in range(3) for game in meetings("+" * 80, (3, n), first=1000 + 40 * n)]
    farther = certainty([*rest, *more])
    assert (farther.interval(3)[0] or 0) - (farther.interval(0)[0] or 0) > low


def test_who_lost_everything_has_an_upper_end_alone() -> None:
    rest = pairs([0.3, 0.0, -0.3], 10, seed=8)
    lost = [game for n in range(3) for game in meetings("-" * 20, (3, n), first=1000 + 10 * n)]
    low, high = certainty([*rest, *lost]).interval(3)
    assert low is None
    assert high is not None


def test_one_of_two_that_always_won_is_open_and_so_is_the_other() -> None:
    found = certainty(meetings("+" * 20))
    (low, none), (no, high) = found.interval(0), found.interval(1)
    assert (none, no) == (None, None)
    assert low is not None
    assert high == pytest.approx(-low, abs=2)


def test_pools_are_measured_each_by_itself() -> None:
    one = pairs([0.5, -0.5], 20, seed=9)
    two = [
        RatedGame((a + 2, b + 2), best, 500 + bundle) for (a, b), best, bundle in map(_parts, one)
    ]
    found = certainty([*one, *two])
    assert found.interval(0) == pytest.approx(found.interval(2), abs=3)
    assert None not in found.interval(0)


def _parts(game: RatedGame) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    return game.seats, game.best, game.bundle


def test_where_one_never_lost_but_drew_strength_is_not_told_from_drawing() -> None:
    found = certainty(meetings("+=" * 10))
    assert found.loose[1]
    assert found.interval(0) == NOWHERE


def test_where_the_first_always_won_its_advantage_is_not_known() -> None:
    found = certainty(meetings("+-" * 10))
    assert found.loose == (True, False)
    assert found.interval(0) == NOWHERE


def test_a_few_bundles_have_no_interval() -> None:
    assert certainty(meetings("+-")).interval(0) == NOWHERE


# chances


def test_two_bundles_won_are_as_sure_as_two_coins() -> None:
    assert certainty(meetings("++++")).better(0, 1) == pytest.approx(1 - 0.5**3, abs=0.01)
    assert certainty(meetings("++++")).better(1, 0) == pytest.approx(0.5**3, abs=0.01)


def test_the_chance_grows_with_the_lead_and_with_the_games() -> None:
    chances = [
        certainty(meetings(results)).better(0, 1) or 0.0
        for results in ("+-=" * 8, "++-" * 4, "++-" * 8, "+++-" * 12)
    ]
    assert chances == sorted(chances)
    assert 0.45 < chances[0] < 0.6
    assert chances[-1] > 0.99


def test_nothing_is_said_of_two_that_only_lost_to_others() -> None:
    games = [*meetings("--" * 5, (0, 2)), *meetings("--" * 5, (1, 2), first=50)]
    assert certainty(games).better(0, 1) is None


def test_nothing_is_said_after_one_bundle() -> None:
    assert certainty(meetings("++")).better(0, 1) is None


def test_student_is_normal_with_many_and_wider_with_few() -> None:
    assert student(1e9) == pytest.approx(1.96, abs=1e-3)
    assert student(9) == pytest.approx(2.262, abs=0.005)
    assert student_tail(2.262, 9) == pytest.approx(0.025, abs=0.001)
    assert student_tail(1.96, 1e9) == pytest.approx(0.025, abs=1e-4)
