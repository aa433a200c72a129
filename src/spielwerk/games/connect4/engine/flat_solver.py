"""The solver with its memory for one size of flat board, and looking ahead.

Looking a few moves ahead, by alpha-beta and an evaluation, is for positions too early to be solved.
Values count hundredths of a stone, so that proven scores and guesses compare: a guess lies between
-99 and 99, less than any win. A value beyond that is proven, and as exact as the solver's.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import borrowed, inlined, kernel, popcount
from spielwerk.engines.interface import Score, Stop
from spielwerk.games.connect4.engine.flat_board import (
    ONE,
    Bits,
    FlatGeometry,
    FlatPosition,
    completing,
    four_along,
    has_four,
    plies_to_end,
    safe_moves,
    signed,
)
from spielwerk.games.connect4.engine.flat_kernel import COLUMN, expand, solve
from spielwerk.games.connect4.engine.flat_memory import (
    BOARD,
    BOTTOM,
    BOUNDS,
    CELLS,
    COLUMNS,
    FIRST_PART,
    FRAMES,
    LOWER_HALVES,
    NEAR,
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    SLOPE,
    SMALLEST_TABLE,
    STEP,
    STOPPED,
    TABLE_MASK,
    THREADS,
    WIDTH,
    new_memory,
    stopped,
)

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.flat_book import BookEntry, FlatBook
    from spielwerk.games.connect4.engine.flat_memory import Flag, Words

STONE: Final = 100
GUESS: Final = STONE - 1
INFINITE: Final = 100 * STONE

OPEN_LINE: Final = 1
WINNING_SQUARE: Final = 6
LASTING_SQUARE: Final = 14  # one that falls to its owner when the board fills up


@inlined
def open_lines(stones: Bits, memory: Words) -> int:
    """How many lines of four these squares contain."""
    step, slope = memory[STEP], memory[SLOPE]
    upright, level = four_along(stones, ONE), four_along(stones, step)
    rising, falling = four_along(stones, step + slope), four_along(stones, step - slope)
    count = popcount(upright) + popcount(level) + popcount(rising) + popcount(falling)
    return signed(count)


@inlined
def evaluate(mover: Bits, occupied: Bits, stones: int, memory: Words) -> int:
    """A guess: lines still open, and winning squares with regard to who will have to fill them."""
    board, lower = memory[BOARD], memory[LOWER_HALVES]
    step, slope = memory[STEP], memory[SLOPE]
    opponent, free = mover ^ occupied, board ^ occupied
    lasting = lower if (signed(memory[CELLS]) - stones) & 1 == 0 else board ^ lower
    mine, theirs = completing(mover, step, slope) & free, completing(opponent, step, slope) & free
    value = OPEN_LINE * (open_lines(board ^ opponent, memory) - open_lines(board ^ mover, memory))
    value += WINNING_SQUARE * (signed(popcount(mine)) - signed(popcount(theirs)))
    value += LASTING_SQUARE * (
        signed(popcount(mine & lasting)) - signed(popcount(theirs & ~lasting))
    )
    return max(-GUESS, min(GUESS, value))


@kernel
def look(
    mover: Bits,
    occupied: Bits,
    threats: Bits,
    moves: Bits,
    stones: int,
    depth: int,
    alpha: int,
    beta: int,
    memory: Words,
    flag: Flag,
) -> int:
    """The value of a node, as the solver knows them, looking so many moves ahead."""
    memory, flag = borrowed(memory), borrowed(flag)
    cells = signed(memory[CELLS])
    if stones >= cells - 2 or stopped(memory, flag):
        return 0
    if depth <= 0:
        return evaluate(mover, occupied, stones, memory)
    width = signed(memory[WIDTH])
    frame = FRAMES + 3 * width * stones
    count = expand(mover, occupied, threats, moves, frame, memory)
    if count < 0:
        return STONE * ((cells - 1 - stones) // 2)
    best = -INFINITE
    for place in range(frame, frame + count):
        column = signed(memory[place] & COLUMN)
        value = -look(
            mover ^ occupied,
            occupied | (moves & memory[COLUMNS + column]),
            memory[frame + width + column],
            memory[frame + 2 * width + column],
            stones + 1,
            depth - 1,
            -beta,
            -max(alpha, best),
            memory,
            flag,
        )
        if memory[STOPPED]:
            return 0
        best = max(best, value)
        if best >= beta:
            break
    return best


@kernel
def look_ahead(
    mover: Bits,
    occupied: Bits,
    stones: int,
    depth: int,
    alpha: int,
    beta: int,
    memory: Words,
    flag: Flag,
) -> int:
    """The value of any position that is not over, looking so many moves ahead."""
    cells = signed(memory[CELLS])
    board, step, slope = memory[BOARD], memory[STEP], memory[SLOPE]
    landing = (occupied + memory[BOTTOM]) & board
    if completing(mover, step, slope) & landing:
        return STONE * ((cells + 1 - stones) // 2)
    threats = completing(mover ^ occupied, step, slope) & (board ^ occupied)
    moves = safe_moves(landing, threats)
    if not moves:
        return -STONE * ((cells - stones) // 2)
    return look(mover, occupied, threats, moves, stones, depth, alpha, beta, memory, flag)


@kernel
def won(stones: Bits, memory: Words) -> bool:
    """Whether there are four in a line."""
    return has_four(stones, memory[STEP], memory[SLOPE])


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


MOST: Final = 64  # greater than any score


class Solver:
    """Scores of positions; the table keeps what was found from one question to the next.

    What is in the book, which must be for this size of board, is not searched. Several threads ask
    the same question and leave to each other what is under way.
    """

    def __init__(
        self, geometry: FlatGeometry, table_bits: int, book: FlatBook | None = None
    ) -> None:
        self.geometry = geometry
        self._book = book
        self.stop = Stop()
        self._memory = new_memory(geometry)
        self._helpers: list[Words] = []
        self._table = np.zeros(1 << max(table_bits, SMALLEST_TABLE), np.uint64)
        self._under_way = np.zeros(BOUNDS + 1, np.uint64)

    def use(self, threads: int) -> None:
        """Answer the next questions with so many threads."""
        while len(self._helpers) < threads - 1:
            self._helpers.append(new_memory(self.geometry))
        del self._helpers[threads - 1 :]
        for memory in (self._memory, *self._helpers):
            memory[THREADS] = threads

    @property
    def nodes(self) -> int:
        """Positions visited since everything was forgotten."""
        return sum(int(memory[NODES]) for memory in (self._memory, *self._helpers))

    def forget(self) -> None:
        """Empty the table."""
        memories = [self._memory, *self._helpers]
        self._table[: max(int(memory[TABLE_MASK]) for memory in memories) + 1] = 0
        for memory in memories:
            memory[int(memory[NEAR]) :] = 0
            memory[TABLE_MASK] = FIRST_PART
            memory[NODES] = 0

    def budget(self, nodes: int | None) -> None:
        """Stop the next questions after so many nodes of one thread from now."""
        now = int(self._memory[NODES])
        self._memory[NODE_LIMIT] = NO_LIMIT if nodes is None else now + nodes
        self._memory[STOPPED] = 0

    def landings(self, position: FlatPosition) -> list[int]:
        """The squares where a stone can fall, from the left."""
        geometry = self.geometry
        return geometry.squares((position.occupied + geometry.bottom) & geometry.board)

    def wins(self, position: FlatPosition, square: int) -> bool:
        """Whether a stone there makes four in a line."""
        return won(Bits(position.mover | square), self._memory)

    def known(self, position: FlatPosition) -> BookEntry | None:
        """What the book has about the position."""
        return self._book.find(position) if self._book else None

    def bounds(self, position: FlatPosition, low: int = -MOST, high: int = MOST) -> tuple[int, int]:
        """A lower and an upper bound of the score, the same unless stopped.

        A score outside `low` to `high` is only known to lie beyond.
        """
        known = self.known(position)
        if known is not None:
            return known.score, known.score
        self._under_way[BOUNDS] = 0
        if not self._helpers:
            return self._ask(position, low, high, self._memory)
        for memory in self._helpers:
            memory[NODE_LIMIT], memory[STOPPED] = NO_LIMIT, 0
        with ThreadPoolExecutor(len(self._helpers)) as pool:
            for memory in self._helpers:
                pool.submit(self._ask, position, low, high, memory)
            try:
                return self._ask(position, low, high, self._memory)
            finally:
                for memory in self._helpers:
                    memory[NODE_LIMIT] = 0  # ends them at their next node

    def _ask(self, position: FlatPosition, low: int, high: int, memory: Words) -> tuple[int, int]:
        mover, occupied = Bits(position.mover), Bits(position.occupied)
        table, under_way, flag = self._table, self._under_way, self.stop.flag
        return solve(mover, occupied, position.stones, low, high, table, under_way, memory, flag)

    def score(self, position: FlatPosition) -> int | None:
        """The score, or None if stopped before it was known."""
        low, high = self.bounds(position)
        return low if low == high else None

    def exact_score(self, position: FlatPosition) -> int:
        """The score, without a limit."""
        self.budget(None)
        low, high = self.bounds(position)
        if low != high:
            raise RuntimeError(f"stopped at {low} to {high}: {position}")
        return low

    def is_worth(self, position: FlatPosition, square: int, score: int) -> bool | None:
        """Whether a move is worth this score, which none exceeds; None if stopped before."""
        if self.wins(position, square):
            return True
        low, high = self.bounds(position.after(square), -score, 1 - score)
        return True if high <= -score else False if low > -score else None

    def best_moves(self, position: FlatPosition, score: int, most: int = MOST) -> list[int] | None:
        """The moves that are worth the position's score, or so many; None if stopped before."""
        moves: list[int] = []
        for square in self.geometry.from_centre(self.landings(position)):
            worth = self.is_worth(position, square, score)
            if worth is None:
                return None
            if worth:
                moves.append(square)
            if len(moves) == most:
                break
        return moves

    def look_ahead(self, position: FlatPosition, depth: int, beta: int = INFINITE) -> int | None:
        """The value in hundredths of a stone, or at least `beta`; None if stopped before."""
        boards = Bits(position.mover), Bits(position.occupied), position.stones
        value = look_ahead(*boards, depth, -INFINITE, beta, self._memory, self.stop.flag)
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
