"""Noughts and crosses.

Two players take turns to mark one of nine squares, X first. Three own marks in a row, a column or a
diagonal win; a full board without them is a draw. Squares are numbered from 1 at the top left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final

from spielwerk.errors import NotationError
from spielwerk.games import NOBODY, Game, Outcome, State

FREE: Final = "."
MARKS: Final = "XO"
LINES: Final = ("012", "345", "678", "036", "147", "258", "048", "246")

_POSITION: Final = re.compile(r"[XO.]{9}")


@dataclass(frozen=True)
class Noughts(Game[int]):
    """Noughts and crosses; it has no options."""

    name: ClassVar = "noughts"
    title: ClassVar = "Noughts and Crosses"
    sides: ClassVar = ("X", "O")
    move_help: ClassVar = "5 marks the square in the middle"

    def start(self) -> NoughtsState:
        """The empty board."""
        return NoughtsState(self, None, FREE * 9)

    def parse_move(self, text: str) -> int:
        """Read the number of a square, 1 to 9."""
        if not re.fullmatch("[1-9]", text):
            raise NotationError("move", text, "expected the number of a square, 1 to 9")
        return int(text) - 1

    def format_move(self, move: int) -> str:
        """Write the number of a square, 1 to 9."""
        return str(move + 1)

    def parse_state(self, text: str) -> NoughtsState:
        """Read the nine squares from the top left."""
        if not _POSITION.fullmatch(text) or text.count("X") - text.count("O") not in (0, 1):
            raise NotationError("position", text, "expected nine of X, O and ., like X...O....")
        if all(_has_line(text, mark) for mark in MARKS):
            raise NotationError("position", text, "only one player can have three in a line")
        return NoughtsState(self, _outcome(text), text)


@dataclass(frozen=True, slots=True)
class NoughtsState(State[int]):
    """The marks on the nine squares."""

    board: str

    @property
    def turn(self) -> int:
        """Who marks next: the players take turns."""
        return NOBODY if self.outcome else self.board.count("X") - self.board.count("O")

    def legal_moves(self) -> list[int]:
        """The free squares."""
        return [] if self.outcome else [n for n, mark in enumerate(self.board) if mark == FREE]

    def play(self, move: int) -> NoughtsState:
        """Mark a free square."""
        if self.outcome:
            raise self.illegal(move, "The game is over")
        if self.board[move] != FREE:
            raise self.illegal(move, "The square is marked already")
        board = f"{self.board[:move]}{MARKS[self.turn]}{self.board[move + 1 :]}"
        return NoughtsState(self.game, _outcome(board), board)

    def __str__(self) -> str:
        return self.board


def _outcome(board: str) -> Outcome | None:
    for player, mark in enumerate(MARKS):
        if _has_line(board, mark):
            return Outcome(player, "three in a line")
    return None if FREE in board else Outcome(None, "the board is full")


def _has_line(board: str, mark: str) -> bool:
    return any(all(board[int(square)] == mark for square in line) for line in LINES)
