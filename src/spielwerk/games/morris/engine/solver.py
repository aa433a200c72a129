"""Solving the sectors of the moving phase, and counting what is won; see `retrograde`.

A board (w, b) to move leads to (b, w) by quiet turns and to (b - 1, w) or (b - 2, w) by captures,
so a sector is solved together with its mirror image, after those with fewer stones.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
    Classes,
    Sector,
    Values,
    classes_of,
    find_sector,
    own_folder,
    save_sector,
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


SLICES: Final = 64
"""So many parts of a sector's classes are shared among the threads."""


class _Side(NamedTuple):
    """One of two mirrored sectors while they are solved."""

    sector: Sector
    values: Values
    classes: Classes


_NO_VALUES: Final = np.zeros(0, np.int8)
_NO_CLASSES: Final = np.zeros(0, np.int32)


def solve(
    up_to: Sector,
    progress: Progress = lambda _sector, _share: None,
    folder: Path | None = None,
    *,
    threads: int = 1,
) -> None:
    """Solve all sectors up to this one that are not yet solved.

    Each pair of sectors is saved as soon as it is finished, so an interrupted run goes on where it
    was.
    """
    folder = folder or own_folder()
    with ThreadPoolExecutor(threads) as pool:
        for sector in sectors_up_to(up_to):
            pair = {sector, sector[::-1]}
            solved = all(find_sector(folder, one) is not None for one in pair)
            if sector[0] >= sector[1] and not solved:
                for side in _solved_pair(sector, folder, progress, pool):
                    save_sector(folder, side.sector, side.values)


def stats(sector: Sector, folder: Path | None = None) -> Stats | None:
    """Wins, draws and losses of a sector, or None if it is not solved."""
    values = find_sector(folder or own_folder(), sector)
    if values is None:
        return None
    weights = classes_of(sector[0]).sizes.astype(np.int64)
    by_class = values.reshape(len(weights), comb(24 - sector[0], sector[1]))
    wins = int(weights @ (by_class > 0).sum(axis=1))
    losses = int(weights @ (by_class < 0).sum(axis=1))
    return Stats(wins, int(weights.sum()) * by_class.shape[1] - wins - losses, losses)


def _solved_pair(
    sector: Sector, folder: Path, progress: Progress, pool: ThreadPoolExecutor
) -> list[_Side]:
    """The sector and, if it is another one, its mirror image, solved."""
    progress(sector, 0.0)
    sides = [_started(sector, folder, pool)]
    if sector[0] != sector[1]:
        sides.append(_started(sector[::-1], folder, pool))
    directions = [(sides[0], sides[-1]), (sides[-1], sides[0])][: len(sides)]
    for level in range(1, SURE):
        progress(sector, level / SURE)
        if not _settle_level(directions, SURE + 1 - level, pool):
            break
    for side in sides:
        side.values[side.values <= SAFE] = 0
    progress(sector, 1.0)
    return sides


def _started(sector: Sector, folder: Path, pool: ThreadPoolExecutor) -> _Side:
    """The sector as far as captures and blockades decide it."""
    mover, opponent = sector
    side = _Side(sector, np.empty(sector_size(sector), np.int8), classes_of(mover))
    below = *_below((opponent - 1, mover), folder), *_below((opponent - 2, mover), folder)
    _shared(pool, side, begin, opponent, side.values, side.classes.sets, *below)
    return side


def _below(sector: Sector, folder: Path) -> tuple[Values, NDArray[np.int32]]:
    """What is needed to look a sector up after a capture; nothing if it ends the game."""
    if sector[0] < FEWEST:
        return _NO_VALUES, _NO_CLASSES
    values = find_sector(folder, sector)
    if values is None:
        raise EngineError(f"sector {sector[0]}-{sector[1]} has vanished from {folder}")
    return values, classes_of(sector[0]).of_rank


def _settle_level(
    directions: list[tuple[_Side, _Side]], last: int, pool: ThreadPoolExecutor
) -> int:
    """Settle the boards one turn before those worth `last`; how many of those there were."""
    lost = sum(_reached(side, before, -last, last - 1, pool) for side, before in directions)
    won = sum(_reached(side, before, last, TOUCHED, pool) for side, before in directions)
    for after, side in directions:
        here = last, side.sector[1], side.values, side.classes.sets
        _shared(pool, side, settle_losses, *here, after.values, after.classes.of_rank)
    return lost + won


def _reached(side: _Side, before: _Side, wanted: int, mark: int, pool: ThreadPoolExecutor) -> int:
    """Mark what leads to the boards of the wanted value; how many of them there are."""
    here = wanted, mark, side.sector[1], side.values, side.classes.sets
    there = before.values, before.classes.of_rank, before.classes.stabilisers
    return _shared(pool, side, reach_back, *here, *there)


def _shared(
    pool: ThreadPoolExecutor, side: _Side, work: Callable[..., int | None], *arguments: Any
) -> int:
    """Run the kernel on slices of the side's classes; the sum of what it returns."""
    total = len(side.classes.sets)
    bounds = np.linspace(0, total, min(total, SLICES) + 1).astype(int).tolist()
    parts = [pool.submit(work, *part, *arguments) for part in pairwise(bounds)]
    return sum(part.result() or 0 for part in parts)
