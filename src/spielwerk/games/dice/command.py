"""`spielwerk solve dice`: compute the equilibrium, and keep it for the engine and the bot."""

from __future__ import annotations

from typing import Annotated

import typer

from spielwerk.terminal.commands import progress, whole_number


def solve(
    target: Annotated[int, typer.Option(parser=whole_number, help="Points to win.")] = 150,
) -> None:
    """Compute the best strategy in the race of three players."""
    from spielwerk.engines.tables import data_folder
    from spielwerk.games.dice.engine.solver import solve_to_file

    data_folder().mkdir(parents=True, exist_ok=True)  # before the work, not after it
    with progress() as show:
        path = solve_to_file(target, lambda share: show(f"dice, {target} points", share))
    typer.echo(f"Solved: {path}")
