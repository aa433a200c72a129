"""Matches of engines and programs: every group in all seatings, counted in order, faults told."""

from __future__ import annotations

import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from spielwerk.contests import match as module
from spielwerk.contests.contest import (
    Assignment,
    Contest,
    ContestError,
    Entrant,
    Played,
    Progress,
    WorkerLost,
)
from spielwerk.contests.match import (
    AHEAD,
    ATTEMPTS,
    Match,
    MatchTally,
    Sprt,
    SprtVerdict,
)
from spielwerk.contests.pool import Pool
from spielwerk.engines.players import Player, RandomPlayer
from spielwerk.games import Game, Outcome, State, kits
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.oware.rules import Oware
from spielwerk.games.quarto.rules import Quarto
from spielwerk.store.records import Ending, Kind, Reason, SeatReport

RANDOM = (RandomPlayer("a"), RandomPlayer("b"))


# engines


def played(game: Game[Any], games: int, seed: int = 1, test: Sprt | None = None) -> list[str]:
    return [str(tally) for tally in Match(game, games, test).play(RANDOM, seed)]


@pytest.mark.parametrize("game", [Dice(target=20), ConnectFour()], ids=lambda game: game.name)
def test_random_players_are_equal(game: Game[Any]) -> None:
    *_, tally = Match(game, 300).play(RANDOM, 1)
    assert tally.games >= 300
    lower, upper = tally.interval
    assert 0 < upper - lower < 0.2
    assert abs(tally.score - 0.5) < 1.5 * (upper - lower)


def test_the_same_seed_gives_the_same_match() -> None:
    first, again, other = (played(Oware(), 20, seed) for seed in (1, 1, 2))
    assert first == again != other


class Saver(Player):
    """A dice player that never rolls."""

    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> object:
        del rng, within
        return state.legal_moves()[1]


def test_a_player_that_never_rolls_loses_every_race() -> None:
    *_, tally = Match(Dice(target=30), 60).play((RandomPlayer("a"), Saver("b")), 1)
    assert tally.wins == tally.games == 60


@pytest.mark.parametrize("name", [*kits()])
def test_whole_turns_open_a_game_and_no_move_wins_at_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[State[Any]] = []

    def keep_start(state: State[Any], *_: object) -> Outcome:
        starts.append(state)
        return Outcome(None, "")

    monkeypatch.setattr(module, "play_out", keep_start)
    game = kits()[name].game()
    assert [*Match(game, 40).play(RANDOM, 5)]
    assert {state.turn for state in starts} == {0}
    assert len({*starts}) > 5 or game.throws_dice
    outcomes = [state.play(move).outcome for state in starts for move in state.legal_moves()]
    assert not any(outcomes)


def test_a_board_too_small_for_an_opening_is_played_without() -> None:
    *_, tally = Match(ConnectFour(width=1, height=1), 2).play(RANDOM, 1)
    assert tally.draws == 2


class Last(Player):
    """A player that takes the last legal move."""

    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> object:
        del rng, within
        return state.legal_moves()[-1]


def test_a_test_ends_the_match_when_it_is_decided_or_with_the_games() -> None:
    test = Sprt(-300, 300)
    match = Match(ConnectFour(), 400, test)
    players = Last("a"), RandomPlayer("b")
    *before, groups = (Counter(tally.groups) for tally in match.play(players, 1))
    assert test.verdict(groups)
    assert not any(test.verdict(earlier) for earlier in before)
    assert sum(groups.values()) == len(before) + 1 < 200
    assert played(Oware(), 20) == played(Oware(), 20, test=Sprt(-1, 1))  # undecided


# the tally


def test_a_tally_in_words() -> None:
    tally = MatchTally(wins=3, draws=2, losses=1, groups=Counter([0.5, 1.0, 0.5]))
    assert str(tally) == "+3 =2 -1  66.7 % (9.7 to 100.0 %)"
    assert (MatchTally().score, MatchTally().interval) == (0.5, (0.0, 1.0))


@pytest.mark.parametrize("points", [[1.0, 1.0], [0.5, 0.5], [1.0] * 6])
def test_groups_that_are_all_alike_leave_a_doubt(points: list[float]) -> None:
    tally, widths = MatchTally(), []
    for _ in range(100):
        tally.add(points)
        lower, upper = tally.interval
        assert lower <= tally.score <= upper
        widths.append(upper - lower)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] >= 0.5
    assert widths[4] > 0.15
    assert 0.01 < widths[-1] < 0.08


def test_groups_and_elo() -> None:
    tally = MatchTally()
    for points in ([1.0, 1.0], [1.0, 0.5], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]):
        tally.add(points)
    assert tally.groups == {1.0: 1, 0.75: 1, 0.5: 2, 0.0: 1}
    elo, least, most = tally.elo
    assert least < 0 < elo < most < math.inf
    assert elo == pytest.approx(400 * math.log10(5.5 / 4.5))


# programs


class Paper(Pool):
    """A pool that plays nothing: the outcome of each game is written beforehand."""

    def __init__(self, outcome: Callable[[Assignment], Ending], jobs: int = 2) -> None:
        super().__init__(jobs)
        self.played: list[Assignment] = []
        self._outcome = outcome

    async def play(self, assignment: Assignment, tell: Callable[[Progress], None]) -> Played:
        del tell
        self.played.append(assignment)
        for _ in range(3 if assignment.number < 2 else 1):  # the first ones take longer
            await asyncio.sleep(0)
        outcome = self._outcome(assignment)
        report = SeatReport(0, output="Traceback\nKeyError: 7\n")
        return Played(assignment.number, assignment.attempt, outcome, reports=(report,))


def referee(
    pool: Paper, games: int, game: Game[Any] | None = None, test: Sprt | None = None
) -> tuple[Match, list[str]]:
    """The match, and what was shown of it."""
    game = game or Quarto()
    entrants = (Entrant("A", Kind.ENGINE, "random"), Entrant("B", Kind.ENGINE, "random"))
    match, shown = Match(game, games, test), list[str]()
    contest = Contest("match", game.name, entrants, seed=7)
    asyncio.run(match.referee(contest, pool, lambda tally: shown.append(str(tally))))
    return match, shown


def names(assignment: Assignment) -> list[str]:
    return [player.name for player in assignment.seats]


def a_wins(assignment: Assignment) -> Ending:
    return Ending(Reason.WIN, names(assignment).index("A"))


def test_a_pair_is_played_from_one_opening_with_both_seatings() -> None:
    pool = Paper(a_wins, jobs=1)
    match, _ = referee(pool, 6)
    pairs = defaultdict(list)
    for assignment in pool.played:
        pairs[assignment.seed].append(assignment)
    for first, second in pairs.values():
        assert first.opening == second.opening
        assert [names(first)[0], names(second)[0]] == ["A", "B"]
    assert len({pair[0].opening for pair in pairs.values()}) == 3
    assert str(match.tally).startswith("+6 =0 -0")


def test_three_seats_are_filled_in_all_six_ways() -> None:
    pool = Paper(a_wins, jobs=1)
    referee(pool, 6, Dice())
    ways = {"ABB", "BAB", "BBA", "AAB", "ABA", "BAA"}
    assert {"".join(names(one)) for one in pool.played} == ways
    assert len({one.seed for one in pool.played}) == 1


def test_groups_count_in_their_order_though_the_first_takes_longest() -> None:
    def outcome(assignment: Assignment) -> Ending:
        return a_wins(assignment) if assignment.number < 2 else Ending(Reason.DRAW)

    _, shown = referee(Paper(outcome, jobs=3), 4)
    assert [text.split("  ")[0] for text in shown] == ["+2 =0 -0", "+2 =2 -0"]


class Held(Paper):
    """A pool whose first game lasts until there is nothing else to do."""

    async def play(self, assignment: Assignment, tell: Callable[[Progress], None]) -> Played:
        if assignment.number == 0:
            games = -1
            while games < len(self.played):
                games = len(self.played)
                for _ in range(20):
                    await asyncio.sleep(0)
        return await super().play(assignment, tell)


def test_workers_do_not_wait_while_one_group_lasts_nor_run_far_ahead() -> None:
    pool = Held(a_wins, jobs=3)
    referee(pool, 200)
    began = [assignment.number for assignment in pool.played].index(0)
    assert began == 2 * (AHEAD * pool.jobs - 1)


def test_no_group_is_begun_that_cannot_count() -> None:
    pool = Paper(a_wins, jobs=8)
    referee(pool, 5)
    assert sorted(assignment.number for assignment in pool.played) == [*range(6)]


def test_a_test_stops_a_match_of_programs() -> None:
    test = Sprt(0, 100)
    match, _ = referee(Paper(a_wins), 10_000, test=test)
    assert test.verdict(match.tally.groups) is SprtVerdict.H1
    assert match.tally.games < 100


def test_a_forfeit_is_lost_and_counted_once_by_its_kind() -> None:
    def crash(assignment: Assignment) -> Ending:
        b = names(assignment).index("B")
        return Ending(Reason.CONNECTION_LOST, 1 - b, "exit 1", culprits=(b,))

    match, _ = referee(Paper(crash), 2)
    assert match.forfeits == {("B", "crash"): 2}
    assert match.tally.wins == 2

    def stall(assignment: Assignment) -> Ending:
        culprits = [n for n, name in enumerate(names(assignment)) if name == "A"]
        return Ending(Reason.STALLED, None, culprits=tuple(culprits))

    match, _ = referee(Paper(stall), 6, Dice())
    assert match.forfeits == {("A", "stall"): 6}
    assert match.tally.losses == 6


def test_breaking_off_a_race_of_three_gives_the_points_to_the_other() -> None:
    def breaks(assignment: Assignment) -> Ending:
        return Ending(
            Reason.PROTOCOL_ERROR, None, "wrong points", culprits=(names(assignment).index("B"),)
        )

    match, _ = referee(Paper(breaks), 6, Dice())
    assert match.tally.score == 1.0


def test_a_program_that_does_not_start_ends_the_match_with_its_last_words() -> None:
    def outcome(assignment: Assignment) -> Ending:
        if names(assignment) != ["A", "A", "B"]:
            return a_wins(assignment)
        return Ending(Reason.NO_START, None, "A: exit 3; A: exit 3", culprits=(0, 1))

    with pytest.raises(ContestError) as caught:
        referee(Paper(outcome), 6, Dice())
    assert str(caught.value) == "A does not play: exit 3; it printed: Traceback KeyError: 7"


def test_what_is_our_fault_is_tried_again_and_then_told() -> None:
    def outcome(assignment: Assignment) -> Ending:
        if assignment.attempt < ATTEMPTS:
            return Ending(Reason.SERVER_ERROR, detail="out of ports")
        return a_wins(assignment)

    match, _ = referee(Paper(outcome), 2)
    assert match.tally.games == 2
    with pytest.raises(ContestError, match="could not be played: out of ports"):
        referee(Paper(lambda _: Ending(Reason.SERVER_ERROR, detail="out of ports")), 2)


def test_a_lost_worker_counts_as_our_fault() -> None:
    def outcome(_assignment: Assignment) -> Ending:
        raise WorkerLost("killed by SIGKILL")

    with pytest.raises(ContestError, match="SIGKILL"):
        referee(Paper(outcome), 2)
