"""Nine Men's Morris on the game server: the captures that are due, and the list of pieces.

On the wire every stone has a number: the order in which its player placed it. The rules know only
where stones are, so the numbers are followed through the moves.
"""

from __future__ import annotations

import re
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
from spielwerk.wire.mnm.words import (
    Board,
    BoardError,
    Reader,
    first_line,
    matched,
    require_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games import State
    from spielwerk.games.morris.rules import Decision
    from spielwerk.wire.mnm.words import Dialect

AVAILABLE: Final = "A"
CAPTURED: Final = "C"

_CAPTURE: Final = re.compile(r"CAPTURE ([0-9])")
_PIECE: Final = re.compile(r"PIECE([01])\.([0-8]) ([A-C][0-7]|[AC])")

Pieces = tuple[str, tuple[int, int]]
"""The content of the 24 fields, and the stones that each player still has to place."""


class MorrisPieces(Board):
    """Writes every stone by its number, and where it is."""

    def __init__(self) -> None:
        self.places = ([AVAILABLE] * EACH, [AVAILABLE] * EACH)

    def set_up(self, state: State[Any]) -> None:
        """Number the stones as if those that are lost had been placed first."""
        morris: MorrisState = state  # type: ignore[assignment]
        for player, places in enumerate(self.places):
            stands = [f for f, at in zip(FIELDS, morris.board, strict=True) if at == STONES[player]]
            places[:] = [CAPTURED] * morris.lost(player) + stands
            places += [AVAILABLE] * morris.hand[player]

    def played(self, before: State[Any], move: Decision) -> None:
        """Place, move or capture one stone."""
        morris: MorrisState = before  # type: ignore[assignment]
        mine = self.places[morris.player]
        target = FIELDS[move.target]
        if morris.capture:
            theirs = self.places[1 - morris.player]
            theirs[theirs.index(target)] = CAPTURED
        elif move.origin is None:
            mine[mine.index(AVAILABLE)] = target
        else:
            mine[mine.index(FIELDS[move.origin])] = target

    def asked(self, state: State[Any]) -> list[str]:
        """The captures that are due and the pieces."""
        morris: MorrisState = state  # type: ignore[assignment]
        return [f"CAPTURE {morris.capture}", *self._pieces()]

    def ended(self, state: State[Any], dialect: Dialect) -> list[str]:  # noqa: ARG002
        """The pieces; nothing is left to be captured, which only the documents' dialect says."""
        return [*(["CAPTURE 0"] if dialect.captures_at_end else []), *self._pieces()]

    def _pieces(self) -> list[str]:
        pieces = [
            f"PIECE{player}.{number} {place}"
            for player, places in enumerate(self.places)
            for number, place in enumerate(places)
        ]
        return [f"PIECELIST 2,{EACH}", *pieces, "ENDPIECELIST"]


class MorrisReader(Reader):
    """Reads the pieces, and counts the turns without a capture, which the lines do not tell."""

    end = "ENDPIECELIST"
    line = re.compile(r"CAPTURE |PIECELIST |PIECE[01]\.|ENDPIECELIST$")

    def __init__(self, me: int) -> None:
        super().__init__(me)
        self._asked: MorrisState | None = None
        self._played: MorrisState | None = None  # after our last turn

    def asked(self, lines: Sequence[str]) -> State[Any]:
        """The captures that are due, the pieces, and the quiet turns as far as they are known."""
        capture = int(matched(_CAPTURE, first_line(lines), "CAPTURE <stones>")[1])
        pieces = _pieces(lines[1:])
        self._asked = _state(pieces, capture, self.me, self._quiet(pieces, capture))
        return self.require_decision(self._asked)

    def ended(self, lines: Sequence[str]) -> State[Any]:
        """The pieces, perhaps after a CAPTURE line, which later servers leave out."""
        board, hand = _pieces(lines[1:] if _CAPTURE.fullmatch(first_line(lines)) else lines)
        return MorrisState(Morris(), None, board, hand, self.me, 0, 0)

    def played(self, turn: str) -> None:
        """Keep the position after our turn: the next one is a turn later."""
        self._played = None
        if self._asked is not None:
            with suppress(SpielwerkError):
                self._played = self._asked.play_turn(Morris().parse_turn(turn))

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


def _pieces(lines: Sequence[str]) -> Pieces:
    """The board and the hands, from the lines PIECELIST to ENDPIECELIST."""
    if first_line(lines) != f"PIECELIST 2,{EACH}":
        raise BoardError(f"{quote(first_line(lines))} is not PIECELIST 2,{EACH}")
    require_lines(lines, 2 * EACH, "ENDPIECELIST")
    board, hand, seen = [FREE] * len(FIELDS), [0, 0], set()
    for line in lines[1:-1]:
        player, piece, place = matched(_PIECE, line, "PIECE<player>.<number> <place>").groups()
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


def _state(pieces: Pieces, capture: int, me: int, quiet: int) -> MorrisState:
    board, hand = pieces
    due = min(capture, board.count(STONES[1 - me])) or capture  # not more than there are
    try:
        return Morris().parse_state(str(MorrisState(Morris(), None, board, hand, me, due, quiet)))
    except NotationError as error:
        raise BoardError(str(error)) from None


BOARD: Final = MorrisPieces
READER: Final = MorrisReader
