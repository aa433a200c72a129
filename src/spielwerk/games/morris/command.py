"""`spielwerk solve morris`: compute the game exactly, and keep it for the engine."""

from __future__ import annotations

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from spielwerk.errors import NotationError
from spielwerk.terminal.commands import now_and_then, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.games.morris.engine.index import Sector

STATS = "stones                 wins           draws          losses           bytes  SHA-256"
WINNERS = {1: "White wins", 0: "a draw", -1: "Black wins"}


def solve(
    up_to: Annotated[
        str,
        typer.Argument(metavar="W-B", help="Stones of the two players, from 3-3 to 9-9."),
    ] = "4-4",
    stats: Annotated[
        bool, typer.Option("--stats", help="Print wins, draws and losses of the solved positions.")
    ] = False,
    verify: Annotated[
        int | None,
        typer.Option(
            "--verify", metavar="N", min=1, help="Compare N random boards with the rules."
        ),
    ] = None,
    pack: Annotated[
        bool, typer.Option("--pack", help="Pack what is solved: smaller, and slower to look up.")
    ] = False,
    gpu: Annotated[bool, typer.Option("--gpu", help="Use a CUDA device, if there is one.")] = False,
    cluster: Annotated[
        str,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Use this Dask cluster; all share the data folder."
        ),
    ] = "",
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Threads, if not as many as cores.")
    ] = None,
) -> None:
    """Solve all positions up to a number of stones.

    That is the moving phase and, if both players have as many, the placing phase of that game.
    Finished parts are saved; an interrupted computation continues where it stopped. 9-9, the whole
    game, takes 28 GB on the disk.
    """
    if stats:
        _print_stats()
        return
    match = re.fullmatch(r"([3-9])-([3-9])", up_to)
    if not match:
        raise NotationError("number of stones", up_to, "expected two digits from 3-3 to 9-9")
    if verify or pack:
        if verify:
            _verify(verify)
        if pack:
            _pack(threads or os.cpu_count() or 1)
        return
    from spielwerk.games.morris.engine.index import Sector

    sector = Sector(int(match[1]), int(match[2]))
    if cluster:
        _solve_on_cluster(cluster, sector, threads)
    else:
        _solve(sector, gpu=gpu, threads=threads or os.cpu_count() or 1)
    typer.echo(f"Solved: all positions up to {sector}")
    if sector.mover == sector.opponent:
        _print_result(sector.mover)


def _solve_on_cluster(address: str, up_to: Sector, threads: int | None) -> None:
    from spielwerk.games.morris.engine import cluster
    from spielwerk.games.morris.engine.sectors import own_folder

    with _shown() as show:
        cluster.solve(address, up_to, show, own_folder(), threads)


def _solve(up_to: Sector, *, gpu: bool, threads: int) -> None:
    from spielwerk.games.morris.engine import solver
    from spielwerk.games.morris.engine.gpu import NoGpu

    with _shown() as show:
        try:
            solver.solve(up_to, show, threads=threads, gpu=gpu)
        except NoGpu as error:
            typer.echo(f"No GPU is used: {error}", err=True)
            solver.solve(up_to, show, threads=threads)


@contextmanager
def _shown() -> Iterator[Callable[[str, float, float | None], None]]:
    """A function that shows what is done, its share, and the time that is left."""
    tell = now_and_then()
    with progress() as show:

        def update(what: str, share: float, left: float | None) -> None:
            text = f"morris {what}" + ("" if left is None else f", {_duration(left)} left")
            show(text, share)
            if not sys.stderr.isatty():
                tell(f"{share:6.1%}  {text}")

        yield update


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes else f"{round(seconds)} s"


def _print_result(stones: int) -> None:
    """Who wins the game with so many stones each, and after each first placement."""
    from spielwerk.games.morris.engine.sectors import SolvedSectors
    from spielwerk.games.morris.rules import FIELDS

    solved = SolvedSectors()
    start = solved.result(0, 0, 2 * stones, 0)
    typer.echo(f"The game with {stones} stones each: {WINNERS[start]}")
    for field in (0, 1, 8, 9):  # the others are symmetric to one of these
        after = solved.result(0, 1 << field, 2 * stones - 1, 1)
        typer.echo(f"  after {FIELDS[field]}: {WINNERS[-after]}")


def _verify(boards: int) -> None:
    from spielwerk.games.morris.engine.sectors import (
        SolvedSectors,
        open_sector,
        own_folder,
        own_sectors,
    )
    from spielwerk.games.morris.engine.verify import DOUBT, verify

    folder = own_folder()
    sectors = own_sectors(folder)
    with _shown() as show:
        for number, sector in enumerate(sectors):
            show(f"checksum of {sector}", number / len(sectors), None)
            open_sector(folder, sector)
        verify(SolvedSectors(), boards, lambda share: show("against the rules", share, None))
    typer.echo(
        f"All checksums agree, and {boards:,} boards drawn at random agree with the rules: with a "
        f"confidence of 95 % fewer than {min(1.0, DOUBT / boards):.2g} of all boards are wrong"
    )


def _pack(threads: int) -> None:
    from spielwerk.games.morris.engine.sectors import own_folder, own_sectors, pack_sector

    folder = own_folder()
    sectors = own_sectors(folder)
    with _shown() as show, ThreadPoolExecutor(threads) as pool:
        for number, sector in enumerate(sectors):
            show(f"packing {sector}", number / len(sectors), None)
            pack_sector(folder, sector, pool)
    size = sum(path.stat().st_size for path in folder.glob("*.table"))
    typer.echo(f"Packed: {len(sectors)} sectors, {size / 1e6:,.1f} MB")


def _print_stats() -> None:
    """A line for each sector that is solved; results are for the player to move, at count 0."""
    from spielwerk.games.morris.engine.index import sector_size
    from spielwerk.games.morris.engine.sectors import every_sector, stats

    typer.echo(STATS)
    for sector in every_sector():
        known = stats(sector)
        if known:
            found, checksum = known
            figures = "".join(f"{figure:16,}" for figure in (*found, sector_size(sector)))
            typer.echo(f"{sector!s:11}{figures}  {checksum}")
