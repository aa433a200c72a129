"""The words and figures of a report, in German or English.

The texts stand in `texts/LANGUAGE.json`, those that pages have in common with reports in
`texts/shared.LANGUAGE.json`; both languages have the same names. What others have written is
shown with every character that could do something turned into its number, cut when it is
very long, and held apart from its surroundings if it runs from right to left.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from spielwerk import messages
from spielwerk.errors import UsageError, printable
from spielwerk.games import find_kit
from spielwerk.games.interface import PlayedMoves
from spielwerk.net.connection import Direction, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spielwerk.contests.ranking import Note
    from spielwerk.net.connection import Piece


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
        raise UsageError(f"{language!r} is not a language of reports; expected de or en")
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
    """A stranger's text as it can stand in a line."""
    safe = printable(text)
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"


def apart(text: str) -> str:
    """A stranger's text as it can stand in a sentence of ours."""
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
        return messages.said(sentence, self.language)

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


# games


def title_of(name: str, variant: str, language: str) -> str:
    """What a game, or a variant of it, is called; its page has the words."""
    kit = find_kit(name)
    file = kit.page.joinpath(f"words.{language}.json")
    if not file.is_file():
        return kit.game.title
    words: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return words[f"{variant}.name" if variant else "name"]


def told(
    name: str, options: Sequence[str], moves: Sequence[str], opening: int, who: Sequence[str]
) -> PlayedMoves:
    """The moves that are kept of a game, the first of which open it; `who` sits on which seat."""
    own_way = getattr(find_kit(name).part("view"), "told", None)
    found: PlayedMoves | None = own_way(options, moves, who) if own_way else None
    own = moves[opening:]
    return found or PlayedMoves(_line(moves[:opening]), len(own), [_line(own)] if own else [])


def _line(moves: Sequence[str]) -> str:
    return " ".join(map(shown, moves))
