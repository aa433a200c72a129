"""`spielwerk solve morris`: compute the moving phase exactly, and keep it for the engine."""

from __future__ import annotations

import os
import re
from typing import Annotated

import typer

from spielwerk.errors import NotationError
from spielwerk.terminal.commands import progress


def solve(
    up_to: Annotated[
        str,
        typer.Argument(metavar="W-B", help="Stones of the two players, from 3-3 to 9-9."),
    ] = "4-4",
    stats: Annotated[
        bool, typer.Option("--stats", help="Print wins, draws and losses of the solved positions.")
    ] = False,
) -> None:
    """Solve the moving phase for all positions up to a number of stones.

    Finished parts are saved; an interrupted computation continues where it stopped.
    """
    from spielwerk.engines.tables import data_folder
    from spielwerk.games.morris.engine import solver

    if stats:
        _print_stats()
        return
    match = re.fullmatch(r"([3-9])-([3-9])", up_to)
    if not match:
        raise NotationError("number of stones", up_to, "expected two digits from 3-3 to 9-9")
    sector = int(match[1]), int(match[2])
    data_folder().mkdir(parents=True, exist_ok=True)
    with progress() as show:
        solver.solve(
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
