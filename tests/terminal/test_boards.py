from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from rich.console import Console
from rich.text import Text

from spielwerk.games import Game
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.quarto.rules import Quarto
from spielwerk.terminal.boards import draw, frames, in_ascii, mark
from tests.games.variants import VARIANTS, name_of, random_game


@pytest.mark.parametrize("game", VARIANTS, ids=name_of)
def test_every_position_fits_into_eighty_columns(game: Game[Any]) -> None:
    for state in random_game(game, 1):
        lines = draw(state).plain.split("\n")
        assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("game", VARIANTS, ids=name_of)
def test_every_position_can_be_shown_in_ascii(game: Game[Any]) -> None:
    for state in random_game(game, 2):
        picture = in_ascii(draw(state))
        assert picture.plain.isascii()
        assert picture.cell_len == draw(state).cell_len


def rendered(game: Game[Any], position: str) -> str:
    screen = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=80)
    screen.print(draw(game.parse_state(position)))
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_without_colours_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    screen = rendered(ConnectFour(), "......./......./......./......./......./...12..")
    assert "●" in screen
    assert "◆" in screen
    assert "\x1b[3" not in screen


def style_of(picture: Text, word: str) -> str:
    """How the last occurrence of the word is shown."""
    place = picture.plain.rindex(word)
    console = Console(color_system="standard", force_terminal=True)
    return str(picture.get_style_at_offset(console, place))


def test_connect4_shows_field_numbers_where_a_stone_can_fall() -> None:
    picture = draw(
        ConnectFour().parse_state("......./......./......./......./......./...12..")
    ).plain
    assert picture.split("\n")[-2:] == [
        "  ·  ·  · 10 11  ·  ·",
        "  0  1  2  ●  ◆  5  6",
    ]


def test_connect4_boards_too_wide_for_numbers_mark_where_a_stone_can_fall() -> None:
    picture = draw(ConnectFour(width=32, height=4, depth=2).start()).plain
    assert max(map(len, picture.split("\n"))) <= 80
    assert picture.count("+") == 64


def test_morris_sets_stones_before_the_field_names() -> None:
    text = "0......./.1....../........ hand 8 8 player 0 capture 0 quiet 2"
    picture = draw(Morris().parse_state(text)).plain
    assert picture.startswith("●A0───")
    assert "◆B1" in picture
    assert "White 8 in hand, 0 lost" in picture
    assert all(f"{square}{place}" in picture for square in "ABC" for place in range(8))


def test_oware_has_b_above_from_right_to_left() -> None:
    picture = draw(Oware().parse_state("3 12 1 2 3 4 5 6 7 0 0 0 0 5")).plain
    lines = picture.split("\n")
    assert lines[2] == " ◆ B 12 │  5 │  0 │  0 │  0 │  0 │  7 │"
    assert lines[4] == "        │  1 │  2 │  3 │  4 │  5 │  6 │ ● A  3 "


def test_quarto_shows_numbers_attributes_and_the_stone_in_hand() -> None:
    text = "* * 15 * / * * * * / 0 * * * / * * * * next 3"
    picture = draw(Quarto().parse_state(text)).plain
    assert "│ ABCD │" in picture
    assert "│ abcd │" in picture
    assert "In hand  3 ABcd" in picture
    assert "15" not in picture.split("Supply")[1]


def test_dice_shows_saved_points_and_points_at_risk() -> None:
    picture = draw(Dice().parse_state("saved 75 0 0 points 30 turns 3 choose")).plain
    assert "● 0   75 +30  " + "█" * 25 + "░" * 10 + "·" * 15 in picture
    assert "Round 2 of 100, 150 points win" in picture


@dataclass(frozen=True)
class Nim(Oware):
    """A game without a board of its own."""

    name: ClassVar = "nim"


def test_a_game_without_a_board_shows_its_position() -> None:
    assert draw(Nim().start()).plain == str(Oware().start())


def test_oware_marks_a_house_without_and_with_colours() -> None:
    state = Oware().parse_state("3 12 1 2 3 4 5 6 7 0 0 0 0 5")
    picture = mark(state, 2)
    assert picture.plain.split("\n")[4] == "        │  1 │  2 │[ 3]│  4 │  5 │  6 │ ● A  3 "
    assert picture.plain.replace("[ 3]", "  3 ") == draw(state).plain
    assert style_of(picture, "[ 3]") == "bold blink reverse"


def test_oware_shows_a_move_step_by_step_and_every_picture_fits() -> None:
    for state in random_game(Oware(), 3):
        for move in state.legal_moves():
            pictures = list(frames(state, move))
            assert len(pictures) > 2
            for picture in pictures:
                assert picture.plain.count("[") == 1
                assert max(map(len, picture.plain.split("\n"))) <= 80
                assert in_ascii(picture).plain.isascii()
