from __future__ import annotations

from random import Random

import pytest

from spielwerk.games import kits
from spielwerk.terminal.session import menu
from tests.terminal.keyboard import Keyboard


def screen(*lines: str, then: type[BaseException] = EOFError) -> str:
    keyboard = Keyboard(*lines, then=then)
    menu(keyboard, Random(1))
    return keyboard.shown


def test_the_menu_lists_all_games_with_their_options() -> None:
    shown = screen("quit")
    assert all(name in shown for name in kits())
    assert "n=2..16" in shown


@pytest.mark.parametrize(("number", "name"), list(enumerate(kits(), start=1)))
def test_a_game_is_chosen_by_number_or_name(number: int, name: str) -> None:
    for choice in (str(number), name):
        assert kits()[name].game.title in screen(choice, "", "quit", "quit")


def test_options_stand_behind_the_name() -> None:
    assert "Supply   0 ab   1 Ab   3 AB" in screen("quarto n=2 first=2", "")


def test_one_can_play_against_the_random_player() -> None:
    assert "◆ B: " in screen("oware", "random", "4", "quit", "quit")
    assert "◆ B: " in screen("oware", " RANDOM\r", "4", "quit", "quit")
    assert "◆ B: " not in screen("oware", "", "4", "quit", "quit")


def test_one_can_play_against_a_level_of_the_engine() -> None:
    shown = screen("oware", "11", "kasparov", "2", "4", "quit", "quit")
    assert "level goes from 1 to 10" in shown
    assert "'kasparov' is no player" in shown
    assert "◆ B: " in shown


def test_after_a_game_the_menu_comes_back() -> None:
    assert screen("oware", "", "quit", "quit").count("Spielwerk") == 2


def test_wrong_choices_are_asked_again() -> None:
    shown = screen("chess", "6", "", "12", "quarto n=99", "quit")
    assert "'chess' is no game" in shown
    assert "'6' is no game" in shown
    assert "'12' is no game" in shown
    assert "must be from 2 to 16" in shown


@pytest.mark.parametrize("leaving", [EOFError, KeyboardInterrupt])
def test_ctrl_c_and_ctrl_d_leave_cleanly(leaving: type[BaseException]) -> None:
    assert screen(then=leaving)
    assert screen("oware", then=leaving)
    assert screen("oware", "", "4", then=leaving).count("Game> ") == 1
