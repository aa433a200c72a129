"""The board as bits, whole turns, and states of the rules as kernels take them.

A set of fields is an int64 with one bit a field, bit 8 * square + place, so each square is a byte
and turning the board turns three bytes. Every field stands in exactly two mills.

A turn is a stone placed or moved, with what it captures, as an int64: target, origin, first and
second capture, five bits each; 31 stands for none. Two captures are one turn in either order, the
lower field first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np

from spielwerk.engines.compiled import inlined, kernel, popcount
from spielwerk.games.morris.rules import (
    EACH,
    LOSING,
    MILLS_OF,
    NEIGHBOURS,
    QUIET_TURNS,
    STONES,
    Decision,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.interface import State
    from spielwerk.games.morris.rules import MorrisState

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
    return np.int64(popcount(np.uint64(fields)))  # type: ignore[return-value]


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


Turn = int


class MorrisPosition(NamedTuple):
    """A state from the side of the player who decides."""

    own: int
    opponent: int
    own_hand: int
    opponent_hand: int
    quiet: int
    pending: int = 0  # captures that are left of a turn

    @classmethod
    def of(cls, state: State[Decision]) -> MorrisPosition:
        """The state as numbers; a player must have to decide there."""
        morris = cast("MorrisState", state)
        me, other = morris.player, 1 - morris.player
        stones = [sum(1 << f for f, s in enumerate(morris.board) if s == own) for own in STONES]
        hands = morris.hand[me], morris.hand[other]
        return cls(stones[me], stones[other], *hands, morris.quiet, morris.capture)

    def turns(self) -> list[Turn]:
        """All whole turns, or what is left of one."""
        return cast("list[Turn]", turns_of(*self[:4], self.pending).tolist())

    def after(self, turn: Turn) -> MorrisPosition:
        """The opponent's position after the turn."""
        target, origin, *taken = fields_of(turn)
        own = (self.own & ~(1 << origin) | 1 << target) & FULL
        rest = self.opponent
        for field in taken:
            rest &= ~(1 << field)
        placed = origin == NONE and not self.pending
        quiet = self.quiet + 1 if rest == self.opponent else 0
        return MorrisPosition(rest, own, self.opponent_hand, self.own_hand - placed, quiet)

    @property
    def key(self) -> int:
        """What the search's table calls the position; 0 in the midst of a turn."""
        hands = self.own_hand << 48 | self.opponent_hand << 52
        return 0 if self.pending else self.own | self.opponent << 24 | hands

    @property
    def counted_key(self) -> int:
        """The same where the count is part of it."""
        return self.key | (self.quiet + 1) << 56

    @property
    def is_moving(self) -> bool:
        """Whether all stones are placed and a whole turn is due."""
        return not (self.own_hand or self.opponent_hand or self.pending)

    @property
    def is_over(self) -> bool:
        """Whether a rule ends the game here."""
        return self.is_lost or self.is_drawn or not self.turns()

    @property
    def is_lost(self) -> bool:
        """Whether the seventh stone is lost."""
        return EACH - self.own_hand - self.own.bit_count() >= LOSING

    @property
    def is_drawn(self) -> bool:
        """Whether the count is full."""
        return self.quiet >= QUIET_TURNS


def fields_of(turn: Turn) -> tuple[int, int, int, int]:
    """Target, origin, first and second capture; NONE where there is none."""
    return turn & 31, turn >> 5 & 31, turn >> 10 & 31, turn >> 15 & 31


def decisions_of(turn: Turn) -> tuple[Decision, ...]:
    """The single decisions of a turn, in order."""
    target, origin, *taken = fields_of(turn)
    captures = tuple(Decision(field) for field in taken if field != NONE)
    if target == NONE:
        return captures
    return (Decision(target, None if origin == NONE else origin), *captures)


def first_decisions(turn: Turn) -> tuple[Decision, ...]:
    """What a turn can begin with: two captures can be made in either order."""
    decisions = decisions_of(turn)
    return decisions if turn & 31 == NONE else decisions[:1]
