"""`spielwerk solve oware`: compute endgame tables, and keep them for the engine."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from spielwerk.errors import NotationError
from spielwerk.games.interface import number
from spielwerk.terminal.commands import progress


def solve(
    up_to: Annotated[
        str, typer.Argument(metavar="N", help="The most stones on the board, up to 20.")
    ] = "14",
    stats: Annotated[
        bool, typer.Option("--stats", help="Print what the solved tables hold.")
    ] = False,
) -> None:
    """Solve all boards with up to so many stones.

    Each number of stones is saved when it is finished; an interrupted computation goes on after it.
    """
    from spielwerk.engines.tables import data_folder
    from spielwerk.games.oware.engine import endgames, solver

    if stats:
        _print_stats()
        return
    stones = number(up_to)
    if stones is None or not 1 <= stones <= endgames.MOST:
        raise NotationError("number of stones", up_to, f"expected 1 to {endgames.MOST}")
    data_folder().mkdir(parents=True, exist_ok=True)
    with progress() as show:
        solver.solve(
            stones,
            lambda now, share: show(f"oware {now} stones", share),
            threads=os.cpu_count() or 1,
        )
    typer.echo(f"Solved: all boards with up to {stones} stones")


def _print_stats() -> None:
    """A line for each number of stones that is solved."""
    from spielwerk.games.oware.engine.endgames import MOST
    from spielwerk.games.oware.engine.solver import stats

    typer.echo(
        "stones        boards         exact    gap  widest  mover gets   (nothing remembered)"
    )
    for stones in range(MOST + 1):
        found = stats(stones)
        if found:
            typer.echo(
                f"{stones:6}{found.boards:14,}{found.exact:14,}{found.gap:7.3f}"
                f"{found.widest:8}{found.average:12.3f}"
            )
