"""What can stand behind a key of a description, and how it stands in messages.

Each type is a function that takes what TOML gives and returns what a Contest keeps, or raises Unfit
with a sentence that says what is allowed.
"""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from unicodedata import normalize

from spielwerk.errors import QUOTE_LIMIT, SpielwerkError, printable, quote
from spielwerk.games import find_game, games_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Accept: TypeAlias = Callable[[object], Any]

LONGEST_PART: Final = 500  # characters of a part of an error

_SIZE: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,3})?) ?([kMGT]i?B|B)", re.ASCII)
_UNITS: Final = {
    "TiB": 1024**4,
    "TB": 1000**4,
    "GiB": 1024**3,
    "GB": 1000**3,
    "MiB": 1024**2,
    "MB": 1000**2,
    "kiB": 1024,
    "kB": 1000,
    "B": 1,
}


class DescriptionError(SpielwerkError, ValueError):
    """A description that no contest can be made of: where it is wrong, what, and what to do.

    It is one line, not too long, whatever the parts are made of.
    """

    def __init__(self, *parts: str) -> None:
        super().__init__(*parts)
        self.parts = parts

    def __str__(self) -> str:
        return ": ".join(map(_in_line, self.parts))


def _in_line(text: str) -> str:
    """The text in one line; what is too much is taken out of its middle."""
    line, half = printable(text), LONGEST_PART // 2
    return line if len(line) <= LONGEST_PART else f"{line[:half]} ... {line[-half:]}"


class Unfit(ValueError):
    """A value that cannot stand where it stands; the text says what is allowed."""


# types


def text(limit: int) -> Accept:
    """One line of text, `limit` characters at most."""
    wanted = f"must be a text in one line, 1 to {limit} characters"

    def accept(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= limit:
            raise Unfit(wanted)
        for letter in value:
            if not letter.isprintable():
                raise Unfit(f"{wanted}, none of them invisible like U+{ord(letter):04X}")
        if value != value.strip():
            raise Unfit("must have no blanks at its ends")
        return value

    return accept


def name(limit: int) -> Accept:
    """A text that is compared: characters that look alike are kept in one way, Unicode's NFC."""
    accept = text(limit)
    return lambda value: accept(normalize("NFC", value) if isinstance(value, str) else value)


def whole(low: int, high: int) -> Accept:
    """A whole number in a range."""

    def accept(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Unfit(f"must be a whole number from {low} to {high}")
        return value

    return accept


def seconds(low: float, high: float) -> Accept:
    """A time."""

    def accept(value: object) -> float:
        number = value if isinstance(value, int | float) and value is not True else 0
        if not low <= number <= high:  # before float(), which is not for every int
            raise Unfit(f"must be a number of seconds from {low:g} to {high:.9g}")
        return float(number)

    return accept


def milliseconds(low: float, high: float) -> Accept:
    """A time that is given in seconds and kept in milliseconds."""
    accept = seconds(low, high)
    return lambda value: round(1000 * accept(value))


def size(low: int, high: int) -> Accept:
    """A number of bytes, plain or with a unit."""

    def accept(value: object) -> int:
        match = _SIZE.fullmatch(value) if isinstance(value, str) else None
        number = round(float(match[1]) * _UNITS[match[2]]) if match else value
        if type(number) is not int or not low <= number <= high:
            raise Unfit(f'must be a size like "512 MB", from {sized(low)} to {sized(high)}')
        return number

    return accept


def choice(choices: Iterable[Any]) -> Accept:
    """One of a few words or numbers; what is kept is the choice itself, an enum's member too."""
    known = tuple(choices)

    def accept(value: object) -> Any:
        for one in known:
            if one == value and not isinstance(value, bool):
                return one
        words = [str(one) for one in known]
        near = nearest(value, words) if isinstance(value, str) else None
        hint = f"; did you mean {near}?" if near else ""
        raise Unfit(f"must be one of {', '.join(words)}{hint}")

    return accept


def flag() -> Accept:
    """Yes or no."""

    def accept(value: object) -> bool:
        if not isinstance(value, bool):
            raise Unfit("must be true or false, without quotes")
        return value

    return accept


def some(accept_one: Accept) -> Accept:
    """Any number of values of another type."""

    def accept(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Unfit("must be a list: [..., ...]")
        return tuple(_each(accept_one, entry) for entry in value)

    return accept


def _each(accept: Accept, entry: object) -> Any:
    try:
        return accept(entry)
    except Unfit as unfit:
        raise Unfit(f"{shown(entry)} in it {unfit}") from None


# words for messages


def shown(value: object) -> str:
    """A value from a file as it can stand in a message."""
    if isinstance(value, str):
        return quote(value)
    try:
        line = _written(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a very large number"
    except RecursionError:
        return "a very deep table"
    return line if len(line) <= QUOTE_LIMIT else f"{line[:QUOTE_LIMIT]}... ({len(line)} characters)"


def _written(value: object) -> str:
    """The value with TOML's true and false, not Python's."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool):
        return toml(value)
    return repr(value) if isinstance(value, str) else str(value)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The word that was probably meant."""
    near = get_close_matches(word.lower(), list(known), n=1)
    return near[0] if near else None


def likely(word: str, known: Iterable[str]) -> str:
    """What may have been meant, or all that there is: the end of a sentence."""
    words = list(known)
    near = nearest(word, words)
    return f"did you mean {near}?" if near else f"there are {', '.join(words)}"


def titles(fact: str) -> str:
    """The games of which a fact is true, in words."""
    return " and ".join(find_game(game).title for game in games_with(fact))


def toml(value: object) -> str:
    """A text, number, flag or list as TOML; JSON writes all of these the same way."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def sized(number: int) -> str:
    """The bytes in the largest unit that they fill."""
    unit = next(
        unit for unit, bytes_ in _UNITS.items() if number % bytes_ == 0 and number >= bytes_
    )
    return f"{number // _UNITS[unit]} {unit}"
