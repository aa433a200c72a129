"""Positions read from the lines of a MOVE or a GAMEOVER, by somebody who does not trust them.

A position in which a move is asked must be one in which the rules let this player decide. A last
position is only looked at: a game may end in the middle, by a lost connection for instance.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import NotationError, SpielwerkError, quote
from spielwerk.games.morris.rules import (
    EACH,
    FIELDS,
    FREE,
    QUIET_TURNS,
    STONES,
    Morris,
    MorrisState,
)
from spielwerk.games.notation import number
from spielwerk.games.playing import play_turn
from spielwerk.games.quarto.rules import LARGEST, Quarto, QuartoState
from spielwerk.wire.mnm.boards import AVAILABLE, CAPTURED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games import State

_NEXT: Final = re.compile(r"NEXT (0|[1-9][0-9]{0,2})")
_FIELD: Final = re.compile(r"FIELD ([1-9][0-9]?),([1-9][0-9]?)")
_CAPTURE: Final = re.compile(r"CAPTURE ([0-9])")
_PIECE: Final = re.compile(r"PIECE([01])\.([0-8]) ([A-C][0-7]|[AC])")

Pieces = tuple[str, tuple[int, int]]
"""The content of the 24 fields, and the stones that each player still has to place."""


class BoardError(SpielwerkError, ValueError):
    """Lines that are no position of the game."""


class Reader(ABC):
    """Reads one game's positions, for the player `me`."""

    end: str  # the last line of a position
    line: re.Pattern[str]  # what every line of a position looks like at first sight

    def __init__(self, me: int) -> None:
        if me not in (0, 1):
            raise ValueError(f"{me}: there are players 0 and 1")
        self.me = me

    @abstractmethod
    def asked(self, lines: Sequence[str]) -> State[Any]:
        """The position in which `me` has to decide, from the lines after MOVE."""

    @abstractmethod
    def ended(self, lines: Sequence[str]) -> State[Any]:
        """The last position, from the lines after GAMEOVER; its outcome is told elsewhere."""

    def played(self, turn: str) -> None:  # noqa: B027
        """Hear what `me` answered to the last question; most positions say all by themselves."""

    def _mine(self, state: State[Any]) -> State[Any]:
        if state.turn != self.me:
            raise BoardError(f"player {self.me} has nothing to decide in {quote(str(state))}")
        return state


class QuartoReader(Reader):
    """Reads the stone in hand and the field."""

    end = "ENDFIELD"
    line = re.compile(r"NEXT |FIELD |[1-9][0-9]? |ENDFIELD$")

    def asked(self, lines: Sequence[str]) -> State[Any]:
        """The stone to place, and the field."""
        stone = _matched(_NEXT, _first(lines), "NEXT <stone>")
        return self._mine(read_quarto(lines[1:], int(stone[1]), self.me))

    def ended(self, lines: Sequence[str]) -> State[Any]:
        """The field."""
        n, board = _field(lines)
        return QuartoState(Quarto(n=n), None, board, None)


class MorrisReader(Reader):
    """Reads the pieces, and counts the turns without a capture, which nobody tells."""

    end = "ENDPIECELIST"
    line = re.compile(r"CAPTURE |PIECELIST |PIECE[01]\.|ENDPIECELIST$")

    def __init__(self, me: int) -> None:
        super().__init__(me)
        self._asked: MorrisState | None = None
        self._played: MorrisState | None = None  # after our last turn

    def asked(self, lines: Sequence[str]) -> State[Any]:
        """The captures that are due, the pieces, and the quiet turns as far as they are known."""
        capture = int(_matched(_CAPTURE, _first(lines), "CAPTURE <stones>")[1])
        pieces = _pieces(lines[1:])
        self._asked = _morris_state(pieces, capture, self.me, self._quiet(pieces, capture))
        return self._mine(self._asked)

    def ended(self, lines: Sequence[str]) -> State[Any]:
        """The pieces, perhaps after a CAPTURE line, which later servers leave out."""
        board, hand = _pieces(lines[1:] if _CAPTURE.fullmatch(_first(lines)) else lines)
        return MorrisState(Morris(), None, board, hand, self.me, 0, 0)

    def played(self, turn: str) -> None:
        """Keep the position after our turn: the next one is a turn later."""
        self._played = None
        if self._asked is not None:
            with suppress(SpielwerkError):
                self._played = play_turn(self._asked, Morris().parse_turn(turn))  # type: ignore[assignment]

    def _quiet(self, pieces: Pieces, capture: int) -> int:
        """The turns without a capture; fewer than there were, where we have not seen them all."""
        if capture:
            return 0
        gone, before = _gone(pieces), self._played
        if before and gone == _gone((before.board, before.hand)):
            quiet = before.quiet + 1  # the opponent's turn
        else:
            quiet = 0 if gone else 2 * EACH - pieces[1][0] - pieces[1][1]  # so many were placed
        return min(quiet, QUIET_TURNS - 1)  # the 50th ends the game, and we are asked to move


READERS: Final[dict[str, type[Reader]]] = {"Quarto": QuartoReader, "NMMorris": MorrisReader}
"""How the positions of the kinds of games are read, by the protocol's name."""


def read_quarto(lines: Sequence[str], next_stone: int | None, me: int) -> QuartoState:
    """The position from a field's lines, FIELD to ENDFIELD; it is the player `me` who places."""
    n, board = _field(lines)
    placed = len(board) - board.count(None)
    game = Quarto(n=n, begins=(me + placed) % 2)
    try:
        return game.parse_state(str(QuartoState(game, None, board, next_stone)))
    except NotationError as error:
        raise BoardError(str(error)) from None


def read_morris(lines: Sequence[str], capture: int, me: int, quiet: int = 0) -> MorrisState:
    """The position from a piece list's lines; how long nothing was captured is not among them."""
    return _morris_state(_pieces(lines), capture, me, quiet)


def _field(lines: Sequence[str]) -> tuple[int, tuple[int | None, ...]]:
    """The side of the field and its squares from A1, from the lines FIELD to ENDFIELD."""
    size = _matched(_FIELD, _first(lines), "FIELD <n>,<n>")
    n = int(size[1])
    if size[1] != size[2] or not 2 <= n <= LARGEST:
        raise BoardError(f"{quote(lines[0])} is no square field of side 2 to {LARGEST}")
    _expect_lines(lines, n, "ENDFIELD")
    rows = [_row(line, n - place, n) for place, line in enumerate(lines[1:-1])]
    return n, tuple(stone for row in reversed(rows) for stone in row)


def _row(line: str, y: int, n: int) -> list[int | None]:
    head, *words = line.split(" ")
    stones = [number(word) for word in words]
    wrong = any(s is None and w != "*" for s, w in zip(stones, words, strict=True))
    if head != str(y) or len(words) != n or wrong:
        raise BoardError(f"{quote(line)} is not row {y} with {n} squares, each * or a stone")
    return stones


def _pieces(lines: Sequence[str]) -> Pieces:
    """The board and the hands, from the lines PIECELIST to ENDPIECELIST."""
    if _first(lines) != f"PIECELIST 2,{EACH}":
        raise BoardError(f"{quote(_first(lines))} is not PIECELIST 2,{EACH}")
    _expect_lines(lines, 2 * EACH, "ENDPIECELIST")
    board, hand, seen = [FREE] * len(FIELDS), [0, 0], set()
    for line in lines[1:-1]:
        player, piece, place = _matched(_PIECE, line, "PIECE<player>.<number> <place>").groups()
        if (player, piece) in seen:
            raise BoardError(f"{quote(line)}: this piece has been listed before")
        seen.add((player, piece))
        if place == AVAILABLE:
            hand[int(player)] += 1
        elif place != CAPTURED:
            _put(board, line, FIELDS.index(place), STONES[int(player)])
    return "".join(board), (hand[0], hand[1])


def _put(board: list[str], line: str, field: int, stone: str) -> None:
    if board[field] != FREE:
        raise BoardError(f"{quote(line)}: another piece is on this field")
    board[field] = stone


def _gone(pieces: Pieces) -> int:
    """How many stones have been captured."""
    board, hand = pieces
    return 2 * EACH - sum(hand) - len(board) + board.count(FREE)


def _morris_state(pieces: Pieces, capture: int, me: int, quiet: int) -> MorrisState:
    board, hand = pieces
    due = min(capture, board.count(STONES[1 - me])) or capture  # not more than there are
    try:
        return Morris().parse_state(str(MorrisState(Morris(), None, board, hand, me, due, quiet)))
    except NotationError as error:
        raise BoardError(str(error)) from None


def _first(lines: Sequence[str]) -> str:
    return lines[0] if lines else ""


def _matched(pattern: re.Pattern[str], line: str, expected: str) -> re.Match[str]:
    match = pattern.fullmatch(line)
    if not match:
        raise BoardError(f"{quote(line)} is not {expected}")
    return match


def _expect_lines(lines: Sequence[str], count: int, end: str) -> None:
    """So many lines between the first and the last."""
    if len(lines) != count + 2 or lines[-1] != end:
        raise BoardError(f"{quote(lines[0])} needs {count} lines and {end}, not {len(lines) - 1}")
