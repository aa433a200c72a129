"""Every key of a description: where it stands, what it may be, and the words for mistakes.

A type is a function that takes what TOML gives and returns what a Contest keeps, or raises Unfit
with a sentence that says what is allowed.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from unicodedata import normalize

from spielwerk.contests.contest import NAME_LIMIT, Format, Order, Phase
from spielwerk.errors import QUOTE_LIMIT, SpielwerkError, printable, quote
from spielwerk.games import contest_facts, find_game, games_with, kits
from spielwerk.games.interface import MNM
from spielwerk.store.records import FORFEITS
from spielwerk.wire import options_of
from spielwerk.wire.mnm.server import Pace
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Accept: TypeAlias = Callable[[object], Any]

ENTRANT: Final = "entrant"
TIME: Final = "time"
LIMITS: Final = "limits"
DAY: Final = 24 * 3600.0  # seconds
TERABYTE: Final = 1000**4
LINE: Final = 4096  # characters

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


@contextmanager
def fitting(*where: str) -> Iterator[None]:
    """Tell of what is found unfit where it stands, as a DescriptionError."""
    try:
        yield
    except Unfit as unfit:
        raise DescriptionError(*where, str(unfit)) from None


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
        hint = nearest(value, words) if isinstance(value, str) else ""
        raise Unfit("; ".join(filter(None, [f"must be one of {', '.join(words)}", hint])))

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
        found = []
        for entry in value:
            try:
                found.append(accept_one(entry))
            except Unfit as unfit:
                raise Unfit(f"{shown(entry)} in it {unfit}") from None
        return tuple(found)

    return accept


# words for messages


def shown(value: object) -> str:
    """A value from a file as it can stand in a message."""
    if isinstance(value, str):
        return quote(value)
    line = _written(value)
    return line if len(line) <= QUOTE_LIMIT else f"{line[:QUOTE_LIMIT]}... ({len(line)} characters)"


def _written(value: object) -> str:
    """The value with TOML's true and false, not Python's."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool):
        return toml(value)
    return repr(value) if isinstance(value, str) else str(value)


def nearest(word: str, known: Iterable[str]) -> str:
    """A question after the word that was probably meant; empty if there is none."""
    near = get_close_matches(word.lower(), list(known), n=1)
    return f"did you mean {near[0]}?" if near else ""


def likely(word: str, known: Iterable[str]) -> str:
    """What may have been meant, or all that there is: the end of a sentence."""
    words = list(known)
    return nearest(word, words) or f"there are {', '.join(words)}"


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


# keys

WIRE: Final[dict[str, Accept]] = {
    key: choice(options_of(game)[key]) for game in kits() for key in contest_facts(game).wire
}
"""How we speak to a program, or to all, where the protocol has a choice."""

SECTIONS: Final[dict[str, dict[str, Accept]]] = {
    "": {
        "name": name(NAME_LIMIT),
        "game": choice(kits()),
        "options": some(text(40)),
        "format": choice(Format),
        "phase": choice(Phase),
        "rounds": whole(0, 1_000_000),
        "seed": whole(0, 2**63 - 1),
        "opening": whole(0, 60),
        "order": choice(Order),
        "disqualify": some(choice(FORFEITS)),
        "bonus": some(whole(0, 1_000_000)),
        "newcomers": flag(),
    },
    TIME: {
        "move": milliseconds(0.01, DAY),
        "start": seconds(0.1, 3600),
        "game": seconds(0.1, 365 * DAY),
    },
    LIMITS: {
        "memory": size(1000**2, TERABYTE),
        "processes": whole(1, 100_000),
        "cpu": seconds(0.1, 365 * DAY),
        "output": size(1, TERABYTE),
        "files": size(1, TERABYTE),
        "disk": size(1, TERABYTE),
    },
    MNM: {"dialect": choice(DIALECTS), "pace": choice(map(str, Pace))},
    **{
        facts.section: {key: WIRE[key] for key in facts.wire}
        for facts in map(contest_facts, kits())
        if facts.wire
    },
}
"""The keys of a contest, those above all sections first."""

FIELDS: Final = {(TIME, "move"): "move_time", (TIME, "game"): "total"}
"""The fields of the Contest that are not called like the keys that fill them."""

ENTRANT_KEYS: Final[dict[str, Accept]] = {
    "name": name(NAME_LIMIT),
    "engine": text(LINE),
    "command": text(LINE),
    "bot": text(LINE),
    "remote": text(LINE),
    "open": flag(),
    "folder": text(LINE),
    "strategy": whole(0, 10**9 - 1),
    "depth": whole(1, 9),
    "role": choice(("join", "host")),
    **WIRE,
    "reference": flag(),
}


def paths() -> Iterator[tuple[str, str, str]]:
    """Every key of a contest: its section, its name, and the field that it fills."""
    for section, keys in SECTIONS.items():
        for key in keys:
            yield section, key, FIELDS.get((section, key), key)


def contest_values(where: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """What a description sets, by fields; or DescriptionError about the first that is wrong."""
    found: dict[str, Any] = {}
    for word, value in content.items():
        section = word if word in SECTIONS else ""
        if section and not isinstance(value, dict):
            problem = f"it is a section; write [{word}] and its keys below"
            raise DescriptionError(where, f"{word} = {shown(value)}", problem)
        told = accepted(where, value if section else {word: value}, SECTIONS[section], section)
        found |= {FIELDS.get((section, key), key): one for key, one in told.items()}
    return found


def accepted(
    where: str, table: Mapping[str, Any], keys: Mapping[str, Accept], section: str = ""
) -> dict[str, Any]:
    """The values of a table by its keys; or DescriptionError about the first that is wrong."""
    found = {}
    for key, value in table.items():
        path = f"{section}.{key}" if section else key
        if key not in keys:
            others = [*filter(None, SECTIONS), ENTRANT] if keys is SECTIONS[""] else []
            meant = likely(key, [*keys, *others])
            raise DescriptionError(where, f"there is no key {quote(path)}; {meant}")
        with fitting(where, f"{path} = {shown(value)}"):
            found[key] = keys[key](value)
    return found
