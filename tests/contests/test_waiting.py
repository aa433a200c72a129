"""Games that wait: always the first one in which nobody is missing, found without a long search."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import process_time
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.running.agenda import Agenda
from spielwerk.contests.running.waiting import LATER, Waiting
from tests.contests.contests import a_contest, games

if TYPE_CHECKING:
    from spielwerk.store.contest_records import Pairing

SECONDS = 5.0  # if every game were looked at each time, it would take minutes

GAME = games(a_contest(2))[0]


def pairing(number: int, *seats: int) -> Pairing:
    return replace(GAME, number=number, seats=seats)


class PlainWalk:
    """The same by going through all games each time."""

    def __init__(self) -> None:
        self.games: list[Pairing] = []
        self.order: list[Pairing] = []  # as they were put last
        self.behind: dict[int, int] = {}  # places of those that were put back, by number
        self.reached = 0

    def put_last(self, game: Pairing) -> None:
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

    def drop(self, entrant: int) -> list[Pairing]:
        dropped = [game for game in self.games if entrant in game.seats]
        self.games = [game for game in self.games if entrant not in game.seats]
        return dropped


@pytest.mark.parametrize("seed", range(20))
def test_the_order_is_that_of_a_plain_walk(seed: int) -> None:
    random, everybody = Random(seed), range(8)
    waiting, plain = Waiting(), PlainWalk()
    for number in range(600):
        game = pairing(number, *random.sample(everybody, 3))
        missing = {*random.sample(everybody, random.randrange(6))}
        match random.randrange(7):
            case 0:
                waiting.put_back(game)
                plain.put_back(game)
            case 1 | 2:
                waiting.put_last(game)
                plain.put_last(game)
            case 3 if number % 5 == 0:
                out = random.choice(everybody)
                assert numbers(waiting.drop(out)) == numbers(plain.drop(out))
            case _:
                assert waiting.take(missing) == plain.take(missing)
        assert len(waiting) == len(plain.games)
    while plain.games:
        assert waiting.take(set()) == plain.take(set())


def test_what_is_put_back_comes_soon_but_not_at_once() -> None:
    waiting = Waiting()
    for number in range(3 * LATER):
        waiting.put_last(pairing(number, 0, 1))
    first, second = waiting.take(set()), waiting.take(set())
    assert first
    assert second
    waiting.put_back(first)
    waiting.put_back(second)
    taken = [game.number for _ in range(LATER + 3) if (game := waiting.take(set()))]
    assert taken == [*range(2, LATER + 2), 0, 1, LATER + 2]


def numbers(games: list[Pairing]) -> list[int]:
    return sorted(game.number for game in games)


def test_those_who_never_come_cost_no_time() -> None:
    many = 20_000
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
    assert process_time() - began < SECONDS
    assert agenda.waiting == many
