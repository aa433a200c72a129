"""Bitboards of flat Connect Four: how they are laid out, and the questions a search asks them.

The bits go column by column from the left, each column from the bottom, with one bit more than the
board has rows: this sentinel stays empty, so that a shift never carries a line from one column into
the next. A position is two boards: the stones of the player to move, and all stones.

Scores count stones: winning with the last stone one has is worth 1, with the last but one 2; a
draw is worth 0, and a loss what the win is worth to the winner, negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from spielwerk.engines.compiled import inlined
from spielwerk.games.connect4.rules import STONES

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.games.connect4.rules import ConnectFourState

Bits = np.uint64

ZERO: Final = Bits(0)
ONE: Final = Bits(1)
TWO: Final = Bits(2)

signed = cast("Callable[[Bits], int]", np.int64)
"""In a kernel: a word as a number that can be negative."""


def fits(width: int, height: int) -> bool:
    """Whether the board with a sentinel above every column has at most 64 bits."""
    return width * (height + 1) <= 64


@dataclass(frozen=True)
class FlatGeometry:
    """The constants of one size of board."""

    width: int
    height: int

    @property
    def cells(self) -> int:
        """The number of squares."""
        return self.width * self.height

    @property
    def step(self) -> int:
        """How far it is from one column to the next.

        Boards under four columns have only upright lines. There all directions are made upright,
        with a step of 1 and a slope of 0, as the true steps could be wider than a word.
        """
        return self.height + 1 if self.width >= 4 else 1

    @property
    def slope(self) -> int:
        """How many rows a slanting line rises from one column to the next."""
        return 1 if self.width >= 4 else 0

    @property
    def bottom(self) -> int:
        """The lowest row."""
        return sum(1 << column * (self.height + 1) for column in range(self.width))

    @property
    def board(self) -> int:
        """All squares."""
        return self.rows(self.height)

    def rows(self, count: int) -> int:
        """The squares of the lowest rows."""
        return self.bottom * ((1 << max(0, count)) - 1)

    @property
    def lower_halves(self) -> int:
        """The lower squares, when each column is cut into pairs from the top."""
        return sum(self.bottom << row for row in range(self.height % 2, self.height, 2))

    def columns(self) -> list[int]:
        """The columns as boards, from the centre outwards."""
        squares = self.from_centre(self.squares(self.bottom))
        return [square * ((1 << self.height) - 1) for square in squares]

    def from_centre(self, squares: list[int]) -> list[int]:
        """The squares of a row or of the landings, those of the centre first."""
        return sorted(squares, key=lambda square: abs(2 * self.column(square) - self.width + 1))

    def column(self, square: int) -> int:
        """The column of a square, from 0."""
        return (square.bit_length() - 1) // (self.height + 1)

    def square(self, move: int) -> int:
        """The board with only this move's stone."""
        row, column = divmod(move, self.width)
        return 1 << column * (self.height + 1) + row

    def move(self, square: int) -> int:
        """The move that puts a stone there."""
        column, row = divmod(square.bit_length() - 1, self.height + 1)
        return row * self.width + column

    def squares(self, board: int) -> list[int]:
        """The squares of a board, one by one from the left."""
        return [1 << bit for bit in range(board.bit_length()) if board >> bit & 1]


@dataclass(frozen=True)
class FlatPosition:
    """The stones of the player to move, and all stones."""

    mover: int
    occupied: int

    @property
    def stones(self) -> int:
        """How many stones are on the board."""
        return self.occupied.bit_count()

    def after(self, square: int) -> FlatPosition:
        """The position for the other player when a stone has fallen there."""
        return FlatPosition(self.mover ^ self.occupied, self.occupied | square)


def position_of(state: ConnectFourState) -> FlatPosition:
    """The state's boards."""
    geometry = FlatGeometry(state.game.width, state.game.height)

    def board(stone: str) -> int:
        return sum(geometry.square(move) for move, here in enumerate(state.board) if here == stone)

    first, second = map(board, STONES)
    return FlatPosition((first, second)[state.player], first | second)


def plies_to_end(score: int, stones: int, cells: int) -> int:
    """How many stones will still be placed when both play for this score."""
    if score > 0:
        return 2 * ((cells + 1 - stones) // 2 - score) + 1
    if score < 0:
        return 2 * ((cells - stones) // 2 + score) + 2
    return cells - stones


@inlined
def along(stones: Bits, step: Bits) -> Bits:
    """The squares that make four with three stones in this direction."""
    up = stones << step
    up_two = up & (up << step)
    down = stones >> step
    down_two = down & (down >> step)
    outside = (up_two << step & up) | (down_two >> step & down)
    return outside | (up_two & down) | (down_two & up)


@inlined
def completing(stones: Bits, step: Bits, slope: Bits) -> Bits:
    """The squares, taken or not, that make four in a line with these stones."""
    upright = (stones << ONE) & (stones << TWO) & (stones << Bits(3))
    slanting = along(stones, step - slope) | along(stones, step + slope)
    return upright | slanting | along(stones, step)


@inlined
def four_along(stones: Bits, step: Bits) -> Bits:
    """The lowest stones of all fours in this direction."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> step >> step)


@inlined
def has_four(stones: Bits, step: Bits, slope: Bits) -> bool:
    """Whether there are four in a line."""
    upright = four_along(stones, ONE)
    slanting = four_along(stones, step - slope) | four_along(stones, step + slope)
    return bool(upright | slanting | four_along(stones, step))


@inlined
def safe_moves(landing: Bits, threats: Bits) -> Bits:
    """Where a stone can fall without losing at once to these winning squares of the other side."""
    forced = landing & threats
    if forced:
        if forced & (forced - ONE):
            return ZERO
        landing = forced
    return landing & ~(threats >> ONE)
