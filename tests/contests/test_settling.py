"""What becomes of a game after an attempt at it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.contests.assignment import Played
from spielwerk.contests.contest import Contest, Phase
from spielwerk.contests.running.settling import LOSSES, REPEATS, Judge
from spielwerk.store.contest_records import (
    FORFEITS,
    Disqualified,
    End,
    Outcome,
    SeatReport,
    State,
)
from tests.contests.contests import ID, WON, a_contest, games
from tests.contests.fake_worker import assignment, record

CONTEST = a_contest()
PAIRING = replace(games(CONTEST)[3], state=State.RUNNING, attempt=1)
STRICT = replace(CONTEST, phase=Phase.COMPETITION, disqualify=(End.PROTOCOL_ERROR, End.CRASH))


@pytest.fixture
def judge() -> Judge:
    return Judge(CONTEST, ID)


def played(outcome: Outcome) -> Played:
    reports = (SeatReport(0, 4), SeatReport(1, 3))
    return Played(PAIRING.number, 1, outcome, record(assignment("x")), (), reports)


@pytest.mark.parametrize("end", [end for end in End if end is not End.SERVER_ERROR])
def test_a_game_with_an_end_of_its_own_is_done(judge: Judge, end: End) -> None:
    outcome = Outcome(end, 0, (1,) if end in FORFEITS else ())
    settled = judge.settle(PAIRING, played(outcome))
    assert settled.state is State.DONE
    assert settled.outcome == outcome
    assert settled.record == record(assignment("x"))
    assert len(settled.reports) == 2
    assert (settled.contest, settled.number, settled.attempt) == (ID, PAIRING.number, 1)
    assert not settled.repeated


def test_our_own_fault_is_repeated_twice_and_then_given_up(judge: Judge) -> None:
    error = played(Outcome(End.SERVER_ERROR, detail="no idea"))
    states = [judge.settle(PAIRING, error).state for _ in range(REPEATS + 1)]
    assert states == [State.REPEAT, State.REPEAT, State.FAILED]
    other = replace(PAIRING, number=4)
    assert judge.settle(other, error).state is State.REPEAT


@pytest.mark.parametrize("end", [End.TIME_OUT, End.STALL, End.NO_START])
def test_what_came_too_late_on_an_overloaded_machine_is_repeated_once(
    judge: Judge, end: End
) -> None:
    late = played(Outcome(end, 0, (1,), overloaded=True))
    settled = judge.settle(PAIRING, late)
    assert settled.state is State.REPEAT
    assert settled.repeated
    again = judge.settle(replace(PAIRING, repeated=True), late)
    assert again.state is State.DONE
    assert again.repeated


def test_a_lost_worker_is_as_if_nothing_had_begun_but_not_for_ever(judge: Judge) -> None:
    settled = [judge.lose(PAIRING, "killed") for _ in range(LOSSES)]
    assert [one.state for one in settled] == [State.NEW, State.NEW, State.FAILED]
    assert settled[0].outcome is None
    assert settled[2].outcome
    assert settled[2].outcome.end is End.SERVER_ERROR
    assert "3 times: killed" in settled[2].outcome.detail


def test_that_a_game_was_repeated_is_not_forgotten(judge: Judge) -> None:
    repeated = replace(PAIRING, repeated=True)
    assert judge.put_back(repeated).repeated
    assert judge.lose(repeated, "killed").repeated
    assert judge.settle(repeated, played(WON)).repeated


def test_what_the_store_does_not_take_is_our_fault_too(judge: Judge) -> None:
    settled = judge.settle(PAIRING, played(WON))
    states = []
    for _ in range(REPEATS + 1):
        instead = judge.unwritable(settled, "too long")
        assert instead.record is None
        assert instead.outcome
        assert "too long" in instead.outcome.detail
        states.append(instead.state)
    assert states == [State.REPEAT, State.REPEAT, State.FAILED]


# disqualification


def test_a_violation_disqualifies_in_the_competition() -> None:
    outcome = Outcome(End.PROTOCOL_ERROR, 0, (1,), "a wrong BYE")
    found = Judge(STRICT, ID).disqualified(PAIRING, State.DONE, outcome)
    why = "protocol error: a wrong BYE"
    assert found == [Disqualified(ID, PAIRING.seats[1], why, PAIRING.number)]


def test_all_culprits_are_out() -> None:
    found = Judge(STRICT, ID).disqualified(PAIRING, State.DONE, Outcome(End.CRASH, None, (0, 1)))
    assert [one.entrant for one in found] == [*PAIRING.seats]
    assert [one.why for one in found] == ["crash", "crash"]


@pytest.mark.parametrize(
    ("contest", "state", "outcome"),
    [
        (CONTEST, State.DONE, Outcome(End.PROTOCOL_ERROR, 0, (1,))),
        (STRICT, State.DONE, Outcome(End.TIME_OUT, 0, (1,))),
        (STRICT, State.REPEAT, Outcome(End.PROTOCOL_ERROR, 0, (1,))),
        (STRICT, State.NEW, None),
        (STRICT, State.DONE, WON),
    ],
)
def test_nobody_is_out_otherwise(contest: Contest, state: State, outcome: Outcome | None) -> None:
    assert Judge(contest, ID).disqualified(PAIRING, state, outcome) == []
