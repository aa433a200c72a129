"""The files of the solved sectors: one file a sector, one signed byte a board.

A file's content is the sector's bytes in the order of `index`, as they are or packed with xz; its
header says which. The sectors 3-3 to 4-4 come with the package, others lie in the user's folder.
"""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spielwerk.engines.tables import TableError, data_folder, read_table, write_table
from spielwerk.games.morris.engine.index import FEWEST, MOST, Sector, classes_of, sector_size

KIND: Final = "morris"
VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("shipped")

Values = NDArray[np.int8]


def own_folder() -> Path:
    """Where the user's solved sectors are kept."""
    return data_folder() / KIND


def sector_path(folder: Path, sector: Sector) -> Path:
    """The file of a sector in a folder."""
    return folder / f"morris-{sector[0]}-{sector[1]}.table"


def save_sector(folder: Path, sector: Sector, values: Values, *, packed: bool = False) -> None:
    """Write the file of a sector."""
    content = lzma.compress(values.tobytes(), preset=9) if packed else values.tobytes()
    facts = {"mover": sector[0], "opponent": sector[1], "packing": "xz" if packed else "none"}
    write_table(sector_path(folder, sector), KIND, VERSION, facts, content)


def load_sector(folder: Path, sector: Sector) -> Values:
    """The values of a sector, or TableError."""
    path = sector_path(folder, sector)
    facts, content = read_table(path, KIND, VERSION)
    if (facts.get("mover"), facts.get("opponent")) != sector:
        raise TableError(path, f"it holds sector {facts.get('mover')}-{facts.get('opponent')}")
    if facts.get("packing") == "xz":
        content = _unpacked(path, content)
    if len(content) != sector_size(sector):
        raise TableError(path, f"damaged: {len(content)} boards, not {sector_size(sector)}")
    return np.frombuffer(content, np.int8)


def _unpacked(path: Path, content: bytes) -> bytes:
    try:
        return lzma.decompress(content)
    except lzma.LZMAError as error:
        raise TableError(path, f"damaged: {error}") from None


def find_sector(folder: Path, sector: Sector, fallback: Path = SHIPPED) -> Values | None:
    """The values from the folder or else from the package; None if nobody has solved them."""
    place = _place_of(folder, sector, fallback)
    return None if place is None else load_sector(place, sector)


def _place_of(folder: Path, sector: Sector, fallback: Path) -> Path | None:
    places = (place for place in (folder, fallback) if sector_path(place, sector).exists())
    return next(places, None)


def sectors_up_to(last: Sector) -> list[Sector]:
    """The sectors that a game can reach from this one, those with the fewest stones first."""
    more, fewer = max(last), min(last)
    every = [(m, o) for m in range(FEWEST, MOST + 1) for o in range(FEWEST, MOST + 1)]
    return sorted((s for s in every if max(s) <= more and min(s) <= fewer), key=_by_stones)


def _by_stones(sector: Sector) -> tuple[int, int, Sector]:
    return sum(sector), max(sector), sector


class SolvedSectors:
    """All solved sectors in one array that kernels can look into, those of few stones first."""

    def __init__(self, folder: Path | None = None, most_bytes: int = 1 << 28) -> None:
        self.starts = np.full((MOST + 1, MOST + 1), -1, np.int64)
        self.class_starts = np.full(MOST + 1, -1, np.int64)
        self.values, found = self._gather(folder or own_folder(), most_bytes)
        self.classes = self._gather_classes(found)

    def _gather(self, folder: Path, most_bytes: int) -> tuple[Values, list[Sector]]:
        parts: list[Values] = []
        found: list[Sector] = []
        size = 0
        for sector in sectors_up_to((MOST, MOST)):
            place = _place_of(folder, sector, SHIPPED)
            if place and size + sector_size(sector) <= most_bytes:
                parts.append(load_sector(place, sector))
                found.append(sector)
                self.starts[sector] = size
                size += parts[-1].size
        return np.concatenate([*parts, np.zeros(1, np.int8)]), found

    def _gather_classes(self, found: list[Sector]) -> NDArray[np.int32]:
        parts = [np.zeros(1, np.int32)]
        size = 1
        for stones in sorted({mover for mover, _ in found}):
            self.class_starts[stones] = size
            parts.append(classes_of(stones).of_rank)
            size += parts[-1].size
        return np.concatenate(parts)
