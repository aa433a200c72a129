"""The board as bits: 24 fields, bit 8 * square + place, and what can be read off them at once.

A set of fields is an int64 with one bit a field, so each square is a byte and turning the board
turns three bytes. Every field stands in exactly two mills.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spielwerk.engines.compiled import inlined
from spielwerk.games.morris.rules import MILLS_OF, NEIGHBOURS

FULL: Final = 0xFFFFFF
CORNERS: Final = 0x555555
MIDDLES: Final = 0xAAAAAA  # where the lines between the squares are
FIRST_BITS: Final = 0x010101
LAST_BITS: Final = 0x808080

NEAR: Final = np.array([sum(1 << n for n in near) for near in NEIGHBOURS], np.int64)
"""The neighbours of each field."""

PAIRS: Final = np.array(
    [[sum(1 << f for f in mill if f != field) for mill in MILLS_OF[field]] for field in range(24)],
    np.int64,
)
"""For each field and each of its two mills, the other two fields of the mill."""


def _turned_square(turn: int) -> list[int]:
    """Where each set of places of one square goes: four rotations, then four reflections."""
    places = [(2 * turn + p) % 8 if turn < 4 else (2 * turn - p) % 8 for p in range(8)]
    return [sum(1 << places[p] for p in range(8) if byte >> p & 1) for byte in range(256)]


TURNED: Final = np.array([_turned_square(turn) for turn in range(8)], np.int64)
SYMMETRIES: Final = 16


@inlined
def count(fields: int) -> int:
    """How many fields are in the set."""
    fields -= (fields >> 1) & 0x555555
    fields = (fields & 0x333333) + ((fields >> 2) & 0x333333)
    fields = (fields + (fields >> 4)) & 0x0F0F0F
    return (fields + (fields >> 8) + (fields >> 16)) & 0x1F


@inlined
def lowest(fields: int) -> int:
    """The number of the lowest field of a set that is not empty."""
    return count((fields & -fields) - 1)


@inlined
def onward(fields: int) -> int:
    """Every field moved one place clockwise within its square."""
    return ((fields & ~LAST_BITS) << 1) | ((fields & LAST_BITS) >> 7)


@inlined
def back(fields: int) -> int:
    """Every field moved one place anticlockwise within its square."""
    return ((fields & ~FIRST_BITS) >> 1) | ((fields & FIRST_BITS) << 7)


@inlined
def closes(own: int, field: int) -> int:
    """How many mills a stone on the field makes with the own stones elsewhere."""
    one, other = PAIRS[field, 0], PAIRS[field, 1]
    return int((own & one) == one) + int((own & other) == other)


@inlined
def transformed(fields: int, symmetry: int) -> int:
    """The set under one of the 16 symmetries; from 8 on, inner and outer square change places."""
    turn = symmetry & 7
    outer = int(TURNED[turn, fields & 255])
    middle = int(TURNED[turn, (fields >> 8) & 255])
    inner = int(TURNED[turn, (fields >> 16) & 255])
    if symmetry >= 8:
        return inner | (middle << 8) | (outer << 16)
    return outer | (middle << 8) | (inner << 16)
