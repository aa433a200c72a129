"""The memory of a search on flat boards: its counters, the board's constants, and the table.

The table begins small enough for the processor's cache and grows with the search, but positions
near the end keep to that first part: they come again soon or never, and waiting for main memory
would take longer than searching. An entry holds the upper 48 bits of a position's hash and two
bounds of its score; the index is 16 or more of the lower bits. The hash is a bijection, so an entry
never answers for another position, whatever part of the table was in use when it was made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined
from spielwerk.games.connect4.engine.flat.board import ONE, ZERO, Bits

if TYPE_CHECKING:
    import numpy.typing as npt

    from spielwerk.games.connect4.engine.flat.board import Geometry

    Words = npt.NDArray[np.uint64]
    Flag = npt.NDArray[np.uint8]

SMALLEST_TABLE: Final = 16
"""Bits of the index to begin with, and at least."""

# The words of the memory.
NODES: Final = 0  # since the table was empty
NODE_LIMIT: Final = 1
STOPPED: Final = 2
TABLE_MASK: Final = 3  # entries in use, less one
BOTTOM: Final = 4
BOARD: Final = 5
LOWER_HALVES: Final = 6
STEP: Final = 7
SLOPE: Final = 8
WIDTH: Final = 9
STRIDE: Final = 10  # bits of a column with its sentinel
CELLS: Final = 11
COLUMNS: Final = 12  # at most 32 of them
FRAMES: Final = COLUMNS + 32  # three lists of a width for every number of stones

NO_LIMIT: Final = (1 << 64) - 1
POLL: Final = Bits(1023)  # nodes between two looks at the flag, less one
GROWTH: Final = Bits(3)
FIRST_PART: Final = Bits((1 << SMALLEST_TABLE) - 1)
NEAR_END: Final = 18  # free squares; positions with fewer stay in the first part
MIRRORED_UP_TO: Final = 12  # stones; later, the same position mirrored is too rare

# An entry of the table; one of all zeros knows nothing.
KEY_SHIFT: Final = Bits(16)
BOUND_SHIFT: Final = Bits(8)
BOUND: Final = Bits(255)
KEY: Final = ~Bits(0xFFFF)
NO_BOUND: Final = 64


def new_memory(geometry: Geometry) -> Words:
    """Memory for searches on a board of this size."""
    memory = np.zeros(FRAMES + 3 * geometry.width * (geometry.cells + 1), np.uint64)
    memory[NODE_LIMIT] = NO_LIMIT
    memory[TABLE_MASK] = FIRST_PART
    memory[BOTTOM] = geometry.bottom
    memory[BOARD] = geometry.board
    memory[LOWER_HALVES] = geometry.lower_halves
    memory[STEP] = geometry.step
    memory[SLOPE] = geometry.slope
    memory[WIDTH] = geometry.width
    memory[STRIDE] = geometry.height + 1
    memory[CELLS] = geometry.cells
    memory[COLUMNS : COLUMNS + geometry.width] = geometry.columns()
    return memory


@inlined
def hashed(key: Bits, stones: int, memory: Words) -> Bits:
    """A number for the position and its mirror image alike, no other position has it."""
    if stones <= MIRRORED_UP_TO:
        stride, rest, mirrored = memory[STRIDE], key, ZERO
        column = (ONE << stride) - ONE
        for _ in range(memory[WIDTH]):
            mirrored = (mirrored << stride) | (rest & column)
            rest >>= stride
        key = min(key, mirrored)
    key *= Bits(0x9E3779B97F4A7C15)
    return key ^ (key >> Bits(32))


@inlined
def mask_for(free: int, memory: Words) -> Bits:
    """The bits of the hash that make the index of a position with so many free squares."""
    return FIRST_PART if free < NEAR_END else memory[TABLE_MASK]


@inlined
def stopped(memory: Words, flag: Flag) -> bool:
    """Count the node, and see whether the search must end."""
    nodes = memory[NODES] + ONE
    memory[NODES] = nodes
    if nodes >= memory[NODE_LIMIT] or (not nodes & POLL and flag[0]):
        memory[STOPPED] = ONE
    return bool(memory[STOPPED])


@inlined
def grow(table: Words, memory: Words) -> None:
    """Use more of the table when the nodes since it was empty outnumber its entries."""
    if memory[NODES] > memory[TABLE_MASK]:
        larger = ((memory[TABLE_MASK] + ONE) << GROWTH) - ONE
        memory[TABLE_MASK] = min(larger, Bits(len(table) - 1))
