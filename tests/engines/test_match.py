from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.engines.match import Tally, match
from spielwerk.engines.players import Player, RandomPlayer
from spielwerk.engines.sprt import Sprt
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.quarto.rules import Quarto

if TYPE_CHECKING:
    from random import Random

    from spielwerk.games import Game, State

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


def test_a_board_too_small_for_an_opening_is_played_without() -> None:
    *_, tally = match(ConnectFour(width=1, height=1), RandomPlayer("a"), RandomPlayer("b"), 2, 1)
    assert tally.draws == 2


def test_a_tally_in_words() -> None:
    tally = Tally(wins=3, draws=2, losses=1, groups=Counter([0.5, 1.0, 0.5]))
    assert str(tally) == "+3 =2 -1  66.7 % (9.7 to 100.0 %)"
    assert Tally().score == 0.5
    assert Tally().interval == (0.0, 1.0)


@pytest.mark.parametrize("points", [[1.0, 1.0], [0.0, 0.0], [0.5, 0.5], [1.0, 0.0], [1.0] * 6])
def test_groups_that_are_all_alike_leave_a_doubt(points: list[float]) -> None:
    tally = Tally()
    widths = []
    for _ in range(100):
        tally.add(points)
        lower, upper = tally.interval
        assert lower <= tally.score <= upper
        widths.append(upper - lower)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] >= 0.5
    assert widths[4] > 0.15
    assert 0.01 < widths[-1] < 0.08


def test_pairs_and_elo() -> None:
    tally = Tally()
    for points in ([1.0, 1.0], [1.0, 0.5], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]):
        tally.add(points)
    assert tally.pairs == [1, 0, 2, 1, 1]
    elo, least, most = tally.elo
    assert least < 0 < elo < most < math.inf
    assert elo == pytest.approx(400 * math.log10(5.5 / 4.5))


class Last(Player):
    """A player who takes the last legal move."""

    def choose(
        self,
        state: State[Any],
        rng: Random,  # noqa: ARG002
        within: float | None = None,  # noqa: ARG002
    ) -> object:
        return state.legal_moves()[-1]


TWO = [game for game in GAMES if game.players == 2]


@pytest.mark.parametrize("game", TWO, ids=lambda game: game.name)
def test_a_test_ends_the_match(game: Game[Any]) -> None:
    test = Sprt(-300, 300)
    *before, tally = (
        Counter(tally.groups) for tally in match(game, Last("a"), RandomPlayer("b"), 400, 1, test)
    )
    assert test.verdict(tally)
    assert not any(test.verdict(groups) for groups in before)
    assert sum(tally.values()) == len(before) + 1 < 200


def test_an_undecided_test_ends_with_the_games() -> None:
    test = Sprt(-1, 1)
    *_, tally = match(ConnectFour(), RandomPlayer("a"), RandomPlayer("b"), 10, 1, test)
    assert tally.games == 10
    assert test.verdict(tally.groups) is None
