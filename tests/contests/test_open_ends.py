"""Ratings without an end: which games tell how far out they must be, and which tell nothing."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from spielwerk.contests.rating.connections import Connections, OpenEnd, connections
from spielwerk.contests.rating.evidence import Evidence, Known
from spielwerk.contests.rating.open_ends import REACH, Distance, believable
from spielwerk.contests.rating.ratings import ELO, fit

CHANCES = (0.025, 0.5, 0.975)
STILL = np.zeros(1)  # the others stand where they are


def shifts(found: Distance) -> list[float]:
    """How far out they are at least, for each of the chances."""
    least = [found.least(STILL, chance) for chance in CHANCES]
    return [far for far in least if far is not None]


def distance(games: list[Known], end: OpenEnd) -> Distance:
    return Distance(fit(Evidence(games)), end)


def bundles(count: int, *results: tuple[tuple[int, ...], tuple[int, ...]]) -> list[Known]:
    """So many bundles of the same games."""
    return [Known(*result, bundle) for bundle in range(count) for result in results]


def dice(count: int, winner: int) -> list[Known]:
    """So many bundles of three, in all orders of seats, always won by the same."""
    orders = [*permutations(range(3))]
    return bundles(count, *((order, (order.index(winner),)) for order in orders))


# two players


def test_what_was_seen_is_the_more_believed_the_further_out_somebody_is() -> None:
    found = distance(bundles(5, ((0, 1), (0,))), OpenEnd((0,), (1,), upwards=True))
    believed = [found.believed(far) for far in np.linspace(-REACH, REACH, 20)]
    assert believed == sorted(believed)
    assert believed[0] == pytest.approx(0, abs=1e-6)
    assert believed[-1] == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("end", [OpenEnd((0,), (1,), True), OpenEnd((1,), (0,), False)])
def test_between_equals_every_bundle_is_a_coin(end: OpenEnd) -> None:
    games = bundles(4, ((0, 1), (0,)))
    found = fit(Evidence(games))
    apart = (found.elo[0] - found.elo[1]) / ELO
    assert Distance(found, end).believed(-apart) == pytest.approx(0.5**4)


def test_winners_are_as_far_above_as_losers_below() -> None:
    games = bundles(4, ((0, 1), (0,)))
    up = shifts(distance(games, OpenEnd((0,), (1,), upwards=True)))
    down = shifts(distance(games, OpenEnd((1,), (0,), upwards=False)))
    assert up == pytest.approx(down)
    assert up[0] < up[1] < up[2]


def test_where_the_others_stand_is_less_sure_the_end_is_farther() -> None:
    found = distance(bundles(4, ((0, 1), (0,))), OpenEnd((0,), (1,), upwards=True))
    sure, unsure = (found.least(scatter, 0.025) for scatter in (STILL, np.array([-1.0, 1.0])))
    assert sure is not None
    assert unsure is not None
    assert sure - 1 < unsure < sure


# three players


def test_the_winner_of_everything_at_dice_can_hardly_be_worse() -> None:
    found = fit(Evidence(dice(5, winner=0)))
    up = Distance(found, OpenEnd((0,), (1, 2), upwards=True))
    apart = (found.elo[0] - found.elo[1]) / ELO
    assert up.believed(-apart) == pytest.approx((1 / 3) ** 5, rel=0.01)


def test_a_loser_at_dice_is_told_by_games_that_a_third_one_took_part_in() -> None:
    games = dice(5, winner=0)
    ends = [end for end in connections(games).ends if end.members == (1,)]
    assert ends == [OpenEnd((1,), (0,), upwards=False)]
    found = fit(Evidence(games))
    down = Distance(found, ends[0])
    assert down
    least, middle, most = shifts(down)
    assert least < middle < most
    assert found.elo[1] - ELO * least < found.elo[0] + 200


def test_a_third_one_that_wins_tells_nothing_about_who_is_better_than_the_rest() -> None:
    games = [*dice(3, winner=2), Known((0, 1, 3), (0,), 10)]
    found = fit(Evidence(games))
    with_third = Distance(found, OpenEnd((0,), (1, 3), upwards=True))
    wins = np.log([with_third.believed(far) for far in (-REACH, 0.0, REACH)])
    assert wins[0] == pytest.approx(-REACH, abs=4)  # one game only, and it would have been lost
    assert wins[2] == pytest.approx(0, abs=0.01)


# games that tell nothing


def test_who_was_only_there_when_another_failed_has_no_end() -> None:
    games = bundles(5, ((0, 1, 2), (1, 2)), ((2, 0, 1), (0, 2)))
    up = OpenEnd((1,), (0,), upwards=True)
    assert up in connections(games).ends
    found = distance(games, up)
    assert not found
    assert not shifts(found)


def test_who_failed_is_told_by_the_same_games() -> None:
    games = bundles(5, ((0, 1, 2), (1, 2)), ((2, 0, 1), (0, 2)))
    down = distance(games, OpenEnd((0,), (1, 2), upwards=False))
    assert down
    assert shifts(down)[0] < 0


def test_an_end_towards_nobody_tells_nothing() -> None:
    # 3 has only beaten the last of the others, so it may be as low as that one may be
    games = bundles(5, ((0, 1), (0,)), ((1, 0), (0,)), ((0, 2), (0,)), ((3, 2), (0,)))
    ends = [end for end in connections(games).ends if end.members == (3,)]
    assert OpenEnd((3,), (), upwards=False) in ends
    found = distance(games, OpenEnd((3,), (), upwards=False))
    assert not found
    assert not shifts(found)


# games that others spoilt


def contest(failed: int) -> list[Known]:
    """Two who won a game each, and in so many bundles each of them failed while 2 was there."""
    won = [Known((0, 1, 2), (one,), one) for one in (0, 1)]
    orders = [*permutations(range(3))]
    return [
        *won,
        *(
            Known(order, tuple(sorted({0, 1, 2} - {order.index(culprit)})), 2 * bundle + culprit)
            for bundle in range(1, failed + 1)
            for culprit in (0, 1)
            for order in orders
        ),
    ]


def test_games_that_others_spoilt_speak_against_a_low_rating() -> None:
    equals = []
    for failed in (0, 1):
        found = fit(Evidence(contest(failed)))
        end = Distance(found, OpenEnd((2,), (0, 1), upwards=False))
        equals.append(end.believed((found.elo[2] - found.elo[0]) / ELO))
    assert equals[0] < 0.7 < equals[1]


def test_there_is_an_end_if_enough_games_refute_that_there_is_none() -> None:
    open_, held = (connections_of(contest(failed)) for failed in (1, 20))
    assert open_.losers == (2,)
    assert open_.ends == (OpenEnd((2,), (0, 1), upwards=False),)
    assert (held.losers, held.ends) == ((), ())


def connections_of(games: list[Known]) -> Connections:
    return believable(fit(Evidence(games)), connections(games))
