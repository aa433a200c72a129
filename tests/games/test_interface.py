from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.errors import NotationError, OptionError, SpielwerkError, UnknownGame
from spielwerk.games import Game, Outcome, find_game, kits
from spielwerk.games.interface import number
from spielwerk.games.morris.rules import Morris
from spielwerk.games.quarto.rules import Quarto

games = st.sampled_from([kit.game for kit in kits().values()])


def test_the_five_games_are_registered_under_their_names() -> None:
    assert list(kits()) == ["quarto", "morris", "dice", "oware", "connect4"]
    assert all(find_game(name).name == name for name in kits())


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match="'chess' is no game; there are quarto, morris, dice"):
        find_game("chess")


@pytest.mark.parametrize("game", [kit.game for kit in kits().values()], ids=lambda game: game.name)
def test_every_game_says_what_it_is(game: type[Game[Any]]) -> None:
    made = game()
    assert made.title
    assert made.move_help
    assert made.players == (3 if made.name == "dice" else 2)
    for option in game.options():
        assert option.low < option.high
        assert option.meaning
        assert option.default is None or option.low <= option.default <= option.high


@pytest.mark.parametrize("game", [kit.game for kit in kits().values()], ids=lambda game: game.name)
def test_the_ends_of_every_range_are_inside_and_what_is_beyond_is_not(
    game: type[Game[Any]],
) -> None:
    for option in game.options():
        for value in (option.low, option.high):
            others = ["n=16"] if (game.name, option.name) == ("quarto", "first") else []
            game.from_text([f"{option.name}={value}", *others])
        with pytest.raises(OptionError):
            game.from_text([f"{option.name}={option.high + 1}"])
        with pytest.raises(OptionError):
            game(**{option.name: option.low - 1})


def test_options_are_read_from_text_and_written_back() -> None:
    game = Quarto.from_text(["n=5", "first=3"])
    assert game == Quarto(n=5, first=3)
    assert game.assignments() == ["n=5", "begins=0", "first=3"]
    assert Quarto.from_text(game.assignments()) == game
    assert Quarto().assignments() == ["n=4", "begins=0"]


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("n", "'n' is no choice of an option: expected NAME=VALUE"),
        ("size=4", "'size=4': quarto has no such option; it has n, begins, first"),
        ("n=four", "'n=four': must be a number from 2 to 16"),
        ("n=17", "'n=17': must be from 2 to 16"),
        ("n=-4", "'n=-4': must be a number from 2 to 16"),
        ("n=", "'n=': must be a number from 2 to 16"),
        ("n=٤", "'n=٤': must be a number from 2 to 16"),
    ],
)
def test_wrong_options_say_what_is_wrong(assignment: str, message: str) -> None:
    with pytest.raises((OptionError, NotationError)) as caught:
        Quarto.from_text([assignment])
    assert str(caught.value) == message


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(OptionError, match="given twice"):
        Quarto.from_text(["n=4", "n=5"])


@given(game=games, text=st.one_of(st.text(), st.from_regex(r"\A[a-z]{1,6}=.{0,12}\Z")))
def test_any_text_is_an_option_or_refused_with_a_quote(game: type[Game[Any]], text: str) -> None:
    try:
        game.from_text([text])
    except SpielwerkError as error:
        assert repr(text)[1:-1][:50] in str(error)


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Outcome(0, "why"), "White wins: why"),
        (Outcome(1, "why", (22, 26)), "Black wins (22:26): why"),
        (Outcome(None, "why"), "draw: why"),
        (Outcome(None, "why", void=True), "no result: why"),
    ],
)
def test_an_outcome_in_words(outcome: Outcome, sentence: str) -> None:
    assert outcome.sentence(Morris.sides) == sentence


@pytest.mark.parametrize("text", ["-1", "+1", "01", "1 ", " 1", "1_0", "1\n", "٣", "²", "1" * 10])
def test_numbers_are_read_strictly(text: str) -> None:
    assert number(text) is None


@given(text=st.one_of(st.text(), st.integers(0, 999_999_999).map(str)))
def test_a_number_is_the_one_written(text: str) -> None:
    value = number(text)
    assert value == int(text) if re.fullmatch("0|[1-9][0-9]{0,8}", text) else value is None
