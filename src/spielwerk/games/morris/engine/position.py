"""Between the rules and the kernels: a state as numbers, turns as decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from spielwerk.engines.interface import EngineError, require_decision
from spielwerk.games.morris.engine.board import FULL
from spielwerk.games.morris.engine.turns import NONE, turns_of
from spielwerk.games.morris.rules import EACH, LOSING, QUIET_TURNS, STONES, Decision, MorrisState

if TYPE_CHECKING:
    from spielwerk.games.interface import State

Turn = int


class Position(NamedTuple):
    """A state from the side of the player who decides."""

    own: int
    opponent: int
    own_hand: int
    opponent_hand: int
    quiet: int
    pending: int = 0  # captures that are left of a turn

    @classmethod
    def of(cls, state: State[Decision]) -> Position:
        """The state as numbers, or EngineError if nobody decides there."""
        require_decision(state)
        if not isinstance(state, MorrisState):
            raise EngineError(f"not a state of Nine Men's Morris: {state}")
        problem = state.contradiction()
        if problem:
            raise EngineError(f"no game leads to {state}: {problem}")
        me, other = state.player, 1 - state.player
        stones = [sum(1 << f for f, s in enumerate(state.board) if s == own) for own in STONES]
        hands = state.hand[me], state.hand[other]
        return cls(stones[me], stones[other], *hands, state.quiet, state.capture)

    def turns(self) -> list[Turn]:
        """All whole turns, or what is left of one."""
        return cast("list[Turn]", turns_of(*self[:4], self.pending).tolist())

    def after(self, turn: Turn) -> Position:
        """The opponent's position after the turn."""
        target, origin, *taken = fields_of(turn)
        own = (self.own & ~(1 << origin) | 1 << target) & FULL
        rest = self.opponent
        for field in taken:
            rest &= ~(1 << field)
        placed = origin == NONE and not self.pending
        quiet = self.quiet + 1 if rest == self.opponent else 0
        return Position(rest, own, self.opponent_hand, self.own_hand - placed, quiet)

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
