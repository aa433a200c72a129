"""The chance to be better: what few games are worth, and when nothing can be said."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from spielwerk.contests.rating.bootstrap import spread
from spielwerk.contests.rating.chances import better, by_student
from spielwerk.contests.rating.connections import connections
from spielwerk.contests.rating.evidence import Evidence, Known
from spielwerk.contests.rating.open_ends import believable
from spielwerk.contests.rating.ratings import fit
from tests.contests.rated import pairs, triples

if TYPE_CHECKING:
    from collections.abc import Sequence


def chance(games: Sequence[Known], entrant: int, other: int, draws: int = 200) -> float | None:
    found = fit(Evidence(games))
    links = believable(found, connections(games))
    return better(found, links, spread(found, 1, draws, links.ends), entrant, other)


def sure(games: Sequence[Known], entrant: int, other: int, draws: int = 200) -> float:
    found = chance(games, entrant, other, draws)
    assert found is not None
    return found


def wins(count: int) -> list[Known]:
    return [Known((0, 1), (0,), bundle) for bundle in range(count)]


def met(one: int, other: int, points: Sequence[int], bundle: int = 0) -> list[Known]:
    """Meetings on both sides in each of which one got 0, 1 or 2 points by wins.

    Of those that were even, first the one who began won both games, then the one who did not.
    """
    games = []
    for number, won in enumerate(points):
        for first, second in ((one, other), (other, one)):
            winner = {0: other, 1: (first, second)[number % 2], 2: one}[won]
            games.append(Known((first, second), ((first, second).index(winner),), bundle + number))
    return games


def dice(count: int, best: Sequence[int]) -> list[Known]:
    """So many bundles of three, in all orders of seats, that always end in the same way."""
    return [
        Known(order, tuple(seat for seat in range(3) if order[seat] in best), bundle)
        for bundle in range(count)
        for order in permutations(range(3))
    ]


# by draws


@pytest.mark.parametrize("share", [0.6, 0.9, 0.99, 0.999])
def test_few_bundles_count_as_student_wants_it(share: float) -> None:
    normal = math.sqrt(2) * _inverse_error(2 * share - 1)
    one, two = normal * math.sqrt(1 / 2), normal * math.sqrt(2 / 3)  # degrees of freedom
    assert by_student(share, 2, 10_000) == pytest.approx(0.5 + math.atan(one) / math.pi, abs=0.01)
    exactly = 0.5 + two / (2 * math.sqrt(2 + two**2))
    assert by_student(share, 3, 10_000) == pytest.approx(exactly, abs=0.005)


def _inverse_error(value: float) -> float:
    """By halving."""
    low, high = -5.0, 5.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if math.erf(middle) < value else (low, middle)
    return low


def test_after_many_bundles_the_share_is_the_chance() -> None:
    for share in (0.1, 0.5, 0.75, 0.99):
        assert by_student(share, 100_000, 500) == pytest.approx(share, abs=1e-4)


def test_both_sides_together_are_certain() -> None:
    for share in (0.1, 0.5, 0.75, 1.0):
        assert by_student(share, 4, 500) + by_student(1 - share, 4, 500) == pytest.approx(1)


def test_no_share_of_draws_is_certainty() -> None:
    assert 0.85 < by_student(1.0, 2, 500) < 0.87
    assert 0.98 < by_student(1.0, 10, 500) < 1
    assert 0 < by_student(0.0, 1000, 500) < 0.002


def test_who_won_more_is_better_with_growing_certainty() -> None:
    few, many = (sure(pairs([0.0, 0.5], rounds, seed=6), 1, 0) for rounds in (4, 100))
    assert 0.5 < few < many < 1


def test_in_a_group_that_lost_everything_to_others_draws_still_tell_who_is_better() -> None:
    inner = [Known((0, 1), (int(bundle % 3 == 0),), bundle) for bundle in range(12)]
    outer = [Known((2 + bundle % 2, bundle % 2), (0,), 20 + bundle) for bundle in range(4)]
    top = [Known((2, 3), (bundle % 2,), 30 + bundle) for bundle in range(4)]
    alone, among = sure(inner, 0, 1), sure([*inner, *outer, *top], 0, 1)
    assert alone > 0.7
    assert among == pytest.approx(alone, abs=0.1)


def gauntlet(*games: Known) -> list[Known]:
    """These games, and 0 has beaten four others in twenty meetings each."""
    beaten = [game for k in range(2, 6) for game in met(0, k, [2] * 20, 1000 * k)]
    return [*games, *beaten]


@pytest.mark.parametrize("even", [7, 19])
def test_draws_without_the_only_meeting_that_was_not_even_count_half(even: int) -> None:
    # it is missing in 36 of 100 draws, so the chance is 0.64 + 0.36 / 2, before Student
    games = met(0, 1, [*[1] * even, 2])
    assert sure(games, 0, 1, draws=500) == pytest.approx(0.81, abs=0.03)
    assert sure(games, 1, 0, draws=500) == pytest.approx(0.19, abs=0.03)


def test_being_nearer_to_the_average_makes_nobody_worse() -> None:
    # the prior pulls 1 away from 0, whom many other games hold far above the average
    assert chance(gauntlet(*met(0, 1, [1] * 20)), 0, 1) == pytest.approx(0.5, abs=0.12)
    ahead = sure(gauntlet(*met(0, 1, [*[1] * 19, 2])), 0, 1, draws=500)
    behind = sure(gauntlet(*met(0, 1, [*[1] * 19, 0])), 0, 1, draws=500)
    assert ahead == pytest.approx(0.81, abs=0.05)
    assert behind == pytest.approx(0.19, abs=0.07)


# where only the prior tells strength from drawing or from moving first


def drawn(count: int) -> list[Known]:
    return [Known(seats, (), bundle) for bundle in range(count) for seats in ((0, 1), (1, 0))]


def test_who_drew_every_game_with_a_reference_is_not_worse() -> None:
    for count in (6, 30):
        games = gauntlet(*drawn(count))
        assert chance(games, 0, 1) is None
        assert sure(games, 0, 2) > 0.99
        assert chance(games, 1, 2) is None  # they have not met


def test_who_always_won_when_it_began_is_not_worse_than_the_reference() -> None:
    even = [Known(seats, (0,), bundle) for bundle in range(20) for seats in ((0, 1), (1, 0))]
    assert chance(gauntlet(*even), 0, 1) is None


def test_who_took_the_only_meeting_that_did_not_go_to_the_first_is_hardly_better() -> None:
    even = [Known(seats, (0,), bundle) for bundle in range(19) for seats in ((0, 1), (1, 0))]
    games = [*even, *met(0, 1, [2], 50)]
    assert sure(games, 0, 1, draws=500) == pytest.approx(0.81, abs=0.03)
    assert sure(gauntlet(*games), 0, 1, draws=500) == pytest.approx(0.81, abs=0.03)


def test_who_won_and_drew_is_better() -> None:
    games = [*drawn(10), *met(0, 1, [2] * 10, 50)]
    assert sure(games, 0, 1) > 0.97
    assert sure(games, 1, 0) < 0.03


# all one way


@pytest.mark.parametrize(("count", "expected"), [(2, 0.875), (3, 0.9375), (10, 0.9995)])
def test_wins_alone_are_worth_half_of_the_chance_that_equals_would_have_them(
    count: int, expected: float
) -> None:
    assert sure(wins(count), 0, 1) == pytest.approx(expected, abs=1e-4)
    assert sure(wins(count), 1, 0) == pytest.approx(1 - expected, abs=1e-4)


@pytest.mark.parametrize("others", [0, 1, 3, 10])
def test_what_was_done_to_others_adds_nothing(others: int) -> None:
    beaten = [game for k in range(2, 2 + others) for game in met(0, k, [2, 2], 100 * k)]
    games = [*met(0, 1, [2, 2]), *beaten]
    assert sure(games, 0, 1) == pytest.approx(0.875, abs=1e-4)
    assert sure(games, 1, 0) == pytest.approx(0.125, abs=1e-4)


def test_whoever_wins_every_game_of_three_is_better_for_certain() -> None:
    assert sure(dice(2, [0]), 0, 1) == pytest.approx(1 - (1 / 3) ** 2 / 2, abs=0.001)
    assert sure(dice(10, [0]), 0, 1) > 0.999
    assert sure(dice(10, [0]), 2, 0) < 0.001


def test_the_winner_of_everything_is_above_a_whole_field() -> None:
    games = triples([0.0, 0.0, 0.0, 0.0, 0.0], 40, seed=2)
    won = [Known(g.seats, (g.seats.index(0),) if 0 in g.seats else g.best, g.bundle) for g in games]
    assert all(sure(won, 0, other) > 0.99 for other in range(1, 5))


def test_one_after_the_other_everybody_is_better_than_the_next() -> None:
    couples = [*combinations(range(4), 2)]
    for rounds, least in ((1, 0.74), (2, 0.85), (10, 0.99)):
        games = [
            Known(seats, (seats.index(min(seats)),), bundle)
            for bundle, couple in enumerate(couples * rounds)
            for seats in permutations(couple)
        ]
        assert all(sure(games, one, one + 1) > least for one in range(3))


def test_what_moving_first_explains_makes_nobody_better() -> None:
    couples = [*combinations(range(4), 2)] * 10
    games = [Known(couple, (0,), bundle) for bundle, couple in enumerate(couples)]
    assert all(chance(games, one, one + 1) is None for one in range(3))


def test_whoever_always_fails_is_below_those_who_lost_nothing() -> None:
    games = dice(5, [1, 2])
    assert sure(games, 1, 0) == pytest.approx(1 - (2 / 3) ** 5 / 2, abs=0.01)
    assert sure(games, 2, 0) == sure(games, 1, 0)


# when nothing can be said


def test_a_single_bundle_says_nothing() -> None:
    assert chance(wins(1), 0, 1) is None
    assert chance([Known((0, 1), (0,)), Known((1, 0), (1,))], 0, 1) is None
    assert chance([Known((0, 1), (0,)), Known((1, 0), ())], 0, 1) is None
    for best in ([0], [1, 2]):
        assert {chance(dice(1, best), *two) for two in permutations(range(3), 2)} == {None}


def test_who_was_in_a_single_bundle_cannot_be_judged_however_many_others_played() -> None:
    games = [*pairs([0.0, 0.0, 0.0], 10, seed=1), Known((0, 3), (1,), 1000)]
    assert chance(games, 3, 0) is None
    assert chance(games, 0, 1) is not None


def test_nothing_is_said_without_draws() -> None:
    assert chance(wins(5), 0, 1, draws=0) is None
    assert chance(pairs([0.0, 0.5], 5, seed=6), 0, 1, draws=0) is None


def test_bundles_that_are_all_alike_say_nothing() -> None:
    sides = [((0, 1), (0,)), ((1, 0), ())]
    games = [Known(*side, bundle) for bundle in range(5) for side in sides]
    assert chance(games, 0, 1) is None


def test_two_who_lost_everything_to_others_cannot_be_compared() -> None:
    assert chance(dice(5, [0]), 1, 2) is None


def test_two_who_only_saw_another_fail_cannot_be_compared() -> None:
    assert chance(dice(5, [1, 2]), 1, 2) is None


def test_two_bots_that_never_won_cannot_be_compared_though_others_failed_against_them() -> None:
    played = triples([0.0, 0.0, 0.0], 10, seed=1)
    lost = [Known(three, (0,), 100 + n) for n, three in enumerate([(0, 3, 4), (1, 4, 3)] * 5)]
    failed = [Known((0, 3, 4), (1, 2), 200), Known((1, 3, 4), (1, 2), 201)]
    games = [*played, *lost, *failed]
    assert chance(games, 3, 4) is None
    assert sure(games, 0, 3) > 0.5


# does it hold what it promises


@pytest.mark.parametrize("rounds", [2, 5])
def test_the_chances_come_true(rounds: int) -> None:
    generator = np.random.default_rng(2024)
    said, true = [], []
    for number in range(100):
        strengths = generator.normal(size=3).tolist()
        games = pairs(strengths, rounds, number)
        found, links = fit(Evidence(games)), connections(games)
        draws = spread(found, 1, 50, links.ends)
        for one, other in pairwise(sorted(range(3), key=lambda one: -found.ratings[one])):
            figure = better(found, links, draws, one, other)
            if figure is not None:
                said.append(figure)
                true.append(strengths[one] > strengths[other])
    assert len(said) > 180
    assert np.mean(said) == pytest.approx(np.mean(true), abs=0.06)
