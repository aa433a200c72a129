"""The games that the shared suite runs over, and hypothesis strategies for their states."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from spielwerk.games import Game, State
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_states
from spielwerk.games.quarto.rules import Quarto

VARIANTS: list[Game[Any]] = [
    *(Quarto(n=n) for n in range(2, 9)),
    Quarto(first=7, begins=1),
    Morris(),
    Dice(),
    Dice(target=30, begins=2),
    Dice(target=200, rounds=4),
    Oware(),
    ConnectFour(),
    ConnectFour(begins=1),
    ConnectFour(width=4, height=4, depth=4),
    ConnectFour(width=5, height=3, depth=2),
    ConnectFour(width=6, height=5, depth=1),
    ConnectFour(width=1, height=1),
]

OWARE_BOARDS = [
    "0 0 0 0 0 0 0 0 48 0 0 0 0 0",
    "0 0 48 0 0 0 0 0 0 0 0 0 0 0",
    "0 0 24 0 0 0 0 0 24 0 0 0 0 0",
    "23 23 1 0 0 0 0 0 1 0 0 0 0 0",
    "20 20 1 1 1 0 0 0 0 0 1 2 2 0",
]


def name_of(game: Game[Any]) -> str:
    """A short name for pytest."""
    return " ".join([game.name, *game.assignments()])


def starts(game: Game[Any]) -> list[State[Any]]:
    """Where random games begin: at the start, and for Oware also on odd boards."""
    boards = OWARE_BOARDS if isinstance(game, Oware) else []
    return [game.start(), *(game.parse_state(board) for board in boards)]


def random_game(game: Game[Any], seed: int) -> list[State[Any]]:
    """All states of a game played at random under this seed."""
    choices = starts(game)
    return list(random_states(choices[seed % len(choices)], Random(seed)))


@st.composite
def states(draw: st.DrawFn, game: Game[Any]) -> State[Any]:
    """Any state that random play reaches, finished games included."""
    played = random_game(game, draw(st.integers(0, 2**32 - 1)))
    return draw(st.sampled_from(played))
