"""Noughts and crosses on the game server: three rows of squares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from spielwerk.errors import NotationError
from spielwerk.games import State
from spielwerk.wire.mnm.words import Board, BoardError, Dialect, Reader, require_lines

from .rules import Noughts


class NoughtsBoard(Board):
    """Writes the rows."""

    def asked(self, state: State[Any]) -> list[str]:
        """The rows from the top."""
        squares = str(state)
        return ["SQUARES", squares[:3], squares[3:6], squares[6:], "ENDSQUARES"]

    def ended(self, state: State[Any], dialect: Dialect) -> list[str]:  # noqa: ARG002
        """The rows from the top."""
        return self.asked(state)


class NoughtsReader(Reader):
    """Reads the rows."""

    end = "ENDSQUARES"
    line = re.compile(r"SQUARES$|[XO.]{3}$|ENDSQUARES$")

    def asked(self, lines: Sequence[str]) -> State[Any]:
        """The position in which a square is to be marked."""
        return self.require_decision(self.ended(lines))

    def ended(self, lines: Sequence[str]) -> State[Any]:
        """The position, wherever the game ended."""
        require_lines(lines, 3, self.end)
        try:
            return Noughts().parse_state("".join(lines[1:-1]))
        except NotationError as error:
            raise BoardError(str(error)) from None


BOARD: Final = NoughtsBoard
READER: Final = NoughtsReader
