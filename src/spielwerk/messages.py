"""What the program says to people: a code with values, put into words where it is shown.

`messages.json` has every sentence in English and German by its code; a game's own are in its
folder. A `{place}` stands for a value, and `{why}` for another message.

The program itself passes on English sentences. Two kinds of them differ from what people read: the
rules and the protocols have words that clients compare, or that a library chooses, which must not
change (`wire`), and stores have endings in the words of earlier versions (`old`). All are read
back: `Message.of` finds the code and the values. A place takes anything without a `; `; what is not
found as a whole is looked for in parts: `NAME: sentence; NAME: sentence`. What stands in quotes is
a quotation and stays as it is. Strangers' programs can influence what a sentence says, so neither
its length nor the number of its parts may cost more than a moment.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Final

from spielwerk.games import kits

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Values = Mapping[str, "str | Message"]

ENGLISH: Final = "en"
WIRE: Final = "wire"  # the words that the code says, where these are fixed and people read others
OLD: Final = "old"  # the words of earlier versions, which stores may still have
LONGEST: Final = 300  # characters, quotations apart; what is longer was not written by us
DEEPEST: Final = 12  # messages in messages
REMEMBERED: Final = 4096  # messages; most games of a contest end in one of a few ways
FIGURES: Final = frozenset({"count", "limit", "memory", "seconds", "time"})

_FORMS: Final = {"plain": "{text}", "several": "{first}; {rest}", "about": "{subject}: {why}"}
"""What is the same in every language: other words, several messages, what a message is about."""

# As `errors.quote` writes it; an apostrophe follows a letter. One that is cut off has no end.
_QUOTED: Final = re.compile(
    r"""(?:^|(?<=[\s(]))(?:'(?:[^'\\]|\\.)*(?:'|\Z)|"(?:[^"\\]|\\.)*(?:"|\Z))"""
)
_FIRST: Final = 0xE000  # of the private characters that stand for quotations meanwhile
_PLACE: Final = re.compile(r"\{(\w+)\}")
_FIGURE: Final = re.compile(r"[\d,]+(\.\d+)?( \w+)?")
_SWAPPED: Final = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class Message:
    """Something to be said: which sentence, and what stands in its places."""

    code: str
    values: Values = field(default_factory=dict)

    def __str__(self) -> str:
        return self.said(ENGLISH)

    def said(self, language: str) -> str:
        """The words in this language."""
        text = _FORMS.get(self.code) or catalogue()[self.code][language]
        return text.format_map(
            {name: _shown(name, value, language) for name, value in self.values.items()}
        )

    def as_json(self) -> dict[str, Any]:
        """The code and the values, to be put into words by a page."""
        values = {
            name: value.as_json() if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return {"code": self.code, "values": values}

    @classmethod
    def of(cls, english: str) -> Message:
        """The message that is said so in English; `plain` if it is none of ours."""
        quoted = [found[0] for found in _QUOTED.finditer(english)]
        signs = map(chr, count(_FIRST))
        short = _QUOTED.sub(lambda _: next(signs), english)
        return _quoting(_read(short, 0), dict(enumerate(quoted, _FIRST)))


def english(code: str, **values: object) -> str:
    """The sentence of this code in English, as wires and stores get it."""
    texts = catalogue()[code]
    return texts.get(WIRE, texts[ENGLISH]).format_map(values)


@lru_cache(REMEMBERED)
def said(sentence: str, language: str) -> str:
    """An English sentence as people read it in this language; as it is if it is none of ours."""
    return Message.of(sentence).said(language)


@lru_cache(REMEMBERED)
def coded(sentence: str | None) -> dict[str, Any] | None:
    """An English sentence as pages hear it; None if there is none."""
    return Message.of(sentence).as_json() if sentence else None


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Every sentence by its code and its language; a game's codes begin with its name."""
    found: dict[str, Mapping[str, str]] = _sentences("spielwerk")
    for name, kit in kits().items():
        found |= {f"{name}.{code}": texts for code, texts in _sentences(kit.package).items()}
    return found


def _sentences(package: str) -> dict[str, Mapping[str, str]]:
    file = files(package).joinpath("messages.json")
    found: dict[str, Mapping[str, str]] = {}
    if file.is_file():
        found = json.loads(file.read_text(encoding="utf-8"))
    return found


def by_code(language: str) -> Mapping[str, str]:
    """All sentences in a language, by their codes."""
    return _FORMS | {code: texts[language] for code, texts in catalogue().items()}


def _shown(name: str, value: str | Message, language: str) -> str:
    if isinstance(value, Message):
        return value.said(language)
    is_figure = language != ENGLISH and name in FIGURES and _FIGURE.fullmatch(value)
    return value.translate(_SWAPPED) if is_figure else value


# reading English sentences


def _read(sentence: str, depth: int) -> Message:
    if len(sentence) > LONGEST or depth > DEEPEST:
        return Message("plain", {"text": sentence})
    code = _codes().get(sentence)
    return Message(code) if code else _filled(sentence, depth) or _in_parts(sentence, depth)


def _filled(sentence: str, depth: int) -> Message | None:
    """A sentence with places."""
    for pattern, code in _patterns():
        if found := pattern.fullmatch(sentence):
            places = found.groupdict().items()
            return Message(code, {name: _value(name, text, depth) for name, text in places})
    return None


def _value(name: str, text: str, depth: int) -> str | Message:
    return _read(text, depth + 1) if name == "why" else text


def _in_parts(sentence: str, depth: int) -> Message:
    """Several sentences; before a colon stands whom or what the rest is about."""
    before, found, after = sentence.partition("; ")
    if found:
        parts = {"first": _read(before, depth + 1), "rest": _read(after, depth + 1)}
        return Message("several", parts)
    before, found, after = sentence.partition(": ")
    if found:
        return Message("about", {"subject": before, "why": _read(after, depth + 1)})
    return Message("plain", {"text": sentence})


def _quoting(message: Message, quoted: dict[int, str]) -> Message:
    """The message with the quotations back in their places."""
    if not quoted:
        return message
    return Message(
        message.code,
        {
            name: value.translate(quoted) if isinstance(value, str) else _quoting(value, quoted)
            for name, value in message.values.items()
        },
    )


@cache
def _codes() -> Mapping[str, str]:
    return {
        texts[form]: code
        for code, texts in catalogue().items()
        for form in (ENGLISH, WIRE, OLD)
        if form in texts
    }


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """The sentences with places, those first that say most themselves: a place takes anything."""
    some = [(text, code) for text, code in _codes().items() if "{" in text]
    some.sort(key=lambda pair: -len(_PLACE.sub("", pair[0])))
    return [(_pattern(text), code) for text, code in some]


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = _PLACE.split(sentence)  # words and places in turn
    return re.compile(
        "".join(_group(part) if odd % 2 else re.escape(part) for odd, part in enumerate(parts)),
        re.DOTALL,
    )


def _group(name: str) -> str:
    return f"(?P<{name}>{'.+' if name == 'why' else '(?:(?!; ).)+?'})"
