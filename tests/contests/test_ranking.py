from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.contests.contest import Contest, Order, Phase, usual_bonus
from spielwerk.contests.ranking import (
    Encounter,
    Note,
    Ranking,
    crosstable,
    may_repeat,
    on_repeats,
    rank,
    tallies,
)
from spielwerk.contests.rating import settled
from spielwerk.store.records import ENDS, FORFEITS, Kind, Pairing, PairingState, Reason
from tests.contests.rated import (
    a_contest,
    a_pairing,
    as_pairings,
    drawn,
    ended,
    pairs,
    some_entrants,
    triples,
)

NAMES = ("ada", "bob", "cid", "dan", "eva")


def ranked(
    games: Sequence[Pairing],
    names: Sequence[str] = NAMES,
    order: Order = Order.RATING,
    game: str = "oware",
    out: Sequence[int] = (),
) -> Ranking:
    entrants = [
        replace(one, disqualified="wrong BYE", disqualified_in=3) if one.number in out else one
        for one in some_entrants(names)
    ]
    return rank(a_contest(names, game, order), entrants, games)


def notes_of(ranking: Ranking) -> dict[str, Note]:
    return {note.code: note for note in ranking.notes}


def a_class(rounds: int = 6) -> list[Pairing]:
    return as_pairings(pairs([1.2, 0.6, 0, -0.6, -1.2], rounds, seed=4))


# places


def test_the_stronger_stand_higher_with_what_was_counted_and_fitted() -> None:
    ranking = ranked(a_class(20))
    assert [line.name for line in ranking.standings] == [*NAMES]
    assert [line.rank for line in ranking.standings] == [1, 2, 3, 4, 5]
    assert ranking.rated == 400
    assert sum(line.rating or 0 for line in ranking.standings) == pytest.approx(0, abs=1e-4)
    line = ranking.standings[0]
    assert (line.entrant, line.name, line.kind) == (0, "ada", Kind.ENGINE)
    assert line.games == line.wins + line.draws + line.losses == 160
    assert line.points == line.wins + line.draws / 2
    assert line.bounded
    assert line.low is not None
    assert line.high is not None
    assert line.rating is not None
    assert line.low < line.rating < line.high
    assert line.better is not None
    assert 0.5 < line.better <= 1


def test_equal_results_share_a_rank() -> None:
    games = [a_pairing(0, (0, 1), 0), a_pairing(1, (1, 2), 0), a_pairing(2, (2, 0), 0)]
    ranking = ranked(
        [*games, a_pairing(3, (0, 3), 0), a_pairing(4, (1, 3), 0), a_pairing(5, (2, 3), 0)]
    )
    assert [(line.rank, line.name) for line in ranking.standings] == [
        (1, "ada"), (1, "bob"), (1, "cid"), (4, "dan"), (5, "eva"),
    ]  # fmt: skip


def bonuses(contest: Contest, games: Sequence[Pairing], out: str = "") -> dict[str, int | None]:
    entrants = [
        replace(one, disqualified="wrong BYE" if one.name == out else "")
        for one in some_entrants(NAMES)
    ]
    ranking = rank(contest, entrants, games)
    return {line.name: line.bonus for line in ranking.standings}


PRIZES = replace(a_contest(NAMES), bonus=usual_bonus("dice", Phase.COMPETITION))


def test_places_bring_a_bonus() -> None:
    """Es gibt also insgesamt 4 Plätze und der 4. Platz erhält 5 Bonuspunkte."""
    won = bonuses(PRIZES, a_class(20))
    assert won == {"ada": 20, "bob": 15, "cid": 10, "dan": 5, "eva": 0}
    assert bonuses(PRIZES, a_class(20), "bob") == {
        "ada": 20, "cid": 15, "dan": 10, "eva": 5, "bob": 0,
    }  # fmt: skip
    assert {*bonuses(a_contest(NAMES), a_class()).values()} == {None}


def test_those_who_share_a_place_have_its_bonus_and_the_next_place_falls_away() -> None:
    games = [a_pairing(n, (one, 3), 0) for n, one in enumerate((0, 1))]
    games += [a_pairing(2, (3, 2), 0), a_pairing(3, (2, 3), 1)]
    shared = bonuses(PRIZES, games)
    assert shared == {"ada": 20, "bob": 20, "dan": 10, "cid": 5, "eva": 0}
    assert {*bonuses(PRIZES, []).values()} == {0}  # all stand first, and nobody has played


def test_by_points_the_rating_decides_between_equals() -> None:
    # bob has his two points from cid and dan, ada hers from dan alone
    games = [a_pairing(0, (0, 3), 0), a_pairing(1, (3, 0), 1), a_pairing(2, (1, 2), 0)]
    games += [a_pairing(3, (3, 1), 1), a_pairing(4, (2, 3), 0), a_pairing(5, (2, 3), 0)]
    games += [a_pairing(6, (3, 2), 0)]
    ranking = ranked(games, NAMES[:4], Order.POINTS)
    assert [line.points for line in ranking.standings] == [2, 2, 2, 1]
    ratings = [line.rating or 0 for line in ranking.standings[:3]]
    assert ratings == sorted(ratings, reverse=True)


def test_who_has_not_played_comes_after_all_who_have() -> None:
    ranking = ranked([a_pairing(0, (3, 4), 0)])
    assert [line.name for line in ranking.standings] == ["dan", "eva", "ada", "bob", "cid"]
    assert [line.rank for line in ranking.standings] == [1, 2, 3, 3, 3]
    idle = ranking.standings[-1]
    assert (idle.rating, idle.low, idle.high, idle.better) == (None, None, None, None)
    assert idle.bounded
    assert (idle.points, idle.games, idle.forfeits) == (0, 0, {})


def test_before_the_first_game_all_are_equal() -> None:
    ranking = ranked([])
    assert {line.rank for line in ranking.standings} == {1}
    assert (ranking.rated, ranking.first_move, ranking.draws) == (0, None, None)
    assert ranking.notes == ()
    assert ranking.crosstable == {}


# forfeits and the disqualified


def test_the_disqualified_come_last_with_what_they_did() -> None:
    ranking = ranked(a_class(), out=[0])
    last = ranking.standings[-1]
    assert (last.rank, last.name, last.rating, last.better) == (5, "ada", None, None)
    assert (last.disqualified, last.disqualified_in) == ("wrong BYE", 3)
    assert last.games == 48
    assert ranking.standings[-2].better is None
    assert notes_of(ranking)["struck"] == Note("struck", ("ada",), 48)


def test_it_does_not_matter_when_somebody_was_disqualified() -> None:
    games = a_class()
    early = [one for one in games if 2 not in one.seats or one.number < 20]
    late, soon = (ranked(of, out=[2]) for of in (games, early))
    assert late.standings[:4] == soon.standings[:4]
    assert late.rated == soon.rated == 72


# what is rated


def test_games_that_cannot_be_rated_are_said() -> None:
    odd = [
        a_pairing(900, (0, 1), None, Reason.SERVER_ERROR),
        a_pairing(901, (0, 1), None, Reason.CONNECTION_LOST, culprits=(0, 1)),
        replace(a_pairing(902, (0, 1), None, Reason.SERVER_ERROR), state=PairingState.FAILED),
    ]
    ranking = ranked([*a_class(), *odd])
    assert notes_of(ranking)["unrated"].count == 3
    assert ranking.rated == 120


def hosted(games: int) -> list[Pairing]:
    """Three equals of whom 0 always lets itself begin; of four games three are won so."""
    orders = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    played = []
    for number in range(games):
        seats = orders[number % 6]
        begins = seats.index(0) if 0 in seats else 0
        winner = begins if number % 4 else 1 - begins
        played.append(a_pairing(number, seats, winner, bundle=number // 2, begins=begins))
    return played


def test_a_host_is_no_better_for_beginning_always() -> None:
    ranking = ranked(hosted(96), NAMES[:3])
    assert ranking.first_move is not None
    assert ranking.first_move > 100
    assert notes_of(ranking)["began"] == Note("began", (NAMES[0],))
    host = next(line for line in ranking.standings if line.entrant == 0)
    assert host.rating == pytest.approx(0, abs=60)
    unheard = ranked([replace(game, begins=0) for game in hosted(96)], NAMES[:3])
    assert max(line.rating or 0 for line in unheard.standings) > 60
    assert "began" not in notes_of(unheard)


def test_the_rating_of_somebody_who_never_won_is_in_its_interval() -> None:
    # 2 is there whenever one of the others fails, and lost the two games that were played out
    orders = [*permutations(range(3))] * 8
    spoilt = [
        a_pairing(n, seats, None, Reason.CONNECTION_LOST, (seats.index(n // 6 % 2),), n // 6)
        for n, seats in enumerate(orders)
    ]
    won = [a_pairing(900 + one, (0, 1, 2), one) for one in (0, 1)]
    ranking = ranked([*spoilt, *won], NAMES[:3], game="dice")
    best = ranking.standings[0]
    assert (best.entrant, best.wins) == (2, 0)
    assert best.low is not None
    assert best.rating is not None
    assert best.low < best.rating
    assert "all-lost" not in notes_of(ranking)


def test_games_that_are_won_and_lost_by_nobody_else_are_counted() -> None:
    spoilt = [a_pairing(n, (0, 1, 2), None, Reason.CONNECTION_LOST, (n % 2,)) for n in range(4)]
    others = [
        a_pairing(4, (0, 1, 2), 1),
        a_pairing(5, (0, 1, 2), None, Reason.STALLED, (0, 1, 2)),
        a_pairing(6, (2, 3, 4), None, Reason.CONNECTION_LOST, (0,)),
        drawn(7, (0, 1, 2)),
    ]
    found = ranked([*spoilt, *others], game="dice", out=[3])
    assert notes_of(found)["spoilt"] == Note("spoilt", count=4)
    told = [(line.games, line.wins + line.draws + line.losses) for line in found.standings[:3]]
    assert sum(games - counted for games, counted in told) == 4 * 2
    assert "spoilt" not in notes_of(ranked(a_class()))


@pytest.mark.parametrize(
    ("game", "opening", "kind", "may"),
    [
        ("oware", 0, Kind.COMMAND, True),
        ("oware", 4, Kind.COMMAND, False),
        ("connect4", 4, Kind.ENGINE, False),
        ("connect4", 4, Kind.COMMAND, True),  # which cannot be told of an opening
        ("dice", 0, Kind.COMMAND, False),
    ],
)
def test_games_may_repeat_where_nothing_is_random(
    game: str, opening: int, kind: Kind, may: bool
) -> None:
    contest = a_contest(NAMES, game)
    who = tuple(replace(one, kind=kind) for one in contest.entrants)
    assert may_repeat(replace(contest, entrants=who, opening=opening)) == may


def test_repeats_are_those_of_the_same_players_in_the_same_seats() -> None:
    games = [a_pairing(n, seats, 0) for n, seats in enumerate([(0, 1), (1, 0), (0, 1), (0, 2)])]
    lost = ended(a_pairing(4, (0, 1)), reason=Reason.SERVER_ERROR)
    unknown = a_pairing(5, (0, 1), 0)
    traces = dict.fromkeys(range(5), 17)
    assert [*on_repeats([*games, lost, unknown], traces)] == [Note("repeats", count=1)]
    assert [*on_repeats(games, traces | {2: 18})] == []


def test_time_outs_on_an_overloaded_machine_are_said_and_else_nothing() -> None:
    late = replace(a_pairing(900, (0, 1), 1, Reason.TIME_OUT, culprits=(0,)), overloaded=True)
    assert ranked([*a_class(), late]).notes == (Note("overloaded", count=1),)
    assert ranked(a_class()).notes == ()


# what cannot be rated well


def test_who_won_everything_has_no_upper_end() -> None:
    games = [
        ended(one, reason=Reason.WIN, winner=one.seats.index(0)) if 0 in one.seats else one
        for one in a_class()
    ]
    ranking = ranked(games)
    best = ranking.standings[0]
    assert (best.name, best.bounded, best.high) == ("ada", False, None)
    assert best.low is not None
    assert best.low < (best.rating or 0)
    assert notes_of(ranking) == {"all-won": Note("all-won", ("ada",))}
    assert all(line.bounded for line in ranking.standings[1:])


def test_pools_that_never_met_are_named() -> None:
    games = [a_pairing(n, (0, 1), n % 2) for n in range(20)]
    games += [a_pairing(100 + n, pair, n % 2) for n in range(20) for pair in [(2, 3), (3, 4)]]
    games = [replace(one, number=number, bundle=number) for number, one in enumerate(games)]
    ranking = ranked(games)
    assert notes_of(ranking)["pools"].names == ("cid, dan, eva", "ada, bob")
    pool = {"ada": 0, "bob": 0, "cid": 1, "dan": 1, "eva": 1}
    for line, after in zip(ranking.standings, ranking.standings[1:], strict=False):
        assert (line.better is None) == (pool[line.name] != pool[after.name])


def test_groups_of_which_one_always_won_are_named() -> None:
    inner = [a_pairing(n, pair, n % 2) for n in range(20) for pair in [(0, 1), (2, 3), (3, 4)]]
    across = [a_pairing(0, pair, 0) for pair in [(0, 2), (1, 3)] * 10]
    games = [replace(one, number=n, bundle=n) for n, one in enumerate([*inner, *across])]
    ranking = ranked(games)
    assert notes_of(ranking)["groups"].names == ("ada, bob", "cid, dan, eva")
    assert {line.name: line.bounded for line in ranking.standings} == {
        "ada": False, "bob": False, "cid": True, "dan": True, "eva": True,
    }  # fmt: skip
    assert all(line.high is None for line in ranking.standings[:2])


def test_where_strength_cannot_be_told_from_draws_that_is_said() -> None:
    games = [drawn(n, ((0, 1), (1, 0))[n % 2], n // 2) for n in range(20)]
    games += [
        a_pairing(20 + n, ((0, 1), (1, 0))[n % 2], n % 2, bundle=10 + n // 2) for n in range(20)
    ]
    ranking = ranked(games, NAMES[:2])
    assert notes_of(ranking) == {"loose": Note("loose")}
    ada, bob = ranking.standings
    assert (ada.low, ada.high, bob.low, bob.high) == (None, None, None, None)
    assert ranking.draws is None
    assert ranking.first_move == pytest.approx(0, abs=1e-3)
    assert ada.better is not None
    assert ada.better > 0.97


def test_few_bundles_are_said_with_names() -> None:
    more = [one for one in a_class(2) if 4 not in one.seats]
    games = a_class(2) + [
        replace(one, number=800 + one.number, bundle=800 + one.bundle) for one in more
    ]
    assert notes_of(ranked(games))["few"] == Note("few", ("eva",), 10)


def test_who_only_saw_another_fail_has_not_lost_everything() -> None:
    orders = [*permutations(range(3))] * 2
    games = [
        a_pairing(n, seats, None, Reason.NO_START, (seats.index(0),), n // 6)
        for n, seats in enumerate(orders)
    ]
    ranking = ranked(games, NAMES[:3], Order.POINTS, "dice")
    assert [line.name for line in ranking.standings] == ["bob", "cid", "ada"]
    assert [line.losses for line in ranking.standings] == [0, 0, 12]
    bob, cid, _ = ranking.standings
    assert bob.better is None
    assert cid.better is not None
    assert cid.better > 0.5
    found = notes_of(ranking)
    assert found["all-lost"] == Note("all-lost", ("ada",))
    assert found["groups"].names == ("bob", "cid", "ada")


# whatever was played


@st.composite
def any_game(draw: st.DrawFn, players: int) -> Pairing:
    """A game between some of five that ended in any way, or has not."""
    seats, who = tuple(draw(st.permutations(range(5)))[:players]), draw(st.integers(0, 1))
    reason = draw(st.sampled_from([Reason.WIN, Reason.WIN, *ENDS]))
    culprits = () if reason in (Reason.WIN, Reason.DRAW, Reason.SERVER_ERROR) else (1 - who,)
    won = reason is Reason.WIN or (culprits and players == 2)
    done = st.sampled_from([*[PairingState.DONE] * 3, PairingState.FAILED, PairingState.NEW])
    pairing = a_pairing(0, seats, who if won else None, reason, culprits)
    return replace(pairing, state=draw(done), bundle=draw(st.integers(0, 4)))


@pytest.mark.parametrize(("game", "players"), [("oware", 2), ("dice", 3)])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_contest_has_a_ranking_whatever_the_order_of_its_games(
    game: str, players: int, data: st.DataObject
) -> None:
    played = data.draw(st.lists(any_game(players), max_size=25))
    out = data.draw(st.lists(st.integers(0, 4), max_size=2))
    order = data.draw(st.sampled_from([*Order]))
    games = [replace(one, number=number) for number, one in enumerate(played)]
    ranking = ranked(games, out=out, order=order, game=game)
    assert sorted(line.entrant for line in ranking.standings) == [0, 1, 2, 3, 4]
    ranks = [line.rank for line in ranking.standings]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    assert ranking == ranked([*reversed(games)], out=out, order=order, game=game)
    for line in ranking.standings:
        assert line.low is None or line.high is None or line.low <= line.high
        assert line.games >= line.wins + line.draws + line.losses
    for line, after in zip(ranking.standings, ranking.standings[1:], strict=False):
        if line.better is not None:  # no chance contradicts the ratings
            ahead = (line.rating or 0) - (after.rating or 0)
            assert (line.better - 0.5) * ahead >= 0
            assert line.better == 0.5 or ahead


# points and crosstables


@pytest.mark.parametrize(
    ("game", "points", "records"),
    [
        (a_pairing(0, (1, 2), 0), [1, 0], [(1, 0, 0), (0, 0, 1)]),
        (drawn(0, (1, 2)), [0.5, 0.5], [(0, 1, 0), (0, 1, 0)]),
        (a_pairing(0, (1, 2, 3), 2), [0, 0, 1], [(0, 0, 1), (0, 0, 1), (1, 0, 0)]),
        (drawn(0, (1, 2, 3)), [0, 0, 0], [(0, 1, 0)] * 3),
        (
            a_pairing(0, (1, 2, 3), None, Reason.STALLED, culprits=(2,)),
            [0, 0, 0],
            [(0, 0, 0), (0, 0, 0), (0, 0, 1)],
        ),
    ],
)
def test_a_game_is_counted_for_all_who_played(
    game: Pairing, points: list[float], records: list[tuple[int, int, int]]
) -> None:
    found = [tallies([game])[entrant] for entrant in game.seats]
    assert [one.points for one in found] == points
    assert [(one.wins, one.draws, one.losses) for one in found] == records
    assert {one.games for one in found} == {1}


@pytest.mark.parametrize("end", FORFEITS)
def test_a_forfeit_is_counted_by_its_kind_for_the_culprit_alone(end: str) -> None:
    (reason,) = (reason for reason, word in ENDS.items() if word == end)
    found = tallies([a_pairing(0, (1, 2), 1, reason, culprits=(0,))])
    assert found[1].forfeits == {end: 1}
    assert (found[1].losses, found[1].points) == (1, 0)
    assert not found[2].forfeits
    assert (found[2].wins, found[2].points) == (1, 1)


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


def test_a_game_stands_in_the_crosstable_from_both_sides() -> None:
    table = crosstable([a_pairing(5, (1, 2), 1, Reason.CONNECTION_LOST, culprits=(0,))])
    assert table == {
        1: {2: (Encounter(5, 0.0, Reason.CONNECTION_LOST, fault=True),)},
        2: {1: (Encounter(5, 1.0, Reason.CONNECTION_LOST, fault=False),)},
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
