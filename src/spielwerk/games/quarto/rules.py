"""Quarto on an n x n board, by the rules of the Quarto sheet.

Stones are the numbers 0 to n*n - 1; the bits of a number are the stone's attributes. A player
places the stone handed over by the opponent and hands on another. A row, a column or a diagonal of
n stones that agree in one attribute wins for the player who completes it; a full board without such
a line is a draw.

Squares are counted row by row from A1, the bottom left; a move is written `B4,3` (square, stone
handed on), the move that fills the board `B4`. A position is its rows from the top, squares as on
the wire, and the stone to be placed: `* * 15 * / * * * * / 0 * * * / * * * * next 3`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from spielwerk.errors import NotationError, OptionError
from spielwerk.games.interface import CHANCE, NOBODY, Game, Outcome, State, number, option

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LARGEST: Final = 16

LINE: Final = "a line of stones that share an attribute"
FULL: Final = "the board is full"

_MOVE: Final = re.compile(r"([A-P])([1-9]|1[0-6])(?:,(0|[1-9][0-9]{0,2}))?")
_POSITION: Final = re.compile(r"([*0-9 /]+) next (-|0|[1-9][0-9]{0,2})")


class Placement(NamedTuple):
    """A player's decision: the square for the stone in hand, and the stone handed on (or none)."""

    square: int
    stone: int | None


class FirstStone(NamedTuple):
    """Chance's only decision: the stone that the first player has to place."""

    stone: int


Move = Placement | FirstStone


def attributes(n: int) -> int:
    """How many attributes the stones have: n, or as many as it takes to tell n*n stones apart."""
    return max(n, (n * n - 1).bit_length())


@cache
def lines(n: int) -> tuple[tuple[int, ...], ...]:
    """The rows, columns and diagonals of the board, as tuples of squares."""
    rows = [tuple(range(row * n, row * n + n)) for row in range(n)]
    columns = [tuple(range(column, n * n, n)) for column in range(n)]
    rising = tuple(i * n + i for i in range(n))
    falling = tuple(i * n + n - 1 - i for i in range(n))
    return (*rows, *columns, rising, falling)


@cache
def _lines_through(n: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For every square the lines it lies on."""
    return tuple(tuple(line for line in lines(n) if square in line) for square in range(n * n))


@cache
def _placements(n: int) -> tuple[tuple[Placement, ...], ...]:
    """All moves that hand on a stone, by square and stone: made once, listed often."""
    return tuple(tuple(Placement(q, s) for s in range(n * n)) for q in range(n * n))


@dataclass(frozen=True)
class Quarto(Game[Move]):
    """Quarto; without `first` the first stone is drawn by chance."""

    name: ClassVar = "quarto"
    title: ClassVar = "Quarto"
    sides: ClassVar = ("player 0", "player 1")
    move_help: ClassVar = "B4,3 places the stone in hand on B4 and hands on stone 3"

    n: int = option(4, 2, LARGEST, "side of the board")
    begins: int = option(0, 0, 1, "player who places the first stone")
    first: int | None = option(None, 0, LARGEST * LARGEST - 1, "first stone, drawn if not given")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first is not None and self.first >= self.n * self.n:
            problem = f"the stones of this board are 0 to {self.n * self.n - 1}"
            raise OptionError("first", str(self.first), problem)

    def start(self) -> QuartoState:
        """The empty board, with the first stone in hand or still to be drawn."""
        return QuartoState(self, None, (None,) * (self.n * self.n), self.first)

    def square_name(self, square: int) -> str:
        """The square as on the wire, `A1` at the bottom left."""
        row, column = divmod(square, self.n)
        return f"{chr(ord('A') + column)}{row + 1}"

    def parse_move(self, text: str) -> Move:
        """Read `B4,3`, the last move's `B4`, or a first stone `3`."""
        drawn = number(text)
        if drawn is not None:
            return FirstStone(drawn)
        match = _MOVE.fullmatch(text)
        if not match:
            raise NotationError("Quarto move", text, "expected a square and a stone, like B4,3")
        column, row = ord(match[1]) - ord("A"), int(match[2]) - 1
        if column >= self.n or row >= self.n:
            last = self.square_name(self.n * self.n - 1)
            raise NotationError("Quarto move", text, f"the squares of this board are A1 to {last}")
        return Placement(row * self.n + column, None if match[3] is None else int(match[3]))

    def format_move(self, move: Move) -> str:
        """Write `B4,3`, the last move's `B4`, or a first stone `3`."""
        if isinstance(move, FirstStone):
            return str(move.stone)
        square = self.square_name(move.square)
        return square if move.stone is None else f"{square},{move.stone}"

    @classmethod
    def written(cls, decisions: Iterable[tuple[int, str]]) -> list[str]:
        """The first stone and the moves as the game server's protocol has them."""
        return [f"{'NEXT' if turn == CHANCE else 'PLAY'} {move}" for turn, move in decisions]

    def parse_state(self, text: str) -> QuartoState:
        """Read the rows from the top and the stone to be placed."""
        match = _POSITION.fullmatch(text)
        if not match:
            example = f"{' / '.join([' '.join('*' * self.n)] * self.n)} next 0"
            raise NotationError("Quarto position", text, f"expected something like {example}")
        board = self._parse_board(text, match[1])
        state = _settled(self, board, number(match[2]), lines(self.n))
        problem = state.contradiction()
        if state.outcome and match[2] != "-":
            problem = "the game is over, so no stone is in hand (next -)"
        if problem:
            raise NotationError("Quarto position", text, problem)
        return state

    def _parse_board(self, text: str, rows: str) -> tuple[int | None, ...]:
        cells = [row.split(" ") for row in reversed(rows.split(" / "))]
        if len(cells) != self.n or any(len(row) != self.n for row in cells):
            raise NotationError("Quarto position", text, f"expected {self.n} rows of {self.n}")
        words = [word for row in cells for word in row]
        board = tuple(number(word) for word in words)
        if any(stone is None and word != "*" for word, stone in zip(words, board, strict=True)):
            raise NotationError("Quarto position", text, "a square is * or the number of a stone")
        return board


@dataclass(frozen=True, slots=True)
class QuartoState(State[Move]):
    """The stones on the board and the one in hand."""

    game: Quarto
    board: tuple[int | None, ...]
    stone: int | None

    @property
    def player(self) -> int:
        """Who places next: the players take turns."""
        placed = len(self.board) - self.board.count(None)
        return (self.game.begins + placed) % 2

    @property
    def turn(self) -> int:
        """The player to place the stone in hand; chance, while the first stone is not drawn."""
        if self.outcome:
            return NOBODY
        return CHANCE if self.stone is None else self.player

    def supply(self) -> list[int]:
        """The stones that are neither on the board nor in hand."""
        used = {*self.board, self.stone}
        return [stone for stone in range(len(self.board)) if stone not in used]

    def legal_moves(self) -> Sequence[Move]:
        """Every free square with every stone that can be handed on."""
        if self.outcome:
            return []
        supply = self.supply()
        if self.stone is None:
            return [FirstStone(stone) for stone in supply]
        free = [square for square, stone in enumerate(self.board) if stone is None]
        if not supply:
            return [Placement(square, None) for square in free]
        table = _placements(self.game.n)
        return [row[stone] for row in (table[square] for square in free) for stone in supply]

    def winning_candidates(self) -> Sequence[Move]:
        """Every free square with one stone: for a win it does not matter which is handed on."""
        handed = next(iter(self.supply()), None)
        free = [square for square, stone in enumerate(self.board) if stone is None]
        return [Placement(square, handed) for square in free]

    def play(self, move: Move) -> QuartoState:
        """Place the stone in hand and hand on the next."""
        rule = self._broken_rule(move)
        if rule:
            raise self.illegal(move, rule)
        if isinstance(move, FirstStone):
            return QuartoState(self.game, None, self.board, move.stone)
        square, handed = move
        board = (*self.board[:square], self.stone, *self.board[square + 1 :])
        after = _settled(self.game, board, handed, _lines_through(self.game.n)[square])
        if handed is None and not after.outcome:
            raise self.illegal(move, "A stone must be handed to the opponent")
        return after

    def _broken_rule(self, move: Move) -> str | None:
        """The rule that the move breaks; whether it may hand on none shows only afterwards."""
        if self.outcome:
            return "The game is over"
        if move.stone is not None and not 0 <= move.stone < len(self.board):
            return "There is no such stone"
        if isinstance(move, FirstStone):
            drawn = self.stone is not None
            return "The first stone has been drawn already" if drawn else None
        if self.stone is None:
            return "The first stone must be drawn first"
        if not 0 <= move.square < len(self.board):
            return "Destination is not on the board"
        if self.board[move.square] is not None:
            return "Destination is already occupied"
        return None if move.stone is None else self._broken_handing(move.stone)

    def _broken_handing(self, stone: int) -> str | None:
        if self.board.count(None) == 1:
            return "No stone is left to be handed on"
        if stone == self.stone:
            return "The stone being placed cannot be handed on"
        if stone in self.board:
            return "The stone handed on is already on the board"
        return None

    def wins(self, line: tuple[int, ...]) -> bool:
        """Whether the line is full and its stones share an attribute value."""
        ones = zeros = (1 << attributes(self.game.n)) - 1
        for square in line:
            stone = self.board[square]
            if stone is None:
                return False
            ones &= stone
            zeros &= ~stone
        return bool(ones | zeros)

    def contradiction(self) -> str | None:
        """Why no game can lead to this position, or None."""
        placed = [stone for stone in self.board if stone is not None]
        if len({*placed}) < len(placed) or self.stone in placed:
            return "a stone occurs twice"
        if max((*placed, self.stone or 0)) >= len(self.board):
            return f"the stones of this board are 0 to {len(self.board) - 1}"
        if not self.outcome and self.stone is None and (placed or self.game.first is not None):
            return "a stone must be in hand"
        won = [line for line in lines(self.game.n) if self.wins(line)]
        if won and not set.intersection(*map(set, won)):
            return "no single stone can have completed all these lines"
        return None

    def __str__(self) -> str:
        n = self.game.n
        words = ["*" if stone is None else str(stone) for stone in self.board]
        rows = [" ".join(words[start : start + n]) for start in range(0, n * n, n)]
        return f"{' / '.join(reversed(rows))} next {'-' if self.stone is None else self.stone}"


def _settled(
    game: Quarto,
    board: tuple[int | None, ...],
    stone: int | None,
    candidates: tuple[tuple[int, ...], ...],
) -> QuartoState:
    """The state with its outcome, which one of the candidate lines may decide."""
    state = QuartoState(game, None, board, stone)
    if any(state.wins(line) for line in candidates):
        return QuartoState(game, Outcome(1 - state.player, LINE), board, None)
    if None not in board:
        return QuartoState(game, Outcome(None, FULL), board, None)
    return state
