"""The protocols without I/O, and how a table speaks where its protocol leaves a choice."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from spielwerk.errors import OptionError
from spielwerk.games import kits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def options_of(game: str) -> Mapping[str, tuple[str, ...]]:
    """What can be chosen for a table of a game, and the values of each choice; none: a name.

    The protocol that programs speak at such tables says it as `TABLE_OPTIONS` of its package.
    """
    service = kits()[game].service if game in kits() else ""
    protocol = import_module(f"spielwerk.wire.{service}") if service else None
    options: Mapping[str, tuple[str, ...]] = getattr(protocol, "TABLE_OPTIONS", {})
    return options


def checked_options(game: str, assignments: Iterable[str]) -> tuple[str, ...]:
    """The choices `NAME=VALUE` in order, or OptionError; a choice without a value is left out."""
    known = options_of(game)
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
