"""The pages say the server's sentences as the reports do: one catalogue, and the same rules."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from spielwerk.messages import by_code, coded, said
from spielwerk.web.texts import LANGUAGES
from tests.browser.arena import Arena
from tests.contests.sentences import COMPOSED

SAY = """async (sentences) => {
  const { src } = [...document.scripts].find((script) => script.src.includes("/js/"));
  const { said } = await import(src.replace(/\\/js\\/.*$/, "/js/texts.js"));
  return sentences.map(said);
}"""
ADVISE = """async ([name, move, board]) => {
  const { src } = [...document.scripts].find((script) => script.src.includes("/js/"));
  const { kindNamed } = await import(src.replace(/\\/js\\/.*$/, "/js/games.js"));
  return kindNamed(name).advised(move, { board });
}"""
DECIDE = """async (board) => {
  const { src } = [...document.scripts].find((script) => script.src.includes("/js/"));
  const { kindNamed } = await import(src.replace(/\\/js\\/.*$/, "/js/games.js"));
  return kindNamed("quarto").decided(board);
}"""
ODD = (
    "; ",
    ": ",
    "a: b; c: d",
    "no move within 1,234.5 s",
    "constructor",
    "{why}",
    "$& resigned",
    "anna: aborted the game: 'error: internal error; give up'",
    'a: sent a wrong message: expected MOVE, got "it\'s: exit 1"; b: exit 1',
    "a: aborted the game: 'exit 1; sto",
    "'\ue001' resigned ('exit 1'); 'a\\'b: exit 1' resigned",
)


@pytest.mark.usefixtures("errors")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_say_what_the_reports_say(page: Page, served: Arena, language: str) -> None:
    page.goto(f"{served.url}/help?lang={language}")
    filled = [re.sub(r"\{(\w+)\}", r"<\1>", sentence) for sentence in by_code("en").values()]
    sentences = [*filled, *COMPOSED, *ODD]
    told = page.evaluate(SAY, [coded(sentence) for sentence in sentences])
    assert told == [said(sentence, language) for sentence in sentences]


@pytest.mark.usefixtures("errors")
def test_a_hint_is_a_sentence(page: Page, served: Arena) -> None:
    page.goto(f"{served.url}/help?lang=de")
    for name, move, board, told in [
        ("quarto", "D4,10", {}, "Setze auf D4, gib Stein 10."),
        ("quarto", "D4", {}, "Setze auf D4."),
        ("connect4", "22", {}, "Spiele Feld 22."),
        ("oware", "3", {}, "Säe aus Haus 3."),
        ("morris", "A1", {"capture": 0}, "Setze auf A1."),
        ("morris", "A1:A2;B3", {"capture": 0}, "Ziehe von A1 nach A2. Schlage B3."),
        ("morris", "B3;B4", {"capture": 2}, "Schlage B3. Schlage B4."),
    ]:
        assert page.evaluate(ADVISE, [name, move, board]) == told


@pytest.mark.usefixtures("errors")
def test_a_line_of_quarto_is_called_by_what_its_stones_share(page: Page, served: Arena) -> None:
    page.goto(f"{served.url}/help?lang=de")
    for stones, attributes, told in [
        ([2, 7, 10, 14], 4, "Vier hohe Steine in einer Reihe."),
        ([2, 3, 6, 14], 4, "Vier hohe Steine in einer Reihe."),
        ([0, 4, 8, 12], 4, "Vier niedrige, helle Steine in einer Reihe."),
        ([16, 23, 24, 27, 28], 5, "5 Steine mit Band in einer Reihe."),
    ]:
        board = {"lines": [list(range(len(stones)))], "cells": stones, "attributes": attributes}
        assert page.evaluate(DECIDE, board) == told
    assert page.evaluate(DECIDE, {"lines": [], "cells": [], "attributes": 4}) is None
