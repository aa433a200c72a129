"""The solver's kernels with their memory, for one size of flat board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.interface import Score, Stop
from spielwerk.games.connect4.engine.flat.board import Bits, has_four, plies_to_end
from spielwerk.games.connect4.engine.flat.book import key_of
from spielwerk.games.connect4.engine.flat.counts import perft, play_out
from spielwerk.games.connect4.engine.flat.kernel import solve
from spielwerk.games.connect4.engine.flat.lookahead import GUESS, INFINITE, STONE, look_ahead
from spielwerk.games.connect4.engine.flat.memory import (
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
)

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.flat.board import Geometry, Position
    from spielwerk.games.connect4.engine.flat.book import Scores

MOST: Final = 64  # greater than any score


class Solver:
    """Scores of positions; the table keeps what was found from one question to the next.

    What is in the book, which must be for this size of board, is not searched.
    """

    def __init__(self, geometry: Geometry, table_bits: int, book: Scores | None = None) -> None:
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

    def landings(self, position: Position) -> list[int]:
        """The squares where a stone can fall, from the left."""
        geometry = self.geometry
        return geometry.squares((position.occupied + geometry.bottom) & geometry.board)

    def wins(self, position: Position, square: int) -> bool:
        """Whether a stone there makes four in a line."""
        stones = Bits(position.mover | square)
        return has_four(stones, self._memory[STEP], self._memory[SLOPE])

    def known(self, position: Position) -> int | None:
        """The score if it is in the book."""
        return self._book.get(key_of(position)) if self._book else None

    def bounds(self, position: Position, low: int = -MOST, high: int = MOST) -> tuple[int, int]:
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

    def score(self, position: Position) -> int | None:
        """The score, or None if stopped before it was known."""
        low, high = self.bounds(position)
        return low if low == high else None

    def look_ahead(self, position: Position, depth: int, beta: int = INFINITE) -> int | None:
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

    def perft(self, position: Position, depth: int) -> int:
        """Count the move sequences of this length from a position that is not over."""
        return int(perft(Bits(position.mover), Bits(position.occupied), depth, self._memory))

    def play_out(self, position: Position, games: int, seed: int) -> int:
        """Wins less losses of the player to move in so many random games."""
        mover, occupied = Bits(position.mover), Bits(position.occupied)
        return int(play_out(mover, occupied, games, Bits(seed or 1), self._memory))

    def as_score(self, value: int, stones: int) -> Score:
        """Hundredths of a stone as a score with so many stones on the board."""
        if abs(value) <= GUESS:
            return Score(value / STONE)
        return self.exact(value // STONE, stones)

    def exact(self, score: int, stones: int) -> Score:
        """A proven score with so many stones on the board."""
        plies = plies_to_end(score, stones, self.geometry.cells)
        return Score(float(score), exact=True, result=(score > 0) - (score < 0), plies=plies)
