"""Matches between programs: every group in all seatings, counted in order, faults told."""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.assignment import Played
from spielwerk.contests.contest import Contest, Entrant
from spielwerk.contests.matching import AHEAD, ATTEMPTS, Match, MatchBroken
from spielwerk.contests.workers.local import LocalPool
from spielwerk.contests.workers.slot import WorkerLost
from spielwerk.engines.sprt import Sprt, Verdict
from spielwerk.store.contest_records import End, Kind, Outcome, SeatReport

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.assignment import Assignment, Progress
    from spielwerk.errors import SpielwerkError

PLAYERS = Path(__file__).parents[1] / "players"


class Paper:
    """A pool that plays nothing: the outcome of each game is written down beforehand."""

    def __init__(self, outcome: Callable[[Assignment], Outcome], jobs: int = 2) -> None:
        self.jobs = jobs
        self.changed: Callable[[], None] = lambda: None
        self.lost: SpielwerkError | None = None
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

    async def close(self) -> None:
        pass


def contest(game: str = "quarto") -> Contest:
    entrants = (Entrant("A", Kind.ENGINE, "random"), Entrant("B", Kind.ENGINE, "random"))
    return Contest("match", game, entrants, seed=7)


def run(match: Match) -> list[str]:
    shown: list[str] = []
    asyncio.run(match.run(lambda tally: shown.append(str(tally))))
    return shown


def name_of(assignment: Assignment, seat: int) -> str:
    return assignment.seats[seat].name


def a_wins(assignment: Assignment) -> Outcome:
    return Outcome(End.WIN, [player.name for player in assignment.seats].index("A"))


def test_a_pair_is_played_from_one_opening_with_both_seatings() -> None:
    pool = Paper(a_wins, jobs=1)
    match = Match(contest(), pool, 6)
    run(match)
    pairs = defaultdict(list)
    for assignment in pool.played:
        pairs[assignment.seed].append(assignment)
    counted = [*pairs.values()][:3]
    for first, second in counted:
        assert first.opening == second.opening
        assert [name_of(first, 0), name_of(second, 0)] == ["A", "B"]
    assert len({pair[0].opening for pair in counted}) == 3
    assert str(match.tally).startswith("+6 =0 -0")


def test_dice_are_played_in_all_six_ways_to_fill_three_seats() -> None:
    pool = Paper(a_wins, jobs=1)
    run(Match(contest("dice"), pool, 6))
    seatings = {"".join(player.name for player in game.seats) for game in pool.played[:6]}
    assert seatings == {"ABB", "BAB", "BBA", "AAB", "ABA", "BAA"}
    assert len({game.seed for game in pool.played[:6]}) == 1


def test_groups_count_in_their_order_though_the_first_takes_longest() -> None:
    def outcome(assignment: Assignment) -> Outcome:
        return a_wins(assignment) if assignment.number < 2 else Outcome(End.DRAW)

    shown = run(Match(contest(), Paper(outcome, jobs=3), 4))
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


def test_nobody_waits_while_one_group_lasts_but_nobody_runs_far_ahead() -> None:
    pool = Held(a_wins, jobs=3)
    run(Match(contest(), pool, 1000))
    began = [assignment.number for assignment in pool.played].index(0)
    assert began == 2 * (AHEAD * pool.jobs - 1)


def test_no_group_is_begun_that_cannot_count() -> None:
    pool = Paper(a_wins, jobs=8)
    run(Match(contest(), pool, 5))
    assert sorted(assignment.number for assignment in pool.played) == [*range(6)]


def test_a_test_stops_the_match_as_soon_as_it_is_decided() -> None:
    test = Sprt(0, 100)
    match = Match(contest(), Paper(a_wins), 10_000, test)
    run(match)
    assert test.verdict(match.tally.groups) is Verdict.H1
    assert match.tally.games < 100


def test_a_forfeit_is_lost_and_told_by_kind() -> None:
    def outcome(assignment: Assignment) -> Outcome:
        b = [player.name for player in assignment.seats].index("B")
        return Outcome(End.CRASH, 1 - b, (b,), "exit 1")

    match = Match(contest(), Paper(outcome), 2)
    run(match)
    assert match.forfeits == {("B", End.CRASH): 2}
    assert match.tally.wins == 2


def test_a_race_is_lost_once_by_who_fails_at_two_of_its_seats() -> None:
    def outcome(assignment: Assignment) -> Outcome:
        culprits = [n for n, player in enumerate(assignment.seats) if player.name == "A"]
        return Outcome(End.STALL, None, tuple(culprits))

    match = Match(contest("dice"), Paper(outcome), 6)
    run(match)
    assert match.forfeits == {("A", End.STALL): 6}
    assert match.tally.losses == 6


def test_when_a_breaks_off_a_race_of_three_it_gets_nothing_and_when_b_does_everything() -> None:
    def breaks(name: str) -> Callable[[Assignment], Outcome]:
        def outcome(assignment: Assignment) -> Outcome:
            seat = [player.name for player in assignment.seats].index(name)
            return Outcome(End.PROTOCOL_ERROR, None, (seat,), "wrong points")

        return outcome

    for name, score in (("A", 0.0), ("B", 1.0)):
        match = Match(contest("dice"), Paper(breaks(name)), 6)
        run(match)
        assert match.tally.score == score


def test_who_does_not_start_ends_the_match_with_its_last_words() -> None:
    def outcome(_assignment: Assignment) -> Outcome:
        return Outcome(End.NO_START, 1, (0,), "exit 1 before it sat down")

    with pytest.raises(MatchBroken, match=r"A does not play: exit 1 .*wrote: .*KeyError: 7"):
        run(Match(contest(), Paper(outcome), 2))


def test_why_somebody_does_not_start_at_two_seats_is_said_once() -> None:
    def outcome(assignment: Assignment) -> Outcome:
        if [player.name for player in assignment.seats] != ["A", "A", "B"]:
            return a_wins(assignment)
        return Outcome(End.NO_START, None, (0, 1), "A: exit 3; A: exit 3")

    with pytest.raises(MatchBroken) as caught:
        run(Match(contest("dice"), Paper(outcome), 6))
    assert str(caught.value) == "A does not play: exit 3; it wrote: Traceback KeyError: 7"


def test_what_is_our_fault_is_tried_again_and_then_said() -> None:
    def outcome(assignment: Assignment) -> Outcome:
        if assignment.attempt < ATTEMPTS:
            return Outcome(End.SERVER_ERROR, detail="out of ports")
        return a_wins(assignment)

    match = Match(contest(), Paper(outcome), 2)
    run(match)
    assert match.tally.games == 2
    pool = Paper(lambda _: Outcome(End.SERVER_ERROR, detail="out of ports"))
    with pytest.raises(MatchBroken, match="could not be played: out of ports"):
        run(Match(contest(), pool, 2))


def test_a_lost_worker_counts_as_our_fault() -> None:
    def outcome(_assignment: Assignment) -> Outcome:
        raise WorkerLost("killed by SIGKILL")

    with pytest.raises(MatchBroken, match="SIGKILL"):
        run(Match(contest(), Paper(outcome), 2))


def test_real_programs_play_a_match() -> None:
    program = f"{sys.executable} -S {PLAYERS / 'mnm.py'} -g {{game}} -h {{host}} -P {{port}}"
    entrants = (Entrant("A", Kind.COMMAND, program), Entrant("B", Kind.ENGINE, "random"))
    fast = Contest("match", "quarto", entrants, seed=3, move_time=5000, pace="block", base=PLAYERS)

    async def play() -> Match:
        pool = LocalPool(1)
        match = Match(fast, pool, 2)
        try:
            await match.run(lambda _: None)
        finally:
            await pool.close()
        return match

    match = asyncio.run(play())
    assert match.tally.games == 2
    assert not match.forfeits
