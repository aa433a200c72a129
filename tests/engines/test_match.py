from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielwerk.engines.match import Tally, match, opening, play_out
from spielwerk.engines.players import Player, RandomPlayer
from spielwerk.games import NOBODY, ConnectFour, Dice, Game, Morris, Oware, Quarto, State

GAMES: list[Game[Any]] = [Quarto(), Morris(), Dice(target=20), Oware(), ConnectFour()]


class Saver(Player):
    """A dice player who never rolls."""

    def choose(
        self,
        state: State[Any],
        rng: Random,  # noqa: ARG002
        within: float | None = None,  # noqa: ARG002
    ) -> object:
        return state.legal_moves()[1]


class First(Player):
    """A player who takes the first legal move and keeps what it was asked."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.starts: list[tuple[str, int]] = []

    def choose(
        self,
        state: State[Any],
        rng: Random,
        within: float | None = None,  # noqa: ARG002
    ) -> object:
        self.starts.append((str(state), state.turn))
        return rng.choice(state.legal_moves())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_random_players_are_equal(game: Game[Any]) -> None:
    *_, tally = match(game, RandomPlayer("a"), RandomPlayer("b"), 300, seed=1)
    assert tally.games >= 300
    assert abs(tally.score - 0.5) < 3 * tally.margin
    assert 0 < tally.margin < 0.1


def test_the_same_seed_gives_the_same_match() -> None:
    results = [
        str([*match(Oware(), RandomPlayer("a"), RandomPlayer("b"), 20, seed)][-1])
        for seed in (1, 1, 2)
    ]
    assert results[0] == results[1] != results[2]


def test_every_opening_is_played_from_both_sides() -> None:
    a, b = First("a"), First("b")
    for _ in match(ConnectFour(), a, b, 8, seed=3):
        pass
    starts = {text for text, turn in a.starts if text.count("1") + text.count("2") == 4}
    assert starts == {text for text, turn in b.starts if text.count("1") + text.count("2") == 4}
    assert len(starts) >= 3


def test_who_never_rolls_loses_every_race() -> None:
    *_, tally = match(Dice(target=30), RandomPlayer("a"), Saver("b"), 60, seed=1)
    assert tally.losses == 0
    assert tally.wins == tally.games == 60


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_openings_differ_and_are_not_over(game: Game[Any]) -> None:
    states = [opening(game, Random(seed)) for seed in range(20)]
    assert all(state.turn != NOBODY for state in states)
    assert len({*states}) > 5 or isinstance(game, Dice)


def test_an_outcome_is_what_the_rules_say() -> None:
    outcome = play_out(
        Oware().start(), (RandomPlayer("a"), RandomPlayer("b")), Random(1), Random(2)
    )
    assert sum(outcome.score) == 48


def test_a_tally_in_words() -> None:
    tally = Tally(wins=3, draws=2, losses=1, groups=[0.5, 1.0, 0.5])
    assert str(tally) == "+3 =2 -1  66.7 % ± 32.7 %"
    assert Tally().score == 0.5
