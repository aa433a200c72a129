"""A game as the rest of the house sees it: its name, a few facts, and parts loaded when asked for.

A game is a package with these modules, of which only the rules are needed:

rules.py      the Game and its States
engine.py     `engine_for(game)`, or a package of that name; without it only random players play
terminal.py   `draw(state)`, perhaps `mark(state, move)`, `frames(state, move)`, `typed_position`
analysis.py   `JUDGE`: how positions are judged, if not by the engine alone
view.py       `board(state, last)`, perhaps `legal(state)`, `steps(state, move)` and what a move
              collects, `gain(state, move)`; for reports perhaps `told(options, moves, who)` and
              `variant(options)`
mnm.py        `BOARD` and `READER`: how the game server shows positions, and clients read them
web.py        what only this game does in the web: see `spielwerk.web.api`
check.toml    prepared positions, in which programs are checked
messages.json the sentences of the rules in English and German
page/         what the browser loads
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.resources.abc import Traversable
    from types import ModuleType

    from spielwerk.games.interface import Game


MNM: Final = "mnm"  # the section for games that the game server offers


@dataclass(frozen=True, slots=True)
class PlayedMoves:
    """What was played in a game, as reports and the command line tell it."""

    opening: str
    count: int  # moves after the opening, or turns
    lines: Sequence[str]  # the same moves; turns are a line each
    score: Sequence[int] = ()  # the points of each seat at the end, where they count


@dataclass(frozen=True, slots=True)
class ContestFacts:
    """What contests must know of a game, where it differs from the usual."""

    move_time: int = 3000  # milliseconds
    by_points: bool = False  # what the ranking goes by
    disqualify: tuple[str, ...] = ("protocol error",)  # ends that cost a competition
    bonus: tuple[int, ...] = ()  # points of the course for the first places of a competition
    section: str = ""  # of a description, for how the game is spoken
    wire: tuple[str, ...] = ()  # table options that the section, or an entrant, may set
    newcomers: bool = False  # a ladder may take programs that are not in the description
    has_index: bool = False  # programs find their games at an index server, or offer one there
    asks_servers: bool = False  # programs are servers that are asked for moves
    engine_is_loaded: bool = False  # to check it: it may lack tables
    why_no_opening: str = ""  # if programs cannot be told of an opening, or no player can
    letter: re.Pattern[str] = re.compile("[^;]")  # that a name may be made of
    instead: str = ","  # of a letter that it may not
    name_rule: str = ""  # what is said of a name with other letters; empty: they are allowed
    name_is_called: bool = False  # the rule is for programs that say their names themselves
    example: Mapping[str, str] = field(default_factory=dict)  # parts of the example description


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
    bot: str = ""  # `MODULE:FUNCTION` that lets a BotPlayer play one game on a server
    checks: tuple[str, ...] = ()  # of programs that play it, `MODULE:NAME` each
    remote: str = ""  # `MODULE:FUNCTION` that makes players on other machines, if there are any
    strategies: tuple[str, ...] = ()  # of its engine, by number, if people may choose one
    hint_player: str = "level=10"  # who gives hints unless another player is asked for
    perspective: int | None = None  # for whom scores are shown; None: the player who decides
    contest: ContestFacts = field(default_factory=ContestFacts)

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
