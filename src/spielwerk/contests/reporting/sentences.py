"""The sentences of rules, players and servers, in the language of whoever reads them.

They are written and kept in English, and put into other words only where they are shown: here for
reports, in `web/static/js/texts.js` by the same rules for the pages. Both have them from
`texts/sentences.de.json`, by their English words. A `{place}` stands for anything without a `; `,
and `{why}` for a sentence of its own, which is translated in its turn. What is not found as a whole
is looked for in parts: `NAME: sentence; NAME: sentence`. What stands in quotes somebody else has
said, and stays as it is. A program may have had a hand in what a sentence says, so neither its
length nor the number of its parts may cost more than a moment.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ENGLISH: Final = "en"
LONGEST: Final = 300  # characters, quotes apart; what is longer was not written by us
DEEPEST: Final = 12  # sentences in sentences
REMEMBERED: Final = 4096  # sentences; most games of a contest end in one of a few ways
SENTENCE: Final = "why"  # the place of a sentence within another one
FIGURES: Final = frozenset({"count", "limit", "memory", "seconds", "time"})

# As `errors.quote` writes it; an apostrophe follows a letter. One that is cut off has no end.
_QUOTED: Final = re.compile(
    r"""(?:^|(?<=[\s(]))(?:'(?:[^'\\]|\\.)*(?:'|\Z)|"(?:[^"\\]|\\.)*(?:"|\Z))"""
)
_FIRST: Final = 0xE000  # of the private characters that stand for quotes meanwhile
_PLACE: Final = re.compile(r"\{(\w+)\}")
_FIGURE: Final = re.compile(r"[\d,]+(\.\d+)?( \w+)?")
_SWAPPED: Final = str.maketrans(",.", ".,")


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All sentences in a language, by their English words."""
    file = files("spielwerk.contests.reporting").joinpath("texts", "sentences.de.json")
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return {sentence: sentence for sentence in found} if language == ENGLISH else found


@lru_cache(REMEMBERED)
def said(sentence: str, language: str) -> str:
    """The sentence in this language; as it is, where nobody has translated it."""
    if language == ENGLISH:
        return sentence
    quoted = [found[0] for found in _QUOTED.finditer(sentence)]
    signs = map(chr, count(_FIRST))
    short = _QUOTED.sub(lambda _: next(signs), sentence)
    return _within(short, language, 0).translate(dict(enumerate(quoted, _FIRST)))


def _within(sentence: str, language: str, depth: int) -> str:
    if len(sentence) > LONGEST or depth > DEEPEST:
        return sentence
    known = catalogue(language).get(sentence)
    return known or _filled(sentence, language, depth) or _in_parts(sentence, language, depth)


def _filled(sentence: str, language: str, depth: int) -> str | None:
    """The translation of a sentence with places, these filled in."""
    for pattern, text in _patterns(language):
        if found := pattern.fullmatch(sentence):
            parts = found.groupdict().items()
            values = {name: _value(name, part, language, depth) for name, part in parts}
            return text.format_map(values)
    return None


def _value(name: str, text: str, language: str, depth: int) -> str:
    if name == SENTENCE:
        return _within(text, language, depth + 1)
    is_figure = name in FIGURES and _FIGURE.fullmatch(text)
    return text.translate(_SWAPPED) if is_figure else text


def _in_parts(sentence: str, language: str, depth: int) -> str:
    """Several sentences one by one; before a colon stands whom or what the rest is about."""
    before, found, after = sentence.partition("; ")
    if found:
        rest = _within(after, language, depth + 1)
        return f"{_within(before, language, depth + 1)}; {rest}"
    before, found, after = sentence.partition(": ")
    return f"{before}: {_within(after, language, depth + 1)}" if found else sentence


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The sentences with places, those first that say most themselves: a place takes anything."""
    some = [(name, text) for name, text in catalogue(language).items() if "{" in name]
    some.sort(key=lambda pair: -len(_PLACE.sub("", pair[0])))
    return [(_pattern(name), text) for name, text in some]


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = _PLACE.split(sentence)  # words and places in turn
    return re.compile(
        "".join(_group(part) if odd % 2 else re.escape(part) for odd, part in enumerate(parts)),
        re.DOTALL,
    )


def _group(name: str) -> str:
    return f"(?P<{name}>{'.+' if name == SENTENCE else '(?:(?!; ).)+?'})"
