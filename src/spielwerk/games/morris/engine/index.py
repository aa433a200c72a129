"""A number for every board of a sector.

A sector (m, o, h) holds the boards with m stones of the player to move and o of the opponent while
h stones are still in the players' hands; with h = 0 it is one of the moving phase. Players place in
turn, so the player to move has (h + 1) // 2 of them. The m-sets of fields fall into classes under
the 16 symmetries; the smallest set of a class represents it, and classes are numbered by their
representatives. A board is turned so that the mover's stones are a representative; its number is

    class * C(24 - m, o) + rank of the opponent's stones among the fields the mover leaves free

Ranks are colexicographic, which is the numerical order of the sets. Where a representative looks
the same from several sides, boards that are symmetric to each other have numbers of their own with
equal values: the array stays dense and a look-up needs no comparison.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.morris.engine.board import FULL, SYMMETRIES, count, transformed

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST: Final = 3
MOST: Final = 9


class Sector(NamedTuple):
    """How many stones the player to move and the opponent have on the board, and both in hand."""

    mover: int
    opponent: int
    hands: int = 0

    def __str__(self) -> str:
        return f"{self.mover}-{self.opponent}" + (f" hand {self.hands}" if self.hands else "")

    @property
    def mirror(self) -> Sector:
        """The opponent's sector after a quiet turn of the moving phase."""
        return Sector(self.opponent, self.mover)

    @property
    def opponent_hand(self) -> int:
        """Stones that the opponent has in hand; the mover has as many or one more."""
        return self.hands // 2

    @property
    def fewest(self) -> int:
        """With fewer stones of the opponent on the board the game is over."""
        return max(0, FEWEST - self.opponent_hand)

    def after(self, captures: int) -> Sector:
        """Where a turn leads that captures so many stones."""
        placed = int(self.hands > 0)
        return Sector(self.opponent - captures, self.mover + placed, self.hands - placed)


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


@kernel
def find_number(mover: int, opponent: int, classes: NDArray[np.int32]) -> int:
    """`board_number` for callers outside the kernels."""
    return board_number(mover, opponent, count(opponent), classes)


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


@kernel
def _sets(number: int, size: int) -> NDArray[np.int32]:
    found = np.empty(number, np.int32)
    fields = (1 << size) - 1
    for place in range(number):
        found[place] = fields
        fields = following(fields)
    return found


@cache
def places_of(fields: int, chosen: int) -> NDArray[np.int32]:
    """All sets of so many out of these fields, in the order of their ranks."""
    return _sets(comb(fields, chosen), chosen)


def sector_size(sector: Sector) -> int:
    """How many numbers the sector has."""
    return len(classes_of(sector.mover).sets) * comb(24 - sector.mover, sector.opponent)


def board_count(sector: Sector) -> int:
    """How many boards the sector has, symmetric ones apart."""
    return comb(24, sector.mover) * comb(24 - sector.mover, sector.opponent)


def moving_sectors(last: Sector) -> list[Sector]:
    """Those of the moving phase that a game can reach from this one, the fewest stones first."""
    more, fewer = max(last[:2]), min(last[:2])
    every = [Sector(m, o) for m in range(FEWEST, MOST + 1) for o in range(FEWEST, MOST + 1)]
    reached = (s for s in every if max(s[:2]) <= more and min(s[:2]) <= fewer)
    return sorted(reached, key=lambda sector: (sum(sector), max(sector), sector))


def placing_sectors(stones: int) -> list[Sector]:
    """Those of the placing phase if each player begins with so many stones, the start last.

    A player who plays on has three at least, those in hand included.
    """
    return [
        Sector(mover, opponent, hands)
        for hands in range(1, 2 * stones + 1)
        for mover in _left(stones, (hands + 1) // 2)
        for opponent in _left(stones, hands // 2)
    ]


def _left(stones: int, hand: int) -> range:
    """How many stones a player can have on the board."""
    return range(max(0, FEWEST - hand), stones - hand + 1)
