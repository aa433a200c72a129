"""Both languages say the same things, and every text that is asked for exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

import pytest

from spielwerk.games import kits
from spielwerk.web.texts import LANGUAGES, catalogue

WEB = files("spielwerk.web")
PLACE = re.compile(r"\{(\w+)\}")
PLURALS = (".one", ".other")
# t("area.name" or has('area.name', and the beginnings t(`area.${...}` and t('area.' ~ ...
ASKED = re.compile(r"""\b(?:t|has)\(\s*(["'])(\w+\.(?:(?!\1).)*)\1\s*(~)?""")
BEGUN = re.compile(r"\b(?:t|has)\(\s*`([^`$]+)\$\{")
NAMED = re.compile(r"""["']((?:common|lobby|new|settings|help)\.[\w.-]+)["']""")


def sources(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    """Every script and template by its path, without the comments."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from sources(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith((".js", ".html")):
            code = entry.read_text(encoding="utf-8")
            yield prefix + entry.name, re.sub(r"^\s*//.*$", "", code, flags=re.MULTILINE)


SOURCES = dict(
    [
        *sources(WEB.joinpath("static"), ""),
        *sources(WEB.joinpath("templates"), ""),
        *(one for kit in kits().values() for one in sources(kit.page, f"games/{kit.name}/")),
    ]
)


def exists(name: str) -> bool:
    texts = catalogue("en")
    return name in texts or all(name + ending in texts for ending in PLURALS)


def begins(prefix: str) -> bool:
    return any(name.startswith(prefix) for name in catalogue("en"))


def test_what_one_language_leaves_empty_the_other_does() -> None:
    empty = [{n for n, text in catalogue(one).items() if not text.strip()} for one in LANGUAGES]
    assert empty[0] == empty[1]


def test_both_languages_have_the_same_names() -> None:
    assert catalogue("de").keys() == catalogue("en").keys()


def test_both_languages_have_the_same_places() -> None:
    german, english = catalogue("de"), catalogue("en")
    places = {
        name: [set(PLACE.findall(texts[name])) for texts in (german, english)] for name in english
    }
    assert not [name for name, (one, other) in places.items() if one != other]


def test_plurals_come_in_pairs() -> None:
    texts = catalogue("en")
    halves = [name for name in texts if name.endswith(PLURALS)]
    stems = {name.rpartition(".")[0] for name in halves}
    assert not [stem for stem in stems if not exists(stem)]


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_every_text_asked_for_exists(source: str) -> None:
    code = SOURCES[source]
    found = [(name, bool(more)) for _, name, more in ASKED.findall(code)]
    found += [(prefix, True) for prefix in BEGUN.findall(code)]
    missing = [name for name, more in found if not (begins(name) if more else exists(name))]
    assert not missing


@pytest.mark.parametrize("source", sorted(SOURCES))
def test_every_text_named_elsewhere_exists(source: str) -> None:
    """Names that are kept in tables and asked for later."""
    names = [name for name in NAMED.findall(SOURCES[source]) if not name.endswith((".js", ".json"))]
    assert not [name for name in names if not exists(name) and not begins(f"{name.rstrip('.')}.")]


def test_scripts_never_make_markup_from_text() -> None:
    forbidden = re.compile(
        r"\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write|\beval\("
    )
    assert not [name for name, code in SOURCES.items() if forbidden.search(code)]
