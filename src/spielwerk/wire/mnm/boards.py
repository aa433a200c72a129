"""Quarto's field and the piece list of Nine Men's Morris, as the lines of a MOVE or a GAMEOVER.

On the wire every stone in Morris has a number: the order in which its player placed it. The rules
know only where stones are, so the numbers are followed through the moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from spielwerk.games.morris.rules import EACH, FIELDS
from spielwerk.games.quarto.rules import Quarto

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.games import Game, State
    from spielwerk.games.morris.rules import Decision, MorrisState
    from spielwerk.games.quarto.rules import QuartoState
    from spielwerk.wire.mnm.words import Dialect

AVAILABLE: Final = "A"
CAPTURED: Final = "C"


class Board(ABC):
    """A game's position in the protocol's words; it is told of every move."""

    def played(self, before: State[Any], move: Any) -> None:  # noqa: B027
        """Follow a move; most games can be read off the position alone."""

    @abstractmethod
    def asked(self, state: State[Any]) -> list[str]:
        """The lines between MOVE and THINKING."""

    @abstractmethod
    def ended(self, state: State[Any], dialect: Dialect) -> list[str]:
        """The lines that show the last position."""


class QuartoField(Board):
    """The rows from the top."""

    def asked(self, state: State[Any]) -> list[str]:
        """The stone in hand and the field."""
        quarto: QuartoState = state  # type: ignore[assignment]
        return [f"NEXT {quarto.stone}", *_field(quarto)]

    def ended(self, state: State[Any], dialect: Dialect) -> list[str]:  # noqa: ARG002
        """The field."""
        quarto: QuartoState = state  # type: ignore[assignment]
        return _field(quarto)


def _field(quarto: QuartoState) -> list[str]:
    n = quarto.game.n
    words = ["*" if stone is None else str(stone) for stone in quarto.board]
    rows = [f"{y + 1} {' '.join(words[y * n : y * n + n])}" for y in range(n)]
    return [f"FIELD {n},{n}", *reversed(rows), "ENDFIELD"]


class MorrisPieces(Board):
    """Every stone by its number, and where it is."""

    def __init__(self) -> None:
        self.places = ([AVAILABLE] * EACH, [AVAILABLE] * EACH)

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


def board_for(game: Game[Any], moves: Iterable[Any] = ()) -> Board:
    """The board of a game at its start, or after these moves."""
    board = QuartoField() if isinstance(game, Quarto) else MorrisPieces()
    state = game.start()
    for move in moves:
        board.played(state, move)
        state = state.play(move)
    return board
