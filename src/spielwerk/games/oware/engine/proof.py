"""What a player can force where situations are remembered: the tables' bounds, proven anew.

The bounds of `endgames` hold after a capture. Anywhere else a situation that was there before may
end the game on the way (E-3). So the part of the layer is looked at that the player needs: all
replies of the opponent, but of the own moves only those after which the tables promise enough. In
it, the remembered situations are ends of the game with what lies there on the player's side, and
the player has what is sought if a way out can be forced; going round in circles counts as failure.
What is proven so is true. What is not proven may be true nevertheless.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.oware.engine.endgames import promise
from spielwerk.games.oware.engine.kernel import (
    after,
    all_stones,
    can_move,
    is_legal,
    path_of,
    signed,
)
from spielwerk.games.oware.rules import HOUSES, MAJORITY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.oware.engine.endgames import Codes
    from spielwerk.games.oware.rules import OwareState

SLOTS: Final = 1 << 16
ROOM: Final = SLOTS // 2
"""So many situations at most are looked at for a proof, in a hash table of so many slots."""

PROOFS: Final = 4
"""For a result so many are needed at most."""

EMPTY, OPEN, FAILED, PROVEN = range(4)
"""What is known of a situation."""

STATUS: Final = 2
"""Where that is written, after its two rows."""

SEEKER: Final = np.uint64(1 << 63)
"""The bit of a situation in which the player moves who seeks the proof."""


@inlined
def _slot(known: NDArray[np.uint64], mine: np.uint64, theirs: np.uint64, seeking: bool) -> int:
    """Where the situation is, or where it may be put."""
    if seeking:
        mine |= SEEKER
    mixed = (mine * np.uint64(0x9E3779B97F4A7C15)) ^ (theirs * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    slot = signed(mixed >> np.uint64(32)) & (SLOTS - 1)
    while known[slot, STATUS] != np.uint64(EMPTY) and (
        known[slot, 0] != mine or known[slot, 1] != theirs
    ):
        slot = (slot + 1) & (SLOTS - 1)
    return slot


@inlined
def _put(
    known: NDArray[np.uint64], mine: np.uint64, theirs: np.uint64, seeking: bool, status: int
) -> int:
    """Write down what is known of the situation, and where that is."""
    slot = _slot(known, mine, theirs, seeking)
    known[slot, 0] = mine | SEEKER if seeking else mine
    known[slot, 1] = theirs
    known[slot, STATUS] = np.uint64(status)
    return slot


@inlined
def _verdict(
    mine: np.uint64,
    theirs: np.uint64,
    seeking: bool,
    captured: bool,
    need: int,
    codes: Codes,
    known: NDArray[np.uint64],
) -> int:
    """What is known of the situation after a move; EMPTY says that it must be looked at."""
    if not can_move(mine, theirs):
        return PROVEN if all_stones(mine if seeking else theirs) >= need else FAILED
    if promise(mine, theirs, seeking, codes) < need:
        return FAILED
    return PROVEN if captured else signed(known[_slot(known, mine, theirs, seeking), STATUS])


@inlined
def _look_at(slot: int, need: int, codes: Codes, known: NDArray[np.uint64]) -> int:
    """What the moves from a situation tell of it; OPEN if they leave it open."""
    mine, theirs = known[slot, 0] & ~SEEKER, known[slot, 1]
    seeking = known[slot, 0] & SEEKER != np.uint64(0)
    result = FAILED if seeking else PROVEN
    for house in range(HOUSES):
        if is_legal(mine, theirs, house):
            next_mine, next_theirs, gain = after(mine, theirs, house)
            found = _verdict(next_mine, next_theirs, not seeking, gain > 0, need, codes, known)
            if found == (PROVEN if seeking else FAILED):
                return found
            if found <= OPEN:
                result = OPEN
    return result


@inlined
def _spread(
    slot: int,
    need: int,
    codes: Codes,
    known: NDArray[np.uint64],
    queue: NDArray[np.int64],
    count: int,
) -> int:
    """Put the situations after the moves into the queue that must be looked at; its new length."""
    mine, theirs = known[slot, 0] & ~SEEKER, known[slot, 1]
    seeking = known[slot, 0] & SEEKER != np.uint64(0)
    for house in range(HOUSES):
        if is_legal(mine, theirs, house) and count < len(queue):
            next_mine, next_theirs, gain = after(mine, theirs, house)
            found = _verdict(next_mine, next_theirs, not seeking, gain > 0, need, codes, known)
            if found == EMPTY:
                queue[count] = _put(known, next_mine, next_theirs, not seeking, OPEN)
                count += 1
    return count


@kernel
def is_forced(
    path: NDArray[np.uint64],
    index: int,
    seeking: bool,
    need: int,
    codes: Codes,
    room: int,
    nodes: NDArray[np.int64],
    stop: NDArray[np.uint8],
) -> bool:
    """Whether a player is sure to own `need` stones at the end, from the situation at the index.

    The game goes on there. Before it in the path are the situations since the last capture.
    `seeking` says that the player is the one to move. At most `room` situations are looked at, and
    counted in `nodes`; a proof that is stopped is none.
    """
    nodes[0] += 1
    promised = promise(path[index, 0], path[index, 1], seeking, codes) >= need
    if index == 0 or not promised or stop[0]:
        return promised and index == 0
    known = np.zeros((SLOTS, 3), np.uint64)
    for earlier in range(index):
        mine, theirs = path[earlier, 0], path[earlier, 1]
        sought = seeking == ((index - earlier) % 2 == 0)
        enough = all_stones(mine if sought else theirs) >= need
        _put(known, mine, theirs, sought, PROVEN if enough else FAILED)
    queue = np.empty(room, np.int64)
    queue[0] = _put(known, path[index, 0], path[index, 1], seeking, OPEN)
    count = 1
    place = 0
    while (
        place < count and not stop[0]
    ):  # from the start on, one ring of situations after the other
        found = _look_at(queue[place], need, codes, known)
        known[queue[place], STATUS] = np.uint64(found)
        if found == OPEN:
            count = _spread(queue[place], need, codes, known, queue, count)
        place += 1
    nodes[0] += count
    changed = True
    while changed and not stop[0]:  # and back, as often as something becomes known
        changed = False
        for place in range(count - 1, -1, -1):
            if known[queue[place], STATUS] == np.uint64(OPEN):
                found = _look_at(queue[place], need, codes, known)
                known[queue[place], STATUS] = np.uint64(found)
                changed |= found != OPEN
    return bool(known[queue[0], STATUS] == np.uint64(PROVEN))


def proven_result(
    state: OwareState,
    codes: Codes,
    room: int,
    nodes: NDArray[np.int64],
    stop: NDArray[np.uint8],
) -> int | None:
    """1, 0 or -1 for the player to move in a situation where the game goes on; None if unknown."""
    path = path_of(state, 0)
    each = max(1, min(room // PROOFS, ROOM))

    def is_sure(need: int, *, seeking: bool) -> bool:
        return bool(is_forced(path, len(state.seen), seeking, need, codes, each, nodes, stop))

    if is_sure(MAJORITY, seeking=True):
        return 1
    if is_sure(MAJORITY, seeking=False):
        return -1
    drawn = is_sure(MAJORITY - 1, seeking=True) and is_sure(MAJORITY - 1, seeking=False)
    return 0 if drawn else None
