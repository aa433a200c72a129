"""Solving the game: which sectors, in which order, and how long it will take.

A board (m, o) of the moving phase leads to (o, m) by quiet turns and to (o - 1, m) or (o - 2, m) by
captures, so a sector is solved together with its mirror image, after those with fewer stones. In
the placing phase every turn leads to a sector with one stone less in hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from shutil import disk_usage
from typing import TYPE_CHECKING, Protocol

from spielwerk.engines.interface import EngineError
from spielwerk.games.morris.engine.cores import Cores
from spielwerk.games.morris.engine.gpu import Gpu
from spielwerk.games.morris.engine.index import (
    FEWEST,
    Sector,
    moving_sectors,
    placing_sectors,
    sector_size,
)
from spielwerk.games.morris.engine.sectors import (
    Values,
    find_folder,
    is_solved,
    load_sector,
    own_folder,
)

if TYPE_CHECKING:
    from pathlib import Path

Report = Callable[[float], None]
"""Told which share of the sectors at hand is done."""

Below = Callable[[Sector], Values]
"""The values of a sector that is solved."""

Progress = Callable[[str, float, float | None], None]
"""Told the sector at hand, the share of all work that is done, and the seconds that are left."""


class SectorSolver(Protocol):
    """What solves sectors and keeps them."""

    def solve(self, sectors: list[Sector], report: Report) -> None:
        """Solve these together, and write them or see to it that they will be written."""

    def finish(self) -> None:
        """Wait until all is written."""

    def close(self) -> None:
        """Stop, whatever is not yet done."""


def jobs(up_to: Sector) -> list[list[Sector]]:
    """What is solved together, in order; with equal numbers of stones the placing phase, too."""
    pairs = [sector for sector in moving_sectors(up_to) if sector.mover >= sector.opponent]
    placing = placing_sectors(up_to.mover) if up_to.mover == up_to.opponent else []
    moving = [[sector, sector.mirror][: 1 + (sector.mirror != sector)] for sector in pairs]
    return moving + [[sector] for sector in placing]


class SolvedFiles:
    """Sectors as they lie on the disk, each checked when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[Sector, Values] = {}

    def __call__(self, sector: Sector) -> Values:
        """The values of a sector, or EngineError."""
        if sector not in self._open:
            place = find_folder(self._folder, sector)
            if place is None:
                raise EngineError(f"sector {sector} has vanished from {self._folder}")
            self._open[sector] = load_sector(place, sector)
        return self._open[sector]


PLACING, MOVING, FLYING = 1.0, 4.0, 11.0
"""How long a board takes on cores, where it is placed, moved, and flown by a player of three."""


def _cost(job: list[Sector]) -> float:
    """About how long a job takes, in no unit."""
    moving = FLYING if FEWEST in job[0][:2] else MOVING
    return (PLACING if job[0].hands else moving) * sum(map(sector_size, job))


def solve(
    up_to: Sector,
    progress: Progress = lambda _what, _share, _left: None,
    folder: Path | None = None,
    *,
    threads: int = 1,
    gpu: bool = False,
) -> None:
    """Solve all sectors up to this one that are not yet solved.

    Each is saved as soon as it is finished, so an interrupted run goes on where it was.
    """
    folder = folder or own_folder()
    left = unsolved(up_to, folder)
    files = SolvedFiles(folder)
    solver: SectorSolver = Gpu(folder, files) if gpu else Cores(folder, files, threads)
    clock = WorkClock(left, progress)
    try:
        for job in left:
            solver.solve(job, partial(clock.report, job))
            clock.finish(job)
        solver.finish()
    finally:
        solver.close()


def unsolved(up_to: Sector, folder: Path) -> list[list[Sector]]:
    """The jobs that are left; EngineError if the folder has no room for what they find."""
    folder.mkdir(parents=True, exist_ok=True)
    left = [job for job in jobs(up_to) if not is_solved(folder, *job)]
    needed = sum(sector_size(sector) for job in left for sector in job)
    free = disk_usage(folder).free
    if needed > free:
        raise EngineError(
            f"{folder} has room for {free / 1e9:.1f} GB, and what is to be solved takes "
            f"{needed / 1e9:.1f} GB; name another folder with SPIELWERK_DATA"
        )
    return left


class WorkClock:
    """How much of the work is done, and how long the rest will take at the pace so far."""

    def __init__(self, left: list[list[Sector]], progress: Progress) -> None:
        self._total = sum(map(_cost, left))
        self._done = 0.0
        self._progress = progress
        self._began = time.monotonic()

    def report(self, job: list[Sector], share: float) -> None:
        """So much of the job at hand is done."""
        self.tell(str(job[0]), share * _cost(job))

    def tell(self, what: str, begun: float = 0.0) -> None:
        """Pass on what is at hand, with so much done besides the finished jobs."""
        done = self._done + begun
        spent = time.monotonic() - self._began
        seconds = spent * (self._total - done) / done if done else None
        self._progress(what, done / self._total, seconds)

    def finish(self, job: list[Sector]) -> None:
        """All of it is."""
        self._done += _cost(job)
