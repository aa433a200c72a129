from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.contests.results import Encounter, crosstable, settled, tallies
from spielwerk.store.contest_records import ENDS, FORFEITS, PairingState
from spielwerk.store.records import Reason
from tests.contests.rated import a_pairing, as_pairings, drawn, triples


def test_a_win_is_a_point_and_a_draw_half_a_point() -> None:
    found = tallies([a_pairing(0, (4, 7), 0), drawn(1, (7, 4))])
    assert (found[4].points, found[4].games) == (1.5, 2)
    assert (found[4].wins, found[4].draws, found[4].losses) == (1, 1, 0)
    assert (found[7].points, found[7].games) == (0.5, 2)
    assert (found[7].wins, found[7].draws, found[7].losses) == (0, 1, 1)


def test_at_dice_only_a_win_is_worth_something() -> None:
    found = tallies([a_pairing(0, (1, 2, 3), 2), drawn(1, (1, 2, 3))])
    assert [found[one].points for one in (1, 2, 3)] == [0, 0, 1]
    assert [(found[one].wins, found[one].draws, found[one].losses) for one in (1, 3)] == [
        (0, 1, 1),
        (1, 1, 0),
    ]


@pytest.mark.parametrize("end", FORFEITS)
def test_a_forfeit_is_counted_by_its_kind_for_the_culprit_alone(end: str) -> None:
    (reason,) = (reason for reason, word in ENDS.items() if word == end)
    found = tallies([a_pairing(0, (1, 2), 1, reason, culprits=(0,))])
    assert found[1].forfeits == {end: 1}
    assert (found[1].losses, found[1].points) == (1, 0)
    assert not found[2].forfeits
    assert (found[2].wins, found[2].points) == (1, 1)


def test_when_a_bot_fails_at_dice_the_others_have_neither_won_nor_lost() -> None:
    found = tallies([a_pairing(0, (1, 2, 3), None, Reason.STALLED, culprits=(2,))])
    assert (found[3].losses, found[3].games) == (1, 1)
    for other in (1, 2):
        assert found[other].games == 1
        assert found[other].wins == found[other].draws == found[other].losses == 0


def test_games_that_are_not_done_or_our_own_fault_do_not_count() -> None:
    done = a_pairing(0, (1, 2), 0)
    others = [
        replace(done, state=state) for state in PairingState if state is not PairingState.DONE
    ]
    others.append(a_pairing(1, (1, 2), None, Reason.SERVER_ERROR))
    others.append(replace(done, ending=None))
    assert [settled(pairing) for pairing in others] == [None] * len(others)
    assert not tallies(others)


def test_games_of_the_struck_count_for_nobody_but_themselves() -> None:
    found = tallies([a_pairing(0, (1, 2), 0), a_pairing(1, (1, 3), 0)], struck={2})
    assert (found[1].points, found[1].games) == (1, 1)
    assert (found[2].games, found[2].losses) == (1, 1)


# the crosstable


def test_a_game_stands_in_the_crosstable_from_both_sides() -> None:
    table = crosstable([a_pairing(5, (1, 2), 1, Reason.CONNECTION_LOST, culprits=(0,))])
    assert table == {
        1: {2: (Encounter(5, "game0000005", 0.0, 0, Reason.CONNECTION_LOST, fault=True),)},
        2: {1: (Encounter(5, "game0000005", 1.0, 1, Reason.CONNECTION_LOST, fault=False),)},
    }


def test_the_crosstable_is_in_the_order_of_the_schedule() -> None:
    games = as_pairings(triples([0, 0, 0, 0], 8, seed=3))
    table = crosstable(reversed(games))
    assert table == crosstable(games)
    numbers = [encounter.number for encounter in table[0][1]]
    assert numbers == sorted(numbers)
    assert len(numbers) == 2 * 2 * 6


def test_our_own_failures_are_shown_too_but_not_what_is_not_done() -> None:
    failed = a_pairing(0, (1, 2), None, Reason.SERVER_ERROR)
    table = crosstable([failed, replace(a_pairing(1, (1, 2), 0), state=PairingState.REPEAT)])
    assert [encounter.number for encounter in table[1][2]] == [0]
