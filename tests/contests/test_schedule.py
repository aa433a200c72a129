from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, groupby, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.contests.contest import Contest, Entrant, Format
from spielwerk.contests.schedule import Ladder, circle, count, draw_up, to_come, wheel
from spielwerk.contests.schedule import meetings as met_by
from spielwerk.store.records import EntrantRecord, Kind, Pairing, PairingState


def contest(
    game: str,
    entrants: int,
    *,
    rounds: int = 1,
    seed: int = 0,
    opening: int = 2,
    references: int = 0,
    kind: Kind = Kind.ENGINE,
) -> Contest:
    """A round robin, or a gauntlet if there are references: the first ones."""
    names = [Entrant(f"e{n}", kind, "level=1", reference=n < references) for n in range(entrants)]
    form = Format.GAUNTLET if references else Format.ROUND_ROBIN
    return Contest(
        "Cup", game, tuple(names), format=form, rounds=rounds, seed=seed, opening=opening
    )


def drawn(described: Contest) -> list[Pairing]:
    return list(draw_up(described, "cup"))


def bundles(pairings: list[Pairing]) -> list[list[Pairing]]:
    return [list(games) for _, games in groupby(pairings, key=lambda game: game.bundle)]


GAMES = st.sampled_from([("oware", 2), ("quarto", 2), ("connect4", 2), ("dice", 3)])


@given(game=GAMES, entrants=st.integers(3, 8), rounds=st.integers(1, 3), seed=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_all_meet_once_a_round_in_every_order_of_seats(
    game: tuple[str, int], entrants: int, rounds: int, seed: int
) -> None:
    name, players = game
    pairings = drawn(contest(name, entrants, rounds=rounds, seed=seed))
    orders = sorted(permutations(range(entrants), players))
    for nth in range(rounds):
        assert sorted(one.seats for one in pairings if one.round == nth) == orders
    assert [one.round for one in pairings] == sorted(one.round for one in pairings)
    assert [one.number for one in pairings] == list(range(len(pairings)))
    assert all(one.contest == "cup" and one.state is PairingState.NEW for one in pairings)
    together = bundles(pairings)
    assert [games[0].bundle for games in together] == list(range(len(together)))
    for games in together:  # they differ in nothing but the seats
        assert {one.seats for one in games} == set(permutations(games[0].seats))
        assert len({(one.opening, one.seed, one.round) for one in games}) == 1


@given(
    game=st.sampled_from(["quarto", "oware", "dice"]),
    entrants=st.integers(3, 6),
    seed=st.integers(0, 2**63 - 1),
)
@settings(max_examples=20, deadline=None)
def test_one_seed_fixes_everything_whatever_the_names(game: str, entrants: int, seed: int) -> None:
    described = contest(game, entrants, rounds=2, seed=seed)
    renamed = replace(
        described,
        name="Pokal",
        entrants=tuple(replace(one, name=f"{one.name}x") for one in described.entrants),
    )
    assert drawn(described) == drawn(renamed)


@pytest.mark.parametrize("game", ["quarto", "morris", "oware", "connect4"])
def test_another_seed_gives_other_openings(game: str) -> None:
    one, other = (drawn(contest(game, 6, seed=seed, opening=4)) for seed in (1, 2))
    assert [game.seats for game in one] == [game.seats for game in other]
    alike = sum(a.opening == b.opening for a, b in zip(one, other, strict=True))
    assert alike < len(one) / 5
    assert not {game.seed for game in one} & {game.seed for game in other}


def test_those_who_meet_again_get_another_opening() -> None:
    pairings = drawn(contest("oware", 2, rounds=40, opening=2))
    openings = [games[0].opening for games in bundles(pairings)]
    assert len(openings) == 40
    assert len(set(openings)) > 30  # of the 36 that there are


def test_connect_four_programs_begin_on_the_empty_board() -> None:
    assert all(not game.opening for game in drawn(contest("connect4", 4, kind=Kind.COMMAND)))
    assert all(game.opening for game in drawn(contest("connect4", 4)))


# contests that grow


@given(
    game=st.sampled_from(["oware", "dice"]),
    entrants=st.integers(3, 5),
    more=st.integers(0, 2),
    rounds=st.integers(1, 2),
    longer=st.integers(0, 2),
)
@settings(max_examples=25, deadline=None)
def test_more_entrants_and_rounds_add_games_and_change_none(
    game: str, entrants: int, more: int, rounds: int, longer: int
) -> None:
    known = drawn(contest(game, entrants, rounds=rounds))
    grown = contest(game, entrants + more, rounds=rounds + longer)
    added = list(draw_up(grown, "cup", reversed(known)))
    together = [*known, *added]
    assert [one.number for one in together] == list(range(count(grown)))
    assert len({one.seed for one in together}) == len(bundles(together))
    met = Counter((one.round, one.seats) for one in together)
    assert met == Counter((one.round, one.seats) for one in drawn(grown))


# the order of play


@given(entrants=st.integers(2, 31))
def test_in_the_circle_nobody_is_more_than_one_game_ahead(entrants: int) -> None:
    played = Counter(dict.fromkeys(range(entrants), 0))
    for pair in circle(entrants):
        played.update(pair)
        assert max(played.values()) - min(played.values()) <= 1 + entrants % 2


@given(entrants=st.integers(3, 20))
def test_on_the_wheel_nobody_is_more_than_three_meetings_ahead(entrants: int) -> None:
    played = Counter(dict.fromkeys(range(entrants), 0))
    for group in wheel(entrants, 3):
        played.update(group)
        assert max(played.values()) - min(played.values()) <= 3


# gauntlets


@given(game=GAMES, entrants=st.integers(4, 8), references=st.integers(2, 7))
@settings(max_examples=25, deadline=None)
def test_in_a_gauntlet_every_challenger_meets_every_group_of_references(
    game: tuple[str, int], entrants: int, references: int
) -> None:
    name, players = game
    references = min(references, entrants - 1)
    wanted = [
        order
        for challenger in range(references, entrants)
        for others in combinations(range(references), players - 1)
        for order in permutations((challenger, *others))
    ]
    pairings = drawn(contest(name, entrants, references=references, rounds=2))
    assert sorted(one.seats for one in pairings) == sorted(2 * wanted)


def test_challengers_take_turns_at_the_references() -> None:
    pairings = drawn(contest("oware", 7, references=3))
    first = {games[0].seats for games in bundles(pairings)[:4]}
    assert {min(pair) for pair in first} == {0, 1, 2}
    assert {max(pair) for pair in first} == {3, 4, 5, 6}


# how many


@given(
    game=st.sampled_from(["oware", "dice"]),
    entrants=st.integers(3, 7),
    references=st.integers(0, 4),
    rounds=st.integers(1, 3),
)
@settings(max_examples=25, deadline=None)
def test_the_games_can_be_counted_without_drawing_them_up(
    game: str, entrants: int, references: int, rounds: int
) -> None:
    described = contest(game, entrants, references=min(references, entrants - 1), rounds=rounds)
    assert count(described) == len(drawn(described))


@pytest.mark.parametrize(("game", "entrants"), [("oware", 2), ("oware", 7), ("dice", 8)])
def test_what_a_ladder_will_have_is_known_from_the_beginning_on(game: str, entrants: int) -> None:
    described = replace(contest(game, entrants, rounds=10), format=Format.LADDER)
    ladder, everybody = Ladder(described, "cup"), range(entrants)
    met = Counter(dict.fromkeys(everybody, 0))
    estimates, games = [to_come(described, lambda: met)], 0
    while more := ladder.next_bundle(everybody, everybody):
        met.update(more[0].seats)
        games += len(more)
        estimates.append(to_come(described, lambda: met))
    assert estimates[0] == pytest.approx(games, rel=0.1)
    assert estimates == sorted(map(int, estimates), reverse=True)  # type: ignore[arg-type]
    assert [not one for one in estimates] == [*[False] * (len(estimates) - 1), True]


def test_how_many_games_come_may_not_be_known() -> None:
    ladder = replace(contest("oware", 3, rounds=2), format=Format.LADDER)
    assert to_come(replace(ladder, rounds=0), dict) is None
    assert to_come(replace(ladder, newcomers=True), lambda: {0: 2, 1: 2, 2: 1}) is None
    assert to_come(replace(ladder, newcomers=True), lambda: {0: 2, 1: 2, 2: 2}) == 0
    assert to_come(ladder, lambda: {0: 2, 1: 2}) == 0  # the others are disqualified
    assert to_come(ladder, lambda: {2: 0}) == 0  # and there is no one to meet
    assert to_come(contest("oware", 3), dict) == 0


# ladders


def a_ladder(game: str, entrants: int, *, rounds: int = 0, seed: int = 0) -> Contest:
    return replace(contest(game, entrants, seed=seed), format=Format.LADDER, rounds=rounds)


def climb(ladder: Ladder, entrants: int, bundles: int) -> list[tuple[Pairing, ...]]:
    """So many meetings, with a ranking that stays as it is."""
    all_of_them = range(entrants)
    return [ladder.next_bundle(all_of_them, all_of_them) for _ in range(bundles)]


def test_the_first_meeting_is_between_the_first_neighbours() -> None:
    games = Ladder(a_ladder("oware", 4), "cup").next_bundle([0, 1, 2, 3], {0, 1, 2, 3})
    assert [game.seats for game in games] == [(0, 1), (1, 0)]
    assert [game.number for game in games] == [0, 1]
    assert {(game.bundle, game.round, game.contest) for game in games} == {(0, 0, "cup")}
    assert len({(game.opening, game.seed) for game in games}) == 1


def test_whoever_has_played_least_is_next() -> None:
    ladder = Ladder(a_ladder("oware", 5), "cup")
    ladder.next_bundle([0, 1, 2, 3, 4], range(5))
    assert ladder.next_bundle([0, 1, 2, 3, 4], range(5))[0].seats == (2, 3)
    assert 4 in ladder.next_bundle([0, 1, 2, 3, 4], range(5))[0].seats


def test_the_ranking_says_who_is_near() -> None:
    ladder = Ladder(a_ladder("oware", 5), "cup")
    assert set(ladder.next_bundle([0, 3, 1, 4, 2], range(5))[0].seats) == {0, 3}


def test_who_has_met_often_looks_farther_away() -> None:
    ladder = Ladder(a_ladder("oware", 3), "cup")
    met = [set(games[0].seats) for games in climb(ladder, 3, 3)]
    assert met == [{0, 1}, {1, 2}, {0, 2}]


def test_only_those_who_are_there_are_asked() -> None:
    ladder = Ladder(a_ladder("dice", 6), "cup")
    for _ in range(5):
        assert set(ladder.next_bundle(range(6), {1, 3, 5})[0].seats) == {1, 3, 5}
    assert ladder.next_bundle(range(6), {1, 3}) == ()
    assert ladder.next_bundle([], ()) == ()


def test_a_ladder_with_rounds_ends_when_everybody_has_had_them() -> None:
    ladder = Ladder(a_ladder("oware", 4, rounds=3), "cup")
    met = Counter(entrant for games in climb(ladder, 4, 20) if games for entrant in games[0].seats)
    assert set(met.values()) <= {3, 4}
    assert ladder.next_bundle(range(4), range(4)) == ()


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize(("game", "entrants"), [("oware", 2), ("oware", 5), ("dice", 4)])
def test_it_is_known_whether_a_ladder_goes_on(game: str, entrants: int, rounds: int) -> None:
    described = a_ladder(game, entrants, rounds=rounds)
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


@given(
    game=st.sampled_from(["oware", "dice"]), entrants=st.integers(3, 8), bundles=st.integers(1, 40)
)
@settings(max_examples=25, deadline=None)
def test_nobody_gets_far_ahead(game: str, entrants: int, bundles: int) -> None:
    met = Counter(dict.fromkeys(range(entrants), 0))
    for games in climb(Ladder(a_ladder(game, entrants), "cup"), entrants, bundles):
        assert met[games[0].seats[0]] == min(met.values())
        met.update(games[0].seats)


@given(
    game=st.sampled_from(["oware", "dice", "quarto"]),
    before=st.integers(0, 12),
    seed=st.integers(0, 2**63 - 1),
)
@settings(max_examples=25, deadline=None)
def test_a_ladder_goes_on_where_it_stopped(game: str, before: int, seed: int) -> None:
    described = a_ladder(game, 5, seed=seed)
    whole = climb(Ladder(described, "cup"), 5, before + 5)
    played = [one for games in whole[:before] for one in games]
    resumed = Ladder(described, "cup", reversed(played))
    assert climb(resumed, 5, 5) == whole[before:]
    numbers = [one.number for games in whole for one in games]
    assert numbers == list(range(len(numbers)))
