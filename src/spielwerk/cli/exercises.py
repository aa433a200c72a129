"""`spielwerk exercises`: positions in which exactly one move is right."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from spielwerk.errors import UsageError
from spielwerk.terminal.commands import GameName, Options, now_and_then, whole_number


def exercises(
    game: GameName,
    option: Options = None,
    count: Annotated[int, typer.Option(parser=whole_number, help="How many.")] = 20,
    seed: Annotated[
        int, typer.Option(parser=whole_number, help="The same seed gives the same exercises.")
    ] = 1,
) -> None:
    """Write positions in which one move alone is right.

    The easiest come first. Right is what keeps the value of the position.
    The difficulty is how many turns ahead a search without tables must look to find the move.
    """
    from random import Random

    from spielwerk.engines.exercises import find_exercises, to_text
    from spielwerk.games import find_game
    from spielwerk.terminal.keyboard import interruptible, ready_engine

    if not 0 < count <= 10_000:
        raise UsageError(f"--count {count}: from 1 to 10000")
    rules = find_game(game).from_text(option or [])
    ready_engine(rules)  # says so where it has to be compiled
    tell = now_and_then()
    rng = Random(seed)
    found = find_exercises(rules, rng, lambda games: tell(f"{games} games played ..."))
    chosen = interruptible(lambda: [*islice(found, count)])
    rng.shuffle(chosen)  # two neighbours of the same difficulty follow no pattern
    typer.echo(to_text(rules, chosen), nl=False)
