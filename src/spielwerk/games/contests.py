"""What contests must know of a game, where it differs from the usual.

A game says it as `FACTS` in `contest.py` of its folder; without that module all is as usual.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from spielwerk.games import find_kit, kits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    """The facts of one game."""

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
    why_no_opening: str = ""  # if any but engines cannot be told of an opening, or nobody can
    letter: re.Pattern[str] = re.compile("[^;]")  # that a name may be made of
    instead: str = ","  # of a letter that it may not
    name_rule: str = ""  # what is said of a name with other letters; empty: they are allowed
    name_is_called: bool = False  # the rule is for programs that say their names themselves
    example: Mapping[str, str] = field(default_factory=dict)  # parts of the example description


@cache
def contest_facts(game: str) -> ContestFacts:
    """The facts of the game with this name, or UnknownGame."""
    kit = find_kit(game)
    part = kit.part("contest")
    facts: ContestFacts = part.FACTS if part else ContestFacts()
    return replace(facts, section=MNM) if kit.mnm_kind else facts


def games_with(fact: str) -> list[str]:
    """The names of the games of which a fact is true."""
    return [name for name in kits() if getattr(contest_facts(name), fact)]


def titles(fact: str) -> str:
    """The games of which a fact is true, in words."""
    return " and ".join(find_kit(name).game.title for name in games_with(fact))
