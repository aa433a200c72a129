"""Whole turns for the kernels: a stone placed or moved, with what it captures.

A turn is an int64: target, origin, first and second capture, five bits each; 31 stands for none.
Two captures are one turn in either order, the lower field first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.morris.engine.board import FULL, NEAR, closes, count, lowest
from spielwerk.games.morris.rules import EACH, LOSING, QUIET_TURNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

NONE: Final = 31
NO_CAPTURE: Final = NONE << 10 | NONE << 15
NO_TURN: Final = NONE | NONE << 5 | NO_CAPTURE
MOST_TURNS: Final = 36 * 36  # at most 9 * 4 steps, 3 * 21 flights or 24 placings, 36 pairs to take

LEAST_STONES: Final = 3


@inlined
def targets(own: int, field: int, free: int) -> int:
    """Where a stone of the moving phase may go."""
    return free if count(own) <= LEAST_STONES else NEAR[field] & free


@inlined
def captured(turn: int) -> int:
    """The fields whose stones the turn captures."""
    first, second = (turn >> 10) & 31, (turn >> 15) & 31
    return ((1 << first) | (1 << second)) & FULL


@inlined
def moved(own: int, turn: int) -> int:
    """The own stones after the turn."""
    target, origin = turn & 31, (turn >> 5) & 31
    return (own & ~(1 << origin) | (1 << target)) & FULL


@inlined
def _with_captures(
    turn: int, captures: int, opponent: int, turns: NDArray[np.int64], size: int
) -> int:
    """Write the turn with every choice of captures; the new size of the list."""
    if not captures:
        turns[size] = turn | NO_CAPTURE
        return size + 1
    rest = opponent
    while rest:
        first = lowest(rest)
        rest &= rest - 1
        if captures == 1:
            turns[size] = turn | first << 10 | NONE << 15
            size += 1
            continue
        others = rest
        while others:
            turns[size] = turn | first << 10 | lowest(others) << 15
            size += 1
            others &= others - 1
    return size


@inlined
def list_turns(
    own: int,
    opponent: int,
    own_hand: int,
    opponent_hand: int,
    pending: int,
    turns: NDArray[np.int64],
    start: int,
) -> int:
    """Write all turns to the list from `start` on; where they end.

    With captures pending, the turn is what is left of it: only captures.
    """
    opponents = count(opponent)
    most = min(opponents, LOSING - (EACH - opponent_hand - opponents))
    size = start
    if pending:
        return _with_captures(NONE | NONE << 5, min(pending, most), opponent, turns, size)
    free = FULL & ~(own | opponent)
    if own_hand:
        while free:
            target = lowest(free)
            free &= free - 1
            captures = min(closes(own, target), most)
            size = _with_captures(target | NONE << 5, captures, opponent, turns, size)
        return size
    stones = own
    while stones:
        origin = lowest(stones)
        stones &= stones - 1
        goals = targets(own, origin, free)
        while goals:
            target = lowest(goals)
            goals &= goals - 1
            captures = min(closes(own & ~(1 << origin), target), most)
            size = _with_captures(target | origin << 5, captures, opponent, turns, size)
    return size


@kernel
def turns_of(
    own: int, opponent: int, own_hand: int, opponent_hand: int, pending: int
) -> NDArray[np.int64]:
    """All turns of a position that is not over."""
    turns = np.empty(MOST_TURNS, np.int64)
    return turns[: list_turns(own, opponent, own_hand, opponent_hand, pending, turns, 0)].copy()


@kernel
def count_decisions(
    own: int,
    opponent: int,
    own_hand: int,
    opponent_hand: int,
    pending: int,
    quiet: int,
    depth: int,
    turns: NDArray[np.int64],
    start: int,
) -> int:
    """How many sequences of single decisions of this length there are; `turns` is working space."""
    if depth == 0:
        return 1
    if EACH - own_hand - count(own) >= LOSING or quiet >= QUIET_TURNS:
        return 0
    end = list_turns(own, opponent, own_hand, opponent_hand, pending, turns, start)
    left = depth if pending else depth - 1  # decisions after the stone is placed or moved
    placed = 1 if own_hand and not pending else 0
    total = 0
    before = -1
    for number in range(start, end):
        turn = turns[number]
        taken = captured(turn)
        captures = count(taken)
        if left >= captures:
            orders = 2 if captures == 2 else 1
            total += orders * count_decisions(
                opponent & ~taken,
                moved(own, turn),
                opponent_hand,
                own_hand - placed,
                int(
                    np.int64(0)
                ),  # a literal would be a type of its own, which the cache cannot load
                0 if captures else quiet + 1,
                left - captures,
                turns,
                end,
            )
        elif turn & 1023 != before:  # cut off within the turn: every beginning counts once
            total += count(opponent) if left else 1
        before = turn & 1023
    return total
