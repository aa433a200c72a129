"""The sentences: complete in both languages, safe for the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.clients import mnm as clients
from spielwerk.clients.mnm.sentences import (
    Language,
    catalogue,
    language_of,
    sentence,
    visible,
)


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("code", sorted(catalogue()))
def test_both_languages_say_the_same_things(code: str) -> None:
    german, english = (catalogue()[code][language] for language in Language)
    assert _fields(german) == _fields(english)
    assert german != english
    values = dict.fromkeys(_fields(german), "x") | {"seconds": 0.5}
    assert "{" not in sentence(code, Language.GERMAN, **values)


def test_every_sentence_is_said_and_no_other() -> None:
    folder = Path(clients.__file__).parent
    said = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    words = {*re.findall(r"""["']([a-z]+(?:-[a-z]+)*)["']""", said)}
    assert words >= {*catalogue()}
    codes = re.findall(r"""(?:say|ClientError|ConfigError|sentence)\(\s*["']([a-z-]+)["']""", said)
    assert {*codes} <= {*catalogue()}


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de"}, Language.GERMAN),
        ({"LANG": "de_AT@euro"}, Language.GERMAN),
        ({"LANG": "DE"}, Language.GERMAN),
        ({"LANG": "den"}, Language.ENGLISH),
        ({"LANG": "en_US.UTF-8"}, Language.ENGLISH),
        ({"LC_MESSAGES": "de_CH", "LANG": "en_US"}, Language.GERMAN),
        ({"LC_ALL": "C", "LC_MESSAGES": "de_DE", "LANG": "de_DE"}, Language.ENGLISH),
        ({"LC_ALL": "", "LANG": "de_DE"}, Language.GERMAN),
    ],
)
def test_the_locale_decides(environment: dict[str, str], language: Language) -> None:
    assert language_of(environment) is language


@given(st.text())
def test_whatever_a_server_says_is_one_line_that_does_nothing(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert text.isprintable() is (shown == text) or len(text) > 200


def test_the_sentence_of_the_document() -> None:
    said = sentence("not-ready", Language.GERMAN, number=1, name="Uli")
    assert said == "Spieler 1 (Uli) ist noch nicht bereit."
