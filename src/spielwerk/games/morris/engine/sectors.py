"""The files of the solved sectors, one a sector, and where the engine finds them.

A file has one signed byte a board in the order of `index`, as they are or packed in blocks; its
header says which, and how many boards are won, drawn and lost. The sectors 3-3 to 4-4 of the moving
phase come with the package, others lie in the user's folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import EngineError
from spielwerk.engines.tables import TableFileError, data_folder, map_table, write_table
from spielwerk.games.morris.engine.index import (
    MOST,
    Sector,
    board_count,
    classes_of,
    find_number,
    moving_sectors,
    placing_sectors,
    sector_size,
)
from spielwerk.games.morris.engine.packing import PackedValues, pack

if TYPE_CHECKING:
    from concurrent.futures import Executor

KIND: Final = "morris"
VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("shipped")
SMALL: Final = 1 << 22
"""The engine checks and unpacks sectors of so many boards when it opens them, and no others."""

Values = NDArray[np.int8]


class Stats(NamedTuple):
    """Boards of a sector by the result for the player to move, at count 0, symmetric ones apart."""

    wins: int
    draws: int
    losses: int


def own_folder() -> Path:
    """Where the user's solved sectors are kept."""
    return data_folder() / KIND


def sector_path(folder: Path, sector: Sector) -> Path:
    """The file of a sector in a folder."""
    return folder / f"morris-{str(sector).replace(' ', '-')}.table"


def save_sector(folder: Path, sector: Sector, values: Values, found: Stats) -> None:
    """Write the file of a sector, and remove what a killed process has written of it."""
    facts = {**sector._asdict(), **found._asdict(), "packing": "none"}
    path = sector_path(folder, sector)
    write_table(path, KIND, VERSION, facts, values.data)
    for unfinished in folder.glob(f".{path.name}.*"):
        unfinished.unlink(missing_ok=True)


def pack_sector(folder: Path, sector: Sector, pool: Executor) -> None:
    """Replace the file of a sector by a packed one, which takes its place when it is whole."""
    values = open_sector(folder, sector)
    if isinstance(values, np.ndarray):
        facts, _ = _read(folder, sector, checked=False)
        facts |= {"packing": "blocks", "unpacked": facts.pop("sha256")}
        write_table(sector_path(folder, sector), KIND, VERSION, facts, pack(values, pool))


def _read(folder: Path, sector: Sector, *, checked: bool) -> tuple[dict[str, Any], memoryview]:
    """The header and the content of a sector's file, or TableFileError."""
    path = sector_path(folder, sector)
    facts, content = map_table(path, KIND, VERSION, checked=checked)
    said = Sector(facts.get("mover", 0), facts.get("opponent", 0), facts.get("hands", 0))
    if said != sector:
        raise TableFileError(path, f"it holds sector {said}")
    if not facts.keys() >= {*Stats._fields, "packing"}:
        raise TableFileError(path, "it counts no results, as it is old; delete it and solve anew")
    return facts, content


def open_sector(folder: Path, sector: Sector, *, checked: bool = True) -> Values | PackedValues:
    """The values of a sector, left on the disk, or TableFileError."""
    path = sector_path(folder, sector)
    facts, content = _read(folder, sector, checked=checked)
    if facts["packing"] == "blocks":
        return PackedValues(path, content, sector_size(sector))
    if len(content) != sector_size(sector):
        raise TableFileError(path, f"damaged: {len(content)} boards, not {sector_size(sector)}")
    return np.frombuffer(content, np.int8)


def load_sector(folder: Path, sector: Sector) -> Values:
    """The same, unpacked."""
    values = open_sector(folder, sector)
    return values.unpacked() if isinstance(values, PackedValues) else values


def every_sector() -> list[Sector]:
    """All sectors of the game, those that others lead to first."""
    return [*moving_sectors(Sector(MOST, MOST)), *placing_sectors(MOST)]


def own_sectors(folder: Path) -> list[Sector]:
    """Those that are solved in this folder."""
    return [sector for sector in every_sector() if sector_path(folder, sector).exists()]


def find_folder(folder: Path, sector: Sector) -> Path | None:
    """This folder or that of the package, where the sector is; None if it is not solved."""
    places = (place for place in (folder, SHIPPED) if sector_path(place, sector).exists())
    return next(places, None)


def is_solved(folder: Path, *sectors: Sector) -> bool:
    """Whether all of these are in the folder or in the package."""
    return all(find_folder(folder, sector) for sector in sectors)


@kernel
def _tally(values: Values, width: int, weights: NDArray[np.int64]) -> tuple[int, int]:
    wins = losses = 0
    for number in range(weights.size):
        won = lost = 0
        for board in range(number * width, (number + 1) * width):
            won += values[board] > 0
            lost += values[board] < 0
        wins += won * weights[number]
        losses += lost * weights[number]
    return wins, losses


def tally(sector: Sector, values: Values) -> Stats:
    """Count the boards of a sector."""
    weights = classes_of(sector.mover).sizes.astype(np.int64)
    wins, losses = _tally(values, len(values) // len(weights), weights)
    return Stats(wins, board_count(sector) - wins - losses, losses)


def stats(sector: Sector, folder: Path | None = None) -> tuple[Stats, str] | None:
    """The results in a sector and its file's checksum before it was packed; None if not solved."""
    place = find_folder(folder or own_folder(), sector)
    if place is None:
        return None
    facts, _ = _read(place, sector, checked=False)
    found = Stats(facts["wins"], facts["draws"], facts["losses"])
    return found, facts.get("unpacked", facts["sha256"])


def result_at(value: int, quiet: int) -> int:
    """1, 0 or -1 for the player to move, as the byte says for this count."""
    return 0 if quiet >= abs(value) else (value > 0) - (value < 0)


class SolvedSectors:
    """All solved sectors, left on the disk, and the addresses by which kernels look into them.

    Kernels do not see large packed ones.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.addresses = np.zeros((2 * MOST + 1, MOST + 1, MOST + 1), np.int64)
        self._values = self._open(folder or own_folder())
        self.class_starts = np.zeros(MOST + 1, np.int64)
        self.classes = self._gather_classes({sector.mover for sector in self._values})

    def _open(self, folder: Path) -> dict[Sector, Values | PackedValues]:
        found: dict[Sector, Values | PackedValues] = {}
        for sector in every_sector():
            place = find_folder(folder, sector)
            if place is not None:
                small = sector_size(sector) <= SMALL
                values = found[sector] = (
                    load_sector(place, sector)
                    if small
                    else open_sector(place, sector, checked=False)
                )
                if isinstance(values, np.ndarray):
                    where = sector.hands, sector.mover, sector.opponent
                    self.addresses[where] = values.ctypes.data
        return found

    @property
    def sectors(self) -> list[Sector]:
        """Which are solved."""
        return list(self._values)

    def value(self, own: int, opponent: int, hands: int) -> int | None:
        """The byte of a board, or None where its sector is not solved."""
        sector = Sector(own.bit_count(), opponent.bit_count(), hands)
        values = self._values.get(sector)
        if values is None:
            return None
        return int(values[find_number(own, opponent, classes_of(sector.mover).of_rank)])

    def result(self, own: int, opponent: int, hands: int, quiet: int) -> int:
        """1, 0 or -1 for the player to move, when so many turns were quiet; or EngineError."""
        value = self.value(own, opponent, hands)
        if value is None:
            sector = Sector(own.bit_count(), opponent.bit_count(), hands)
            raise EngineError(f"sector {sector} is not solved")
        return result_at(value, quiet)

    def _gather_classes(self, sizes: set[int]) -> NDArray[np.int32]:
        parts = [np.zeros(1, np.int32)]
        for stones in sorted(sizes):
            self.class_starts[stones] = sum(part.size for part in parts)
            parts.append(classes_of(stones).of_rank)
        return np.concatenate(parts)
