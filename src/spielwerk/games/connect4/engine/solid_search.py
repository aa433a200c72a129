"""The memory of a search: its values, its frames, and the table of positions it has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.engines.compiled import borrowed, inlined
from spielwerk.games.connect4.engine.solid_board import SolidBoard, least_hash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from spielwerk.games.connect4.engine.solid_board import Integers

WIN: Final = 10_000
PROVEN: Final = 9_000  # values beyond this are proven wins and losses
LIKELY: Final = 8_000  # a win if the columns that were left out do not matter
INFINITE: Final = 20_000
ABORTED: Final = 30_000  # returned when the search was stopped

MOST_PLIES: Final = 256
EVALUATED: Final = LIKELY - MOST_PLIES  # as far as an evaluation goes
MOST_FORCING: Final = 8  # moves that force an answer, followed below depth 0

# What `Search.numbers` holds.
NODES: Final = 0
NODE_LIMIT: Final = 1
GENERATION: Final = 2  # entries of the table that earlier searches left are not used
CANDIDATES: Final = 3  # how many of `Search.columns` are searched
COMPLETE: Final = 4  # 1 if these are all columns with room
NUMBERS: Final = 5

# What a frame holds.
ALPHA: Final = 0
BETA: Final = 1
DEPTH: Final = 2
BEST: Final = 3
BEST_COLUMN: Final = 4
NEXT: Final = 5  # index of the move to try next
COUNT: Final = 6  # moves to try
COLUMN: Final = 7  # the move being tried
SCOUTING: Final = 8  # 1 while it is only asked whether the move exceeds alpha
FORCED: Final = 9
FIRST_ALPHA: Final = 10
KILLER: Final = 11  # the column that last refuted something at this ply
FRAME: Final = 12

# Bits of a table entry: bound 2, generation 8, depth 8, column 11, then the value.
LOWER: Final = 1
UPPER: Final = 2
EXACT: Final = 3
GENERATION_BIT: Final = 2
DEPTH_BIT: Final = 10
COLUMN_BIT: Final = 18
VALUE_BIT: Final = 32
BYTE: Final = 255
COLUMN_MASK: Final = 2047


class Search(NamedTuple):
    """The memory of a search."""

    table: Integers  # pairs of a hash and an entry
    frames: Integers
    moves: NDArray[np.int32]  # ply, index -> column
    promise: NDArray[np.int32]  # ply, index -> how promising that move is
    history: NDArray[np.int32]  # side, field -> how often a stone there refuted something
    gain: NDArray[np.int32]  # side, counts of a line -> how much a stone in that line promises
    columns: NDArray[np.int32]  # the columns to search, the most relevant first
    numbers: Integers
    stop: NDArray[np.uint8]


@inlined
def borrowed_search(search: Search) -> Search:
    """The same memory without owners of its arrays."""
    return Search(
        borrowed(search.table),
        borrowed(search.frames),
        borrowed(search.moves),
        borrowed(search.promise),
        borrowed(search.history),
        borrowed(search.gain),
        borrowed(search.columns),
        borrowed(search.numbers),
        borrowed(search.stop),
    )


@inlined
def look_up(board: SolidBoard, search: Search, ply: int) -> tuple[int, int]:
    """The column that was best here before or -1, and the value if it is known or INFINITE."""
    stored, column = entry(board, search)
    if stored == 0:
        return -1, INFINITE
    value = (stored >> VALUE_BIT) - INFINITE
    bound = stored & 3
    if value > EVALUATED:
        value -= ply
    elif value < -EVALUATED:
        value += ply
    if ((stored >> DEPTH_BIT) & BYTE) - MOST_FORCING < search.frames[ply, DEPTH]:
        # Only what is proven holds at any depth, and a longer look may still find a shorter win.
        if value > PROVEN:
            bound &= LOWER
        elif value < -PROVEN:
            bound &= UPPER
        else:
            bound = 0
    known = (
        bound == EXACT
        or (bound == LOWER and value >= search.frames[ply, BETA])
        or (bound == UPPER and value <= search.frames[ply, ALPHA])
    )
    return column, value if known else INFINITE


@inlined
def entry(board: SolidBoard, search: Search) -> tuple[int, int]:
    """What this search has stored about the position or 0, and the column that was best or -1."""
    key, symmetry = least_hash(board)
    slot = key & (len(search.table) - 1)
    for place in (slot, slot ^ 1):
        if search.table[place, 0] == key and _current(search, place):
            stored = int(search.table[place, 1])
            column = ((stored >> COLUMN_BIT) & COLUMN_MASK) - 1
            return stored, int(board.turned_back[symmetry, column]) if column >= 0 else -1
    return 0, -1


@inlined
def _current(search: Search, slot: int) -> bool:
    """Whether this search, and not an earlier one, has filled the slot."""
    generation = (search.table[slot, 1] >> GENERATION_BIT) & BYTE
    return bool(generation == search.numbers[GENERATION])


@inlined
def store(board: SolidBoard, search: Search, ply: int, value: int) -> None:
    """Put the node into the table: beside a deeper one of this search, else in its place."""
    bound = EXACT
    if value >= search.frames[ply, BETA]:
        bound = LOWER
    elif value <= search.frames[ply, FIRST_ALPHA]:
        bound = UPPER
    if value > EVALUATED:
        value += ply
    elif value < -EVALUATED:
        value -= ply
    key, symmetry = least_hash(board)
    column = search.frames[ply, BEST_COLUMN]
    if column >= 0:
        column = board.turned[symmetry, column]
    depth = min(search.frames[ply, DEPTH] + MOST_FORCING, BYTE)
    slot = key & (len(search.table) - 1)
    deeper = (search.table[slot, 1] >> DEPTH_BIT) & BYTE > depth
    if deeper and search.table[slot, 0] != key and _current(search, slot):
        slot ^= 1
    search.table[slot, 0] = key
    search.table[slot, 1] = (
        ((value + INFINITE) << VALUE_BIT)
        | ((column + 1) << COLUMN_BIT)
        | (depth << DEPTH_BIT)
        | (search.numbers[GENERATION] << GENERATION_BIT)
        | bound
    )
