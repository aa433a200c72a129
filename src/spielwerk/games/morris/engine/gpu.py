"""Solving sectors with a CUDA device through CuPy (extra `gpu`); the kernels are in `morris.cu`.

The sectors that are needed later stay on the device, at most 17 GB of them, while threads write the
files. Every board of the moving phase is looked at once more when its sector is solved: it must be
worth what its turns say.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from spielwerk.engines.interface import EngineError
from spielwerk.games.morris.engine.board import NEAR, PAIRS, TURNED
from spielwerk.games.morris.engine.index import (
    CHOOSE,
    MOST,
    Sector,
    board_count,
    classes_of,
    places_of,
    sector_size,
)
from spielwerk.games.morris.engine.retrograde import SAFE, SURE, TOUCHED
from spielwerk.games.morris.engine.sectors import Stats, save_sector

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from spielwerk.games.morris.engine.solver import Below, Report

THREADS: Final = 256  # of a block
TILE: Final = 16 * THREADS  # boards that a block scans at a time
BLOCKS: Final = 4096
WRITERS: Final = min(16, os.cpu_count() or 1)


class NoGpu(EngineError):
    """Why no CUDA device can be used."""


def _cupy() -> Any:
    """CuPy, with a device it can use."""
    try:
        import cupy
    except ImportError:
        raise NoGpu("CuPy is not installed: pip install 'spielwerk[gpu]'") from None
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise NoGpu(f"there is no CUDA device: {error}") from None
    return cupy


def source() -> str:
    """The kernels with the numbers of the board in front of them."""
    starts = np.cumsum([0, *(CHOOSE[24, stones] for stones in range(MOST))])
    numbers = {
        "unsigned char TURNED": TURNED,
        "int CHOOSE": CHOOSE[:, : MOST + 1],
        "unsigned int NEAR": NEAR,
        "unsigned int PAIRS": PAIRS,
        "int CLASS_STARTS": starts,
    }
    arrays = [
        f"__device__ const {name}[] = {{{', '.join(map(str, array.ravel().tolist()))}}};"
        for name, array in numbers.items()
    ]
    marks = f"enum {{ SURE = {SURE}, SAFE = {SAFE}, TOUCHED = {TOUCHED}, TILE = {TILE} }};"
    return "\n".join([*arrays, marks, Path(__file__).with_name("morris.cu").read_text("utf-8")])


class Gpu:
    """Solves sectors on the first CUDA device, and writes them to the folder."""

    def __init__(self, folder: Path, below: Below) -> None:
        self._cupy = _cupy()
        self._folder = folder
        self._below = below
        self._kernels = self._cupy.RawModule(code=source())
        self._of_rank = self._cupy.asarray(
            np.concatenate([classes_of(stones).of_rank for stones in range(MOST + 1)])
        )
        self._constants: dict[int, Any] = {}
        self._tables: dict[Sector, Any] = {}
        self._pool = ThreadPoolExecutor(WRITERS)
        self._writing: list[Future[None]] = []

    def finish(self) -> None:
        """Wait until all is written."""
        for written in self._writing:
            written.result()

    def close(self) -> None:
        """Wait for the files that are begun, not for the others."""
        self._pool.shutdown(cancel_futures=True)

    def solve(self, sectors: list[Sector], report: Report) -> None:
        """Solve a sector of the placing phase, or one of the moving phase with its mirror image."""
        report(0.0)
        try:
            self._solve(sectors)
        except self._cupy.cuda.memory.OutOfMemoryError as error:
            raise NoGpu(f"its memory is too small: {error}") from None

    def _solve(self, sectors: list[Sector]) -> None:
        self._forget(sectors[0].hands - 1)
        for sector in sectors:
            room = -(-sector_size(sector) // TILE) * TILE
            self._tables[sector] = self._cupy.zeros(room, np.int8)
        if sectors[0].hands:
            after = self._after(sectors[0], 0, 1, 2)
            self._run("place", *self._boards(sectors[0]), sectors[0].fewest, *after, self._of_rank)
        else:
            self._move(sectors)
        for sector in sectors:
            self._write(sector)

    def _forget(self, hands: int) -> None:
        """Drop the sectors that no turn from here on leads to."""
        self._tables = {one: found for one, found in self._tables.items() if one.hands >= hands}

    def _table(self, sector: Sector) -> Any:
        if sector not in self._tables:
            self._tables[sector] = self._cupy.asarray(self._below(sector))
        return self._tables[sector]

    def _after(self, sector: Sector, *captures: int) -> list[Any]:
        """Where turns lead that capture so many; an address of nothing if they end the game."""
        return [
            np.uintp(0)
            if sector.opponent - taken < sector.fewest
            else self._table(sector.after(taken))
            for taken in captures
        ]

    def _constant(self, array: NDArray[np.int32]) -> Any:
        """What is computed once and never dropped, on the device."""
        if id(array) not in self._constants:
            self._constants[id(array)] = self._cupy.asarray(array)
        return self._constants[id(array)]

    def _boards(self, sector: Sector, *, tiles: bool = False) -> tuple[Any, ...]:
        """How many there are, their values, and what turns a number into a board."""
        places = places_of(24 - sector.mover, sector.opponent)
        size = self._tables[sector].size // TILE if tiles else sector_size(sector)
        sets = self._constant(classes_of(sector.mover).sets)
        return (
            np.uint32(size),
            self._tables[sector],
            sets,
            self._constant(places),
            np.uint32(len(places)),
        )

    def _run(self, kernel: str, *arguments: Any) -> None:
        plain = [np.int32(value) if isinstance(value, int) else value for value in arguments]
        self._kernels.get_function(kernel)((BLOCKS,), (THREADS,), tuple(plain))

    def _move(self, sectors: list[Sector]) -> None:
        for sector in sectors:
            after = self._after(sector, 1, 2)
            self._run("begin", *self._boards(sector), sector.fewest, *after, self._of_rank)
        found = self._cupy.zeros(1, np.uint64)
        for last in range(SURE, 1, -1):
            found.fill(0)
            for wanted, mark in ((-last, last - 1), (last, TOUCHED)):
                for sector in sectors:
                    self._reach(sector, wanted, mark, found)
            for sector in sectors:
                here = *self._boards(sector, tiles=True), last
                self._run("settle_losses", *here, self._tables[sector.mirror], self._of_rank)
            if not int(found[0]):
                break
        for sector in sectors:
            self._run("clear_marks", np.uint32(sector_size(sector)), self._tables[sector])
        for sector in sectors:
            self.check(sector)

    def _reach(self, sector: Sector, wanted: int, mark: int, found: Any) -> None:
        """Mark what leads to the boards of the wanted value, and count them."""
        here = *self._boards(sector, tiles=True), wanted, mark
        stabilisers = self._constant(classes_of(sector.opponent).stabilisers)
        there = self._tables[sector.mirror], self._of_rank, stabilisers
        self._run("reach_back", *here, *there, found)

    def check(self, sector: Sector) -> None:
        """Whether every board of a sector is worth what its turns say; EngineError if not."""
        wrong = self._cupy.zeros(1, np.uint64)
        after = self._after(sector, 0, 1, 2)
        here = *self._boards(sector), sector.hands, sector.fewest
        self._run("check", *here, *after, self._of_rank, wrong)
        if int(wrong[0]):
            raise EngineError(f"sector {sector}: {int(wrong[0])} boards contradict their turns")

    def _write(self, sector: Sector) -> None:
        """Let a thread write the sector; not too many wait for that at a time."""
        counts = self._cupy.zeros(2, np.uint64)
        size, values, _sets, _places, width = self._boards(sector)
        sizes = self._constant(classes_of(sector.mover).sizes)
        self._run("tally", size, values, sizes, width, counts)
        wins, losses = (int(count) for count in counts.get())
        found = Stats(wins, board_count(sector) - wins - losses, losses)
        if len(self._writing) >= 2 * WRITERS:
            self._writing.pop(0).result()
        self._writing.append(self._pool.submit(self._save, sector, values, found))

    def _save(self, sector: Sector, values: Any, found: Stats) -> None:
        stream = self._cupy.cuda.Stream(non_blocking=True)
        host = values[: sector_size(sector)].get(stream=stream)
        save_sector(self._folder, sector, host, found)
