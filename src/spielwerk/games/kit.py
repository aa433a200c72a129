"""A game as the rest of the house sees it: its name, a few facts, and parts loaded when asked for.

A game is a package with these modules, of which only the rules are needed:

rules.py      the Game and its States
engine.py     `engine_for(game)`, or a package of that name
terminal.py   `draw(state)`, perhaps `mark(state, move)` and `frames(state, move)`
view.py       `board(state, last)`, perhaps `legal(state)` and `steps(state, move)`
mnm.py        how the game server shows positions and reads moves
page/         what the browser loads
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from spielwerk.games.interface import Game


@dataclass(frozen=True)
class Kit:
    """What is known of a game without importing its parts."""

    package: str  # where the parts are
    rules: str  # the name of the Game in `rules.py`
    doors: tuple[str, ...] = ("mnm",)  # services to which programs for open seats connect

    @property
    def name(self) -> str:
        """The name by which the game is found."""
        return self.package.rpartition(".")[2]

    @cached_property
    def game(self) -> type[Game[Any]]:
        """The rules."""
        found: type[Game[Any]] = getattr(import_module(f"{self.package}.rules"), self.rules)
        return found

    def part(self, name: str) -> ModuleType | None:
        """One module of the game's package, or None if the game does without."""
        module = f"{self.package}.{name}"
        return import_module(module) if find_spec(module) else None
