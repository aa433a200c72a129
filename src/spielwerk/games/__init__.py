"""The games: one folder each, with all that only that game knows.

`kits()` lists them: those in `BUILT_IN`, and those that other packages offer by an entry point in
the group `spielwerk.games`. The rules are pure Python, immutable states, no I/O, no clocks.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import UnknownGame
from spielwerk.games.interface import (
    CHANCE,
    NOBODY,
    ContestFacts,
    Game,
    Kit,
    Option,
    Outcome,
    State,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

__all__ = [
    "CHANCE",
    "NOBODY",
    "ContestFacts",
    "Game",
    "Kit",
    "Option",
    "Outcome",
    "State",
    "built_in",
    "contest_facts",
    "find_game",
    "find_kit",
    "games_with",
    "kits",
    "part_of",
]

BUILT_IN: Final = ("quarto", "morris", "dice", "oware", "connect4")


@cache
def built_in() -> dict[str, Kit]:
    """The games of this package by their names; quicker than `kits`."""
    return {name: import_module(f"{__name__}.{name}").KIT for name in BUILT_IN}


@cache
def kits() -> Mapping[str, Kit]:
    """All games by their names."""
    from importlib.metadata import entry_points  # takes a while, and `--help` needs it not

    offered = [entry.load() for entry in entry_points(group="spielwerk.games")]
    return built_in() | {kit.name: kit for kit in offered if kit.name not in built_in()}


def find_kit(name: str) -> Kit:
    """The game registered under this name, or UnknownGame."""
    try:
        return kits()[name]
    except KeyError:
        raise UnknownGame(name, tuple(kits())) from None


@cache
def contest_facts(name: str) -> ContestFacts:
    """What contests must know of the game with this name, or UnknownGame."""
    kit = find_kit(name)
    return replace(kit.contest, section=kit.service) if kit.mnm_kind else kit.contest


def games_with(fact: str) -> list[str]:
    """The names of the games of which a fact for contests is true."""
    return [name for name in kits() if getattr(contest_facts(name), fact)]


def find_game(name: str) -> type[Game[Any]]:
    """The rules of the game registered under this name, or UnknownGame.

    >>> game = find_game("connect4")(width=5)
    >>> game.title, game.players
    ('Connect Four', 2)
    >>> find_game("go")
    Traceback (most recent call last):
    spielwerk.errors.UnknownGame: 'go' is no game; there are quarto, morris, dice, oware, connect4
    """
    return find_kit(name).game


def part_of(game: Game[Any], name: str) -> ModuleType | None:
    """One module of a game's folder; None if the game does without it, or is not registered."""
    kit = kits().get(game.name)
    return kit.part(name) if kit else None


if not TYPE_CHECKING:  # a type checker finds the rules in the games' own modules

    def __getattr__(name: str) -> type[Game[Any]]:
        """The rules of a game by the name of their class: `from spielwerk.games import NAME`."""
        for kit in built_in().values():
            if kit.rules == name:
                return kit.game
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
