"""A game as the rest of the house sees it: its name, a few facts, and parts loaded when asked for.

A game is a package with these modules, of which only the rules are needed:

rules.py      the Game and its States
engine.py     `engine_for(game)`, or a package of that name; without it only random players play
terminal.py   `draw(state)`, perhaps `mark(state, move)`, `frames(state, move)`, `typed_position`
analysis.py   `JUDGE`: how positions are judged, if not by the engine alone
view.py       `board(state, last)`, perhaps `legal(state)` and `steps(state, move)`
mnm.py        `BOARD` and `READER`: how the game server shows positions, and clients read them
contest.py    `FACTS`: what contests must know, where it is not as usual
web.py        what only this game does in the web: see `spielwerk.web.api`
messages.json the sentences of the rules in English and German
page/         what the browser loads
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from types import ModuleType

    from spielwerk.games.interface import Game


@dataclass(frozen=True)
class Kit:
    """What is known of a game without importing its parts."""

    package: str  # where the parts are
    rules: str  # the name of the Game in `rules.py`
    service: str = ""  # where programs take their seats; `spielwerk.wire` has a package for it
    servers: tuple[str, ...] = ()  # the modules of `spielwerk.servers` that it needs
    record_is_session: bool = False  # `record.txt` has what was said at the table, not the moves
    mnm_kind: str = ""  # what the game server calls the game, if it offers it
    commands: tuple[str, ...] = ()  # of its own, like `solve=MODULE:FUNCTION` for `solve NAME`
    remote: str = ""  # `MODULE:FUNCTION` that makes players on other machines, if there are any

    @property
    def name(self) -> str:
        """The name by which the game is found."""
        return self.package.rpartition(".")[2]

    @cached_property
    def game(self) -> type[Game[Any]]:
        """The rules."""
        found: type[Game[Any]] = getattr(import_module(f"{self.package}.rules"), self.rules)
        return found

    @cached_property
    def page(self) -> Traversable:
        """The folder of what the browser loads; it need not exist."""
        return files(self.package).joinpath("page")

    @property
    def has_page(self) -> bool:
        """Whether the game brings a page module of its own."""
        return self.page.joinpath("page.js").is_file()

    @staticmethod
    def load(where: str) -> Any:
        """What a text `MODULE:NAME` names."""
        module, _, name = where.partition(":")
        return getattr(import_module(module), name)

    def part(self, name: str) -> ModuleType | None:
        """One module of the game's package, or None if the game does without."""
        module = f"{self.package}.{name}"
        return import_module(module) if find_spec(module) else None
