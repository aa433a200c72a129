"""Golden playthroughs: whole games as text, to see at a glance what a change of the rules changes.

`make golden` writes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from spielwerk.games import NOBODY, Game
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto
from spielwerk.games.record import Record

FOLDER = Path(__file__).parent

GAMES: dict[str, Game[Any]] = {
    "quarto": Quarto(),
    "quarto-3": Quarto(n=3, begins=1),
    "quarto-7": Quarto(n=7),
    "morris": Morris(),
    "dice": Dice(),
    "dice-short": Dice(target=200, rounds=3, begins=2),
    "oware": Oware(),
    "connect4": ConnectFour(),
    "connect4-solid": ConnectFour(width=4, height=4, depth=4, begins=1),
}


def playthrough(game: Game[Any], seed: int = 2013) -> str:
    """A random game, decision by decision."""
    return "\n".join(_lines(game, Random(seed))) + "\n"


def _lines(game: Game[Any], rng: Random) -> Iterator[str]:
    yield f"# {game.name} {' '.join(game.assignments())}".rstrip()
    record = Record((game.start(),))
    while record.state.turn != NOBODY:
        moves = record.state.legal_moves()
        yield str(record.state)
        record = record.play(random_move(record.state, rng))
        *_, last = record.lines()
        yield f"    {last}    one of {len(moves)}"
    assert record.state.outcome
    yield str(record.state)
    yield record.state.outcome.sentence(game.sides)
