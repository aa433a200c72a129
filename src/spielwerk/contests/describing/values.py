"""What can stand behind a key of a description: each kind reads its values and writes them again.

`accept` takes what TOML gives and returns what a Contest keeps, or raises Unfit; `written` is the
way back, as TOML.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from spielwerk.errors import QUOTE_LIMIT, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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


class Unfit(ValueError):
    """A value that cannot stand where it stands; the text says what is allowed."""


def shown(value: object) -> str:
    """A value from a file as it can stand in a message."""
    if isinstance(value, str):
        return quote(value)
    try:
        text = _written(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a very large number"
    except RecursionError:
        return "a very deep table"
    return text if len(text) <= QUOTE_LIMIT else f"{text[:QUOTE_LIMIT]}... ({len(text)} characters)"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The word that was probably meant."""
    near = get_close_matches(word.lower(), list(known), n=1)
    return near[0] if near else None


def likely(word: str, known: Iterable[str]) -> str:
    """What may have been meant, or all that there is: the end of a sentence."""
    words = list(known)
    near = nearest(word, words)
    return f"did you mean {near}?" if near else f"there are {', '.join(words)}"


def toml(value: object) -> str:
    """A text, number, flag or list as TOML; JSON writes all of these the same way."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _written(value: object) -> str:
    """The value with TOML's true and false, not Python's."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool):
        return toml(value)
    return repr(value) if isinstance(value, str) else str(value)


class Value(ABC):
    """A kind of values."""

    @abstractmethod
    def accept(self, value: object) -> Any:
        """The value as it is kept, or Unfit."""

    def written(self, value: Any) -> str:
        """The kept value as TOML."""
        return toml(value)


@dataclass(frozen=True, slots=True)
class Text(Value):
    """One line of text, `limit` characters at most."""

    limit: int

    def accept(self, value: object) -> str:
        """The text, or Unfit."""
        wanted = f"must be a text in one line, 1 to {self.limit} characters"
        if not isinstance(value, str) or not 0 < len(value) <= self.limit:
            raise Unfit(wanted)
        for letter in value:
            if not letter.isprintable():
                raise Unfit(f"{wanted}, none of them invisible like U+{ord(letter):04X}")
        if value != value.strip():
            raise Unfit("must have no blanks at its ends")
        return value


@dataclass(frozen=True, slots=True)
class Name(Text):
    """A text that is compared: characters that look alike are kept in one way, Unicode's NFC."""

    def accept(self, value: object) -> str:
        """The name, or Unfit."""
        return Text.accept(self, normalize("NFC", value) if isinstance(value, str) else value)


@dataclass(frozen=True, slots=True)
class Whole(Value):
    """A whole number in a range."""

    low: int
    high: int

    def accept(self, value: object) -> int:
        """The number, or Unfit."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise Unfit(f"must be a whole number from {self.low} to {self.high}")
        return value


@dataclass(frozen=True, slots=True)
class Seconds(Value):
    """A time."""

    low: float
    high: float

    def accept(self, value: object) -> float:
        """The seconds, or Unfit."""
        number = value if isinstance(value, int | float) and value is not True else 0
        if not self.low <= number <= self.high:  # before float(), which is not for every int
            raise Unfit(f"must be a number of seconds from {self.low:g} to {self.high:.9g}")
        return float(number)


@dataclass(frozen=True, slots=True)
class Milliseconds(Seconds):
    """A time that is given in seconds and kept in milliseconds."""

    def accept(self, value: object) -> int:
        """The milliseconds, or Unfit."""
        return round(1000 * Seconds.accept(self, value))

    def written(self, value: int) -> str:
        """The seconds."""
        return toml(value / 1000)


@dataclass(frozen=True, slots=True)
class Size(Value):
    """A number of bytes, plain or with a unit."""

    low: int
    high: int

    def accept(self, value: object) -> int:
        """The bytes, or Unfit."""
        match = _SIZE.fullmatch(value) if isinstance(value, str) else None
        number = round(float(match[1]) * _UNITS[match[2]]) if match else value
        if type(number) is not int or not self.low <= number <= self.high:
            least, most = sized(self.low), sized(self.high)
            raise Unfit(f'must be a size like "512 MB", from {least} to {most}')
        return number

    def written(self, value: int) -> str:
        """The size with its unit."""
        return toml(sized(value))


def sized(size: int) -> str:
    """The bytes in the largest unit that they fill."""
    unit = next(unit for unit, bytes_ in _UNITS.items() if size % bytes_ == 0 and size >= bytes_)
    return f"{size // _UNITS[unit]} {unit}"


@dataclass(frozen=True, slots=True)
class Choice(Value):
    """One of a few words or numbers; what is kept is the choice itself, an enum's member too."""

    choices: tuple[Any, ...]

    def accept(self, value: object) -> Any:
        """The choice, or Unfit with the one that was probably meant."""
        for choice in self.choices:
            if choice == value and not isinstance(value, bool):
                return choice
        words = [str(choice) for choice in self.choices]
        near = nearest(value, words) if isinstance(value, str) else None
        hint = f"; did you mean {near}?" if near else ""
        raise Unfit(f"must be one of {', '.join(words)}{hint}")


@dataclass(frozen=True, slots=True)
class Flag(Value):
    """Yes or no."""

    def accept(self, value: object) -> bool:
        """Whether, or Unfit."""
        if not isinstance(value, bool):
            raise Unfit("must be true or false, without quotes")
        return value


@dataclass(frozen=True, slots=True)
class List(Value):
    """Any number of values of another kind."""

    of: Value

    def accept(self, value: object) -> tuple[Any, ...]:
        """All of them, or Unfit."""
        if not isinstance(value, list):
            raise Unfit("must be a list: [..., ...]")
        return tuple(_each(self.of.accept, entry) for entry in value)

    def written(self, value: tuple[Any, ...]) -> str:
        """The list."""
        return f"[{', '.join(map(self.of.written, value))}]"


def _each(accept: Callable[[object], Any], entry: object) -> Any:
    try:
        return accept(entry)
    except Unfit as unfit:
        raise Unfit(f"{shown(entry)} in it {unfit}") from None
