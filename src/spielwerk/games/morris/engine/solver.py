"""Solving the sectors of the moving phase, and counting what is won; see `retrograde`.

A board (w, b) to move leads to (b, w) by quiet turns and to (b - 1, w) or (b - 2, w) by captures,
so a sector is solved together with its mirror image, after those with fewer stones.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from spielwerk.engines.interface import EngineError
from spielwerk.games.morris.engine.retrograde import (
    SAFE,
    SURE,
    TOUCHED,
    begin,
    reach_back,
    settle_losses,
)
from spielwerk.games.morris.engine.sectors import (
    FEWEST,
    MOST,
    SHIPPED,
    Classes,
    Sector,
    Values,
    classes_of,
    find_sector,
    own_folder,
    save_sector,
    sector_path,
    sector_size,
    sectors_up_to,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Progress = Callable[[Sector, float], None]
"""Told which sector is being solved and which share of its levels is done at least."""


class Stats(NamedTuple):
    """Boards of a sector by the result for the player to move, at count 0, symmetric ones apart."""

    wins: int
    draws: int
    losses: int


class _Side(NamedTuple):
    """One of two mirrored sectors while they are solved."""

    sector: Sector
    values: Values
    classes: Classes


class _Pool:
    """Threads that share the classes of a sector among them."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads)

    def over(self, side: _Side, work: Callable[[int, int], int | None]) -> int:
        """Run the work on slices of the side's classes; the sum of what it returns."""
        total = len(side.classes.sets)
        bounds = np.linspace(0, total, min(total, 8 * self._threads) + 1).astype(int).tolist()
        return sum(found or 0 for found in self._pool.map(work, bounds[:-1], bounds[1:]))

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()


_NO_VALUES: Final = np.zeros(0, np.int8)
_NO_CLASSES: Final = np.zeros(0, np.int32)


def solve(
    up_to: Sector,
    progress: Progress = lambda _sector, _share: None,
    folder: Path | None = None,
    *,
    threads: int = 1,
    packed: bool = False,
    anew: bool = False,
) -> list[Path]:
    """Solve all sectors up to this one that are not yet solved; the files that were written.

    Each pair of sectors is saved as soon as it is finished, so an interrupted run goes on where it
    was. With `anew` the tables that come with the package are not made use of.
    """
    _require_sector(up_to)
    folder = folder or own_folder()
    fallback = folder if anew else SHIPPED
    written: list[Path] = []
    pool = _Pool(threads)
    try:
        for sector in sectors_up_to(up_to):
            if sector[0] >= sector[1] and not _is_solved(sector, folder, fallback):
                for side in _solved_pair(sector, folder, fallback, progress, pool):
                    save_sector(folder, side.sector, side.values, packed=packed)
                    written.append(sector_path(folder, side.sector))
    finally:
        pool.close()
    return written


def stats(sector: Sector, folder: Path | None = None) -> Stats | None:
    """Wins, draws and losses of a sector, or None if it is not solved."""
    _require_sector(sector)
    values = find_sector(folder or own_folder(), sector)
    if values is None:
        return None
    weights = classes_of(sector[0]).sizes.astype(np.int64)
    by_class = values.reshape(len(weights), comb(24 - sector[0], sector[1]))
    wins = int(weights @ (by_class > 0).sum(axis=1))
    losses = int(weights @ (by_class < 0).sum(axis=1))
    return Stats(wins, int(weights.sum()) * by_class.shape[1] - wins - losses, losses)


def _require_sector(sector: Sector) -> None:
    if not all(FEWEST <= stones <= MOST for stones in sector):
        raise EngineError(
            f"sector {sector[0]}-{sector[1]}: a sector has {FEWEST} to {MOST} stones of each player"
        )


def _is_solved(sector: Sector, folder: Path, fallback: Path) -> bool:
    """Whether sound files of the sector and its mirror image are there."""
    found = (find_sector(folder, s, fallback) for s in (sector, sector[::-1]))
    return all(values is not None for values in found)


def _solved_pair(
    sector: Sector, folder: Path, fallback: Path, progress: Progress, pool: _Pool
) -> list[_Side]:
    """The sector and, if it is another one, its mirror image, solved."""
    progress(sector, 0.0)
    sides = [_started(sector, folder, fallback, pool)]
    if sector[0] != sector[1]:
        sides.append(_started(sector[::-1], folder, fallback, pool))
    directions = [(sides[0], sides[-1]), (sides[-1], sides[0])][: len(sides)]
    for level in range(1, SURE):
        progress(sector, level / SURE)
        if not _settle_level(directions, SURE + 1 - level, pool):
            break
    for side in sides:
        side.values[side.values <= SAFE] = 0
    progress(sector, 1.0)
    return sides


def _started(sector: Sector, folder: Path, fallback: Path, pool: _Pool) -> _Side:
    """The sector as far as captures and blockades decide it."""
    mover, opponent = sector
    side = _Side(sector, np.empty(sector_size(sector), np.int8), classes_of(mover))
    one_less, one_classes = _below((opponent - 1, mover), folder, fallback)
    two_less, two_classes = _below((opponent - 2, mover), folder, fallback)

    def work(first: int, last: int) -> None:
        below = one_less, one_classes, two_less, two_classes
        begin(first, last, opponent, side.values, side.classes.sets, *below)

    pool.over(side, work)
    return side


def _below(sector: Sector, folder: Path, fallback: Path) -> tuple[Values, NDArray[np.int32]]:
    """What is needed to look a sector up after a capture; nothing if it ends the game."""
    if sector[0] < FEWEST:
        return _NO_VALUES, _NO_CLASSES
    values = find_sector(folder, sector, fallback)
    if values is None:
        raise EngineError(f"sector {sector[0]}-{sector[1]} has vanished from {folder}")
    return values, classes_of(sector[0]).of_rank


def _settle_level(directions: list[tuple[_Side, _Side]], last: int, pool: _Pool) -> int:
    """Settle the boards one turn before those worth `last`; how many of those there were."""
    lost = sum(_reached(side, before, -last, last - 1, pool) for side, before in directions)
    won = sum(_reached(side, before, last, TOUCHED, pool) for side, before in directions)
    for after, side in directions:
        _settle_touched(side, after, last, pool)
    return lost + won


def _reached(side: _Side, before: _Side, wanted: int, mark: int, pool: _Pool) -> int:
    """Mark what leads to the boards of the wanted value; how many of them there are."""
    there = before.values, before.classes.of_rank, before.classes.stabilisers

    def work(first: int, last: int) -> int:
        here = side.sector[1], side.values, side.classes.sets
        return reach_back(first, last, wanted, mark, *here, *there)

    return pool.over(side, work)


def _settle_touched(side: _Side, after: _Side, least: int, pool: _Pool) -> None:
    there = after.values, after.classes.of_rank

    def work(first: int, last: int) -> None:
        here = side.sector[1], side.values, side.classes.sets
        settle_losses(first, last, least, *here, *there)

    pool.over(side, work)
