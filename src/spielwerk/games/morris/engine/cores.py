"""Solving sectors with the threads of this machine; see `retrograde` for the kernels.

A sector of the moving phase is solved together with its mirror image: a quiet turn leads from one
to the other. Both lie in memory while they are solved, two bytes a board at most; what their
captures lead to is read from the disk.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from spielwerk.games.morris.engine.index import Classes, Sector, classes_of, places_of, sector_size
from spielwerk.games.morris.engine.retrograde import (
    LANES,
    SAFE,
    SURE,
    TOUCHED,
    begin,
    place,
    reach_back,
    settle_losses,
)
from spielwerk.games.morris.engine.sectors import Values, save_sector, tally

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.games.morris.engine.solver import Below, Report

SLICE: Final = 1 << 20
"""So many boards are a thread's share at a time: it is soon stopped."""

FIRST: Final = 0.8
"""The first level takes about this share of the time of a sector where stones move."""


class _Side(NamedTuple):
    """A sector while it is solved; its bytes have room for whole words."""

    sector: Sector
    values: Values
    classes: Classes
    places: NDArray[np.int32]

    @classmethod
    def of(cls, sector: Sector) -> _Side:
        """One of which nothing is known."""
        room = -(-sector_size(sector) // LANES) * LANES
        return cls(
            sector,
            np.zeros(room, np.int8),
            classes_of(sector.mover),
            places_of(24 - sector.mover, sector.opponent),
        )

    @property
    def boards(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """What turns a number into a board."""
        return self.classes.sets, self.places

    @property
    def words(self) -> NDArray[np.uint64]:
        """The same bytes, several at a time."""
        return self.values.view(np.uint64)


def _report_first(report: Report, number: int, sides: int, share: float) -> None:
    """So much of the first level is done on one of the sides."""
    report(FIRST * (number + share) / sides)


class Cores:
    """Solves sectors with so many threads, and writes them to the folder."""

    def __init__(self, folder: Path, below: Below, threads: int) -> None:
        self._folder = folder
        self._below = below
        self._pool = ThreadPoolExecutor(threads)

    def finish(self) -> None:
        """Nothing is left: sectors are written when they are solved."""

    def close(self) -> None:
        """Wait for the slices that are begun, not for the others."""
        self._pool.shutdown(cancel_futures=True)

    def solve(self, sectors: list[Sector], report: Report) -> None:
        """Solve a sector of the placing phase, or one of the moving phase with its mirror image."""
        sides = [_Side.of(sector) for sector in sectors]
        if sectors[0].hands:
            self._place(sides[0], report)
        else:
            self._move(sides, report)
        for side in sides:
            values = side.values[: sector_size(side.sector)]
            save_sector(self._folder, side.sector, values, tally(side.sector, values))

    def _after(self, sector: Sector, captures: int) -> tuple[Values, NDArray[np.int32]]:
        """What is needed to look up where a turn leads; nothing if it ends the game."""
        if sector.opponent - captures < sector.fewest:
            return np.zeros(0, np.int8), np.zeros(0, np.int32)
        after = sector.after(captures)
        return self._below(after), classes_of(after.mover).of_rank

    def _place(self, side: _Side, report: Report) -> None:
        mover, opponent, _ = side.sector
        sets, places = classes_of(opponent).sets, places_of(24 - opponent, mover)
        here = side.values, side.classes.of_rank, side.classes.stabilisers
        after, _ = self._after(side.sector, 0)
        below = [part for taken in (1, 2) for part in self._after(side.sector, taken)]
        arguments = sets, places, *here, side.sector.fewest, after, *below
        self._share(len(sets) * len(places), place, *arguments, report=report)

    def _move(self, sides: list[_Side], report: Report) -> None:
        for number, side in enumerate(sides):
            below = [part for taken in (1, 2) for part in self._after(side.sector, taken)]
            here = side.values, *side.boards, side.sector.fewest
            part = partial(_report_first, report, number, len(sides))
            self._share(sector_size(side.sector), begin, *here, *below, report=part)
        directions = [(sides[0], sides[-1]), (sides[-1], sides[0])][: len(sides)]
        for level in range(1, SURE):
            report(FIRST + (1 - FIRST) * level / SURE)
            if not self._settle_level(directions, SURE + 1 - level):
                break
        for side in sides:
            for start in range(0, side.values.size, SLICE):  # not all at once: it takes memory
                values = side.values[start : start + SLICE]
                values[values <= SAFE] = 0

    def _settle_level(self, directions: list[tuple[_Side, _Side]], last: int) -> int:
        """Settle the boards one turn before those worth `last`; how many of those there were."""
        lost = sum(self._reach(side, before, -last, last - 1) for side, before in directions)
        won = sum(self._reach(side, before, last, TOUCHED) for side, before in directions)
        for after, side in directions:
            there = after.values, after.classes.of_rank
            here = side.words, *side.boards, side.values
            self._share(side.values.size, settle_losses, *here, last, *there)
        return lost + won

    def _reach(self, side: _Side, before: _Side, wanted: int, mark: int) -> int:
        """Mark what leads to the boards of the wanted value; how many of them there are."""
        there = before.values, before.classes.of_rank, before.classes.stabilisers
        here = side.words, *side.boards
        return self._share(side.values.size, reach_back, *here, wanted, mark, *there)

    def _share(
        self,
        size: int,
        work: Callable[..., int | None],
        *arguments: Any,
        report: Report = lambda _share: None,
    ) -> int:
        """Run the kernel on slices of so many boards; the sum of what it returns."""
        bounds = [*range(0, size, SLICE), size]
        parts = [self._pool.submit(work, *part, *arguments) for part in pairwise(bounds)]
        total = 0
        for number, part in enumerate(parts, 1):
            total += part.result() or 0
            report(number / len(parts))
        return total
