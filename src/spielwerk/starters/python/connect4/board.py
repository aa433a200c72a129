"""The board, flat or solid: fields, legal moves, four in a line. (MIT licence)

Field k * width * height + i * width + j is in layer k, row i (0 is the lowest) and column j.
"""

from __future__ import annotations

from itertools import product

from connection import GameError

FREE, INITIATOR, OPPONENT = "0", "1", "2"  # the states of a field
DIRECTIONS = [one for one in product((-1, 0, 1), repeat=3) if one > (0, 0, 0)]
LARGEST = 100_000  # fields


class Board:
    """All fields with their states."""

    def __init__(self, width: int, height: int, depth: int) -> None:
        self.width, self.height, self.depth = width, height, max(depth, 1)  # 0 is flat, too
        size = self.width * self.height * self.depth
        if not 0 < size <= LARGEST:
            raise GameError(f"a board of {width} x {height} x {depth} fields")
        self.fields = [FREE] * size

    def is_legal(self, field: int) -> bool:
        """Whether a stone can lie there: the field is free, and the one below it is not."""
        if not 0 <= field < len(self.fields) or self.fields[field] != FREE:
            return False
        lowest = field % (self.width * self.height) < self.width
        return lowest or self.fields[field - self.width] != FREE

    def moves(self) -> list[int]:
        """All legal moves."""
        return [field for field in range(len(self.fields)) if self.is_legal(field)]

    def put(self, field: int, state: str) -> None:
        """Set the state of a field, or GameError if there is no such field or state."""
        if not 0 <= field < len(self.fields) or state not in (FREE, INITIATOR, OPPONENT):
            raise GameError(f"field {field} cannot be {state!r}")
        self.fields[field] = state

    def winner(self) -> str | None:
        """INITIATOR or OPPONENT, FREE for a draw, None while the game goes on."""
        for place in product(range(self.depth), range(self.height), range(self.width)):
            state = self._at(*place)
            if state in (INITIATOR, OPPONENT) and any(
                all(self._at(*_step(place, way, count)) == state for count in (1, 2, 3))
                for way in DIRECTIONS
            ):
                return state
        return None if FREE in self.fields else FREE

    def _at(self, k: int, i: int, j: int) -> str:
        """The state of a field; empty beyond the edge."""
        if 0 <= k < self.depth and 0 <= i < self.height and 0 <= j < self.width:
            return self.fields[k * self.width * self.height + i * self.width + j]
        return ""


def _step(place: tuple[int, int, int], way: tuple[int, ...], count: int) -> tuple[int, int, int]:
    k, i, j = (start + count * step for start, step in zip(place, way))
    return k, i, j
