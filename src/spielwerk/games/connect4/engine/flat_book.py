"""The book of the board of 7 x 6: what the solver would take too long to find.

It has the scores of all positions with few stones, and those positions of perfect games in which
it is the perfect player's turn and the solver is slow, with their best moves. In a perfect game one
player makes only best moves, the other any.

The content of its file is compressed: the keys in ascending order, each as the difference from the
one before, 64 bits, little endian; then the scores in the same order, a signed byte each; then the
columns of the best moves, a bit each, none where only the score is known. A position and its mirror
image have one entry, under the lesser key.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.tables import TableFileError, data_folder, read_table, write_table
from spielwerk.games.connect4.engine.flat_board import FlatGeometry, FlatPosition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

KIND: Final = "connect4-book"
VERSION: Final = 2
BOOK_BOARD: Final = FlatGeometry(7, 6)
SHIPPED: Final = Path(__file__).with_name("7x6.table")

STRIDE: Final = BOOK_BOARD.height + 1
COLUMN: Final = (1 << STRIDE) - 1


@dataclass(frozen=True)
class BookEntry:
    """The score of a position, and those best moves that are known, as columns, a bit each."""

    score: int
    columns: int = 0


def mirrored(board: int) -> int:
    """The board seen from behind."""
    image = 0
    for _ in range(BOOK_BOARD.width):
        image, board = image << STRIDE | board & COLUMN, board >> STRIDE
    return image


def key_of(position: FlatPosition) -> int:
    """A number for the position and its mirror image alike, no other position has it."""
    key = position.mover + position.occupied
    return min(key, mirrored(key))


def canonical(position: FlatPosition) -> FlatPosition:
    """The position or its mirror image, whichever the key stands for."""
    key = position.mover + position.occupied
    if key <= mirrored(key):
        return position
    return FlatPosition(mirrored(position.mover), mirrored(position.occupied))


class FlatBook:
    """The entries, by key; read-only."""

    def __init__(self, entries: Mapping[int, BookEntry]) -> None:
        self.keys = np.array(sorted(entries), np.uint64)
        found = [entries[key] for key in self.keys.tolist()]
        self.scores: NDArray[np.int8] = np.array([entry.score for entry in found], np.int8)
        self.columns: NDArray[np.uint8] = np.array([entry.columns for entry in found], np.uint8)

    def __len__(self) -> int:
        return len(self.keys)

    def entries(self) -> dict[int, BookEntry]:
        """All of them."""
        rows = zip(*(a.tolist() for a in (self.keys, self.scores, self.columns)), strict=True)
        return {key: BookEntry(score, columns) for key, score, columns in rows}

    def find(self, position: FlatPosition) -> BookEntry | None:
        """The entry of a position, with the columns as they are there; None if there is none."""
        key = key_of(position)
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        score, columns = int(self.scores[place]), int(self.columns[place])
        if key != position.mover + position.occupied:
            columns = int(f"{columns:0{BOOK_BOARD.width}b}"[::-1], 2)
        return BookEntry(score, columns)


def squares_of(columns: int, landings: list[int]) -> list[int]:
    """Of the squares where a stone can fall, those in these columns."""
    return [square for square in landings if columns >> BOOK_BOARD.column(square) & 1]


def write_book(path: Path, book: FlatBook) -> None:
    """Write the entries to a file."""
    steps = np.diff(book.keys.astype("<u8"), prepend=np.uint64(0))
    content = steps.tobytes() + book.scores.tobytes() + book.columns.tobytes()
    write_table(path, KIND, VERSION, {"positions": len(book)}, lzma.compress(content))


def read_book(path: Path) -> FlatBook:
    """Read a file, or raise TableFileError."""
    facts, content = read_table(path, KIND, VERSION)
    try:
        data, count = lzma.decompress(content), int(facts["positions"])
        rows = np.frombuffer(data[8 * count :], np.uint8).reshape(2, count)
        book = FlatBook({})
        book.keys = np.frombuffer(data, "<u8", count).cumsum()
        book.scores, book.columns = rows[0].view(np.int8), rows[1]
    except (KeyError, TypeError, ValueError, lzma.LZMAError) as error:
        raise TableFileError(path, f"damaged: {error}") from None
    return book


@cache
def book_for(geometry: FlatGeometry) -> FlatBook:
    """The book that `solve` has kept or else the shipped one; an empty one for other boards."""
    if geometry != BOOK_BOARD:
        return FlatBook({})
    return read_book(kept_book() if kept_book().exists() else SHIPPED)


def kept_book() -> Path:
    """Where `solve` keeps a book."""
    return data_folder() / SHIPPED.with_stem("connect4-7x6").name
