"""Exact values for the moving phase by retrograde analysis: what the bytes mean, and the kernels.

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

A sector needs one byte a board while it is solved, with those its captures lead to beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.morris.engine.board import FULL, closes, count, lowest, targets, transformed
from spielwerk.games.morris.engine.sectors import (
    CHOOSE,
    FEWEST,
    board_number,
    following,
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


@inlined
def _capture_value(
    own: int,
    opponent: int,
    captures: int,
    one_less: Values,
    one_less_classes: NDArray[np.int32],
    two_less: Values,
    two_less_classes: NDArray[np.int32],
) -> int:
    """The worst for the opponent that the captures can bring: -1 lost, 0 drawn, 1 won."""
    owns, opponents = count(own), count(opponent)
    if opponents - captures < FEWEST:
        return -1
    worst = 1
    first_left = opponent
    while first_left:
        first = first_left & -first_left
        first_left ^= first
        if captures == 1:
            found = one_less[board_number(opponent ^ first, own, owns, one_less_classes)]
            worst = min(worst, int(np.sign(found)))
            continue
        second_left = first_left
        while second_left:
            second = second_left & -second_left
            second_left ^= second
            rest = opponent ^ first ^ second
            found = two_less[board_number(rest, own, owns, two_less_classes)]
            worst = min(worst, int(np.sign(found)))
    return worst


@inlined
def _first_value(
    own: int,
    opponent: int,
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
    opponents: int,
    values: Values,
    sets: NDArray[np.int32],
    one_less: Values,
    one_less_classes: NDArray[np.int32],
    two_less: Values,
    two_less_classes: NDArray[np.int32],
) -> None:
    """Level 0 for the classes from `first` to before `last`."""
    width = CHOOSE[24 - count(int(sets[0])), opponents]
    for number in range(first, last):
        own = int(sets[number])
        place = (1 << opponents) - 1
        for board in range(number * width, (number + 1) * width):
            opponent = scattered(place, FULL & ~own)
            values[board] = _first_value(
                own, opponent, one_less, one_less_classes, two_less, two_less_classes
            )
            place = following(place)


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


@kernel
def reach_back(
    first: int,
    last: int,
    wanted: int,
    mark: int,
    opponents: int,
    values: Values,
    sets: NDArray[np.int32],
    before: Values,
    before_of_rank: NDArray[np.int32],
    before_stabilisers: NDArray[np.int32],
) -> int:
    """From the boards of the wanted value, mark those from which a quiet turn leads to them."""
    owns = count(int(sets[0]))
    width = CHOOSE[24 - owns, opponents]
    found = 0
    for number in range(first, last):
        own = int(sets[number])
        place = (1 << opponents) - 1
        for board in range(number * width, (number + 1) * width):
            if values[board] == wanted:
                found += 1
                opponent = scattered(place, FULL & ~own)
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
            place = following(place)
    return found


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
    least: int,
    opponents: int,
    values: Values,
    sets: NDArray[np.int32],
    after: Values,
    after_of_rank: NDArray[np.int32],
) -> None:
    """Look at the touched boards: lost one level later, if every quiet turn loses by now."""
    width = CHOOSE[24 - count(int(sets[0])), opponents]
    for number in range(first, last):
        own = int(sets[number])
        place = (1 << opponents) - 1
        for board in range(number * width, (number + 1) * width):
            if values[board] == TOUCHED:
                opponent = scattered(place, FULL & ~own)
                lost = _every_quiet_turn_loses(own, opponent, least, after, after_of_rank)
                values[board] = 1 - least if lost else 0
            place = following(place)
