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
from spielwerk.games.oware.engine.endgames import HIGH, LOW, number_of
from spielwerk.games.oware.engine.kernel import after, all_stones, can_move, is_legal, signed, taken
from spielwerk.games.oware.rules import HOUSES, STONES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.oware.engine.endgames import Codes

SLOTS: Final = 1 << 15
ROOM: Final = SLOTS // 2
"""So many situations at most are looked at for a proof, in a hash table of so many slots."""

EMPTY, OPEN, FAILED, HOPED, PROVEN = range(5)
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
    code = codes[number_of(mine, theirs)]
    promised = taken(mine) + LOW[code] if seeking else STONES - taken(mine) - HIGH[code]
    if promised < need:
        return FAILED
    return PROVEN if captured else signed(known[_slot(known, mine, theirs, seeking), STATUS])


@inlined
def _settle(
    mine: np.uint64,
    theirs: np.uint64,
    seeking: bool,
    need: int,
    codes: Codes,
    known: NDArray[np.uint64],
) -> int:
    """What the moves from the situation tell of it; OPEN if they leave it open."""
    result = FAILED if seeking else PROVEN
    for house in range(HOUSES):
        if is_legal(mine, theirs, house):
            next_mine, next_theirs, gain = after(mine, theirs, house)
            found = _verdict(next_mine, next_theirs, not seeking, gain > 0, need, codes, known)
            if seeking and found >= HOPED:
                return PROVEN
            if not seeking and found == FAILED:
                return FAILED
            if found <= OPEN:
                result = OPEN
    return result


@inlined
def _spread(
    mine: np.uint64,
    theirs: np.uint64,
    seeking: bool,
    need: int,
    codes: Codes,
    known: NDArray[np.uint64],
    queue: NDArray[np.int64],
    count: int,
) -> int:
    """Put the situations after the moves into the queue that must be looked at; its new length."""
    for house in range(HOUSES):
        if is_legal(mine, theirs, house) and count < ROOM:
            next_mine, next_theirs, gain = after(mine, theirs, house)
            found = _verdict(next_mine, next_theirs, not seeking, gain > 0, need, codes, known)
            if found == EMPTY:
                queue[count] = _put(known, next_mine, next_theirs, not seeking, OPEN)
                count += 1
    return count


@inlined
def _look_again(slot: int, need: int, codes: Codes, known: NDArray[np.uint64]) -> int:
    """What is known of a situation by now, from the moves."""
    seeking = known[slot, 0] & SEEKER != np.uint64(0)
    return _settle(known[slot, 0] & ~SEEKER, known[slot, 1], seeking, need, codes, known)


@kernel
def _reach(need: int, codes: Codes, known: NDArray[np.uint64], queue: NDArray[np.int64]) -> None:
    """Settle what leads to what is settled."""
    changed = True
    while changed:
        changed = False
        for place in range(len(queue) - 1, -1, -1):
            slot = queue[place]
            if known[slot, STATUS] == np.uint64(OPEN):
                found = _look_again(slot, need, codes, known)
                if found != OPEN:
                    known[slot, STATUS] = np.uint64(found)
                    changed = True


@kernel
def _stay(need: int, codes: Codes, known: NDArray[np.uint64], queue: NDArray[np.int64]) -> bool:
    """Prove the open situations among which the seeker can stay with enough on the own side."""
    for place in range(len(queue)):
        slot = queue[place]
        if known[slot, STATUS] == np.uint64(OPEN):
            seeking = known[slot, 0] & SEEKER != np.uint64(0)
            if all_stones(known[slot, 0] & ~SEEKER if seeking else known[slot, 1]) >= need:
                known[slot, STATUS] = np.uint64(HOPED)
    changed = True
    while changed:
        changed = False
        for place in range(len(queue) - 1, -1, -1):
            slot = queue[place]
            if known[slot, STATUS] == np.uint64(HOPED):
                if _look_again(slot, need, codes, known) != PROVEN:
                    known[slot, STATUS] = np.uint64(OPEN)
                    changed = True
    proven = False
    for place in range(len(queue)):
        slot = queue[place]
        if known[slot, STATUS] == np.uint64(HOPED):
            known[slot, STATUS] = np.uint64(PROVEN)
            proven = True
    return proven


@kernel
def is_forced(path: NDArray[np.uint64], index: int, seeking: bool, need: int, codes: Codes) -> bool:
    """Whether a player is sure to own `need` stones at the end, from the situation at the index.

    Before it in the path are the situations since the last capture. `seeking` says that the player
    is the one to move.
    """
    known = np.zeros((SLOTS, 3), np.uint64)
    queue = np.empty(ROOM, np.int64)
    for earlier in range(index):
        before, other = path[earlier, 0], path[earlier, 1]
        sought = seeking == ((index - earlier) % 2 == 0)
        stones = all_stones(before if sought else other)
        _put(known, before, other, sought, PROVEN if stones >= need else FAILED)
    queue[0] = _put(known, path[index, 0], path[index, 1], seeking, OPEN)
    count = 1
    place = 0
    while place < count:
        slot = queue[place]
        found = _look_again(slot, need, codes, known)
        known[slot, STATUS] = np.uint64(found)
        if found == OPEN:
            seeks = known[slot, 0] & SEEKER != np.uint64(0)
            mine, theirs = known[slot, 0] & ~SEEKER, known[slot, 1]
            count = _spread(mine, theirs, seeks, need, codes, known, queue, count)
        place += 1
    going = True
    while going:
        _reach(need, codes, known, queue[:count])
        going = known[queue[0], STATUS] == np.uint64(OPEN) and _stay(
            need, codes, known, queue[:count]
        )
    return bool(known[queue[0], STATUS] == np.uint64(PROVEN))
