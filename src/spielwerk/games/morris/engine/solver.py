"""Solving the game: which sectors, in which order, and how long it will take.

A board (m, o) of the moving phase leads to (o, m) by quiet turns and to (o - 1, m) or (o - 2, m) by
captures, so a sector is solved together with its mirror image, after those with fewer stones. In
the placing phase every turn leads to a sector with one stone less in hand.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.engines.interface import EngineError
from spielwerk.games.morris.engine.cores import Cores
from spielwerk.games.morris.engine.index import (
    Sector,
    moving_sectors,
    placing_sectors,
    sector_size,
)
from spielwerk.games.morris.engine.sectors import Values, find_folder, load_sector, own_folder

if TYPE_CHECKING:
    from pathlib import Path

Report = Callable[[float], None]
"""Told which share of the sectors at hand is done."""

Below = Callable[[Sector], Values]
"""The values of a sector that is solved."""

Progress = Callable[[Sector, float, float | None], None]
"""Told the sector at hand, the share of all work that is done, and the seconds that are left."""


class SectorSolver(Protocol):
    """What solves sectors and keeps them."""

    def solve(self, sectors: list[Sector], report: Report) -> None:
        """Solve these together, and write them or see to it that they will be written."""

    def close(self) -> None:
        """Write what is not yet written, and stop."""


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


MOVING_COST: Final = 1.0
PLACING_COST: Final = 1.0


def _cost(job: list[Sector]) -> float:
    """About how long a job takes, in no unit."""
    each = PLACING_COST if job[0].hands else MOVING_COST
    return each * sum(map(sector_size, job))


def solve(
    up_to: Sector,
    progress: Progress = lambda _sector, _share, _left: None,
    folder: Path | None = None,
    *,
    threads: int = 1,
) -> None:
    """Solve all sectors up to this one that are not yet solved.

    Each is saved as soon as it is finished, so an interrupted run goes on where it was.
    """
    folder = folder or own_folder()
    every = jobs(up_to)
    left = [job for job in every if any(find_folder(folder, one) is None for one in job)]
    total = sum(map(_cost, every))
    before = done = total - sum(map(_cost, left))
    began = time.monotonic()
    solver: SectorSolver = Cores(folder, SolvedFiles(folder), threads)

    def report(job: list[Sector], share: float) -> None:
        now = done + share * _cost(job)
        spent = time.monotonic() - began
        seconds = spent * (total - now) / (now - before) if now > before else None
        progress(job[0], now / total, seconds)

    try:
        for job in left:
            report(job, 0.0)
            solver.solve(job, lambda share, job=job: report(job, share))
            done += _cost(job)
    finally:
        solver.close()


def usual_threads() -> int:
    """As many as this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
