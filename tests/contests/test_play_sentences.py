"""Whatever is said about the end of a game, the pages and the reports can say it in German."""

from __future__ import annotations

import pytest

from spielwerk.errors import NotationError
from spielwerk.games import find_game, kits
from tests.contests.sentences import (
    COMPOSED,
    MODULES,
    NEVER_AN_END,
    RULES,
    left_english,
    rules_of,
    sentences_of,
)

NO_MOVES = ("", "x", "Z9", "99", "-1", "A1,99", "B4,x", "D9,3", "A1:Z9", "ROLL 7", "7 7", "B4;3")


@pytest.mark.parametrize("module", RULES)
def test_no_rule_stays_english(module: str) -> None:
    found = rules_of(module)
    assert len(found) > 3
    assert not [one for one in found if left_english(one)]


@pytest.mark.parametrize("game", sorted(kits()))
def test_no_refusal_of_a_text_stays_english(game: str) -> None:
    refused = [told for text in NO_MOVES if (told := refusal(game, text))]
    assert refused
    assert not [one for one in refused if left_english(one)]


def refusal(game: str, text: str) -> str:
    try:
        find_game(game).from_text(()).parse_move(text)
    except NotationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("module", MODULES)
def test_no_sentence_stays_english(module: str) -> None:
    sentences = [one for one in sentences_of(module) if one not in NEVER_AN_END]
    assert not [one for one in sentences if left_english(one)]


@pytest.mark.parametrize("sentence", COMPOSED)
def test_no_part_of_a_sentence_stays_english(sentence: str) -> None:
    assert not left_english(sentence)


def test_what_is_never_said_is_there_to_be_said() -> None:
    """An exception that nobody needs any more would hide the next sentence of that kind."""
    assert {one for module in MODULES for one in sentences_of(module)} >= NEVER_AN_END
