"""What becomes of a game after an attempt at it, and which program makes games fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.contests.assignment import Played
from spielwerk.contests.contest import Contest, Entrant, Phase
from spielwerk.contests.settlement import (
    HINT,
    HOPELESS,
    LATER,
    LOSSES,
    REPEATS,
    SUSPICIOUS,
    Arbiter,
    LostGames,
)
from spielwerk.store.contest_records import (
    Disqualified,
    Kind,
    PairingState,
    SeatReport,
)
from spielwerk.store.records import Ending, Reason
from tests.contests.contests import ID, WON, a_contest, games
from tests.contests.fake_worker import assignment, record

CONTEST = a_contest()
PAIRING = replace(games(CONTEST)[3], state=PairingState.RUNNING, attempt=1)
STRICT = replace(CONTEST, phase=Phase.COMPETITION, disqualify=("protocol error", "crash"))


@pytest.fixture
def arbiter() -> Arbiter:
    return Arbiter(CONTEST, ID)


def played(outcome: Ending) -> Played:
    reports = (SeatReport(0, 4), SeatReport(1, 3))
    return Played(PAIRING.number, 1, outcome, record(assignment("x")), (), reports)


def test_a_game_with_an_end_of_its_own_is_done(arbiter: Arbiter) -> None:
    outcome = Ending(Reason.STALLED, 0, culprits=(1,))
    settled = arbiter.settle(PAIRING, played(outcome))
    assert settled.state is PairingState.DONE
    assert settled.ending == outcome
    assert settled.record == record(assignment("x"))
    assert len(settled.reports) == 2
    assert (settled.contest, settled.number, settled.attempt) == (ID, PAIRING.number, 1)
    assert not settled.repeated


def test_our_own_fault_is_repeated_twice_and_then_given_up(arbiter: Arbiter) -> None:
    error = played(Ending(Reason.SERVER_ERROR, detail="no idea"))
    states = [arbiter.settle(PAIRING, error).state for _ in range(REPEATS + 1)]
    assert states == [PairingState.REPEAT, PairingState.REPEAT, PairingState.FAILED]
    assert arbiter.settle(replace(PAIRING, number=4), error).state is PairingState.REPEAT


def test_what_came_too_late_on_an_overloaded_machine_is_repeated_once(arbiter: Arbiter) -> None:
    late = replace(played(Ending(Reason.TIME_OUT, 0, culprits=(1,))), overloaded=True)
    settled = arbiter.settle(PAIRING, late)
    assert (settled.state, settled.repeated) == (PairingState.REPEAT, True)
    again = arbiter.settle(replace(PAIRING, repeated=True), late)
    assert (again.state, again.repeated) == (PairingState.DONE, True)


def test_a_lost_worker_is_as_if_nothing_had_begun_but_not_for_ever(arbiter: Arbiter) -> None:
    settled = [arbiter.lose(PAIRING, "killed") for _ in range(LOSSES)]
    assert [one.state for one in settled] == [
        PairingState.NEW,
        PairingState.NEW,
        PairingState.FAILED,
    ]
    assert settled[0].ending is None
    assert settled[2].ending
    assert settled[2].ending.reason is Reason.SERVER_ERROR
    assert "3 times: killed" in settled[2].ending.detail


def test_that_a_game_was_repeated_is_not_forgotten(arbiter: Arbiter) -> None:
    repeated = replace(PAIRING, repeated=True)
    assert arbiter.put_back(repeated).repeated
    assert arbiter.settle(repeated, played(WON)).repeated


def test_what_the_store_does_not_take_is_our_fault_too(arbiter: Arbiter) -> None:
    settled = arbiter.settle(PAIRING, played(WON))
    instead = [arbiter.unwritable(settled, "too long") for _ in range(REPEATS + 1)]
    assert [one.state for one in instead] == [
        PairingState.REPEAT,
        PairingState.REPEAT,
        PairingState.FAILED,
    ]
    assert instead[0].record is None
    assert instead[0].ending
    assert "too long" in instead[0].ending.detail


def after(outcome: Ending | None, state: PairingState = PairingState.DONE) -> list[Disqualified]:
    now = replace(PAIRING, state=state, ending=outcome)
    return Arbiter(STRICT, ID).disqualified(PAIRING, now)


def test_a_violation_disqualifies_all_culprits_in_the_competition() -> None:
    why = "protocol error: a wrong BYE"
    found = after(Ending(Reason.PROTOCOL_ERROR, 0, "a wrong BYE", culprits=(1,)))
    assert found == [Disqualified(ID, PAIRING.seats[1], why, PAIRING.number)]
    found = after(Ending(Reason.CONNECTION_LOST, None, culprits=(0, 1)))
    assert [(one.entrant, one.why) for one in found] == [(seat, "crash") for seat in PAIRING.seats]


@pytest.mark.parametrize(
    ("contest", "state", "outcome"),
    [
        (CONTEST, PairingState.DONE, Ending(Reason.PROTOCOL_ERROR, 0, culprits=(1,))),
        (STRICT, PairingState.DONE, Ending(Reason.TIME_OUT, 0, culprits=(1,))),
        (STRICT, PairingState.REPEAT, Ending(Reason.PROTOCOL_ERROR, 0, culprits=(1,))),
        (STRICT, PairingState.NEW, None),
    ],
    ids=["training", "another fault", "repeated", "not played"],
)
def test_no_entrant_is_out_otherwise(
    contest: Contest, state: PairingState, outcome: Ending | None
) -> None:
    now = replace(PAIRING, state=state, ending=outcome)
    assert Arbiter(contest, ID).disqualified(PAIRING, now) == []


# games that are lost

ENTRANTS = [Entrant("engine", Kind.ENGINE), *(Entrant(name, Kind.COMMAND) for name in "abc")]


def lost(games: LostGames, times: int, *seats: int) -> LostGames:
    for _ in range(times):
        games.lost(seats)
    return games


def test_a_machine_on_which_everything_is_lost_is_hopeless() -> None:
    games = LostGames(ENTRANTS)
    for turn in range(HOPELESS + 4):
        games.lost((turn % 4, (turn + 1) % 4))
    assert not games.is_hopeless(5)
    assert lost(games, 1, 0, 1).is_hopeless(5)
    assert games.hint == ""
    games.played((2, 3))
    assert not lost(games, 1, 2, 3).is_hopeless(1)


def test_a_program_whose_games_are_lost_while_others_are_played_is_blamed() -> None:
    games = lost(LostGames(ENTRANTS), SUSPICIOUS, 1, 2)
    assert games.avoided == {1, 2}
    assert games.blamed() == []
    games.played((2, 3))
    assert games.avoided == {1}
    assert games.blamed() == ["a"]
    assert not lost(games, 2 * HOPELESS, 1, 2).is_hopeless(1)
    games.played((1, 2))
    assert games.blamed() == []


def test_after_some_games_of_others_it_is_tried_again() -> None:
    games = lost(LostGames(ENTRANTS), SUSPICIOUS, 0, 1)
    for _ in range(LATER):
        assert games.avoided == {1}
        games.played((0, 2))
    assert games.avoided == set()
    assert lost(games, 1, 0, 1).avoided == {1}


def test_a_program_that_was_in_all_games_is_named_with_what_helps() -> None:
    games = lost(LostGames(ENTRANTS), HOPELESS, 0, 1)
    assert games.hint == f"; in all of these games: 'a'; {HINT}"
    assert lost(games, 1, 2, 3).hint == ""
    sandboxed = lost(LostGames(ENTRANTS, sandbox=True), HOPELESS, 0, 1)
    assert sandboxed.hint == "; in all of these games: 'a'"
