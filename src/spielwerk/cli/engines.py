"""`spielwerk compile`: compile the engines before they are needed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spielwerk.terminal.commands import progress

if TYPE_CHECKING:
    from spielwerk.engines.warm import Preparation

GLANCE: Final = 0.1  # seconds between two looks at how far they are


def compile_engines(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Compile only the engines of these games."),
    ] = None,
) -> None:
    """Compile the engines now instead of at the first game."""
    from spielwerk.engines.warm import prepare, variants
    from spielwerk.games import kits

    games = [game for name in names or kits() for game in variants(name)]
    waiting = [preparation for game in games if (preparation := prepare(game, soon=False))]
    if not waiting:
        typer.echo(f"All engines are compiled ({len(games)}).")
        return
    typer.echo(f"Compiling {len(waiting)} engines: once, about half a minute ...", err=True)
    began = time.monotonic()
    _show(waiting)
    for preparation in waiting:
        preparation.wait()
    typer.echo(f"Compiled {len(waiting)} engines in {time.monotonic() - began:.0f} s.")


def _show(waiting: list[Preparation]) -> None:
    """Until all are settled: a bar on a terminal, else a line for each that is."""
    told: set[Preparation] = set()
    with progress() as show:
        while len(told) < len(waiting):
            time.sleep(GLANCE)
            for one in waiting:
                if one.settled.is_set() and one not in told:
                    told.add(one)
                    _tell(f"{one.game.title}: {len(told)} of {len(waiting)}")
            done = sum(1.0 if one in told else one.share for one in waiting)
            show(f"{len(told)} of {len(waiting)} engines", done / len(waiting))


def _tell(line: str) -> None:
    """Say it where no bar is seen."""
    import sys

    if not sys.stderr.isatty():
        typer.echo(line, err=True)
