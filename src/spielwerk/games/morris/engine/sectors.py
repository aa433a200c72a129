"""The solved sectors: a number for every board of a sector, and one file a sector.

A sector (m, o) holds the boards of the moving phase with m stones of the player to move and o of
the opponent. The m-sets of fields fall into classes under the 16 symmetries; the smallest set of a
class represents it, and classes are numbered by their representatives. A board is turned so that
the mover's stones are a representative; its number is

    class * C(24 - m, o) + rank of the opponent's stones among the fields the mover leaves free

Ranks are colexicographic, which is the numerical order of the sets. Where a representative looks
the same from several sides, boards that are symmetric to each other have numbers of their own with
equal values: the array stays dense and a look-up needs no comparison.

A file has one signed byte a board in this order, as they are or packed with xz; its header says
which. The sectors 3-3 to 4-4 come with the package, others lie in the user's folder.
"""

from __future__ import annotations

import lzma
from functools import cache
from math import comb
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.engines.tables import TableFileError, data_folder, read_table, write_table
from spielwerk.games.morris.engine.board import FULL, SYMMETRIES, count, transformed

Sector = tuple[int, int]
FEWEST: Final = 3
MOST: Final = 9

CHOOSE: Final = np.array([[comb(n, k) for k in range(25)] for n in range(25)], np.int64)


def _rank(fields: int, start: int) -> int:
    """The rank that these fields add when `start` lower fields are in the set."""
    places = [p for p in range(24) if fields >> p & 1]
    return sum(comb(p, start + n) for n, p in enumerate(places, 1))


LOW_RANK: Final = np.array([_rank(low, 0) for low in range(4096)], np.int32)
HIGH_RANK: Final = np.array(
    [[_rank(high << 12, lower) for high in range(4096)] for lower in range(10)], np.int32
)


def _gathered(chosen: int, among: int) -> int:
    """The chosen bits that are in `among`, pushed together."""
    places = [p for p in range(8) if among >> p & 1]
    return sum(1 << n for n, p in enumerate(places) if chosen >> p & 1)


GATHERED: Final = np.array([[_gathered(c, a) for c in range(256)] for a in range(256)], np.int16)


@inlined
def rank(fields: int) -> int:
    """The rank of a set among all sets of as many fields (at most nine of them)."""
    low = fields & 4095
    return int(LOW_RANK[low]) + int(HIGH_RANK[count(low), fields >> 12])


@inlined
def gathered(fields: int, among: int) -> int:
    """The fields pushed together as if only the fields of `among` existed."""
    first = among & 255
    second = (among >> 8) & 255
    first_size = count(first)
    return (
        int(GATHERED[first, fields & 255])
        | (int(GATHERED[second, (fields >> 8) & 255]) << first_size)
        | (int(GATHERED[among >> 16, fields >> 16]) << (first_size + count(second)))
    )


@inlined
def scattered(fields: int, among: int) -> int:
    """The opposite of `gathered`."""
    result = 0
    while fields:
        place = among & -among
        if fields & 1:
            result |= place
        among ^= place
        fields >>= 1
    return result


@inlined
def following(fields: int) -> int:
    """The next set of as many fields, in the order of ranks."""
    lowest = fields & -fields
    ripple = fields + lowest
    return ripple | (((fields ^ ripple) >> 2) // lowest)


@inlined
def board_number(mover: int, opponent: int, opponents: int, classes: NDArray[np.int32]) -> int:
    """The number of a board in its sector; `classes` is that of the mover's stones."""
    found = int(classes[rank(mover)])
    symmetry = found & 15
    free = FULL & ~transformed(mover, symmetry)
    place = rank(gathered(transformed(opponent, symmetry), free))
    return (found >> 4) * int(CHOOSE[count(free), opponents]) + place


class Classes(NamedTuple):
    """The sets of as many fields under the symmetries."""

    of_rank: NDArray[np.int32]  # for each rank 16 * class + the symmetry that leads to the class
    sets: NDArray[np.int32]  # the representative of each class
    stabilisers: NDArray[np.int32]  # for each class, the symmetries that leave it as it is, as bits
    sizes: NDArray[np.int32]  # how many sets are in each class


@kernel
def _classify(size: int, of_rank: NDArray[np.int32], sets: NDArray[np.int32]) -> int:
    fields = (1 << size) - 1
    classes = 0
    for number in range(of_rank.size):
        smallest, symmetry = fields, 0
        for candidate in range(1, SYMMETRIES):
            image = transformed(fields, candidate)
            if image < smallest:
                smallest, symmetry = image, candidate
        if smallest == fields:
            sets[classes] = fields
            of_rank[number] = classes << 4
            classes += 1
        else:  # the smaller set has come before
            of_rank[number] = (of_rank[rank(smallest)] & ~15) | symmetry
        fields = following(fields)
    return classes


@kernel
def _stabilisers(sets: NDArray[np.int32]) -> NDArray[np.int32]:
    found = np.zeros(sets.size, np.int32)
    for number in range(sets.size):
        fields = int(sets[number])
        for symmetry in range(SYMMETRIES):
            if transformed(fields, symmetry) == fields:
                found[number] |= 1 << symmetry
    return found


@cache
def classes_of(size: int) -> Classes:
    """The classes of the sets of this many fields."""
    of_rank = np.empty(comb(24, size), np.int32)
    space = np.empty(of_rank.size, np.int32)
    sets = space[: _classify(size, of_rank, space)].copy()
    stabilisers = _stabilisers(sets)
    same = np.bitwise_count(stabilisers).astype(np.int32)
    return Classes(of_rank, sets, stabilisers, SYMMETRIES // same)


def sector_size(sector: Sector) -> int:
    """How many numbers the sector has."""
    mover, opponent = sector
    return len(classes_of(mover).sets) * comb(24 - mover, opponent)


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


def save_sector(folder: Path, sector: Sector, values: Values) -> None:
    """Write the file of a sector."""
    facts = {"mover": sector[0], "opponent": sector[1], "packing": "none"}
    write_table(sector_path(folder, sector), KIND, VERSION, facts, values.tobytes())


def load_sector(folder: Path, sector: Sector) -> Values:
    """The values of a sector, or TableFileError."""
    path = sector_path(folder, sector)
    facts, content = read_table(path, KIND, VERSION)
    if (facts.get("mover"), facts.get("opponent")) != sector:
        raise TableFileError(path, f"it holds sector {facts.get('mover')}-{facts.get('opponent')}")
    try:
        content = lzma.decompress(content) if facts.get("packing") == "xz" else content
    except lzma.LZMAError as error:
        raise TableFileError(path, f"damaged: {error}") from None
    if len(content) != sector_size(sector):
        raise TableFileError(path, f"damaged: {len(content)} boards, not {sector_size(sector)}")
    return np.frombuffer(content, np.int8)


def find_sector(folder: Path, sector: Sector) -> Values | None:
    """The values from the folder or else from the package; None if they are not solved."""
    places = (place for place in (folder, SHIPPED) if sector_path(place, sector).exists())
    place = next(places, None)
    return None if place is None else load_sector(place, sector)


def sectors_up_to(last: Sector) -> list[Sector]:
    """The sectors that a game can reach from this one, those with the fewest stones first."""
    more, fewer = max(last), min(last)
    every = [(m, o) for m in range(FEWEST, MOST + 1) for o in range(FEWEST, MOST + 1)]
    reached = (s for s in every if max(s) <= more and min(s) <= fewer)
    return sorted(reached, key=lambda sector: (sum(sector), max(sector), sector))


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
            fits = size + sector_size(sector) <= most_bytes
            values = find_sector(folder, sector) if fits else None
            if values is not None:
                parts.append(values)
                found.append(sector)
                self.starts[sector] = size
                size += values.size
        return np.concatenate([*parts, np.zeros(1, np.int8)]), found

    def _gather_classes(self, found: list[Sector]) -> NDArray[np.int32]:
        parts = [np.zeros(1, np.int32)]
        size = 1
        for stones in sorted({mover for mover, _ in found}):
            self.class_starts[stones] = size
            parts.append(classes_of(stones).of_rank)
            size += parts[-1].size
        return np.concatenate(parts)
