"""The schedule in memory: what comes next, and how far it is."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import process_time
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.agenda import LATER, Agenda, GameQueue
from spielwerk.store.contest_records import Disqualified, PairingState, Settled
from spielwerk.store.records import Ending, Reason
from tests.contests.contests import ID, WON, a_contest, entrants, games
from tests.contests.fake_worker import assignment, record

if TYPE_CHECKING:
    from spielwerk.store.contest_records import Pairing

SECONDS = 3.0  # if every game had to be looked for, it would take much longer


def an_agenda(entrants: int = 3) -> Agenda:
    return Agenda(games(a_contest(entrants)))


def settled(number: int, state: PairingState, outcome: Ending | None = WON) -> Settled:
    return Settled(ID, number, 1, state, outcome, record(assignment("x", number)))


def test_games_are_taken_in_their_order() -> None:
    agenda = an_agenda()
    taken = [agenda.take() for _ in range(7)]
    assert [one.number for one in taken if one] == [0, 1, 2, 3, 4, 5]
    assert taken[6] is None
    assert all(one.state is PairingState.RUNNING and one.attempt == 1 for one in taken if one)
    assert agenda.waiting == 0
    assert agenda.counts() == {PairingState.RUNNING: 6}


def test_after_a_resume_only_what_we_could_not_play_comes_last() -> None:
    pairings = games(a_contest())
    late, ours = (
        Ending(Reason.STALLED, 0, culprits=(1,)),
        Ending(Reason.SERVER_ERROR),
    )
    pairings[0] = replace(pairings[0], state=PairingState.REPEAT, attempt=3, ending=ours)
    pairings[1] = replace(
        pairings[1], state=PairingState.REPEAT, attempt=1, ending=late, overloaded=True
    )
    pairings[2] = replace(pairings[2], state=PairingState.DONE, attempt=1, ending=WON)
    pairings[3] = replace(pairings[3], state=PairingState.FAILED, attempt=3)
    agenda = Agenda(pairings)
    assert agenda.waiting == 4
    taken = [agenda.take() for _ in range(4)]
    assert [(one.number, one.attempt) for one in taken if one] == [(1, 2), (4, 1), (5, 1), (0, 4)]


def test_the_seat_that_really_began_a_game_is_known() -> None:
    agenda = an_agenda()
    agenda.take()
    one = settled(0, PairingState.DONE)
    assert one.record
    agenda.settle(replace(one, record=replace(one.record, options=("width=7", "begins=1"))))
    assert [agenda[number].begins for number in (0, 1)] == [1, 0]


def test_what_has_to_be_played_again_comes_before_later_games() -> None:
    agenda = an_agenda(5)
    for _ in range(3):
        agenda.take()
    agenda.settle(settled(0, PairingState.REPEAT))
    agenda.settle(settled(1, PairingState.NEW, None))
    agenda.settle(settled(2, PairingState.DONE))
    taken = [one.number for _ in range(19) if (one := agenda.take())]
    assert taken == [*range(3, 3 + LATER), 0, 1, *range(3 + LATER, 20)]
    assert agenda[2].ending == WON
    assert agenda[2].game == record(assignment("x", 2)).id


def test_the_games_of_a_disqualified_entrant_fall_away() -> None:
    agenda = an_agenda()
    running = agenda.take()
    assert running
    out = running.seats[0]
    agenda.disqualify(Disqualified(ID, out, "crash", 0))
    left = [pairing for pairing in agenda if out not in pairing.seats]
    assert agenda.waiting == len(left) == 2
    assert agenda[running.number].state is PairingState.RUNNING
    agenda.settle(settled(running.number, PairingState.REPEAT))
    assert agenda[running.number].state is PairingState.FAILED
    assert agenda.given_up() == []
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
    lost = Ending(Reason.SERVER_ERROR, detail="no idea")
    agenda.settle(settled(0, PairingState.FAILED, lost))
    agenda.disqualify(Disqualified(ID, agenda[0].seats[0], "crash", 0))
    assert [pairing.number for pairing in agenda.given_up()] == [0]


# games that wait

GAME = games(a_contest(2))[0]


def pairing(number: int, *seats: int) -> Pairing:
    return replace(GAME, number=number, seats=seats)


class PlainWalk:
    """The same as a GameQueue by going through all games each time."""

    def __init__(self) -> None:
        self.games: list[Pairing] = []
        self.order: list[Pairing] = []  # as they were appended
        self.behind: dict[int, int] = {}  # places of those that were put back, by number
        self.reached = 0

    def append(self, game: Pairing) -> None:
        self.games.append(game)
        self.order.append(game)

    def put_back(self, game: Pairing) -> None:
        place = min(self.reached + LATER, len(self.order) - 1)
        self.behind[game.number] = place
        before = (self.place(other) <= place for other in self.games)
        self.games.insert(sum(before), game)

    def place(self, game: Pairing) -> int:
        return self.behind[game.number] if game.number in self.behind else self.order.index(game)

    def take(self, missing: set[int]) -> Pairing | None:
        for game in self.games:
            if missing.isdisjoint(game.seats):
                self.games.remove(game)
                self.reached = max(self.reached, self.place(game))
                return game
        return None

    def remove(self, entrant: int) -> list[Pairing]:
        removed = [game for game in self.games if entrant in game.seats]
        self.games = [game for game in self.games if entrant not in game.seats]
        return removed


@pytest.mark.parametrize("seed", range(5))
def test_the_order_is_that_of_a_plain_walk(seed: int) -> None:
    random, numbers = Random(seed), range(8)
    queue, plain = GameQueue(), PlainWalk()
    for number in range(600):
        game = pairing(number, *random.sample(numbers, 3))
        missing = {*random.sample(numbers, random.randrange(6))}
        match random.randrange(7):
            case 0:
                queue.put_back(game)
                plain.put_back(game)
            case 1 | 2:
                queue.append(game)
                plain.append(game)
            case 3 if number % 5 == 0:
                out = random.choice(numbers)
                removed = {game.number for game in queue.remove(out)}
                assert removed == {game.number for game in plain.remove(out)}
            case _:
                assert queue.take(missing) == plain.take(missing)
        assert len(queue) == len(plain.games)
    while plain.games:
        assert queue.take(set()) == plain.take(set())


def test_guests_that_never_come_and_disqualified_entrants_cost_no_time() -> None:
    many = 5_000
    absent = [pairing(n, 0, 1) for n in range(many)]
    there = [pairing(many + n, 1, 2) for n in range(many)]
    agenda = Agenda([*absent, *there])
    began = process_time()
    for game in there:
        taken = agenda.take({0})
        assert taken
        assert taken.number == game.number
    for _ in range(100):
        assert agenda.take({0}) is None
    assert agenda.waiting == many
    agenda.disqualify(Disqualified(ID, 0, "crash", 0))
    assert agenda.counts() == {PairingState.RUNNING: many, PairingState.FAILED: many}
    assert process_time() - began < SECONDS
