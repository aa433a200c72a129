"""The page to hand in: complete, harmless, and in both languages."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.check.case import Wording
from spielwerk.check.catalogue import catalogue
from spielwerk.check.page import as_html, both, wire
from spielwerk.check.texts import has_label
from tests.check.verdicts import CR, LATE, SLOW, talk

ABOUT = {
    "check": "mnm",
    "title": Wording("Clients", "Programme"),
    "command": "./client <&> \x1b",
    "seed": 7,
    "date": "2026-01-02T03:04:05Z",
    "seconds": 1.25,
    "author": None,
}
VOID = {"meta", "input", "rect"}


class Balanced(HTMLParser):
    """Fails where tags are not closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        assert not any(name.startswith("on") or name == "style" for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def tags(page: str) -> list[str]:
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    return parser.seen


def test_the_page_tells_everything_once() -> None:
    verdicts = [talk("a/b", CR), talk("a/c", CR), talk("a/d", SLOW), talk("o/x", LATE)]
    page = as_html(verdicts, ABOUT, "en")
    assert {"script", "link", "img"}.isdisjoint(tags(page))
    assert "<title>Check: Clients</title>" in page
    assert page.count('<article id="finding-') == 2
    assert "a/c</span></dd>" in page
    assert 'VERSION 1.0<mark><i class="odd">\\r</i></mark>' in page
    assert "./client &lt;&amp;&gt; \\x1b" in page
    assert "2026-01-02 03:04:05 UTC" in page
    assert "Author" not in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_opens_in_its_language_and_holds_both(language: str) -> None:
    page = as_html([talk("a/b", CR)], ABOUT, language)
    assert f'<html lang="{language}">' in page
    assert re.findall(r'id="(\w\w)"[^>]* checked>', page) == [language]
    assert '<span lang="en">println was used</span><span lang="de">println wurde' in page


def test_a_check_without_faults() -> None:
    page = as_html([talk("a/b")], {"check": "x"}, "de")
    assert "<article" not in page
    assert tags(as_html([], {"check": "x"}, "en"))


HOSTILE = "</pre><script>alert('x')</script>\x00\x1b]0;x\x07\u202e\"'&"


def test_nothing_that_programs_wrote_is_markup() -> None:
    fault = replace(
        CR, problem=HOSTILE, hint=Wording(HOSTILE, HOSTILE), expected=(HOSTILE, HOSTILE.encode())
    )
    verdicts = [talk("a/b", fault), talk("a/d", replace(SLOW, problem=HOSTILE))]
    page = as_html(verdicts, {"check": HOSTILE, "command": HOSTILE, HOSTILE: HOSTILE}, "en")
    assert "script" not in tags(page)
    assert "<script" not in page
    assert all(letter.isprintable() or letter == "\n" for letter in page)


@given(st.binary(max_size=600), st.data())
@settings(max_examples=30)
def test_no_bytes_spoil_a_line(line: bytes, data: st.DataObject) -> None:
    focus = data.draw(st.integers(0, len(line)) | st.none())
    shown = wire(line, focus)
    assert set(tags(shown)) <= {"i", "mark"}
    assert shown.count("<mark>") == (focus is not None)


def test_texts_that_are_the_same_are_there_once() -> None:
    assert both("a < b") == "a &lt; b"
    assert both(Wording("a", "a")) == "a"


def test_both_languages_have_the_same_labels_and_places() -> None:
    labels = tomllib.loads(files("spielwerk.check").joinpath("labels.toml").read_text("utf-8"))
    assert len(labels) > 30
    for code, texts in labels.items():
        assert texts.keys() == {"en", "de"}, code
        english, german = (
            {name for _, name, _, _ in Formatter().parse(texts[language]) if name}
            for language in ("en", "de")
        )
        assert english == german, code


def test_every_choice_has_its_heading() -> None:
    for check in catalogue().values():
        assert [name for name in check.choices() if not has_label(f"fact-{name}")] == []


def test_faults_that_are_everywhere_are_one_finding() -> None:
    page = as_html([talk("a/1", LATE), talk("b/1", LATE)], ABOUT, "en")
    assert page.count('<article id="finding-') == 1
