from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from spielwerk.errors import ChanceError
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.playing import perft, random_move


def test_chance_draws_every_move_with_equal_probability() -> None:
    state = Dice().start().play(Dice().parse_move("ROLL"))
    rng = Random(1)
    counts = Counter(random_move(state, rng) for _ in range(36_000))
    assert len(counts) == 36
    assert all(800 < count < 1200 for count in counts.values())


def test_perft_of_depth_0_is_one_and_a_finished_game_has_no_continuations() -> None:
    state = ConnectFour(width=1, height=1).start()
    assert [perft(state, depth) for depth in range(4)] == [1, 1, 0, 0]


def test_perft_refuses_games_of_chance() -> None:
    for depth in (0, 1, 2):
        with pytest.raises(ChanceError, match="dice has chance decisions"):
            perft(Dice().start(), depth)
