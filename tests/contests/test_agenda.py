"""The schedule in memory: what comes next, and how far it is."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

from spielwerk.contests.running.agenda import Agenda
from spielwerk.contests.running.waiting import LATER
from spielwerk.store.contest_records import Disqualified, End, Outcome, Settled, State
from tests.contests.contests import ID, WON, a_contest, entrants, games
from tests.contests.fake_worker import assignment, record

SECONDS = 5.0  # if every game had to be looked for, it would take minutes


def an_agenda(entrants: int = 3) -> Agenda:
    return Agenda(games(a_contest(entrants)))


def settled(number: int, state: State, outcome: Outcome | None = WON) -> Settled:
    return Settled(ID, number, 1, state, outcome, record(assignment("x", number)))


def test_games_are_taken_in_their_order() -> None:
    agenda = an_agenda()
    taken = [agenda.take() for _ in range(7)]
    assert [one.number for one in taken if one] == [0, 1, 2, 3, 4, 5]
    assert taken[6] is None
    assert all(one.state is State.RUNNING and one.attempt == 1 for one in taken if one)
    assert agenda.waiting == 0
    assert agenda.counts() == {State.RUNNING: 6}


def test_after_a_resume_only_what_we_could_not_play_comes_last() -> None:
    pairings = games(a_contest())
    late, ours = Outcome(End.STALL, 0, (1,), overloaded=True), Outcome(End.SERVER_ERROR)
    pairings[0] = replace(pairings[0], state=State.REPEAT, attempt=3, outcome=ours)
    pairings[1] = replace(pairings[1], state=State.REPEAT, attempt=1, outcome=late)
    pairings[2] = replace(pairings[2], state=State.DONE, attempt=1, outcome=WON)
    pairings[3] = replace(pairings[3], state=State.FAILED, attempt=3)
    agenda = Agenda(pairings)
    assert agenda.waiting == 4
    taken = [agenda.take() for _ in range(4)]
    assert [(one.number, one.attempt) for one in taken if one] == [(1, 2), (4, 1), (5, 1), (0, 4)]


def test_games_wait_for_those_who_are_missing() -> None:
    agenda = an_agenda()
    first = agenda[0]
    other = agenda.take({first.seats[0]})
    assert other
    assert first.seats[0] not in other.seats
    assert agenda.take({0, 1, 2}) is None
    now = agenda.take()
    assert now
    assert now.number == 0


def test_who_really_began_a_game_is_known() -> None:
    agenda = an_agenda()
    agenda.take()
    one = settled(0, State.DONE)
    assert one.record
    agenda.settle(replace(one, record=replace(one.record, options=("width=7", "begins=1"))))
    assert [agenda[number].begins for number in (0, 1)] == [1, 0]


def test_what_has_to_be_played_again_comes_before_later_games() -> None:
    agenda = an_agenda(5)
    for _ in range(3):
        agenda.take()
    agenda.settle(settled(0, State.REPEAT))
    agenda.settle(settled(1, State.NEW, None))
    agenda.settle(settled(2, State.DONE))
    taken = [one.number for _ in range(19) if (one := agenda.take())]
    assert taken == [*range(3, 3 + LATER), 0, 1, *range(3 + LATER, 20)]
    assert agenda[2].outcome == WON
    assert agenda[2].game == record(assignment("x", 2)).id


def test_the_games_of_a_disqualified_entrant_fall_away() -> None:
    agenda = an_agenda()
    running = agenda.take()
    assert running
    out = running.seats[0]
    agenda.disqualify(Disqualified(ID, out, "crash", 0))
    left = [pairing for pairing in agenda if out not in pairing.seats]
    assert agenda.waiting == len(left) == 2
    assert agenda[running.number].state is State.RUNNING
    agenda.settle(settled(running.number, State.REPEAT))
    assert agenda[running.number].state is State.FAILED
    assert agenda.given_up() == []
    assert agenda.disqualified == {out}


def test_who_was_disqualified_before_is_so_after_a_resume() -> None:
    contest = a_contest()
    known = entrants(contest)
    known[0] = replace(known[0], disqualified="protocol error")
    agenda = Agenda(games(contest), known)
    assert agenda.waiting == 2
    assert agenda.disqualified == {0}


def test_a_game_that_failed_through_us_is_told_from_one_that_fell_away() -> None:
    agenda = an_agenda()
    agenda.take()
    lost = Outcome(End.SERVER_ERROR, detail="no idea")
    agenda.settle(settled(0, State.FAILED, lost))
    agenda.disqualify(Disqualified(ID, agenda[0].seats[0], "crash", 0))
    assert [pairing.number for pairing in agenda.given_up()] == [0]


def test_more_games_can_come() -> None:
    contest = a_contest(2, rounds=2)
    first, later = games(contest)[:2], games(contest)[2:]
    agenda = Agenda(first)
    agenda.take()
    agenda.add(later)
    assert len(agenda) == 4
    assert agenda.waiting == 3
    assert [pairing.number for pairing in agenda] == [0, 1, 2, 3]


def test_many_games_fall_away_in_a_moment() -> None:
    many, pairing = 30_000, games(a_contest(3))[0]
    seats = [(1, 2)] * many + [(0, 1)] * many
    agenda = Agenda(replace(pairing, number=n, seats=pair) for n, pair in enumerate(seats))
    began = process_time()
    agenda.disqualify(Disqualified(ID, 0, "crash", 0))
    assert process_time() - began < SECONDS
    assert agenda.counts() == {State.NEW: many, State.FAILED: many}
    assert agenda.waiting == many
    assert agenda.take() == agenda[0]
