"""The solver's kernels with their memory for one size of flat board, and the opening book.

The book has the exact scores of all positions of the board of 7 x 6 with few stones, which take the
solver longest. The content of its file is compressed: the keys in ascending order, each as the
difference from the one before, 64 bits, little endian; then the scores in the same order, a signed
byte each.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Score, Stop
from spielwerk.engines.tables import TableFileError, read_table, write_table
from spielwerk.games.connect4.engine.flat.board import (
    ONE,
    Bits,
    FlatGeometry,
    FlatPosition,
    has_four,
    plies_to_end,
)
from spielwerk.games.connect4.engine.flat.kernel import (
    BOARD,
    BOTTOM,
    FIRST_PART,
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    SLOPE,
    SMALLEST_TABLE,
    STEP,
    STOPPED,
    TABLE_MASK,
    new_memory,
    solve,
)
from spielwerk.games.connect4.engine.flat.lookahead import GUESS, INFINITE, STONE, look_ahead

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from spielwerk.games.connect4.engine.flat.kernel import Words

    Scores: TypeAlias = Mapping[int, int]


@kernel
def perft(mover: Bits, occupied: Bits, depth: int, memory: Words) -> int:
    """Count the move sequences of this length from a position that is not over."""
    moves = (occupied + memory[BOTTOM]) & memory[BOARD]
    count = 0
    while moves:
        move = moves & (~moves + ONE)
        moves ^= move
        if depth == 1:
            count += 1
        elif not has_four(mover | move, memory[STEP], memory[SLOPE]):
            count += perft(mover ^ occupied, occupied | move, depth - 1, memory)
    return count


KIND: Final = "connect4-book"
VERSION: Final = 1
BOOK_BOARD: Final = FlatGeometry(7, 6)
BOOK_STONES: Final = 4  # the most on the board in a position of the book
SHIPPED: Final = Path(__file__).with_name("7x6.table")


def key_of(position: FlatPosition) -> int:
    """A number for the position and its mirror image alike, no other position has it."""
    key = rest = position.mover + position.occupied
    mirrored = 0
    for _ in range(BOOK_BOARD.width):
        mirrored, rest = mirrored << 7 | rest & 0x7F, rest >> 7
    return min(key, mirrored)


def children(position: FlatPosition) -> list[FlatPosition]:
    """The positions after each move."""
    landing = (position.occupied + BOOK_BOARD.bottom) & BOOK_BOARD.board
    return [position.after(square) for square in BOOK_BOARD.squares(landing)]


def openings(stones: int) -> list[dict[int, FlatPosition]]:
    """All positions with 0, 1, ... up to so many stones by key, those of the same parent together.

    With fewer than seven stones nobody has won.
    """
    layers = [{0: FlatPosition(0, 0)}]
    for _ in range(stones):
        parents = layers[-1].values()
        layers.append({key_of(child): child for parent in parents for child in children(parent)})
    return layers


def complete(scores: Scores, stones: int) -> Scores:
    """Add the scores with fewer stones to those of all positions with exactly so many."""
    book = dict(scores)
    for layer in reversed(openings(stones - 1)):
        for key, position in layer.items():
            book[key] = max(-book[key_of(child)] for child in children(position))
    return book


def write_book(path: Path, book: Scores) -> None:
    """Write scores by key to a file."""
    keys = np.array(sorted(book), "<u8")
    scores = np.array([book[key] for key in keys.tolist()], np.int8)
    steps = np.diff(keys, prepend=np.uint64(0))
    content = zlib.compress(steps.tobytes() + scores.tobytes(), 9)
    write_table(path, KIND, VERSION, {"positions": len(keys)}, content)


def read_book(path: Path) -> Scores:
    """Read scores by key from a file, or raise TableFileError."""
    facts, content = read_table(path, KIND, VERSION)
    try:
        data, count = zlib.decompress(content), int(facts["positions"])
        keys = np.frombuffer(data, "<u8", count).cumsum()
        scores = np.frombuffer(data[8 * count :], np.int8)
        return dict(zip(keys.tolist(), scores.tolist(), strict=True))
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise TableFileError(path, f"damaged: {error}") from None


@cache
def book_for(geometry: FlatGeometry) -> Scores:
    """The shipped book for boards of this size, without any scores if there is none."""
    return read_book(SHIPPED) if geometry == BOOK_BOARD else {}


MOST: Final = 64  # greater than any score


class Solver:
    """Scores of positions; the table keeps what was found from one question to the next.

    What is in the book, which must be for this size of board, is not searched.
    """

    def __init__(self, geometry: FlatGeometry, table_bits: int, book: Scores | None = None) -> None:
        self.geometry = geometry
        self._book = book or {}
        self.stop = Stop()
        self._memory = new_memory(geometry)
        self._table = np.zeros(1 << max(table_bits, SMALLEST_TABLE), np.uint64)

    @property
    def nodes(self) -> int:
        """Positions visited since everything was forgotten."""
        return int(self._memory[NODES])

    @property
    def table_size(self) -> int:
        """Bytes of the table in use."""
        return 8 * (int(self._memory[TABLE_MASK]) + 1)

    def forget(self) -> None:
        """Empty the table."""
        self._table[: int(self._memory[TABLE_MASK]) + 1] = 0
        self._memory[TABLE_MASK] = FIRST_PART
        self._memory[NODES] = 0

    def budget(self, nodes: int | None) -> None:
        """Stop the next questions after so many nodes from now."""
        self._memory[NODE_LIMIT] = NO_LIMIT if nodes is None else self.nodes + nodes
        self._memory[STOPPED] = 0

    def landings(self, position: FlatPosition) -> list[int]:
        """The squares where a stone can fall, from the left."""
        geometry = self.geometry
        return geometry.squares((position.occupied + geometry.bottom) & geometry.board)

    def wins(self, position: FlatPosition, square: int) -> bool:
        """Whether a stone there makes four in a line."""
        stones = Bits(position.mover | square)
        return has_four(stones, self._memory[STEP], self._memory[SLOPE])

    def known(self, position: FlatPosition) -> int | None:
        """The score if it is in the book."""
        return self._book.get(key_of(position)) if self._book else None

    def bounds(self, position: FlatPosition, low: int = -MOST, high: int = MOST) -> tuple[int, int]:
        """A lower and an upper bound of the score, the same unless stopped.

        A score outside `low` to `high` is only known to lie beyond.
        """
        known = self.known(position)
        if known is not None:
            return known, known
        mover, occupied = Bits(position.mover), Bits(position.occupied)
        return solve(
            mover,
            occupied,
            position.stones,
            low,
            high,
            self._table,
            self._memory,
            self.stop.flag,
        )

    def score(self, position: FlatPosition) -> int | None:
        """The score, or None if stopped before it was known."""
        low, high = self.bounds(position)
        return low if low == high else None

    def look_ahead(self, position: FlatPosition, depth: int, beta: int = INFINITE) -> int | None:
        """The value in hundredths of a stone, or at least `beta`; None if stopped before."""
        mover, occupied = Bits(position.mover), Bits(position.occupied)
        value = look_ahead(
            mover,
            occupied,
            position.stones,
            depth,
            -INFINITE,
            beta,
            self._memory,
            self.stop.flag,
        )
        return None if self._memory[STOPPED] else value

    def perft(self, position: FlatPosition, depth: int) -> int:
        """Count the move sequences of this length from a position that is not over."""
        return int(perft(Bits(position.mover), Bits(position.occupied), depth, self._memory))

    def as_score(self, value: int, stones: int) -> Score:
        """Hundredths of a stone as a score with so many stones on the board."""
        if abs(value) <= GUESS:
            return Score(value / STONE)
        return self.exact(value // STONE, stones)

    def exact(self, score: int, stones: int) -> Score:
        """A proven score with so many stones on the board."""
        plies = plies_to_end(score, stones, self.geometry.cells)
        return Score(float(score), exact=True, result=(score > 0) - (score < 0), plies=plies)
