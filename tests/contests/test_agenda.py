"""The schedule in memory: what comes next, what becomes of a game, and how fast it goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.contests.agenda import BREAK, FEWEST, LAST, LATER, Agenda, Arbiter, GamePace
from spielwerk.contests.contest import Contest, Phase, Played
from spielwerk.store.records import Disqualified, Ending, PairingState, Reason, SeatReport, Settled
from tests.contests.contests import ID, WON, a_contest, entrants, games
from tests.contests.fake_worker import assignment, record

NEW, REPEAT, DONE, FAILED, RUNNING = (
    PairingState.NEW,
    PairingState.REPEAT,
    PairingState.DONE,
    PairingState.FAILED,
    PairingState.RUNNING,
)
OURS = Ending(Reason.SERVER_ERROR, detail="no idea")
LATE = Ending(Reason.TIME_OUT, 0, culprits=(1,))


def an_agenda(entrants: int = 3) -> Agenda:
    return Agenda(games(a_contest(entrants)))


def settle(agenda: Agenda, number: int, state: PairingState, ending: Ending | None = WON) -> None:
    agenda.settle(replace(agenda[number], state=state, ending=ending))


def test_games_are_taken_in_their_order() -> None:
    agenda = an_agenda()
    taken = [agenda.take() for _ in range(7)]
    assert [one.number for one in taken if one] == [0, 1, 2, 3, 4, 5]
    assert taken[6] is None
    assert all(one.state is RUNNING and one.attempt == 1 for one in taken if one)
    assert agenda.waiting == 0
    assert agenda.counts() == {RUNNING: 6}


def test_games_of_missing_entrants_wait_and_others_do_not() -> None:
    agenda = an_agenda()
    there = [one.number for one in agenda if 0 not in one.seats]
    assert [one.number for _ in range(3) if (one := agenda.take({0}))] == there
    left = [one.number for one in agenda if one.number not in there]
    assert [one.number for _ in range(9) if (one := agenda.take())] == left


def test_after_a_resume_only_what_we_could_not_play_comes_last() -> None:
    pairings = games(a_contest())
    pairings[0] = replace(pairings[0], state=REPEAT, attempt=3, ending=OURS)
    pairings[1] = replace(pairings[1], state=REPEAT, attempt=1, ending=LATE)
    pairings[2] = replace(pairings[2], state=DONE, attempt=1, ending=WON)
    pairings[3] = replace(pairings[3], state=FAILED, attempt=3)
    agenda = Agenda(pairings)
    assert agenda.waiting == 4
    taken = [agenda.take() for _ in range(4)]
    assert [(one.number, one.attempt) for one in taken if one] == [(1, 2), (4, 1), (5, 1), (0, 4)]


def test_what_has_to_be_played_again_comes_after_ten_others() -> None:
    agenda = an_agenda(5)
    for _ in range(3):
        agenda.take()
    settle(agenda, 1, NEW, None)
    settle(agenda, 0, REPEAT)
    settle(agenda, 2, DONE)
    taken = [one.number for _ in range(19) if (one := agenda.take())]
    assert taken == [*range(3, 3 + LATER), 0, 1, *range(3 + LATER, 20)]
    assert agenda[2].ending == WON
    assert agenda[0].ending is None  # it has begun again


def test_the_games_of_a_disqualified_entrant_fall_away() -> None:
    agenda = an_agenda()
    running = agenda.take()
    assert running
    out = running.seats[0]
    agenda.disqualify(Disqualified(ID, out, "crash", 0))
    left = [pairing for pairing in agenda if out not in pairing.seats]
    assert agenda.waiting == len(left) == 2
    assert agenda[running.number].state is RUNNING
    settle(agenda, running.number, REPEAT)
    assert agenda[running.number].state is FAILED
    assert agenda.lost == 0
    assert agenda.disqualified == {out}


def test_an_entrant_that_was_disqualified_before_is_so_after_a_resume() -> None:
    contest = a_contest()
    known = entrants(contest)
    known[0] = replace(known[0], disqualified="protocol error")
    agenda = Agenda(games(contest), known)
    assert agenda.waiting == 2
    assert agenda.disqualified == {0}


def test_a_game_that_failed_through_us_is_told_from_one_that_fell_away() -> None:
    agenda = an_agenda()
    agenda.take()
    settle(agenda, 0, FAILED, OURS)
    agenda.disqualify(Disqualified(ID, agenda[0].seats[0], "crash", 0))
    assert (agenda.counts()[FAILED], agenda.lost) == (4, 1)


# what becomes of a game

CONTEST = a_contest()
PAIRING = replace(games(CONTEST)[3], state=RUNNING, attempt=1)
STRICT = replace(CONTEST, phase=Phase.COMPETITION, disqualify=("protocol error", "crash"))


@pytest.fixture
def arbiter() -> Arbiter:
    return Arbiter(CONTEST)


def played(outcome: Ending) -> Played:
    game, reports = record(assignment("x")), (SeatReport(0, 4), SeatReport(1, 3))
    return Played(PAIRING.number, 1, outcome, game, (), reports, started=1000)


def test_a_game_with_an_end_of_its_own_is_done(arbiter: Arbiter) -> None:
    stalled = played(Ending(Reason.STALLED, 0, culprits=(1,)))
    game = record(assignment("x"))
    done = replace(PAIRING, state=DONE, ending=stalled.ending, game=game.id, started=1000)
    assert arbiter.settle(PAIRING, stalled) == Settled(done, game, (), stalled.reports)
    host = replace(stalled, record=replace(game, options=("width=7", "begins=1")))
    assert arbiter.settle(PAIRING, host).pairing == replace(done, begins=1)


def test_what_we_could_not_play_or_write_is_repeated_twice_and_then_given_up() -> None:
    arbiter, error = Arbiter(CONTEST), played(OURS)
    states = [arbiter.settle(PAIRING, error).pairing.state for _ in range(3)]
    assert states == [REPEAT, REPEAT, FAILED]
    other = arbiter.settle(replace(PAIRING, number=4), error).pairing
    assert other.state is REPEAT
    why = Ending(Reason.SERVER_ERROR, detail="the game could not be saved: too long")
    assert [arbiter.unwritable(other, "too long") for _ in range(2)] == [
        Settled(other.cleared(state, why)) for state in (REPEAT, FAILED)
    ]


def test_what_came_too_late_on_an_overloaded_machine_is_repeated_once(arbiter: Arbiter) -> None:
    late = replace(played(LATE), overloaded=True)
    first = arbiter.settle(PAIRING, late).pairing
    assert (first.state, first.repeated) == (REPEAT, True)
    repeated = replace(PAIRING, repeated=True)
    again = arbiter.settle(repeated, late).pairing
    assert (again.state, again.repeated) == (DONE, True)
    assert arbiter.put_back(repeated).pairing.repeated  # that is not forgotten
    assert arbiter.settle(repeated, played(WON)).pairing.repeated


@pytest.mark.parametrize(
    ("outcome", "found"),
    [
        (
            Ending(Reason.PROTOCOL_ERROR, 0, "a wrong BYE", culprits=(1,)),
            {1: "protocol error: a wrong BYE"},
        ),
        (Ending(Reason.CONNECTION_LOST, None, culprits=(0, 1)), {0: "crash", 1: "crash"}),
    ],
)
def test_a_violation_disqualifies_all_culprits_in_the_competition(
    outcome: Ending, found: dict[int, str]
) -> None:
    now = replace(PAIRING, state=DONE, ending=outcome)
    assert Arbiter(STRICT).disqualified(now) == [
        Disqualified(ID, PAIRING.seats[seat], why, PAIRING.number) for seat, why in found.items()
    ]


@pytest.mark.parametrize(
    ("contest", "state", "outcome"),
    [
        (CONTEST, DONE, Ending(Reason.PROTOCOL_ERROR, 0, culprits=(1,))),
        (STRICT, DONE, Ending(Reason.TIME_OUT, 0, culprits=(1,))),
        (STRICT, REPEAT, Ending(Reason.PROTOCOL_ERROR, 0, culprits=(1,))),
        (STRICT, NEW, None),
    ],
    ids=["training", "another fault", "repeated", "not played"],
)
def test_no_entrant_is_out_otherwise(
    contest: Contest, state: PairingState, outcome: Ending | None
) -> None:
    now = replace(PAIRING, state=state, ending=outcome)
    assert Arbiter(contest).disqualified(now) == []


# pace


def pace(games: int, seconds: float, jobs: int, start: float = 0.0) -> GamePace:
    """So many games at once, each so long."""
    return GamePace(
        (start + n // jobs * seconds, start + (n // jobs + 1) * seconds) for n in range(games)
    )


@pytest.mark.parametrize(
    ("games", "seconds", "jobs", "rate"),
    [
        (FEWEST - 1, 10.0, 1, None),
        (FEWEST, 10.0, 1, 6.0),
        (8, 60.0, 8, 8.0),  # they end at once
        (20, 10.0, 4, 24.0),
        (LAST + 10, 10.0, 1, 6.0),
    ],
)
def test_the_last_games_say_how_many_there_are_in_a_minute(
    games: int, seconds: float, jobs: int, rate: float | None
) -> None:
    now = pace(games, seconds, jobs)
    assert now.rate == (rate and pytest.approx(rate))
    assert now.left(0) == 0.0
    assert now.left(30) == (rate and pytest.approx(30 * 60 / rate))


def test_a_break_and_old_games_do_not_count() -> None:
    now, start = pace(10, 100.0, 1), 1000.0 + BREAK
    now.note(start, start + 1)
    assert now.rate == pytest.approx(0.62, abs=0.01)  # no longer than that is still play
    now.note(start + BREAK + 2, start + BREAK + 3)
    assert now.rate is None
    for second in range(LAST + 1):
        now.note(second, second + 1)
    assert now.rate == pytest.approx(60)
    now.restart()
    assert now.rate is None
