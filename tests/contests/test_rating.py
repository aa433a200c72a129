"""Ratings, their intervals and the chance to be better, where the truth is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from spielwerk.contests.intervals import NOWHERE, Certainty, Interval, links, student, student_tail
from spielwerk.contests.rating import ELO, PRIOR, Model, RatedGame, fit, rated
from spielwerk.store.records import PairingState, Reason
from tests.contests.rated import a_pairing, drawn, pairs, triples


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


def test_which_games_of_two_are_rated() -> None:
    game = a_pairing(0, (3, 4), 0, begins=1, bundle=2)
    assert rated(game) == RatedGame((4, 3), (1,), 2)  # the first is the one that really began
    assert rated(drawn(0, (0, 1))) == RatedGame((0, 1), ())
    assert rated(drawn(0, (0, 1)), struck={1}) is None
    assert rated(replace(game, state=PairingState.REPEAT)) is None


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


def test_without_draws_none_are_expected_and_without_both_sides_no_advantage() -> None:
    found = fit(meetings("+-++"))
    assert found.draws == 0
    assert found.advantage is not None
    assert fit([RatedGame((0, 1), (0,)), RatedGame((0, 1), (1,))]).advantage is None


def test_slope_and_curvature_are_those_of_the_height() -> None:
    model = Model(triples([0.5, 0.0, -0.5, 0.1], 5, seed=3, failing=0.3))
    here = np.random.default_rng(4).normal(size=model.size)
    step = 1e-5 * np.eye(model.size)
    rise = [model.height(here + one, PRIOR) - model.height(here - one, PRIOR) for one in step]
    assert model.slope(here, PRIOR) == pytest.approx(np.array(rise) / 2e-5, abs=1e-5)
    fall = [model.slope(here - one, PRIOR) - model.slope(here + one, PRIOR) for one in step]
    assert np.abs(model.curvature(here, PRIOR) - np.array(fall) / 2e-5).max() < 1e-4


# links


WON, LOST, DRAWN = (0,), (1,), ()


@pytest.mark.parametrize(
    ("games", "pools", "groups", "winners", "losers", "loose"),
    [
        (
            [((0, 1), DRAWN), ((2, 3), WON), ((3, 4), DRAWN)],
            ((2, 3, 4), (0, 1)),
            ((2,), (0, 1), (3, 4)),
            (2,),
            (),
            {2},
        ),
        ([((0, 1), WON), ((1, 2), WON), ((2, 0), WON)], ((0, 1, 2),), ((0, 1, 2),), (), (), set()),
        (
            [((0, 1), DRAWN), ((2, 0), WON), ((3, 1), LOST)],
            ((0, 1, 2, 3),),
            ((2,), (0, 1), (3,)),
            (2,),
            (3,),
            {2, 3},
        ),
        (  # two groups of one size are both open
            [((0, 1), DRAWN), ((2, 3), DRAWN), ((0, 2), WON)],
            ((0, 1, 2, 3),),
            ((0, 1), (2, 3)),
            (),
            (),
            {0, 1, 2, 3},
        ),
        (  # who only saw others fail has neither won nor lost
            [((0, 1, 2), (1, 2))],
            ((0, 1, 2),),
            ((1,), (2,), (0,)),
            (),
            (0,),
            {0, 1, 2},
        ),
    ],
)
def test_games_link_entrants_to_pools_and_groups(
    games: list[tuple[tuple[int, ...], tuple[int, ...]]],
    pools: tuple[tuple[int, ...], ...],
    groups: tuple[tuple[int, ...], ...],
    winners: tuple[int, ...],
    losers: tuple[int, ...],
    loose: set[int],
) -> None:
    found = links([RatedGame(*game) for game in games])
    assert (found.pools, found.groups) == (pools, groups)
    assert (found.winners, found.losers, {*found.open}) == (winners, losers, loose)


# intervals


@pytest.mark.parametrize("three", [False, True])
def test_intervals_cover_the_truth(three: bool) -> None:
    strengths, hits = [0.7, 0.2, -0.2, -0.7], 0
    for seed in range(12):
        if three:
            games = triples(strengths, 20, seed=seed, failing=0.1)
        else:
            games = pairs(strengths, 6, seed=seed, draws=1.5)
        found = certainty(games)
        hits += sum(inside(ELO * one, found.interval(n)) for n, one in enumerate(strengths))
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


def test_one_of_two_that_always_won_is_open_and_so_is_the_other() -> None:
    found = certainty(meetings("+" * 20))
    (low, none), (no, high) = found.interval(0), found.interval(1)
    assert (none, no) == (None, None)
    assert low is not None
    won = 0.05 ** (1 / 10)  # with this chance to win one, all ten meetings have one of 5 %
    assert low == pytest.approx(200 * math.log10(won / (1 - won)), rel=0.03)
    assert high == pytest.approx(-low, abs=2)


def test_pools_are_measured_each_by_itself() -> None:
    one = pairs([0.5, -0.5], 20, seed=9)
    two = [
        replace(game, seats=(game.seats[0] + 2, game.seats[1] + 2), bundle=500 + game.bundle)
        for game in one
    ]
    found = certainty([*one, *two])
    assert found.interval(0) == pytest.approx(found.interval(2), abs=3)
    assert None not in found.interval(0)


@pytest.mark.parametrize(
    ("results", "side", "draws"),
    [
        ("+=" * 10, None, True),  # strength is not told from drawing
        ("+-" * 10, True, False),  # nor from moving first
        ("+-", None, False),  # there are too few
    ],
)
def test_where_games_do_not_tell_there_is_no_interval(
    results: str, side: bool | None, draws: bool
) -> None:
    found = certainty(meetings(results))
    assert found.loose[1] == draws
    assert side is None or found.loose[0] == side
    assert found.interval(0) == NOWHERE


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


def test_nothing_is_said_after_one_bundle_or_of_two_that_only_lost_to_others() -> None:
    games = [*meetings("--" * 5, (0, 2)), *meetings("--" * 5, (1, 2), first=50)]
    assert certainty(games).better(0, 1) is None
    assert certainty(meetings("++")).better(0, 1) is None


def test_student_is_normal_with_many_and_wider_with_few() -> None:
    assert student(1e9) == pytest.approx(1.96, abs=1e-3)
    assert student(9) == pytest.approx(2.262, abs=0.005)
    assert student_tail(2.262, 9) == pytest.approx(0.025, abs=0.001)
    assert student_tail(1.96, 1e9) == pytest.approx(0.025, abs=1e-4)
