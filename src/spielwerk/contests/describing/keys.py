"""Every key of a description but those of its entrants: where it stands, and what it may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import Format, Order, Phase
from spielwerk.contests.describing.naming import NAME_LIMIT
from spielwerk.contests.describing.problems import DescriptionError
from spielwerk.contests.describing.values import (
    Choice,
    Flag,
    List,
    Milliseconds,
    Name,
    Seconds,
    Size,
    Text,
    Unfit,
    Value,
    Whole,
    likely,
    shown,
)
from spielwerk.errors import quote
from spielwerk.games import kits
from spielwerk.store.contest_records import FORFEITS
from spielwerk.wire.mnm.boards import game_kinds
from spielwerk.wire.mnm.pace import Pace
from spielwerk.wire.mnm.words import DIALECTS
from spielwerk.wire.options import options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ENTRANT: Final = "entrant"
MNM: Final = "mnm"
CONNECT_FOUR: Final = "connect4"
SECTIONS: Final = {MNM: tuple(game_kinds()), CONNECT_FOUR: (CONNECT_FOUR,)}
"""Sections that have a meaning only in some games."""

CONNECT_FOUR_WORDS: Final = {
    name: Choice(options_of(CONNECT_FOUR)[name]) for name in ("spelling", "version")
}
"""How we speak to a program, or to all."""

DAY: Final = 24 * 3600.0  # seconds
TERABYTE: Final = 1000**4


@dataclass(frozen=True, slots=True)
class Key:
    """A key, and the field of the Contest (or of its Resources) that it fills."""

    section: str
    name: str
    field: str
    value: Value

    @property
    def path(self) -> str:
        """The key with its section, as messages name it."""
        return f"{self.section}.{self.name}" if self.section else self.name


KEYS: Final = (
    Key("", "name", "name", Name(NAME_LIMIT)),
    Key("", "game", "game", Choice(tuple(kits()))),
    Key("", "options", "options", List(Text(40))),
    Key("", "format", "format", Choice(tuple(Format))),
    Key("", "phase", "phase", Choice(tuple(Phase))),
    Key("", "rounds", "rounds", Whole(0, 1_000_000)),
    Key("", "seed", "seed", Whole(0, 2**63 - 1)),
    Key("", "opening", "opening", Whole(0, 60)),
    Key("", "order", "order", Choice(tuple(Order))),
    Key("", "disqualify", "disqualify", List(Choice(FORFEITS))),
    Key("", "bonus", "bonus", List(Whole(0, 1_000_000))),
    Key("", "newcomers", "newcomers", Flag()),
    Key("time", "move", "move_time", Milliseconds(0.01, DAY)),
    Key("time", "start", "start", Seconds(0.1, 3600)),
    Key("time", "game", "total", Seconds(0.1, 365 * DAY)),
    Key("limits", "memory", "memory", Size(1000**2, TERABYTE)),
    Key("limits", "processes", "processes", Whole(1, 100_000)),
    Key("limits", "cpu", "cpu", Seconds(0.1, 365 * DAY)),
    Key("limits", "output", "output", Size(1, TERABYTE)),
    Key("limits", "files", "files", Size(1, TERABYTE)),
    Key(MNM, "dialect", "dialect", Choice(tuple(DIALECTS))),
    Key(MNM, "pace", "pace", Choice(tuple(map(str, Pace)))),
    *(Key(CONNECT_FOUR, name, name, value) for name, value in CONNECT_FOUR_WORDS.items()),
)

RESOURCES: Final = frozenset(key.field for key in KEYS if key.section == "limits")

_BY_SECTION: Final = {
    section: {key.name: key for key in KEYS if key.section == section}
    for section in dict.fromkeys(key.section for key in KEYS)
}


def accepted(where: str, content: dict[str, Any]) -> dict[str, Any]:
    """What the content of a description sets, by fields; or DescriptionError."""
    values = {}
    for key, value in _given(where, content):
        try:
            values[key.field] = key.value.accept(value)
        except Unfit as unfit:
            raise DescriptionError(where, f"{key.path} = {shown(value)}", str(unfit)) from None
    return values


def _given(where: str, content: dict[str, Any]) -> Iterator[tuple[Key, Any]]:
    """Every key with what stands behind it; sections are looked into."""
    for name, value in content.items():
        if name in _BY_SECTION and name:
            if not isinstance(value, dict):
                problem = f"it is a section; write [{name}] and its keys below"
                raise DescriptionError(where, f"{name} = {shown(value)}", problem)
            for inner, one in value.items():
                yield _known(where, name, inner), one
        else:
            yield _known(where, "", name), value


def _known(where: str, section: str, name: str) -> Key:
    keys = _BY_SECTION[section]
    if name in keys:
        return keys[name]
    words = list(keys) if section else [*keys, *filter(None, _BY_SECTION), ENTRANT]
    raise DescriptionError(where, unknown(f"{section}.{name}" if section else name, name, words))


def unknown(path: str, name: str, known: list[str]) -> str:
    """The sentence about a key that does not exist."""
    return f"there is no key {quote(path)}; {likely(name, known)}"
