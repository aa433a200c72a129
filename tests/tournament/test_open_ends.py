"""Ratings without an end: which games tell how far out they must be, and which tell nothing."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from spielwerk.tournament.rating.connections import OpenEnd, connections
from spielwerk.tournament.rating.evidence import Evidence, Known
from spielwerk.tournament.rating.open_ends import REACH, Distance
from spielwerk.tournament.rating.ratings import ELO, fit

CHANCES = np.array([0.025, 0.5, 0.975])


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


def test_winners_are_moved_upwards_and_losers_downwards() -> None:
    games = bundles(4, ((0, 1), (0,)))
    up = distance(games, OpenEnd((0,), (1,), upwards=True)).shifts(CHANCES)
    down = distance(games, OpenEnd((1,), (0,), upwards=False)).shifts(CHANCES)
    assert up == pytest.approx(-down)
    assert up[0] < up[1] < up[2]


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
    least, middle, most = found.elo[1] + ELO * down.shifts(CHANCES)
    assert least > middle > most
    assert least < found.elo[0] + 200


def test_a_third_one_that_wins_tells_nothing_about_who_is_better_than_the_rest() -> None:
    games = [*dice(3, winner=2), Known((0, 1, 3), (0,), 10)]
    found = fit(Evidence(games))
    with_third = Distance(found, OpenEnd((0,), (1, 3), upwards=True))
    wins = np.log([with_third.believed(far) for far in (-REACH, 0.0, REACH)])
    assert wins[0] == pytest.approx(-REACH, abs=4)  # one game only, and it would have been lost
    assert wins[2] == pytest.approx(0, abs=0.01)


# games that tell nothing


def test_who_was_there_when_another_failed_stays_where_the_fit_has_put_it() -> None:
    games = bundles(5, ((0, 1, 2), (1, 2)), ((2, 0, 1), (0, 2)))
    up = OpenEnd((1,), (0,), upwards=True)
    assert up in connections(games).ends
    found = distance(games, up)
    assert not found
    assert not found.shifts(CHANCES).any()


def test_who_failed_is_told_by_the_same_games() -> None:
    games = bundles(5, ((0, 1, 2), (1, 2)), ((2, 0, 1), (0, 2)))
    down = distance(games, OpenEnd((0,), (1, 2), upwards=False))
    assert down
    assert down.shifts(CHANCES)[0] > 0


def test_an_end_towards_nobody_tells_nothing() -> None:
    # 3 has only beaten the last of the others, so it may be as low as that one may be
    games = bundles(5, ((0, 1), (0,)), ((1, 0), (0,)), ((0, 2), (0,)), ((3, 2), (0,)))
    ends = [end for end in connections(games).ends if end.members == (3,)]
    assert OpenEnd((3,), (), upwards=False) in ends
    found = distance(games, OpenEnd((3,), (), upwards=False))
    assert not found
    assert not found.shifts(CHANCES).any()
