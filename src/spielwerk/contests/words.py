"""The words and figures of a report, in German or English.

The texts stand in `texts/LANGUAGE.json`, those that pages have in common with reports in
`texts/shared.LANGUAGE.json`; both languages have the same names. What somebody else has written is
shown with every character that could do something turned into its number, cut when it is
very long, and held apart from its surroundings if it runs from right to left.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Final

from spielwerk.errors import UsageError, printable
from spielwerk.games import find_kit
from spielwerk.games.contests import PlayedMoves
from spielwerk.net.transcript import Direction, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spielwerk.contests.results import Note
    from spielwerk.net.transcript import Piece


LANGUAGES: Final = ("de", "en")
LONGEST: Final = 80  # characters of a name
OUTPUT: Final = 8192  # characters of a program's output; no more of it is kept
WIRE: Final = 100  # pieces of a transcript, the last ones
PIECE: Final = 400  # characters of one
GROUPED: Final = ("pools", "groups")  # notes, each of whose names is a list of them
MINUS: Final = "\N{MINUS SIGN}"
_ARROWS: Final = {Direction.RECEIVED: "\N{LEFTWARDS ARROW}", Direction.SENT: "\N{RIGHTWARDS ARROW}"}
_APART: Final = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of a language by name."""
    if language not in LANGUAGES:
        raise UsageError(f"{language!r} is no language of reports; there are de and en")
    return {**shared(language), **_read(language)}


@cache
def shared(language: str) -> Mapping[str, str]:
    """Those that the pages of a contest have in common with its report."""
    return _read(f"shared.{language}")


def _read(name: str) -> dict[str, str]:
    file = files("spielwerk.contests").joinpath("texts", f"{name}.json")
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


def shown(text: str, longest: int = LONGEST) -> str:
    """Somebody else's text as it can stand in a line."""
    safe = printable(text)
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"


def apart(text: str) -> str:
    """Somebody else's text as it can stand in a sentence of ours."""
    return shown(text, 10 * LONGEST).join(_APART)


def lines(text: str, words: Words) -> str:
    """The last lines of a program's output, as they can stand one below the other."""
    end = text[-OUTPUT:]
    cut = [words("cut", count=len(text) - len(end))] if len(text) > len(end) else []
    return "\n".join([*cut, *map(printable, end.splitlines())]) or words("output.none")


def wire(traffic: bytes, words: Words) -> str:
    """The last of what went over a wire, a piece a line: when, whereto, and every byte visible."""
    pieces = unpack(traffic)
    cut = [words("wire.cut", count=len(pieces) - WIRE)] if len(pieces) > WIRE else []
    return "\n".join([*cut, *_told(pieces[-WIRE:], words)])


def _told(pieces: list[Piece], words: Words) -> Iterator[str]:
    for at, direction, data in pieces:
        if direction is Direction.LEFT_OUT:
            yield words("wire.missing", count=data.decode())
        else:
            text = data.replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")
            yield f"{at / 1000:9.3f} {_ARROWS[direction]} {shown(text, PIECE)}"


class Words:
    """Says everything in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = texts(language)

    def __call__(self, key: str, **values: object) -> str:
        """The text of this name, with these values in it."""
        return self._texts[key].format(**values)

    def said(self, sentence: str) -> str:
        """A sentence of the server or of the rules."""
        return said(sentence, self.language)

    def number(self, value: float, digits: int = 0) -> str:
        """A figure: the decimal point is a comma in German, a minus is as long as a plus."""
        text = f"{value:.{digits}f}"
        if not float(text):
            text = text.lstrip("-")
        decimal = "," if self.language == "de" else "."
        return text.replace("-", MINUS).replace(".", decimal)

    def signed(self, value: float) -> str:
        """A rating: whole points with their sign."""
        text = self.number(value)
        return text if text == "0" or text.startswith(MINUS) else f"+{text}"

    def percent(self, share: float) -> str:
        """A share of a whole."""
        return self("percent", number=self.number(100 * share))

    def chance(self, share: float) -> str:
        """What happened in this share of the draws; it is never said to be certain."""
        if share < 0.01:
            return self("percent", number="< 1")
        return self("percent", number="> 99") if share > 0.99 else self.percent(share)

    def points(self, value: float) -> str:
        """Points, a half as a fraction."""
        whole, half = divmod(round(2 * value), 2)
        return (str(whole) if whole or not half else "") + ("½" if half else "")

    def interval(self, low: float | None, high: float | None, *, bounded: bool = True) -> str:
        """From where to where; a single end that is missing is open, and both if it says so."""
        if low is not None and high is not None:
            return self("interval.text", low=self.signed(low), high=self.signed(high))
        if low is not None:
            return self("interval.from", low=self.signed(low))
        if high is not None:
            return self("interval.to", high=self.signed(high))
        return self("interval.none" if bounded else "interval.open")

    def seconds(self, milliseconds: int) -> str:
        """A time with as many digits as it has."""
        digits = next((count for count in range(3) if milliseconds % 10 ** (3 - count) == 0), 3)
        return self.number(milliseconds / 1000, digits)

    def note(self, note: Note, name: Callable[[str], str]) -> str:
        """Something that must be said about a ranking; every name is shown by `name`."""
        names = ("; " if note.code in GROUPED else ", ").join(map(name, note.names))
        return self(f"note.{note.code}", names=names, count=note.count)

    def date(self, milliseconds: int) -> str:
        """A day and a time."""
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime(self("date"))


ENGLISH: Final = "en"
LONGEST_SENTENCE: Final = 300  # characters, quotes apart; what is longer was not written by us
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
    file = files("spielwerk.contests").joinpath("texts", "sentences.de.json")
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
    if len(sentence) > LONGEST_SENTENCE or depth > DEEPEST:
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


# moves


def told(
    name: str, options: Sequence[str], moves: Sequence[str], opening: int, who: Sequence[str]
) -> PlayedMoves:
    """The moves that are kept of a game, the first of which open it; `who` sits on which seat."""
    own_way = getattr(find_kit(name).part("contest"), "told", None)
    found: PlayedMoves | None = own_way(options, moves, who) if own_way else None
    own = moves[opening:]
    return found or PlayedMoves(_line(moves[:opening]), len(own), [_line(own)] if own else [])


def _line(moves: Sequence[str]) -> str:
    return " ".join(map(shown, moves))
