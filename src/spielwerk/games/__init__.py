"""The rules: pure Python, immutable states, no I/O, no clocks. The referee's truth.

`GAMES` is the registry; a new game is one module here and one line there.
"""

from __future__ import annotations

from typing import Any, Final

from spielwerk.errors import UnknownGame
from spielwerk.games.connect4 import ConnectFour
from spielwerk.games.dice import Dice
from spielwerk.games.interface import CHANCE, NOBODY, Game, Option, Outcome, State
from spielwerk.games.morris import Morris
from spielwerk.games.oware import Oware
from spielwerk.games.quarto import Quarto

__all__ = [
    "CHANCE",
    "GAMES",
    "NOBODY",
    "ConnectFour",
    "Dice",
    "Game",
    "Morris",
    "Option",
    "Outcome",
    "Oware",
    "Quarto",
    "State",
    "find_game",
]

GAMES: Final[dict[str, type[Game[Any]]]] = {
    game.name: game for game in (Quarto, Morris, Dice, Oware, ConnectFour)
}


def find_game(name: str) -> type[Game[Any]]:
    """The game registered under this name, or UnknownGame."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(name, tuple(GAMES)) from None
