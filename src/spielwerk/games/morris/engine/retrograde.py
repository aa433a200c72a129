"""Exact values by retrograde analysis: what the bytes of the sectors mean, and the kernels.

One signed byte says everything about a board. Let c be the turns without a capture so far, 0 to 49
where a player is to move. The byte is v:

    v > 0   the player to move wins when c < v, and draws when c >= v
    v < 0   the player to move loses when c < -v, and draws when c >= -v
    v = 0   a draw at every count

One number is enough because a win or loss at count c also holds at c - 1, and because captures set
the count to zero: what they lead to does not depend on c. The rules give, with the values of the
opponent's boards after a quiet turn (q) and after a turn with capture (k):

    win     50 if some k < 0 or takes the seventh stone, else the greatest -q - 1 over q < 0
    loss    50 if no move is possible; else every k > 0 and every q > 0, and the least of q - 1
            (50 if there are only captures)

The -1 is the turn that is counted. At c = 49 a quiet turn is the fiftieth and draws before the
opponent is asked, so a blocked opponent loses only to a quiet turn at c <= 48: his board is worth
-50, and 50 - 1 = 49. So |v| = 50 - d, where d is the number of turns to the decisive capture or
blockade, and boards can be settled in the order of d, each level from the one before:

    wins      every board with a quiet turn to a loss of the last level
    losses    the boards with a quiet turn to a win of the last level are looked at again

While stones are placed nothing comes back: `place` takes the best of all turns, where a turn is
worth 50, 0 or -50 if it captures, else -q with one taken off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined, kernel, lowest_bit
from spielwerk.games.morris.engine.board import FULL, closes, count, lowest, targets, transformed
from spielwerk.games.morris.engine.index import (
    CHOOSE,
    board_number,
    gathered,
    rank,
    scattered,
)
from spielwerk.games.morris.rules import QUIET_TURNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.morris.engine.sectors import Values

SURE: Final = QUIET_TURNS  # decided at every count
SAFE: Final = -64  # not decided, and a capture holds the draw: never a loss
TOUCHED: Final = -65  # not decided, and a turn leads to a win of the last level
LANES: Final = 8  # boards that are looked at together: the bytes of a word


@inlined
def _capture_value(
    own: int,
    opponent: int,
    captures: int,
    fewest: int,
    one_less: Values,
    one_less_classes: NDArray[np.int32],
    two_less: Values,
    two_less_classes: NDArray[np.int32],
) -> int:
    """The worst for the opponent that the captures can bring: -1 lost, 0 drawn, 1 won."""
    owns, opponents = count(own), count(opponent)
    if opponents - captures < fewest:
        return -1
    worst = 1
    first_left = opponent
    while first_left:
        first = first_left & -first_left
        first_left ^= first
        if captures == 1:
            found = one_less[board_number(opponent ^ first, own, owns, one_less_classes)]
            worst = min(worst, int(np.sign(found)))
        else:
            second_left = first_left
            while second_left:
                second = second_left & -second_left
                second_left ^= second
                rest = opponent ^ first ^ second
                found = two_less[board_number(rest, own, owns, two_less_classes)]
                worst = min(worst, int(np.sign(found)))
        if worst < 0:
            break
    return worst


@inlined
def _first_value(
    own: int,
    opponent: int,
    fewest: int,
    one_less: Values,
    one_less_classes: NDArray[np.int32],
    two_less: Values,
    two_less_classes: NDArray[np.int32],
) -> int:
    """The value as far as captures and blockades decide it."""
    free = FULL & ~(own | opponent)
    quiet, safe = False, False
    stones = own
    while stones:
        stone = stones & -stones
        stones ^= stone
        goals = targets(own, lowest(stone), free)
        while goals:
            goal = goals & -goals
            goals ^= goal
            captures = closes(own ^ stone, lowest(goal))
            if not captures:
                quiet = True
                continue
            value = _capture_value(
                own ^ stone ^ goal,
                opponent,
                captures,
                fewest,
                one_less,
                one_less_classes,
                two_less,
                two_less_classes,
            )
            if value < 0:
                return SURE
            safe = safe or value == 0
    if safe:
        return SAFE
    return 0 if quiet else -SURE


@kernel
def begin(
    first: int,
    last: int,
    values: Values,
    sets: NDArray[np.int32],
    places: NDArray[np.int32],
    fewest: int,
    one_less: Values,
    one_less_classes: NDArray[np.int32],
    two_less: Values,
    two_less_classes: NDArray[np.int32],
) -> None:
    """Level 0 of the moving phase for the boards from `first` to before `last`."""
    for board in range(first, last):
        own = int(sets[board // places.size])
        opponent = scattered(int(places[board % places.size]), FULL & ~own)
        values[board] = _first_value(
            own, opponent, fewest, one_less, one_less_classes, two_less, two_less_classes
        )


@inlined
def _mark(
    own: int,
    opponent: int,
    opponents: int,
    mark: int,
    values: Values,
    of_rank: NDArray[np.int32],
    stabilisers: NDArray[np.int32],
) -> None:
    """Write the mark to every number of an undecided board."""
    found = int(of_rank[rank(own)])
    free = FULL & ~transformed(own, found & 15)
    turned = transformed(opponent, found & 15)
    start = (found >> 4) * CHOOSE[count(free), opponents]
    symmetries = int(stabilisers[found >> 4])
    for symmetry in range(16):
        if not symmetries >> symmetry:
            break
        if symmetries >> symmetry & 1:
            number = start + rank(gathered(transformed(turned, symmetry), free))
            old = values[number]
            if old == 0 or (mark != TOUCHED and old <= SAFE):
                values[number] = mark


@inlined
def _lanes(word: np.uint64, wanted: int) -> np.uint64:
    """The highest bit of each byte of the word that has the value; all others are zero."""
    same = word ^ (np.uint64(wanted & 255) * np.uint64(0x0101010101010101))
    low = np.uint64(0x7F7F7F7F7F7F7F7F)
    return ~(((same & low) + low) | same | low)


@kernel
def reach_back(
    first: int,
    last: int,
    words: NDArray[np.uint64],
    sets: NDArray[np.int32],
    places: NDArray[np.int32],
    wanted: int,
    mark: int,
    before: Values,
    before_of_rank: NDArray[np.int32],
    before_stabilisers: NDArray[np.int32],
) -> int:
    """From the boards of the wanted value, mark those from which a quiet turn leads to them."""
    owns = count(int(sets[0]))
    found = 0
    for word in range(first // LANES, last // LANES):
        lanes = _lanes(words[word], wanted)
        while lanes:
            board = LANES * word + _lowest_lane(lanes)
            lanes &= lanes - np.uint64(1)
            found += 1
            own = int(sets[board // places.size])
            opponent = scattered(int(places[board % places.size]), FULL & ~own)
            free = FULL & ~(own | opponent)
            stones = opponent
            while stones:
                stone = stones & -stones
                stones ^= stone
                if closes(opponent, lowest(stone)):
                    continue
                origins = targets(opponent, lowest(stone), free)
                while origins:
                    origin = origins & -origins
                    origins ^= origin
                    _mark(
                        opponent ^ stone ^ origin,
                        own,
                        owns,
                        mark,
                        before,
                        before_of_rank,
                        before_stabilisers,
                    )
    return found


@inlined
def _lowest_lane(lanes: np.uint64) -> int:
    return int(lowest_bit(lanes)) >> 3


@inlined
def _every_quiet_turn_loses(
    own: int, opponent: int, least: int, after: Values, after_of_rank: NDArray[np.int32]
) -> bool:
    free = FULL & ~(own | opponent)
    owns = count(own)
    stones = own
    while stones:
        stone = stones & -stones
        stones ^= stone
        goals = targets(own, lowest(stone), free)
        while goals:
            goal = goals & -goals
            goals ^= goal
            if closes(own ^ stone, lowest(goal)):
                continue
            if after[board_number(opponent, own ^ stone ^ goal, owns, after_of_rank)] < least:
                return False
    return True


@kernel
def settle_losses(
    first: int,
    last: int,
    words: NDArray[np.uint64],
    sets: NDArray[np.int32],
    places: NDArray[np.int32],
    values: Values,
    least: int,
    after: Values,
    after_of_rank: NDArray[np.int32],
) -> None:
    """Look at the touched boards: lost one level later, if every quiet turn loses by now."""
    for word in range(first // LANES, last // LANES):
        lanes = _lanes(words[word], TOUCHED)
        while lanes:
            board = LANES * word + _lowest_lane(lanes)
            lanes &= lanes - np.uint64(1)
            own = int(sets[board // places.size])
            opponent = scattered(int(places[board % places.size]), FULL & ~own)
            lost = _every_quiet_turn_loses(own, opponent, least, after, after_of_rank)
            values[board] = 1 - least if lost else 0


@inlined
def _quiet_value(value: int) -> int:
    """What a quiet turn is worth that leads to a board of this value."""
    if value > 0:
        return 1 - value
    return -1 - value if value < 0 else 0


@inlined
def _list_rows(
    opponent: int,
    owns: int,
    one_less_classes: NDArray[np.int32],
    two_less_classes: NDArray[np.int32],
    rows: NDArray[np.int64],
) -> None:
    """For each capture of one stone, then of two: where its row begins, and how it is turned."""
    row = 0
    for captures in range(1, 3):
        first_left = opponent
        while first_left:
            first = first_left & -first_left
            first_left ^= first
            second_left = first_left if captures == 2 else first
            while second_left:
                second = second_left & -second_left
                second_left ^= second
                rest = opponent & ~(first | second)
                classes = one_less_classes if captures == 1 else two_less_classes
                found = int(classes[rank(rest)]) if classes.size else 0
                rows[row, 0] = (found >> 4) * CHOOSE[24 - count(rest), owns]
                rows[row, 1] = found & 15
                rows[row, 2] = FULL & ~transformed(rest, found & 15)
                row += 1


@inlined
def _worst_capture(own: int, below: Values, rows: NDArray[np.int64], first: int, last: int) -> int:
    """The worst for the opponent among the captures of these rows: -1 lost, 0 drawn, 1 won."""
    worst = 1
    for row in range(first, last):
        place = rank(gathered(transformed(own, rows[row, 1]), rows[row, 2]))
        worst = min(worst, int(np.sign(below[rows[row, 0] + place])))
        if worst < 0:
            break
    return worst


@kernel
def place(
    first: int,
    last: int,
    sets: NDArray[np.int32],
    places: NDArray[np.int32],
    values: Values,
    of_rank: NDArray[np.int32],
    stabilisers: NDArray[np.int32],
    fewest: int,
    after: Values,
    one_less: Values,
    one_less_classes: NDArray[np.int32],
    two_less: Values,
    two_less_classes: NDArray[np.int32],
) -> None:
    """The values of boards where the mover has to place, from `first` to before `last`.

    Here boards are counted by the opponent's stones, as `sets` has them, then by the mover's: all
    turns from boards with the same stones of the opponent lead to a few rows of the other tables.
    """
    opponents, owns = count(int(sets[0])), count(int(places[0]))
    rows = np.empty((opponents * (opponents + 1) // 2, 3), np.int64)
    before = -1
    for board in range(first, last):
        group = board // places.size
        opponent = int(sets[group])
        around = FULL & ~opponent
        if group != before:
            _list_rows(opponent, owns + 1, one_less_classes, two_less_classes, rows)
            before = group
        packed = int(places[board % places.size])
        own = scattered(packed, around)
        best = -SURE
        quiet = free = around & ~own
        while free and best < SURE:  # captures first: many of them win
            stone = free & -free
            free ^= stone
            captures = min(closes(own, lowest(stone)), opponents)
            if captures == 0:
                continue
            quiet ^= stone
            if opponents - captures < fewest:
                worst = -1
            elif captures == 1:
                worst = _worst_capture(own | stone, one_less, rows, 0, opponents)
            else:
                worst = _worst_capture(own | stone, two_less, rows, opponents, rows.shape[0])
            best = max(best, -SURE * worst)
        start = group * CHOOSE[24 - opponents, owns + 1]
        while quiet and best < SURE - 1:  # a turn that counts is not worth more
            stone = quiet & -quiet
            quiet ^= stone
            number = start + rank(packed | 1 << count(around & (stone - 1)))
            best = max(best, _quiet_value(int(after[number])))
        _mark(own, opponent, opponents, best, values, of_rank, stabilisers)
