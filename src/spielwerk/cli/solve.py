"""`spielwerk solve`: compute what can be known for certain, and keep it for the engines."""

from __future__ import annotations

import os
import re
from typing import Annotated

import typer

from spielwerk.cli.arguments import whole_number
from spielwerk.cli.progress import progress
from spielwerk.errors import NotationError

app = typer.Typer(help="Solve games, or parts of them, and keep the tables for the engines.")


@app.command()
def dice(
    target: Annotated[int, typer.Option(parser=whole_number, help="Points that win.")] = 150,
) -> None:
    """Compute the equilibrium of the three-player race, for the engine and the bot."""
    from spielwerk.engines.tables import data_folder
    from spielwerk.games.dice.engine.solver import solve_to_file

    data_folder().mkdir(parents=True, exist_ok=True)  # before the work, not after it
    with progress() as show:
        path = solve_to_file(target, lambda share: show(f"dice, {target} points", share))
    typer.echo(f"Solved: {path}")


@app.command()
def morris(
    up_to: Annotated[
        str,
        typer.Argument(metavar="[W-B]", help="Stones of the two players, 3-3 to 9-9, like 5-5."),
    ] = "4-4",
    stats: Annotated[
        bool, typer.Option("--stats", help="Print wins, draws and losses of what is solved.")
    ] = False,
) -> None:
    """Compute the moving phase exactly for all positions up to that many stones.

    What is finished is kept, so that an interrupted computation goes on where it was.
    """
    from spielwerk.engines.tables import data_folder
    from spielwerk.games.morris.engine.solver import solve

    if stats:
        _print_stats()
        return
    match = re.fullmatch(r"([3-9])-([3-9])", up_to)
    if not match:
        raise NotationError("number of stones", up_to, "expected two digits from 3-3 to 9-9")
    sector = int(match[1]), int(match[2])
    data_folder().mkdir(parents=True, exist_ok=True)
    with progress() as show:
        solve(
            sector,
            lambda now, share: show(f"morris {now[0]}-{now[1]}", share),
            threads=os.cpu_count() or 1,
        )
    typer.echo(f"Solved: all positions up to {up_to}")


def _print_stats() -> None:
    """A line for each sector that is solved."""
    from spielwerk.games.morris.engine.solver import stats

    typer.echo(
        "stones         wins        draws       losses   (raw boards, side to move, count 0)"
    )
    for mover in range(3, 10):
        for other in range(3, 10):
            found = stats((mover, other))
            if found:
                counts = "".join(f"{count:13,}" for count in found)
                typer.echo(f"{mover}-{other}   {counts}")
