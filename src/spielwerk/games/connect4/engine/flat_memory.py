"""The memory of the exact solver: the words that one thread has, and the table that all share.

The table begins small enough for the processor's cache and grows with the search. Positions near
the end have a small table of the thread's own: they come again soon or never, waiting for main
memory would take longer than searching, and so would waiting for what another thread has written.
An entry holds the upper 48 bits of a position's hash and two bounds of its score; the index is 16
or more of the lower bits. The hash is a bijection, so an entry never answers for another position,
whatever part of the table was in use when it was made.

An entry is one word, so that threads can share the table without locks. When a thread has begun to
search a position that others would come to, it says so in the list of what is under way; and when
it has an answer, the others drop the question and go on to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined
from spielwerk.games.connect4.engine.flat_board import ONE, ZERO, Bits, signed

if TYPE_CHECKING:
    import numpy.typing as npt

    from spielwerk.games.connect4.engine.flat_board import FlatGeometry

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
THREADS: Final = 12  # that share the table
NEAR: Final = 13  # where the thread's own small table begins
KNOWN: Final = 14  # the bounds of the score, as the thread has read them
COLUMNS: Final = 15  # at most 32 of them
IN_TIME: Final = COLUMNS + 32  # by score: where the last stone of all may be, to be worth it
FRAMES: Final = IN_TIME + 34  # three lists of a width for every number of stones

NO_LIMIT: Final = (1 << 64) - 1
POLL: Final = Bits(1023)  # nodes between two looks at the flag, less one
GROWTH: Final = Bits(3)
FIRST_PART: Final = Bits((1 << SMALLEST_TABLE) - 1)
NEAR_END: Final = 20  # free squares; positions with fewer are in the thread's own table
MIRRORED_UP_TO: Final = 12  # stones; later, the same position mirrored is too rare

# An entry of the table; one of all zeros knows nothing.
KEY_SHIFT: Final = Bits(16)
BOUND_SHIFT: Final = Bits(8)
BOUND: Final = Bits(255)
KEY: Final = ~Bits(0xFFFF)
NO_BOUND: Final = 64

UNDER_WAY: Final = Bits(4095)  # places in the list of what is under way, less one
BOUNDS: Final = int(UNDER_WAY) + 1  # behind them: the bounds of the score that all look for


def new_memory(geometry: FlatGeometry) -> Words:
    """Memory for searches on a board of this size."""
    frames = FRAMES + 3 * geometry.width * (geometry.cells + 1)
    memory = np.zeros(frames + int(FIRST_PART) + 1, np.uint64)
    memory[NEAR] = frames
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
    memory[THREADS] = 1
    memory[COLUMNS : COLUMNS + geometry.width] = geometry.columns()
    for score in range(1, FRAMES - IN_TIME):
        memory[IN_TIME + score] = geometry.rows(geometry.height - 2 * (score - 1))
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
def look_up(hash_: Bits, place: Bits, table: Words) -> tuple[int, int]:
    """The least and the most that the table allows the player whose move led to the position."""
    entry = table[place]
    if entry >> KEY_SHIFT != hash_ >> KEY_SHIFT:
        return -NO_BOUND, NO_BOUND
    least = signed(entry & BOUND) - NO_BOUND
    return least, NO_BOUND - signed((entry >> BOUND_SHIFT) & BOUND)


@inlined
def store(hash_: Bits, place: Bits, low: int, high: int, table: Words) -> None:
    """Remember bounds of the score for the player to move, beside those that are known."""
    least, most = look_up(hash_, place, table)
    low, high = max(low, -most), min(high, -least)
    bounds = (Bits(low + NO_BOUND) << BOUND_SHIFT) | Bits(NO_BOUND - high)
    table[place] = (hash_ & KEY) | bounds


@inlined
def place_of(hash_: Bits, near: bool, memory: Words) -> Bits:
    """Where the position is: near the end in the thread's own table, else in that of all."""
    place: Bits = memory[NEAR] + (hash_ & FIRST_PART) if near else hash_ & memory[TABLE_MASK]
    return place


@inlined
def stopped(memory: Words, flag: Flag) -> bool:
    """Count the node, and see whether the search must end."""
    nodes = memory[NODES] + ONE
    memory[NODES] = nodes
    if nodes >= memory[NODE_LIMIT] or (not nodes & POLL and flag[0]):
        memory[STOPPED] = ONE
    return bool(memory[STOPPED])


@inlined
def agree(low: int, high: int, under_way: Words, memory: Words) -> tuple[int, int]:
    """The bounds with what other threads know of them, who learn them in turn."""
    known = under_way[BOUNDS]
    low = max(low, signed(known & BOUND) - NO_BOUND)
    high = min(high, NO_BOUND - signed((known >> BOUND_SHIFT) & BOUND))
    memory[KNOWN] = (Bits(NO_BOUND - high) << BOUND_SHIFT) | Bits(low + NO_BOUND)
    under_way[BOUNDS] = memory[KNOWN]
    return low, high


@inlined
def grow(table: Words, memory: Words) -> None:
    """Use more of the table when the nodes since it was empty outnumber its entries."""
    if memory[NODES] * memory[THREADS] > memory[TABLE_MASK]:
        larger = ((memory[TABLE_MASK] + ONE) << GROWTH) - ONE
        memory[TABLE_MASK] = min(larger, Bits(len(table) - 1))
