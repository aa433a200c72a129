from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, groupby, permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.contests.contest import Contest, Entrant, Format
from spielwerk.contests.schedule import Ladder, circle, count, draw_up, to_come, wheel
from spielwerk.store.contest_records import Kind, Pairing, PairingState


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


@given(entrants=st.integers(2, 9), rounds=st.integers(1, 3), seed=st.integers(0, 2**63 - 1))
@settings(max_examples=25, deadline=None)
def test_every_pair_meets_once_a_round_in_both_orders(
    entrants: int, rounds: int, seed: int
) -> None:
    pairings = drawn(contest("oware", entrants, rounds=rounds, seed=seed))
    for nth in range(rounds):
        met = sorted(game.seats for game in pairings if game.round == nth)
        assert met == sorted(permutations(range(entrants), 2))
    assert [game.round for game in pairings] == sorted(game.round for game in pairings)


@given(entrants=st.integers(3, 9), rounds=st.integers(1, 3), seed=st.integers(0, 2**63 - 1))
@settings(max_examples=25, deadline=None)
def test_every_three_meet_once_a_round_in_all_six_orders(
    entrants: int, rounds: int, seed: int
) -> None:
    pairings = drawn(contest("dice", entrants, rounds=rounds, seed=seed))
    for nth in range(rounds):
        met = sorted(game.seats for game in pairings if game.round == nth)
        assert met == sorted(permutations(range(entrants), 3))


@given(
    game=st.sampled_from(["quarto", "morris", "oware", "connect4", "dice"]),
    entrants=st.integers(3, 6),
    rounds=st.integers(1, 2),
)
@settings(max_examples=25, deadline=None)
def test_the_games_of_a_bundle_differ_in_nothing_but_the_seats(
    game: str, entrants: int, rounds: int
) -> None:
    players = 3 if game == "dice" else 2
    for games in bundles(drawn(contest(game, entrants, rounds=rounds))):
        assert {one.seats for one in games} == set(permutations(games[0].seats))
        assert len(games) == (6 if players == 3 else 2)
        assert len({(one.opening, one.seed, one.round) for one in games}) == 1


@given(game=st.sampled_from(["oware", "dice"]), entrants=st.integers(3, 7))
@settings(max_examples=20, deadline=None)
def test_games_and_bundles_are_numbered_in_the_order_of_play(game: str, entrants: int) -> None:
    pairings = drawn(contest(game, entrants, rounds=2))
    assert [one.number for one in pairings] == list(range(len(pairings)))
    numbers = [games[0].bundle for games in bundles(pairings)]
    assert numbers == list(range(len(numbers)))
    assert all(one.contest == "cup" and one.state is PairingState.NEW for one in pairings)


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
def test_the_circle_has_every_pair_once(entrants: int) -> None:
    pairs = [frozenset(pair) for pair in circle(entrants)]
    assert len(pairs) == len(set(pairs)) == comb(entrants, 2)


@given(entrants=st.integers(2, 31))
def test_in_the_circle_nobody_is_more_than_one_game_ahead(entrants: int) -> None:
    played = Counter(dict.fromkeys(range(entrants), 0))
    for pair in circle(entrants):
        played.update(pair)
        assert max(played.values()) - min(played.values()) <= 1 + entrants % 2


@given(entrants=st.integers(3, 15), players=st.integers(2, 4))
def test_the_wheel_has_every_group_once(entrants: int, players: int) -> None:
    groups = sorted(tuple(sorted(group)) for group in wheel(entrants, players))
    assert groups == list(combinations(range(entrants), players))


@given(entrants=st.integers(3, 20))
def test_on_the_wheel_nobody_is_more_than_three_meetings_ahead(entrants: int) -> None:
    played = Counter(dict.fromkeys(range(entrants), 0))
    for group in wheel(entrants, 3):
        played.update(group)
        assert max(played.values()) - min(played.values()) <= 3


# gauntlets


@given(entrants=st.integers(2, 8), references=st.integers(1, 7), rounds=st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_in_a_gauntlet_every_challenger_meets_every_reference(
    entrants: int, references: int, rounds: int
) -> None:
    references = min(references, entrants - 1)
    pairings = drawn(contest("oware", entrants, references=references, rounds=rounds))
    met = Counter(game.seats for game in pairings)
    wanted = [(c, r) for c in range(references, entrants) for r in range(references)]
    assert met == Counter({pair: rounds for one in wanted for pair in (one, one[::-1])})


@given(entrants=st.integers(3, 7), references=st.integers(2, 6))
@settings(max_examples=25, deadline=None)
def test_in_a_gauntlet_of_dice_a_challenger_meets_every_two_references(
    entrants: int, references: int
) -> None:
    references = min(references, entrants - 1)
    pairings = drawn(contest("dice", entrants, references=references))
    met = Counter(game.seats for game in pairings)
    wanted = [
        order
        for challenger in range(references, entrants)
        for two in combinations(range(references), 2)
        for order in permutations((challenger, *two))
    ]
    assert met == Counter(wanted)


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


def test_nobody_knows_how_many_games_come_without_end_or_with_newcomers() -> None:
    ladder = replace(contest("oware", 3, rounds=2), format=Format.LADDER)
    assert to_come(replace(ladder, rounds=0), dict) is None
    assert to_come(replace(ladder, newcomers=True), lambda: {0: 2, 1: 2, 2: 1}) is None
    assert to_come(replace(ladder, newcomers=True), lambda: {0: 2, 1: 2, 2: 2}) == 0
    assert to_come(ladder, lambda: {2: 0}) == 0  # against nobody
    assert to_come(contest("oware", 3), dict) == 0
