"""Quarto on the game server: the stone in hand and the field, the rows from the top."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import NotationError, quote
from spielwerk.games.interface import number
from spielwerk.games.quarto.rules import LARGEST, Quarto, QuartoState
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
    from spielwerk.wire.mnm.words import Dialect

_NEXT: Final = re.compile(r"NEXT (0|[1-9][0-9]{0,2})")
_FIELD: Final = re.compile(r"FIELD ([1-9][0-9]?),([1-9][0-9]?)")


class QuartoField(Board):
    """Writes the stone in hand and the field."""

    def asked(self, state: State[Any]) -> list[str]:
        """The stone in hand and the field."""
        quarto: QuartoState = state  # type: ignore[assignment]
        return [f"NEXT {quarto.stone}", *_lines(quarto)]

    def ended(self, state: State[Any], dialect: Dialect) -> list[str]:  # noqa: ARG002
        """The field."""
        quarto: QuartoState = state  # type: ignore[assignment]
        return _lines(quarto)


def _lines(quarto: QuartoState) -> list[str]:
    n = quarto.game.n
    words = ["*" if stone is None else str(stone) for stone in quarto.board]
    rows = [f"{y + 1} {' '.join(words[y * n : y * n + n])}" for y in range(n)]
    return [f"FIELD {n},{n}", *reversed(rows), "ENDFIELD"]


class QuartoReader(Reader):
    """Reads the stone in hand and the field."""

    end = "ENDFIELD"
    line = re.compile(r"NEXT |FIELD |[1-9][0-9]? |ENDFIELD$")

    def asked(self, lines: Sequence[str]) -> State[Any]:
        """The stone to place, and the field; the player who is asked places."""
        stone = int(matched(_NEXT, first_line(lines), "NEXT <stone>")[1])
        n, board = _field(lines[1:])
        placed = len(board) - board.count(None)
        game = Quarto(n=n, begins=(self.me + placed) % 2)
        try:
            state = game.parse_state(str(QuartoState(game, None, board, stone)))
        except NotationError as error:
            raise BoardError(str(error)) from None
        return self.require_decision(state)

    def ended(self, lines: Sequence[str]) -> State[Any]:
        """The field."""
        n, board = _field(lines)
        return QuartoState(Quarto(n=n), None, board, None)


def _field(lines: Sequence[str]) -> tuple[int, tuple[int | None, ...]]:
    """The side of the field and its squares from A1, from the lines FIELD to ENDFIELD."""
    size = matched(_FIELD, first_line(lines), "FIELD <n>,<n>")
    n = int(size[1])
    if size[1] != size[2] or not 2 <= n <= LARGEST:
        raise BoardError(f"{quote(lines[0])} is no square field of side 2 to {LARGEST}")
    require_lines(lines, n, "ENDFIELD")
    rows = [_row(line, n - place, n) for place, line in enumerate(lines[1:-1])]
    return n, tuple(stone for row in reversed(rows) for stone in row)


def _row(line: str, y: int, n: int) -> list[int | None]:
    head, *words = line.split(" ")
    stones = [number(word) for word in words]
    wrong = any(s is None and w != "*" for s, w in zip(stones, words, strict=True))
    if head != str(y) or len(words) != n or wrong:
        raise BoardError(f"{quote(line)} is not row {y} with {n} squares, each * or a stone")
    return stones


BOARD: Final = QuartoField
READER: Final = QuartoReader
