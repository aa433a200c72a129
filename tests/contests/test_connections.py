from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from spielwerk.contests.rating.connections import Connections, OpenEnd, connections
from spielwerk.contests.rating.evidence import Known


def of(*results: tuple[int, int]) -> Connections:
    """Games that the first of each pair has won."""
    return connections([Known(pair, (0,)) for pair in results])


def test_who_beat_each_other_are_one_group_without_open_ends() -> None:
    found = of((0, 1), (1, 2), (2, 0))
    assert found == Connections(((0, 1, 2),), ((0, 1, 2),), (), (), ())


def test_a_draw_links_in_both_directions() -> None:
    found = connections([Known((0, 1), ())])
    assert found.groups == ((0, 1),)
    assert found.ends == ()
    assert found.winners == found.losers == ()


def test_who_has_not_met_by_any_chain_is_in_another_pool() -> None:
    found = of((0, 1), (1, 0), (5, 6), (6, 7), (7, 5))
    assert found.pools == ((5, 6, 7), (0, 1))
    assert found.ends == ()


def test_a_winner_of_everything_stands_above_the_body() -> None:
    found = of((0, 1), (0, 2), (1, 2), (2, 1))
    assert found.groups == ((0,), (1, 2))
    assert found.ends == (OpenEnd((0,), (1, 2), upwards=True),)
    assert found.winners == (0,)
    assert found.losers == ()
    assert found.open(upwards=True) == {0}
    assert found.open(upwards=False) == frozenset()


def test_a_loser_of_everything_stands_below_it() -> None:
    found = of((0, 2), (1, 2), (1, 0), (0, 1))
    assert found.ends == (OpenEnd((2,), (0, 1), upwards=False),)
    assert found.losers == (2,)
    assert found.open(upwards=False) == {2}


def test_of_two_both_are_open() -> None:
    found = of((0, 1), (0, 1))
    assert found.ends == (OpenEnd((0,), (1,), True), OpenEnd((1,), (0,), False))
    assert (found.winners, found.losers) == ((0,), (1,))


def test_one_who_only_lost_to_the_best_and_won_against_the_last_is_open_on_both_sides() -> None:
    found = of((0, 1), (1, 2), (0, 2))
    assert found.groups == ((0,), (1,), (2,))
    assert found.open(upwards=True) == {0, 1}
    assert found.open(upwards=False) == {1, 2}
    assert OpenEnd((1,), (2,), True) in found.ends
    assert OpenEnd((1,), (0,), False) in found.ends


def test_two_groups_are_open_away_from_the_larger() -> None:
    inner = [(0, 1), (1, 0), (2, 3), (3, 4), (4, 2)]
    found = of(*inner, (0, 2), (1, 4))
    assert found.groups == ((0, 1), (2, 3, 4))
    assert found.ends == (OpenEnd((0, 1), (2, 3, 4), upwards=True),)
    assert found.winners == ()


def test_two_groups_of_one_size_are_both_open() -> None:
    found = of((0, 1), (1, 0), (2, 3), (3, 2), (0, 2))
    assert {end.members: end.upwards for end in found.ends} == {(0, 1): True, (2, 3): False}


def test_the_winner_at_dice_has_beaten_both_others() -> None:
    found = connections([Known((0, 1, 2), (0,)), Known((0, 1, 2), (1,)), Known((0, 1, 2), (2,))])
    assert found.groups == ((0, 1, 2),)
    assert found.ends == ()


def test_who_fails_at_dice_has_lost_though_nobody_has_won() -> None:
    failed = [Known(order, _without(order, 2)) for order in permutations(range(3))]
    played = [Known((0, 1, 2), (0,)), Known((0, 1, 2), (1,))]
    found = connections([*failed, *played])
    assert found.losers == (2,)
    assert found.open(upwards=False) == {2}


def test_a_bot_that_was_there_when_others_failed_has_won_nothing() -> None:
    games = [Known((0, 1, 2), (0,)), Known((0, 1, 2), (1,)), Known((0, 1, 2), (1, 2))]
    found = connections(games)
    assert found.groups == ((0, 1, 2),)
    assert found.losers == (2,)
    assert found.ends == (OpenEnd((2,), (0, 1), upwards=False),)


def test_who_only_saw_another_fail_has_neither_won_nor_lost_anything() -> None:
    found = connections([Known(order, _without(order, 2)) for order in permutations(range(3))])
    assert (found.winners, found.losers) == ((), (2,))
    assert found.groups == ((0,), (1,), (2,))
    assert found.open(upwards=True) == {0, 1}
    assert found.open(upwards=False) == {0, 1, 2}


def _without(order: tuple[int, ...], entrant: int) -> tuple[int, ...]:
    return tuple(seat for seat, one in enumerate(order) if one != entrant)


results = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] != pair[1]),
    min_size=1,
    max_size=20,
)


@given(results)
def test_pools_and_groups_hold_everybody_once(pairs: list[tuple[int, int]]) -> None:
    found = of(*pairs)
    everybody = sorted({entrant for pair in pairs for entrant in pair})
    assert sorted(one for pool in found.pools for one in pool) == everybody
    assert sorted(one for group in found.groups for one in group) == everybody


@given(results)
def test_no_win_goes_from_a_later_group_to_an_earlier(pairs: list[tuple[int, int]]) -> None:
    found = of(*pairs)
    place = {one: number for number, group in enumerate(found.groups) for one in group}
    assert all(place[winner] <= place[loser] for winner, loser in pairs)


@given(results)
def test_against_those_below_everything_was_won(pairs: list[tuple[int, int]]) -> None:
    for end in of(*pairs).ends:
        better, worse = (end.members, end.others) if end.upwards else (end.others, end.members)
        between = [pair for pair in pairs if {*pair} & {*better} and {*pair} & {*worse}]
        assert all(winner in better for winner, _ in between)


@given(results)
def test_who_won_or_lost_everything_has_an_open_end(pairs: list[tuple[int, int]]) -> None:
    found = of(*pairs)
    assert {*found.winners} <= found.open(upwards=True)
    assert {*found.losers} <= found.open(upwards=False)
