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
