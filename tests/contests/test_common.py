"""Whether strength can be told from drawing and from moving first."""

from __future__ import annotations

import pytest

from spielwerk.contests.rating.common import Loose, loose
from spielwerk.contests.rating.evidence import Evidence, Known
from tests.contests.rated import pairs, triples

SIDES = ((0, 1), (1, 0))


def of(*games: Known) -> Loose:
    return loose(Evidence(games))


def bundles(count: int, *results: tuple[tuple[int, int], tuple[int, ...]]) -> list[Known]:
    return [Known(*result, bundle) for bundle in range(count) for result in results]


WINS = bundles(10, ((0, 1), (0,)), ((1, 0), (1,)))  # of 0
DRAWS = bundles(10, ((0, 1), ()), ((1, 0), ()))
FIRST = bundles(10, ((0, 1), (0,)), ((1, 0), (0,)))  # whoever begins wins


def test_games_that_went_either_way_hold_everything() -> None:
    assert not of(*pairs([0.0, 0.5], 10, seed=1))
    assert not of(*pairs([0.0, 0.5, 1.0, 1.5], 3, seed=1))


@pytest.mark.parametrize("count", [1, 10])
def test_wins_and_draws_without_a_loss_do_not_tell_strength_from_drawing(count: int) -> None:
    assert of(*WINS * count, *DRAWS * count) == Loose(draws=True)


def test_nor_do_draws_alone() -> None:
    assert of(*DRAWS) == Loose(draws=True)


def test_a_single_loss_is_enough() -> None:
    assert not of(*WINS, *DRAWS, *[Known(seats, (seats.index(1),)) for seats in SIDES])


def test_games_of_others_are_enough_too() -> None:
    others = [Known((2, 3), best) for best in ((), (0,), (1,))]
    assert not of(*WINS, *DRAWS, *others, *[Known((3, 0), best) for best in ((0,), (1,))])


def test_if_whoever_begins_always_wins_nobody_knows_what_beginning_is_worth() -> None:
    assert of(*FIRST) == Loose(advantage=True)
    assert of(*FIRST, Known((1, 0), (1,)), Known((0, 1), (0,))) == Loose(advantage=True)
    assert not of(*FIRST, Known((1, 0), (1,)), Known((0, 1), (1,)))


def test_wins_alone_are_an_open_end_and_leave_nothing_else_open() -> None:
    assert not of(*WINS)
    assert not of(*[Known((0, 1), (0,))] * 5)


def test_a_gauntlet_whose_reference_only_won_and_drew_tells_nothing_of_draws() -> None:
    beaten = [Known(seats, (seats.index(0),)) for seats in ((0, 2), (2, 0), (0, 3), (3, 0))] * 5
    assert of(*DRAWS, *beaten) == Loose(draws=True)


def test_dice_are_not_looked_at() -> None:
    assert not of(*triples([0.0, 0.5, 1.0], 5, seed=1))
