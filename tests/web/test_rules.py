"""The rules as people read them: pictures are real positions, and what is said is what holds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from spielwerk.errors import NotationError
from spielwerk.games import built_in
from spielwerk.games.connect4.rules import LARGEST_SIDE
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import EACH, LOSING, QUIET_TURNS
from spielwerk.games.oware.rules import MAJORITY
from spielwerk.games.quarto.rules import LARGEST, attributes
from spielwerk.web.rules import picture, rules
from spielwerk.web.texts import LANGUAGES
from tests.web.people import Browser
from tests.web.test_pages import Seen


def pictures(game: str, language: str) -> list[dict[str, Any]]:
    """What the boards are shown."""
    figures = Seen(rules(game, language)).all("figure")
    return [json.loads(figure["data-board"] or "") for figure in figures]


@pytest.mark.parametrize("game", built_in())
def test_every_game_has_the_same_rules_and_pictures_in_both_languages(game: str) -> None:
    german, english = (pictures(game, language) for language in LANGUAGES)
    assert german == english
    assert len(german) >= 2
    shapes = [[tag for tag, _ in Seen(rules(game, one)).tags] for one in LANGUAGES]
    assert shapes[0] == shapes[1]


def test_a_picture_is_the_position_after_its_move_with_what_is_marked() -> None:
    lines = "position: ..../..../..../1122\nmove: 4\nhint: 5\ncaption: Above."
    shown, caption = picture("connect4", ["width=4", "height=4", "begins=0"], lines)
    assert caption == "Above."
    assert (shown["last"]["move"], shown["last"]["seat"], shown["hint"]) == ("4", 0, "5")
    assert shown["view"]["board"]["cells"] == "1122" + "1..." + "." * 8
    assert shown["view"]["turn"] == 1


@pytest.mark.parametrize("line", ["position: 1111", "moves: 4", "move: 99"])
def test_a_picture_that_cannot_be_is_refused(line: str) -> None:
    with pytest.raises((NotationError, ValueError)):
        picture("connect4", [], f"{line}\ncaption: Wrong.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_those_of_the_rules(language: str) -> None:
    """A changed rule must change what is told of it."""
    told: dict[str, list[object]] = {
        "quarto": [LARGEST],
        "morris": [QUIET_TURNS],
        "dice": [Dice().target, Dice().rounds],
        "oware": [MAJORITY, f"{MAJORITY - 1} {'zu' if language == 'de' else 'to'} {MAJORITY - 1}"],
        "connect4": [LARGEST_SIDE],
    }
    for game, numbers in told.items():
        for number in numbers:
            assert re.search(rf"\b{number}\b", rules(game, language)), (game, number)
    assert (EACH, EACH - LOSING) == (9, 2)  # they stand there as words


def test_only_on_large_boards_all_stones_of_quarto_share_an_attribute() -> None:
    """So every full line wins there; and 3 x 3 is the one board that needs more than n."""
    bits = {n: (n * n - 1).bit_length() for n in range(2, LARGEST + 1)}
    assert [n for n in bits if attributes(n) > bits[n]] == list(range(7, LARGEST + 1))
    assert [n for n in bits if attributes(n) != n] == [3]


def test_the_rules_are_found_by_the_name_of_the_game(anna: Browser) -> None:
    assert "data-rules" in anna.get("/rules/oware").body.decode()
    assert anna.get("/rules/go").status == 404
    assert anna.get("/rules/..%2Foware").status == 404
