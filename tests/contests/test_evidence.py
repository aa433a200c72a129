from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from spielwerk.contests.rating.evidence import Evidence, Known, known
from spielwerk.store.contest_records import FORFEITS, End, State
from tests.contests.rated import a_pairing, drawn, pairs, triples

if TYPE_CHECKING:
    from spielwerk.store.contest_records import Pairing


def test_a_win_says_who_was_better() -> None:
    assert known(a_pairing(3, (4, 9), 1)) == Known((4, 9), (1,), 3)


def test_a_draw_of_two_says_that_nobody_was() -> None:
    assert known(drawn(3, (4, 9))) == Known((4, 9), (), 3)


def test_of_two_the_first_is_who_really_began() -> None:
    assert known(a_pairing(3, (4, 9), 1, begins=1)) == Known((9, 4), (0,), 3)
    assert known(a_pairing(3, (4, 9), 0, begins=1)) == Known((9, 4), (1,), 3)
    assert known(replace(drawn(3, (4, 9)), begins=1)) == Known((9, 4), (), 3)


@pytest.mark.parametrize("end", FORFEITS)
def test_a_forfeit_of_two_is_a_win_for_the_other(end: End) -> None:
    assert known(a_pairing(0, (4, 9), 1, end, culprits=(0,))) == Known((4, 9), (1,))


def test_a_forfeit_at_dice_says_that_one_of_the_others_was_better() -> None:
    game = known(a_pairing(0, (1, 2, 3), None, End.CRASH, culprits=(1,)))
    assert game == Known((1, 2, 3), (0, 2))
    assert not game.decided


def test_two_forfeits_at_dice_leave_one_who_was_better() -> None:
    game = known(a_pairing(0, (1, 2, 3), None, End.PROTOCOL_ERROR, culprits=(0, 2)))
    assert game == Known((1, 2, 3), (1,))


@pytest.mark.parametrize(
    "pairing",
    [
        a_pairing(0, (1, 2), None, End.SERVER_ERROR),
        a_pairing(0, (1, 2, 3), None, End.DRAW),
        a_pairing(0, (1, 2), None, End.CRASH, culprits=(0, 1)),
        a_pairing(0, (1, 2, 3), None, End.STALL, culprits=(0, 1, 2)),
        replace(a_pairing(0, (1, 2), 0), outcome=None),
        *(replace(a_pairing(0, (1, 2), 0), state=state) for state in State if state != "done"),
    ],
)
def test_what_says_nothing_is_not_rated(pairing: Pairing) -> None:
    assert known(pairing) is None


def test_no_game_of_the_struck_is_rated_whoever_won_it() -> None:
    assert known(a_pairing(0, (1, 2), 0), struck={1}) is None
    assert known(a_pairing(0, (1, 2), 0), struck={2}) is None
    assert known(a_pairing(0, (1, 2), 0), struck={3}) is not None


# the arrays


def test_equal_bundles_are_counted_together() -> None:
    one = [Known((0, 1), (0,), 0), Known((1, 0), (0,), 0)]
    two = [replace(game, bundle=1) for game in reversed(one)]
    evidence = Evidence([*one, *two, Known((0, 1), (), 2)])
    assert sorted(evidence.bundles) == [1, 2]
    assert evidence.situations == 2
    assert evidence.counts(evidence.bundles).tolist() == [3, 2]


def test_the_order_of_the_games_does_not_show() -> None:
    for games in (pairs([0, 1, 2], 5, seed=1), triples([0, 1, 2, 3], 20, seed=1, failing=0.3)):
        evidence = Evidence(games)
        Random(2).shuffle(games)
        again = Evidence(games)
        for name in ("bundles", "seats", "hidden", "open", "pattern_of", "situation_of"):
            assert np.array_equal(getattr(evidence, name), getattr(again, name))
        assert np.array_equal(evidence.chosen(evidence.bundles), again.chosen(again.bundles))


def test_everybody_is_counted_once_a_bundle() -> None:
    games = [Known((0, 1), (0,), 0), Known((1, 0), (0,), 0), Known((0, 2), (), 1)]
    evidence = Evidence(games)
    assert evidence.bundles_of == {0: 2, 1: 1, 2: 1}


def test_the_winners_features_are_added_up() -> None:
    evidence = Evidence([Known((5, 7), (0,), 0), Known((7, 5), (0,), 1), Known((5, 7), (), 2)])
    # the strengths of 5 and 7, the advantage, the draws
    assert evidence.chosen(evidence.bundles).tolist() == [1.5, 1.5, 2.5, 1]


def test_without_draws_there_is_nothing_to_learn_about_them() -> None:
    scheme = Evidence([Known((0, 1), (0,)), Known((1, 0), (0,))]).scheme
    assert scheme.advantage
    assert not scheme.draws
    assert scheme.features.tolist() == [[1, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize(
    ("meetings", "told"),
    [
        ([(0, 1)], False),
        ([(0, 1), (1, 0)], True),
        ([(0, 1), (1, 2)], False),
        ([(0, 1), (1, 2), (0, 2)], True),
        ([(0, 1), (2, 1), (0, 3), (2, 3)], False),
        ([(0, 1), (2, 3)], False),
        ([(0, 1), (2, 3), (3, 2)], True),
    ],
)
def test_moving_first_is_told_from_strength_where_that_is_possible(
    meetings: list[tuple[int, int]], told: bool
) -> None:
    assert Evidence([Known(seats, (0,)) for seats in meetings]).scheme.advantage is told


def test_three_players_have_an_effect_of_two_seats_beside_the_third() -> None:
    scheme = Evidence([Known((0, 1, 2), (0,))]).scheme
    assert scheme.common == 2
    assert scheme.features.tolist() == [[1, 0, 0, 1, 0], [0, 1, 0, 0, 1], [0, 0, 1, 0, 0]]
