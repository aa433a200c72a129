from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from spielwerk.errors import ChanceError
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.playing import drawn, perft, play_turn, random_move
from spielwerk.games.quarto.rules import Quarto


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


def test_perft_starts_after_the_draw_of_the_first_stone() -> None:
    assert drawn(Quarto().start()) == Quarto().start().play(Quarto().parse_move("0"))
    assert drawn(Quarto(first=7).start()) == Quarto(first=7).start()


def test_a_turn_of_no_decisions_changes_nothing() -> None:
    assert play_turn(Morris().start(), ()) == Morris().start()
