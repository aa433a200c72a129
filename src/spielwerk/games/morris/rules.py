"""Nine Men's Morris, by the Morris sheet.

The fields are A0 to A7 (outer square), B0 to B7, C0 to C7 (inner); 0 is top left, then clockwise.
Each player places nine stones, then moves along the lines, then flies with the last three. A closed
mill takes one opposing stone, two mills closed at once take two, also out of mills. Who has lost
seven stones loses, and so does who cannot move; the 50th turn in a row without a capture is a draw.

Placing, moving and each capture are decisions of their own, written `A1`, `A1:A2`, `B3`; a turn's
decisions can be given at once, `A1:A2;B3`. A position is the three squares (`.` free, 0 and 1 the
players' stones), the stones not yet placed, the player to decide, how many stones that player has
to capture, and the turns without capture:
`......../......../........ hand 9 9 player 0 capture 0 quiet 0`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from spielwerk.errors import NotationError
from spielwerk.games.interface import NOBODY, Game, Outcome, State

if TYPE_CHECKING:
    from collections.abc import Iterable

FREE: Final = "."
STONES: Final = "01"
EACH: Final = 9
LOSING: Final = 7
QUIET_TURNS: Final = 50

FIELDS: Final = tuple(f"{square}{place}" for square in "ABC" for place in range(8))


def _mills() -> tuple[tuple[int, int, int], ...]:
    """The sides of the three squares, and the four lines that join them."""
    sides = [
        (8 * s + p, 8 * s + p + 1, 8 * s + (p + 2) % 8) for s in range(3) for p in (0, 2, 4, 6)
    ]
    return (*sides, *((p, 8 + p, 16 + p) for p in (1, 3, 5, 7)))


MILLS: Final = _mills()
MILLS_OF: Final = tuple(tuple(mill for mill in MILLS if f in mill) for f in range(24))
NEIGHBOURS: Final = tuple(
    tuple(
        sorted({mill[n] for mill in MILLS_OF[f] for n in range(3) if abs(n - mill.index(f)) == 1})
    )
    for f in range(24)
)

SEVENTH: Final = "the seventh stone is lost"
BLOCKED: Final = "no move is possible"
QUIET: Final = "50 turns without a capture"

_MOVE: Final = re.compile(r"(?:([ABC][0-7]):)?([ABC][0-7])")
_POSITION: Final = re.compile(
    r"([.01]{8})/([.01]{8})/([.01]{8}) hand ([0-9]) ([0-9]) player ([01]) capture ([0-2])"
    r" quiet (0|[1-9][0-9]?)"
)


class Decision(NamedTuple):
    """One decision: the field to place, to capture or to move on, and where a moved stone was."""

    target: int
    origin: int | None = None


@dataclass(frozen=True)
class Morris(Game[Decision]):
    """Nine Men's Morris; player 0 is White and begins."""

    name: ClassVar = "morris"
    title: ClassVar = "Nine Men's Morris"
    sides: ClassVar = ("White", "Black")
    move_help: ClassVar = "A1 places or captures, A1:A2 moves, A1:A2;B3 does both"
    long_turns: ClassVar = True

    def start(self) -> MorrisState:
        """The empty board."""
        return MorrisState(self, None, FREE * 24, (EACH, EACH), 0, 0, 0)

    def parse_move(self, text: str) -> Decision:
        """Read `A1` or `A1:A2`."""
        match = _MOVE.fullmatch(text)
        if not match:
            raise NotationError("Morris move", text, "expected fields A0 to C7, like A1 or A1:A2")
        origin = None if match[1] is None else FIELDS.index(match[1])
        return Decision(FIELDS.index(match[2]), origin)

    def parse_turn(self, text: str) -> tuple[Decision, ...]:
        """Read a chain like `A1:A2;B3`."""
        try:
            return tuple(self.parse_move(part) for part in text.split(";"))
        except NotationError as error:
            raise NotationError(error.what, text, error.problem) from None

    def format_move(self, move: Decision) -> str:
        """Write `A1` or `A1:A2`."""
        target = _name(move.target)
        return target if move.origin is None else f"{_name(move.origin)}:{target}"

    @classmethod
    def written(cls, decisions: Iterable[tuple[int, str]]) -> list[str]:
        """Whole turns as the game server's protocol has them."""
        turns = groupby(decisions, lambda decision: decision[0])
        return [f"PLAY {';'.join(move for _, move in turn)}" for _, turn in turns]

    def parse_state(self, text: str) -> MorrisState:
        """Read the squares, the stones in hand, and what is to be decided."""
        match = _POSITION.fullmatch(text)
        if not match:
            example = str(self.start())
            raise NotationError("Morris position", text, f"expected something like {example}")
        hand = (int(match[4]), int(match[5]))
        state = _settled(
            self, match[1] + match[2] + match[3], hand, int(match[6]), int(match[7]), int(match[8])
        )
        problem = state.contradiction()
        if problem:
            raise NotationError("Morris position", text, problem)
        return state


@dataclass(frozen=True, slots=True)
class MorrisState(State[Decision]):
    """The board field by field, the stones in hand, and what is to be decided."""

    game: Morris
    board: str
    hand: tuple[int, int]
    player: int
    capture: int  # stones that the player still has to take
    quiet: int  # turns in a row without a capture

    @property
    def turn(self) -> int:
        """The player to decide, or NOBODY."""
        return NOBODY if self.outcome else self.player

    def lost(self, player: int) -> int:
        """How many of the player's stones have been captured."""
        return EACH - self.hand[player] - self.board.count(STONES[player])

    def legal_moves(self) -> list[Decision]:
        """The captures if one is due, else the placements, steps or flights."""
        if self.outcome:
            return []
        if self.capture:
            return [Decision(f) for f in self._fields(STONES[1 - self.player])]
        if self.hand[self.player]:
            return [Decision(f) for f in self._fields(FREE)]
        return [
            Decision(target, origin)
            for origin in self._fields(STONES[self.player])
            for target in self._targets(origin)
        ]

    def _fields(self, content: str) -> list[int]:
        return [f for f, found in enumerate(self.board) if found == content]

    def _targets(self, origin: int) -> list[int]:
        """Where the stone on this field may go: next door, or anywhere with the last three."""
        if self.board.count(STONES[self.player]) <= 3:
            return self._fields(FREE)
        return [f for f in NEIGHBOURS[origin] if self.board[f] == FREE]

    def play(self, move: Decision) -> MorrisState:
        """Capture if that is due, else place or move, and see what mills it closes."""
        rule = self._broken_rule(move)
        if rule:
            raise self.illegal(move, rule)
        if self.capture:
            return self._captured(move.target)
        board, hand = self.board, self.hand
        if move.origin is None:
            hand = (hand[0] - (self.player == 0), hand[1] - (self.player == 1))
        else:
            board = _with(board, move.origin, FREE)
        board = _with(board, move.target, STONES[self.player])
        closed = _closed(board, move.target)
        capture = min(closed, board.count(STONES[1 - self.player])) if closed else 0
        if capture:
            return _settled(self.game, board, hand, self.player, capture, 0)
        return _settled(self.game, board, hand, 1 - self.player, 0, self.quiet + 1)

    def _captured(self, target: int) -> MorrisState:
        board = _with(self.board, target, FREE)
        if self.capture > 1 and self.lost(1 - self.player) + 1 < LOSING:
            return _settled(self.game, board, self.hand, self.player, self.capture - 1, 0)
        return _settled(self.game, board, self.hand, 1 - self.player, 0, 0)

    def _broken_rule(self, move: Decision) -> str | None:
        target, origin = move
        if self.outcome:
            return "The game is over"
        if not 0 <= target < 24 or (origin is not None and not 0 <= origin < 24):
            return "Fields are A0 to C7"
        if self.capture:
            return self._broken_capture(move)
        if self.board[target] != FREE:
            return "Destination is already occupied"
        if self.hand[self.player]:
            return None if origin is None else "All stones must be placed before one may move"
        if origin is None:
            return "All stones are placed, one must be moved"
        if self.board[origin] != STONES[self.player]:
            return "There is no stone of yours on the field to move from"
        if target not in self._targets(origin):
            return "Destination is not next to the field to move from"
        return None

    def _broken_capture(self, move: Decision) -> str | None:
        if move.origin is not None:
            return "A stone must be captured first"
        if self.board[move.target] != STONES[1 - self.player]:
            return "There is no stone of the opponent to capture"
        return None

    def judge(self) -> Outcome | None:
        """The outcome, if a rule ends the game here."""
        for player in (0, 1):
            if self.lost(player) >= LOSING:
                return Outcome(1 - player, SEVENTH)
        if self.quiet >= QUIET_TURNS:
            return Outcome(None, QUIET)
        if self._blocked():
            return Outcome(1 - self.player, BLOCKED)
        return None

    def _blocked(self) -> bool:
        """Whether the player has neither a stone to place or capture nor one that can move."""
        if self.capture or self.hand[self.player]:
            return False
        own = (field for field, stone in enumerate(self.board) if stone == STONES[self.player])
        return not any(self._targets(field) for field in own)

    def contradiction(self) -> str | None:
        """Why no game can lead to this position, or None."""
        me, other = self.player, 1 - self.player
        lost = self.lost(me), self.lost(other)
        if min(lost) < 0:
            return f"a player has more than {EACH} stones"
        if lost[0] > LOSING or lost[1] >= LOSING:
            return f"who loses the {LOSING}th stone has lost and is to move"
        placed_last = me if self.capture else other
        if self.hand != (0, 0) and self.hand[1] - self.hand[0] != (placed_last == 0):
            return "the players place in turn, White begins"
        if self.capture > self.board.count(STONES[other]) or self.capture > self._mills():
            return "there is nothing to capture, or no mill that asks for it"
        if self.quiet > QUIET_TURNS or (self.capture and self.quiet):
            return "a capture sets the turns without capture to zero, the 50th ends the game"
        return None

    def _mills(self) -> int:
        stone = STONES[self.player]
        return sum(all(self.board[f] == stone for f in mill) for mill in MILLS)

    def __str__(self) -> str:
        squares = "/".join(self.board[start : start + 8] for start in (0, 8, 16))
        hands = f"{self.hand[0]} {self.hand[1]}"
        return (
            f"{squares} hand {hands} player {self.player} capture {self.capture} quiet {self.quiet}"
        )


def _settled(
    game: Morris, board: str, hand: tuple[int, int], player: int, capture: int, quiet: int
) -> MorrisState:
    """The state with its outcome."""
    state = MorrisState(game, None, board, hand, player, capture, quiet)
    outcome = state.judge()
    return replace(state, outcome=outcome) if outcome else state


def _name(field: int) -> str:
    return FIELDS[field] if 0 <= field < 24 else str(field)


def _with(board: str, field: int, content: str) -> str:
    return board[:field] + content + board[field + 1 :]


def _closed(board: str, field: int) -> int:
    """How many mills the stone on this field stands in."""
    stone = board[field]
    return sum(board[a] == board[b] == board[c] == stone for a, b, c in MILLS_OF[field])
