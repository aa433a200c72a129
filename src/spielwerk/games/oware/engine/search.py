"""Alpha-beta for Oware, exactly as deep as asked.

The table never changes a value, it only saves time. A position's value to a depth can depend on how
it was reached, because situations repeat (E-3); but a repetition needs all twelve houses sown since
the last capture. Where the moves left cannot complete them the value belongs to the position alone,
and only there values are stored and looked up, only for the very same depth, and only under the
position itself, not under a hash of it. The best move is remembered everywhere: it is but a hint.

With endgame tables a capture that leaves few enough stones is followed no further if they decide
the game: nothing is remembered after it, so their bounds hold. Where the depth ends without one
they are an estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from spielwerk.engines.compiled import copy_row, inlined, kernel
from spielwerk.games.oware.engine.endgames import SURE_WIN, UNDECIDED, decided, most_stones
from spielwerk.games.oware.engine.evaluation import LIMIT, TUNED, evaluate
from spielwerk.games.oware.engine.kernel import (
    WIN,
    after,
    final_score,
    is_legal,
    is_over,
    path_of,
    signed,
    taken,
)
from spielwerk.games.oware.rules import HOUSES, STONES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.oware.engine.endgames import Codes
    from spielwerk.games.oware.rules import OwareState

MAX_DEPTH: Final = 120
INFINITE: Final = WIN + 1

NODES, NODE_LIMIT, HALTED, ROOT, IN_TABLES = range(5)
"""Places in `Work.control`; ROOT is where in the path the search begins, IN_TABLES the most stones
that the endgame tables have."""

MINE, THEIRS, DATA = range(3)
ENTRY: Final = 4
"""Places in an entry of the table, and its size: that of half a cache line."""

UNKNOWN, AT_LEAST, AT_MOST, EXACTLY = range(4)
"""How a stored score bounds the value."""


class Work(NamedTuple):
    """What a search reads and writes."""

    path: NDArray[np.uint64]  # the situations since the last capture before the search, and in it
    tree: NDArray[np.uint64]  # for each ply the positions after its moves, in order
    table: NDArray[np.uint64]
    codes: Codes  # of the endgame tables
    weights: NDArray[np.int64]
    lines: NDArray[np.int8]  # for each ply the best line from there on, ended by -1
    replies: NDArray[np.int8]  # for each move of the root the line that follows it
    killers: NDArray[np.int64]  # for each ply the move without capture that was last too good
    control: NDArray[np.int64]
    stop: NDArray[np.uint8]


def new_work(
    state: OwareState,
    weights: NDArray[np.int64],
    table: NDArray[np.uint64],
    codes: Codes,
    stop: NDArray[np.uint8],
) -> Work:
    """What a search from the state needs, nothing searched yet."""
    size = MAX_DEPTH + 2
    return Work(
        path=path_of(state, size),
        tree=np.zeros((size, HOUSES, 3), np.uint64),
        table=table,
        codes=codes,
        weights=weights,
        lines=np.full((size, size), -1, np.int8),
        replies=np.full((HOUSES, size), -1, np.int8),
        killers=np.full(size, -1, np.int64),
        control=np.array(
            [0, np.iinfo(np.int64).max, 0, len(state.seen), most_stones(codes)], np.int64
        ),
        stop=stop,
    )


def sown_houses(state: OwareState) -> int:
    """A bit for each house sown since the last capture, those of the player to move first."""
    sown = 0
    for ago, house in enumerate(reversed(state.moves), start=1):
        sown |= 1 << int(house) + HOUSES * (ago % 2)
    return sown


@inlined
def slot_of(table: NDArray[np.uint64], mine: np.uint64, theirs: np.uint64) -> int:
    """Where in the table the position belongs."""
    mixed = (mine * np.uint64(0x9E3779B97F4A7C15)) ^ (theirs * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return signed((mixed >> np.uint64(32)) & np.uint64(len(table) - 1))


@inlined
def packed(score: int, depth: int, bound: int, house: int) -> np.uint64:
    """The data of an entry in one number."""
    return np.uint64((score + INFINITE) | depth << 32 | bound << 40 | house << 44)


@inlined
def can_repeat(sown: int, depth: int) -> bool:
    """Whether the moves to the depth can complete the houses sown since the last capture.

    `sown` holds a bit for each house, those of the player to move first.
    """
    mine = 0
    theirs = 0
    for house in range(HOUSES):
        mine += sown >> house & 1
        theirs += sown >> (HOUSES + house) & 1
    return HOUSES - mine <= (depth + 1) // 2 and HOUSES - theirs <= depth // 2


@inlined
def sown_after(sown: int, house: int, gain: int) -> int:
    """The houses sown since the last capture, seen by the next player."""
    if gain:
        return 0
    sown |= 1 << house
    return (sown >> HOUSES) | (sown & (1 << HOUSES) - 1) << HOUSES


@inlined
def expand(work: Work, index: int, hint: int) -> int:
    """Write the positions after all legal moves, the most promising first, and count them.

    First the move that was best here before, then captures, the greatest first, then the move that
    last refuted a neighbour, then the foremost house.
    """
    ply = index - work.control[ROOT]
    count = 0
    for house in range(HOUSES):
        if not is_legal(work.path[index, 0], work.path[index, 1], house):
            continue
        mine, theirs, gain = after(work.path[index, 0], work.path[index, 1], house)
        favour = (house == hint) << 8 | gain << 1 | (house == work.killers[ply])
        promise = np.uint64(favour << 3 | house)
        place = count
        while place > 0 and work.tree[ply, place - 1, 2] < promise:
            for part in range(3):
                work.tree[ply, place, part] = work.tree[ply, place - 1, part]
            place -= 1
        work.tree[ply, place, 0] = mine
        work.tree[ply, place, 1] = theirs
        work.tree[ply, place, 2] = promise
        count += 1
    work.control[NODES] += count
    return count


@inlined
def keep_line(work: Work, ply: int, house: int) -> None:
    """Put the move before the line that follows it."""
    work.lines[ply, ply] = house
    place = ply
    while work.lines[ply, place] >= 0:
        place += 1
        work.lines[ply, place] = work.lines[ply + 1, place]


@inlined
def must_halt(work: Work) -> bool:
    """Whether the search was stopped or has visited as many positions as it may."""
    if work.stop[0] or work.control[NODES] >= work.control[NODE_LIMIT]:
        work.control[HALTED] = 1
    return bool(work.control[HALTED])


@inlined
def in_tables(work: Work, index: int) -> bool:
    """Whether the endgame tables have the board at the index."""
    stores = taken(work.path[index, 0]) + taken(work.path[index, 1])
    return bool(STONES - stores <= work.control[IN_TABLES])


@inlined
def known_score(work: Work, index: int, gain: int) -> int:
    """The score of the situation at the index if the game is decided there, or UNDECIDED."""
    if gain == 0 or not in_tables(work, index):
        return UNDECIDED
    return decided(work.path[index, 0], work.path[index, 1], work.codes)


@inlined
def estimate(work: Work, judgement: int, index: int) -> int:
    """The score of an unfinished game for the player to move, where the depth ends.

    What the tables say is right unless something remembered comes back; more stones are better.
    """
    mine, theirs = work.path[index, 0], work.path[index, 1]
    if judgement == TUNED and in_tables(work, index):
        score = decided(mine, theirs, work.codes)
        if score == SURE_WIN:
            return LIMIT - STONES + taken(mine)
        if score == -SURE_WIN:
            return STONES - LIMIT - taken(theirs)
        if score == 0:
            return 0
    return evaluate(mine, theirs, judgement, work.weights)


@kernel
def value_of(
    work: Work,
    judgement: int,
    first: int,  # where in the path the last capture was
    index: int,  # where in the path this situation is
    sown: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """The score of the situation for its player to move; the game goes on there.

    Between alpha and beta it is exact, else a bound for it.
    """
    if must_halt(work):
        return 0
    ply = index - work.control[ROOT]
    work.lines[ply, ply] = -1
    mine = work.path[index, 0] | np.uint64(judgement) << np.uint64(60)
    theirs = work.path[index, 1]
    slot = 0
    hint = -1
    settled = False
    if depth > 1:
        slot = slot_of(work.table, mine, theirs)
        settled = not can_repeat(sown, depth)
        if work.table[slot, MINE] == mine and work.table[slot, THEIRS] == theirs:
            data = signed(work.table[slot, DATA])
            hint = data >> 44
            if settled and data >> 32 & 255 == depth and beta - alpha == 1:
                score = (data & 0xFFFFFFFF) - INFINITE
                bound = data >> 40 & 15
                if bound & (AT_LEAST if score >= beta else AT_MOST):
                    return score
    count = expand(work, index, hint)
    best = -INFINITE
    best_house = 0
    floor = alpha
    for place in range(count):
        work.path[index + 1, 0] = work.tree[ply, place, 0]
        work.path[index + 1, 1] = work.tree[ply, place, 1]
        promise = signed(work.tree[ply, place, 2])
        house = promise & 7
        gain = promise >> 4 & 127
        since = index + 1 if gain else first
        now_sown = sown_after(sown, house, gain)
        work.lines[ply + 1, ply + 1] = -1
        known = known_score(work, index + 1, gain)
        if is_over(work.path, since, index + 1):
            score = -final_score(work.path[index + 1, 0], work.path[index + 1, 1])
        elif known != UNDECIDED:
            score = -known
        elif depth == 1:
            score = -estimate(work, judgement, index + 1)
        else:
            window = beta if place == 0 else alpha + 1
            score = -value_of(
                work, judgement, since, index + 1, now_sown, depth - 1, -window, -alpha
            )
            if alpha < score < beta and window < beta:
                score = -value_of(
                    work, judgement, since, index + 1, now_sown, depth - 1, -beta, -alpha
                )
        if work.control[HALTED]:
            return 0
        if score > best:
            best = score
            best_house = house
            if score > alpha:
                alpha = score
                if score >= beta:
                    if gain == 0:
                        work.killers[ply] = house
                    break
                keep_line(work, ply, house)
    if depth > 1:
        bound = UNKNOWN
        if settled:
            bound = AT_LEAST if best >= beta else EXACTLY if best > floor else AT_MOST
        work.table[slot, MINE] = mine
        work.table[slot, THEIRS] = theirs
        work.table[slot, DATA] = packed(best, depth, bound, best_house)
    return best


@kernel
def score_moves(
    work: Work,
    judgement: int,
    sown: int,
    depth: int,
    houses: NDArray[np.int64],
    scores: NDArray[np.int64],
    every: bool,
) -> None:
    """Score the moves of the root in the given order.

    Every score is exact if asked for; else the equal best ones are, and the others bounds below
    them. If the search is halted the scores are worth nothing.
    """
    root = work.control[ROOT]
    best = -INFINITE
    for place in range(len(houses)):
        house = houses[place]
        mine, theirs, gain = after(work.path[root, 0], work.path[root, 1], house)
        work.path[root + 1, 0], work.path[root + 1, 1] = mine, theirs
        since = root + 1 if gain else 0
        now_sown = sown_after(sown, house, gain)
        work.lines[1, 1] = -1
        work.control[NODES] += 1
        known = known_score(work, root + 1, gain)
        if is_over(work.path, since, root + 1):
            score = -final_score(mine, theirs)
        elif known != UNDECIDED:
            score = -known
        elif depth == 1:
            score = -estimate(work, judgement, root + 1)
        else:
            floor = -INFINITE if every or place == 0 else best - 1
            window = INFINITE if every or place == 0 else best
            score = -value_of(
                work, judgement, since, root + 1, now_sown, depth - 1, -window, -floor
            )
            if score >= window:
                score = -value_of(
                    work, judgement, since, root + 1, now_sown, depth - 1, -INFINITE, -floor
                )
        if work.control[HALTED]:
            return
        scores[place] = score
        copy_row(work.lines[1], work.replies[house])
        best = max(best, score)
