"""Looking a few moves ahead, for positions too early to be solved: alpha-beta and an evaluation.

Values count hundredths of a stone, so that proven scores and guesses compare: a guess lies between
-99 and 99, less than any win. A value beyond that is proven, and as exact as the solver's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.engines.compiled import borrowed, inlined, kernel
from spielwerk.games.connect4.engine.flat.board import (
    ONE,
    Bits,
    completing,
    four_along,
    popcount,
    safe_moves,
    signed,
)
from spielwerk.games.connect4.engine.flat.kernel import (
    BOARD,
    BOTTOM,
    CELLS,
    COLUMN,
    COLUMNS,
    FRAMES,
    LOWER_HALVES,
    SLOPE,
    STEP,
    STOPPED,
    WIDTH,
    expand,
    stopped,
)

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.flat.kernel import Flag, Words

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
