"""The rules: random games a second through the public interface, on one core."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.yardstick import yardstick
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_states
from spielwerk.games.quarto.rules import Quarto

if TYPE_CHECKING:
    from spielwerk.games import Game

SECONDS = 2.0

ASKED: list[tuple[Game[Any], int | None]] = [
    (ConnectFour(), 1000),
    (Quarto(), 500),
    (Oware(), 300),
    (Morris(), 150),
    (Dice(), None),
    (ConnectFour(width=7, height=6, depth=4), None),
    (Quarto(n=8), None),
]


def rows() -> Iterator[tuple[str, str]]:
    """Games a second, what was asked for, and the ratio to the yardstick."""
    for game, asked in ASKED:
        games, plies = _playouts(game)
        figure = f"{games:7.0f} games/s  {plies:5.0f} decisions each"
        figure += f"  {games / yardstick():6.2f} x yardstick"
        if asked:
            figure += f"  asked: {asked}"
        yield " ".join([game.name, *game.assignments()]), figure


def _playouts(game: Game[Any]) -> tuple[float, float]:
    """Games a second and decisions a game."""
    rng = Random(0)
    games = decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        decisions += sum(1 for _ in random_states(game.start(), rng)) - 1
        games += 1
    return games / (time.perf_counter() - start), decisions / games
