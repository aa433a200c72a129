"""How games of a contest begin: what chance has decided, and a few random turns.

All games of a bundle begin alike, and everybody has every seat once. So that this is fair, nothing
may be left to chance later on: who begins is always seat 0, and Quarto's first stone is drawn here.

Quarto and Morris show clients the whole position with every question, and an Oware server is told
the whole game, so these can begin anywhere. A Connect Four program knows only the moves that it was
told while it played, and the dice race has no openings at all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from spielwerk.games import find_game
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from spielwerk.contests.contest import Contest
    from spielwerk.games import Game


def allows_openings(contest: Contest) -> bool:
    """Whether games can begin with random turns: the rules allow it, and all players hear of it."""
    if contest.game == "connect4":
        return all(entrant.kind is Kind.ENGINE for entrant in contest.entrants)
    return not find_game(contest.game).throws_dice


def options(contest: Contest) -> tuple[str, ...]:
    """The game's options with nothing left out: those that every game is played with."""
    return tuple(game_of(contest).assignments())


def game_of(contest: Contest) -> Game[Any]:
    """The game as it is played in the contest."""
    return _game(contest.game, contest.options)


@lru_cache(maxsize=64)
def _game(name: str, chosen: tuple[str, ...]) -> Game[Any]:
    return find_game(name).from_text(chosen)
