from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.contests.contest import Contest, Entrant, Format
from spielwerk.contests.schedule import Ladder, to_come
from spielwerk.contests.schedule import meetings as met_by
from spielwerk.store.contest_records import EntrantRecord, Kind, Pairing


def contest(game: str, entrants: int, *, rounds: int = 0, seed: int = 0) -> Contest:
    names = tuple(Entrant(f"e{n}", Kind.ENGINE, "level=1") for n in range(entrants))
    return Contest("Cup", game, names, format=Format.LADDER, rounds=rounds, seed=seed, opening=2)


def climb(ladder: Ladder, entrants: int, bundles: int) -> list[tuple[Pairing, ...]]:
    """So many meetings, with a ranking that stays as it is."""
    everybody = range(entrants)
    return [ladder.next_bundle(everybody, everybody) for _ in range(bundles)]


def meetings(bundles: list[tuple[Pairing, ...]]) -> Counter[frozenset[int]]:
    return Counter(frozenset(two) for games in bundles for two in combinations(games[0].seats, 2))


def test_the_first_meeting_is_between_the_first_neighbours() -> None:
    games = Ladder(contest("oware", 4), "cup").next_bundle([0, 1, 2, 3], {0, 1, 2, 3})
    assert [game.seats for game in games] == [(0, 1), (1, 0)]
    assert [game.number for game in games] == [0, 1]
    assert {(game.bundle, game.round, game.contest) for game in games} == {(0, 0, "cup")}
    assert len({(game.opening, game.seed) for game in games}) == 1


def test_whoever_has_played_least_is_next() -> None:
    ladder = Ladder(contest("oware", 5), "cup")
    ladder.next_bundle([0, 1, 2, 3, 4], range(5))
    assert ladder.next_bundle([0, 1, 2, 3, 4], range(5))[0].seats == (2, 3)
    assert 4 in ladder.next_bundle([0, 1, 2, 3, 4], range(5))[0].seats


def test_the_ranking_says_who_is_near() -> None:
    ladder = Ladder(contest("oware", 5), "cup")
    assert set(ladder.next_bundle([0, 3, 1, 4, 2], range(5))[0].seats) == {0, 3}


def test_who_has_met_often_looks_farther_away() -> None:
    ladder = Ladder(contest("oware", 3), "cup")
    met = [set(games[0].seats) for games in climb(ladder, 3, 3)]
    assert met == [{0, 1}, {1, 2}, {0, 2}]


def test_only_those_who_are_there_are_asked() -> None:
    ladder = Ladder(contest("dice", 6), "cup")
    for _ in range(5):
        assert set(ladder.next_bundle(range(6), {1, 3, 5})[0].seats) == {1, 3, 5}
    assert ladder.next_bundle(range(6), {1, 3}) == ()
    assert ladder.next_bundle([], ()) == ()


def test_a_ladder_with_rounds_ends_when_everybody_has_had_them() -> None:
    ladder = Ladder(contest("oware", 4, rounds=3), "cup")
    met = Counter(entrant for games in climb(ladder, 4, 20) if games for entrant in games[0].seats)
    assert set(met.values()) <= {3, 4}
    assert ladder.next_bundle(range(4), range(4)) == ()


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize(("game", "entrants"), [("oware", 2), ("oware", 5), ("dice", 4)])
def test_it_is_known_whether_a_ladder_goes_on(game: str, entrants: int, rounds: int) -> None:
    described = contest(game, entrants, rounds=rounds)
    people = [
        EntrantRecord("cup", number, one.name, one.kind, one.text)
        for number, one in enumerate(described.entrants)
    ]
    ladder = Ladder(described, "cup")
    games: list[Pairing] = []
    while to_come(described, lambda: met_by(people, games)) != 0:
        more = ladder.next_bundle(range(entrants), range(entrants))
        assert more
        games.extend(more)
    assert games
    assert ladder.next_bundle(range(entrants), range(entrants)) == ()
    assert to_come(replace(described, rounds=0), dict) != 0
    assert to_come(replace(described, format=Format.GAUNTLET), dict) == 0


def test_a_ladder_does_not_wait_for_the_disqualified() -> None:
    described = contest("oware", 3, rounds=1)
    assert to_come(described, lambda: {0: 1, 1: 1, 2: 0}) != 0
    assert to_come(described, lambda: {0: 1, 1: 1}) == 0
    assert to_come(described, lambda: {2: 0}) == 0  # against nobody
    assert to_come(replace(described, newcomers=True), lambda: {2: 0}) != 0


@given(
    game=st.sampled_from(["oware", "dice"]), entrants=st.integers(3, 8), bundles=st.integers(1, 40)
)
@settings(max_examples=25, deadline=None)
def test_nobody_gets_far_ahead(game: str, entrants: int, bundles: int) -> None:
    met = Counter(dict.fromkeys(range(entrants), 0))
    for games in climb(Ladder(contest(game, entrants), "cup"), entrants, bundles):
        assert met[games[0].seats[0]] == min(met.values())
        met.update(games[0].seats)


@given(
    game=st.sampled_from(["oware", "dice", "quarto"]),
    before=st.integers(0, 12),
    seed=st.integers(0, 2**63 - 1),
)
@settings(max_examples=25, deadline=None)
def test_a_ladder_goes_on_where_it_stopped(game: str, before: int, seed: int) -> None:
    described = contest(game, 5, seed=seed)
    whole = climb(Ladder(described, "cup"), 5, before + 5)
    played = [one for games in whole[:before] for one in games]
    resumed = Ladder(described, "cup", reversed(played))
    assert climb(resumed, 5, 5) == whole[before:]
    numbers = [one.number for games in whole for one in games]
    assert numbers == list(range(len(numbers)))
