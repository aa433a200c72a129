"""Connect Four on a board of width x height x depth, by the Connect Four protocol.

Stones fall along the height. Four of one player's stones in a line win, in any of the 4 directions
of a flat board or the 13 of a solid one; a full board without such a line is a draw. Depth 0 and 1
are both the flat game.

A move is the number of the field where the stone comes to lie: layer * width * height + row * width
+ column, rows counted from the bottom. A position is its layers separated by blanks, each with its
rows from the top: `......./......./......./......./......./...12..`, where 1 is a stone of player 0
and 2 one of player 1, as on the wire.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Final

from spielwerk.errors import NotationError
from spielwerk.games.interface import NOBODY, Game, Outcome, State, number, option

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST_SIDE: Final = 32
"""The setting that limits the boards; the rules themselves work for any size."""

FOUR: Final = "four in a line"
FULL: Final = "the board is full"

FREE: Final = "."
STONES: Final = "12"

_LAYER: Final = re.compile(r"[.12]+(?:/[.12]+)*")

Ray = tuple[int, ...]


DIRECTIONS: Final = [d for d in product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1)) if d > (0, 0, 0)]
"""One of each pair of opposite directions: 13, of which 4 stay within a layer."""


@lru_cache(maxsize=1 << 16)
def _rays(width: int, height: int, layers: int, field: int) -> tuple[tuple[Ray, Ray], ...]:
    """The up to three fields on either side of a field, for each direction with room for four."""

    def ray(dk: int, di: int, dj: int) -> Ray:
        steps = [(k + n * dk, i + n * di, j + n * dj) for n in (1, 2, 3)]
        return tuple(
            c * width * height + b * width + a
            for c, b, a in steps
            if 0 <= c < layers and 0 <= b < height and 0 <= a < width
        )

    k, rest = divmod(field, width * height)
    i, j = divmod(rest, width)
    pairs = [(ray(dk, di, dj), ray(-dk, -di, -dj)) for dk, di, dj in DIRECTIONS]
    return tuple((ahead, behind) for ahead, behind in pairs if len(ahead) + len(behind) >= 3)


@dataclass(frozen=True)
class ConnectFour(Game[int]):
    """Connect Four; player 0 is the initiator of the document, player 1 the opponent."""

    name: ClassVar = "connect4"
    title: ClassVar = "Connect Four"
    sides: ClassVar = ("initiator", "opponent")
    move_help: ClassVar = "the number of the field where the stone comes to lie"

    width: int = option(7, 1, LARGEST_SIDE, "columns")
    height: int = option(6, 1, LARGEST_SIDE, "rows; stones fall along the height")
    depth: int = option(1, 0, LARGEST_SIDE, "layers; 0 and 1 are the flat game")
    begins: int = option(0, 0, 1, "player who moves first")

    @property
    def layers(self) -> int:
        """The number of layers that are really there."""
        return max(self.depth, 1)

    @property
    def size(self) -> int:
        """The number of fields; they are numbered from 0."""
        return self.layers * self.height * self.width

    def columns(self) -> list[range]:
        """The fields of every column from the bottom, in the order of their lowest fields."""
        layer = self.width * self.height
        bottoms = [k * layer + j for k in range(self.layers) for j in range(self.width)]
        return [range(bottom, bottom + layer, self.width) for bottom in bottoms]

    def start(self) -> ConnectFourState:
        """The empty board."""
        bottoms = tuple(column[0] for column in self.columns())
        return ConnectFourState(self, None, FREE * self.size, bottoms)

    def parse_move(self, text: str) -> int:
        """Read the number of a field."""
        field = number(text)
        if field is None:
            problem = f"expected the number of a field, 0 to {self.size - 1}"
            raise NotationError("Connect Four move", text, problem)
        return field

    def format_move(self, move: int) -> str:
        """Write the number of the field."""
        return str(move)

    @classmethod
    def written(cls, decisions: Iterable[tuple[int, str]]) -> list[str]:
        """The numbers of the fields."""
        return [move for _, move in decisions]

    def parse_state(self, text: str) -> ConnectFourState:
        """Read the layers, each with its rows from the top."""
        layers = text.split(" ")
        if not all(map(_LAYER.fullmatch, layers)):
            problem = "expected rows of . 1 2 with / between them, and blanks between layers"
            raise NotationError("Connect Four position", text, problem)
        grid = [layer.split("/") for layer in layers]
        sizes = {(len(rows), len(row)) for rows in grid for row in rows}
        if len(grid) != self.layers or sizes != {(self.height, self.width)}:
            problem = f"expected {self.layers} layers of {self.height} rows of {self.width}"
            raise NotationError("Connect Four position", text, problem)
        board = "".join(row for rows in grid for row in reversed(rows))
        contradiction = _contradiction(self, board)
        if contradiction:
            raise NotationError("Connect Four position", text, contradiction)
        return _settled(self, board)


@dataclass(frozen=True, slots=True)
class ConnectFourState(State[int]):
    """The board, field by field in the order of their numbers, and where stones can fall."""

    game: ConnectFour
    board: str
    landing: tuple[int, ...] = field(compare=False, repr=False)

    @property
    def player(self) -> int:
        """Who moves next: the players take turns."""
        placed = len(self.board) - self.board.count(FREE)
        return (self.game.begins + placed) % 2

    @property
    def turn(self) -> int:
        """The player to move, or NOBODY."""
        return NOBODY if self.outcome else self.player

    def legal_moves(self) -> tuple[int, ...]:
        """The lowest free field of every column that is not full."""
        return () if self.outcome else self.landing

    def play(self, move: int) -> ConnectFourState:
        """Let a stone fall onto the field."""
        if move not in self.landing or self.outcome:
            raise self.illegal(move, self._broken_rule(move))
        player = self.player
        board = self.board[:move] + STONES[player] + self.board[move + 1 :]
        if _line_at(self.game, board, move):
            return ConnectFourState(self.game, Outcome(player, FOUR), board, ())
        place = self.landing.index(move)
        above = move + self.game.width
        room = above % (self.game.width * self.game.height) >= self.game.width
        landing = self.landing[:place] + (above,) * room + self.landing[place + 1 :]
        return ConnectFourState(self.game, None if landing else Outcome(None, FULL), board, landing)

    def _broken_rule(self, move: int) -> str:
        if self.outcome:
            return "The game is over"
        if not 0 <= move < self.game.size:
            return f"Fields are numbered 0 to {self.game.size - 1}"
        if self.board[move] != FREE:
            return "The field is already occupied"
        return "The field below must be occupied first"

    def __str__(self) -> str:
        width, height = self.game.width, self.game.height
        rows = [self.board[start : start + width] for start in range(0, len(self.board), width)]
        layers = [rows[start : start + height] for start in range(0, len(rows), height)]
        return " ".join("/".join(reversed(layer)) for layer in layers)


def _line_at(game: ConnectFour, board: str, field: int) -> bool:
    """Whether the stone on this field stands in a line of four."""
    stone = board[field]
    for rays in _rays(game.width, game.height, game.layers, field):
        run = 1
        for ray in rays:
            for other in ray:
                if board[other] != stone:
                    break
                run += 1
        if run >= 4:
            return True
    return False


def _lines_of(game: ConnectFour, board: str, stone: str) -> list[set[int]]:
    """All lines of four of these stones."""
    return [
        {first, *ahead}
        for first in range(game.size)
        if board[first] == stone
        for ahead, _ in _rays(game.width, game.height, game.layers, first)
        if len(ahead) == 3 and all(board[other] == stone for other in ahead)
    ]


def _settled(game: ConnectFour, board: str) -> ConnectFourState:
    """The state of a board of which no last move is known."""
    for player, stone in enumerate(STONES):
        if _lines_of(game, board, stone):
            return ConnectFourState(game, Outcome(player, FOUR), board, ())
    free = [[f for f in column if board[f] == FREE] for column in game.columns()]
    landing = tuple(column[0] for column in free if column)
    return ConnectFourState(game, None if landing else Outcome(None, FULL), board, landing)


def _contradiction(game: ConnectFour, board: str) -> str | None:
    """Why no game can lead to this board, or None."""
    columns = ["".join(board[f] for f in column).rstrip(FREE) for column in game.columns()]
    if any(FREE in column for column in columns):
        return "a stone floats above a free field"
    first, second = (board.count(STONES[p]) for p in (game.begins, 1 - game.begins))
    if first - second not in (0, 1):
        return f"the players take turns, player {game.begins} begins"
    last = game.begins if first > second else 1 - game.begins
    if _lines_of(game, board, STONES[1 - last]):
        return "the player to move has four in a line already"
    lines = _lines_of(game, board, STONES[last])
    tops = {f[len(stones) - 1] for f, stones in zip(game.columns(), columns, strict=True) if stones}
    if lines and not tops.intersection(*lines):
        return "no single stone can have completed all these lines"
    return None
