"""Large boards of Connect Four in eighty columns."""

from __future__ import annotations

import pytest

from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.terminal.boards import draw
from tests.games.variants import random_game


@pytest.mark.parametrize("size", [(4, 4, 0), (7, 6, 4), (16, 16, 16), (32, 32, 2), (32, 1, 32)])
def test_every_layer_is_there_and_fits(size: tuple[int, int, int]) -> None:
    state = list(random_game(ConnectFour(*size), 3))[-1]
    lines = draw(state).plain.split("\n")
    assert max(map(len, lines)) <= 80
    stones = sum(len(line) - len(line.replace("●", "").replace("◆", "")) for line in lines)
    assert stones == len(str(state)) - sum(map(str(state).count, "./ "))
    if size[2] > 1:
        heads = "".join(line for line in lines if "layer" in line).split()
        assert heads[1::2] == [str(k) for k in range(size[2])]


def test_rows_without_room_for_numbers_begin_with_their_first_field() -> None:
    state = ConnectFour(32, 4, 2).start().play(5).play(6).play(37)
    lines = draw(state).plain.split("\n")
    assert lines[3].startswith("  32 · · · · · ● + ·")
    assert lines[4].startswith("   0 + + + + + ● ◆ +")
    assert lines[5].split() == ["0", "5", "10", "15", "20", "25", "30"]
    assert lines[5].index("5") == lines[3].index("●")


def test_of_large_boards_empty_rows_are_left_out() -> None:
    state = ConnectFour(16, 16, 16).start().play(5).play(6).play(21)
    lines = draw(state).plain.split("\n")
    assert len(lines) < 70
    assert lines[1] == "(13 more rows are empty)"
    assert lines[2].split()[5] == "37"
    assert lines[3].split()[5:7] == ["●", "22"]
    assert "(15 more rows are empty)" in lines[7]


def test_small_boards_are_shown_whole() -> None:
    assert "empty" not in draw(ConnectFour(7, 6, 4).start()).plain
