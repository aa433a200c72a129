"""How a table speaks on the wire, where its protocol leaves a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.errors import OptionError
from spielwerk.wire.connect4.messages import Version
from spielwerk.wire.mnm.server import Pace
from spielwerk.wire.mnm.words import GAME_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SPELLINGS: Final = ("document", "variant")

_MNM: Final = {"pace": tuple(map(str, Pace))}
_CONNECT4: Final = {
    "spelling": SPELLINGS,
    "version": tuple(version.name for version in Version),
    "only": (),  # the player who may join
    "ask": ("yes", "no"),  # whether the owner of the host's seat decides who may
}

WIRE_OPTIONS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    **dict.fromkeys(GAME_KINDS, _MNM),
    "connect4": _CONNECT4,
}
"""What can be chosen for a table of a game, and the values of each choice; none: a name."""


def checked(game: str, assignments: Iterable[str]) -> tuple[str, ...]:
    """The choices `NAME=VALUE` in order, or OptionError; a choice without a value is left out."""
    known = WIRE_OPTIONS.get(game, {})
    chosen = []
    for name, _, value in (text.partition("=") for text in sorted(assignments)):
        if name not in known:
            names = f"there are {', '.join(known)}" if known else "it has none"
            raise OptionError(name, value, f"{game} has no such choice for its wire; {names}")
        if value and known[name] and value not in known[name]:
            raise OptionError(name, value, f"must be {' or '.join(known[name])}")
        if not known[name] and (";" in value or not value.isprintable()):
            raise OptionError(name, value, "must be a name without semicolons and line breaks")
        if value:
            chosen.append(f"{name}={value}")
    return tuple(chosen)


def chosen(assignments: Iterable[str], name: str) -> str:
    """The value of one choice; empty if it was not made."""
    return dict(text.split("=", 1) for text in assignments).get(name, "")
