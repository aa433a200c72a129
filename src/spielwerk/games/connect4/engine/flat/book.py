"""The opening book of the board of 7 x 6: the exact scores of all positions with few stones.

These are the positions that take the solver longest. The content of the file is compressed: the
keys in ascending order, each as the difference from the one before, 64 bits, little endian; then
the scores in the same order, a signed byte each.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.tables import TableError, read_table, write_table
from spielwerk.games.connect4.engine.flat.board import Geometry, Position

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Scores: TypeAlias = Mapping[int, int]

KIND: Final = "connect4-book"
VERSION: Final = 1
BOARD: Final = Geometry(7, 6)
STONES: Final = 4  # the most on the board in a position of the book
SHIPPED: Final = Path(__file__).with_name("7x6.table")


def key_of(position: Position) -> int:
    """A number for the position and its mirror image alike, no other position has it."""
    key = rest = position.mover + position.occupied
    mirrored = 0
    for _ in range(BOARD.width):
        mirrored, rest = mirrored << 7 | rest & 0x7F, rest >> 7
    return min(key, mirrored)


def children(position: Position) -> list[Position]:
    """The positions after each move."""
    landing = (position.occupied + BOARD.bottom) & BOARD.board
    return [position.after(square) for square in BOARD.squares(landing)]


def openings(stones: int) -> list[dict[int, Position]]:
    """All positions with 0, 1, ... up to so many stones by key, those of the same parent together.

    With fewer than seven stones nobody has won.
    """
    layers = [{0: Position(0, 0)}]
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
    """Read scores by key from a file, or raise TableError."""
    facts, content = read_table(path, KIND, VERSION)
    try:
        data, count = zlib.decompress(content), int(facts["positions"])
        keys = np.frombuffer(data, "<u8", count).cumsum()
        scores = np.frombuffer(data[8 * count :], np.int8)
        return dict(zip(keys.tolist(), scores.tolist(), strict=True))
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise TableError(path, f"damaged: {error}") from None


@cache
def book_for(geometry: Geometry) -> Scores:
    """The shipped book for boards of this size, without any scores if there is none."""
    return read_book(SHIPPED) if geometry == BOARD else {}
