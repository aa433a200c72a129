"""The exact solver: is the score at least so and so much? Asked until only one score is left.

A node is a position whose mover can neither win at once nor loses at once; its moves are those that
do not lose at once. What settles it, from the cheapest:

- The end is too near or too far for the score in question.
- A move after which the other side loses at once.
- The table: bounds known for a child that suffice. Each child is looked up before one is searched.
- A move after which the other side has an even number of free squares: then there is always a reply
  in kind to its stones, above them or, if that column had an odd number of free squares, in another
  such column. The other side gets at most the lower halves of the pairs and the landing squares,
  and nothing above an upper half that wins. Are they too few for four, it cannot win; and if the
  upper halves make four, it loses.
- A move that leaves an odd number of free squares but a winning square in a lower half: the column
  ends below the square under it, where the other side will have to play when all else is full. Up
  to there the number of free squares is even, and there is a reply in kind as before.

A four that is only completed when the rest of the board is full is worth more the more squares are
above it, so these replies settle questions about scores beyond 1, too.

Moves that make more winning squares are tried first, squares out of reach for the other side count
half as much again, then the centre counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.engines.compiled import borrowed, inlined, kernel, popcount
from spielwerk.games.connect4.engine.flat_board import (
    ONE,
    ZERO,
    Bits,
    completing,
    has_four,
    safe_moves,
    signed,
)
from spielwerk.games.connect4.engine.flat_memory import (
    BOARD,
    BOTTOM,
    BOUNDS,
    CELLS,
    COLUMNS,
    FRAMES,
    IN_TIME,
    KNOWN,
    LOWER_HALVES,
    NEAR_END,
    NO_BOUND,
    SLOPE,
    STEP,
    STOPPED,
    THREADS,
    UNDER_WAY,
    WIDTH,
    agree,
    grow,
    hashed,
    look_up,
    place_of,
    stopped,
    store,
)

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.flat_memory import Flag, Words

UNSETTLED: Final = -127
POSTPONED: Final = -126
COLUMN: Final = Bits(255)
WORTH_SHIFT: Final = Bits(8)


@inlined
def reached(free: Bits, landing: Bits, barred: Bits) -> Bits:
    """The squares from each landing square up to the first barred one."""
    way = free & ~barred
    return (way + landing) ^ way


@inlined
def answered(mover: Bits, occupied: Bits, threats: Bits, goal: int, memory: Words) -> int:
    """The least the other side gets by replies in kind; an even number of squares is free."""
    board, lower = memory[BOARD], memory[LOWER_HALVES]
    landing, free = (occupied + memory[BOTTOM]) & board, board ^ occupied
    upper = threats & ~lower & ~landing
    if goal > 1 and not upper & memory[IN_TIME + goal]:
        return UNSETTLED
    step, slope = memory[STEP], memory[SLOPE]
    gets = free & lower & reached(free, landing, upper)
    if has_four(mover | gets | landing, step, slope):
        return UNSETTLED
    if upper:
        score = 1
        while upper & memory[IN_TIME + score + 1]:
            score += 1
        return score
    return int(has_four((mover ^ occupied) | (free & ~lower & ~landing), step, slope))


@inlined
def outlasted(mover: Bits, occupied: Bits, threats: Bits, goal: int, memory: Words) -> int:
    """The least the other side gets by waiting for a square; an odd number of squares is free."""
    board, lower = memory[BOARD], memory[LOWER_HALVES]
    landing, free = (occupied + memory[BOTTOM]) & board, board ^ occupied
    goal = max(goal, 1)
    squares = threats & lower & ~landing & memory[IN_TIME + goal]
    if not squares:
        return UNSETTLED
    step, slope = memory[STEP], memory[SLOPE]
    for index in range(memory[WIDTH]):
        column = memory[COLUMNS + index]
        square = squares & column
        if not square:
            continue
        below = (square & (~square + ONE)) >> ONE
        left = free & ~((free + below) ^ free)
        start, low = landing & left, lower ^ column
        gets = left & low & reached(left, start, threats & ~low & ~start)
        if not has_four(mover | gets | start | below, step, slope):
            return goal
    return UNSETTLED


@inlined
def expand(
    mover: Bits, occupied: Bits, threats: Bits, moves: Bits, frame: int, memory: Words
) -> int:
    """List the children in the frame, the best first, and count them; -1 if one wins.

    The frame holds their columns in order, then for each column the winning squares made there and
    the answers that do not lose at once.
    """
    bottom, board = memory[BOTTOM], memory[BOARD]
    step, slope = memory[STEP], memory[SLOPE]
    width = signed(memory[WIDTH])
    held = threats | (threats << ONE)
    count = 0
    for column in range(width):
        move = moves & memory[COLUMNS + column]
        if not move:
            continue
        after = occupied | move
        wins = completing(mover | move, step, slope) & (board ^ after)
        answers = safe_moves((after + bottom) & board, wins)
        if not answers:
            return -1
        worth = popcount(wins) + popcount(wins) + popcount(wins & ~held)
        place = frame + count
        while place > frame and memory[place - 1] >> WORTH_SHIFT < worth:
            memory[place] = memory[place - 1]
            place -= 1
        memory[place] = (worth << WORTH_SHIFT) | Bits(column)
        memory[frame + width + column] = wins
        memory[frame + 2 * width + column] = answers
        count += 1
    return count


@kernel
def search(
    mover: Bits,
    occupied: Bits,
    threats: Bits,
    moves: Bits,
    stones: int,
    beta: int,
    table: Words,
    under_way: Words,
    memory: Words,
    flag: Flag,
) -> int:
    """A bound of the score: a lower one if it is at least `beta`, else an upper one.

    `threats` are the other side's winning squares, `moves` the ones that do not lose at once, of
    which there must be some.
    """
    table, under_way = borrowed(table), borrowed(under_way)
    memory, flag = borrowed(memory), borrowed(flag)
    cells = signed(memory[CELLS])
    if stones >= cells - 2:
        return 0
    low = -((cells - 2 - stones) // 2)
    high = (cells - 1 - stones) // 2
    if low >= beta:
        return low
    if high < beta:
        return high
    if stopped(memory, flag):
        return 0
    grow(table, memory)
    even = (cells - stones) & 1 == 0
    width = signed(memory[WIDTH])
    frame = FRAMES + 3 * width * stones
    count = expand(mover, occupied, threats, moves, frame, memory)
    if count < 0:
        return high
    high -= 1
    if high < beta:
        return high
    opponent = mover ^ occupied
    near = cells - stones - 1 < NEAR_END
    entries = memory if near else table
    best = -NO_BOUND
    unsettled = frame
    for place in range(frame, frame + count):
        column = signed(memory[place] & COLUMN)
        after = occupied | (moves & memory[COLUMNS + column])
        wins = memory[frame + width + column]
        hash_ = hashed(opponent + after, stones + 1, memory)
        least, most = look_up(hash_, place_of(hash_, near, memory), entries)
        if least >= beta:
            return least
        if most < beta:
            best = max(best, most)
            continue
        if even:
            score = outlasted(opponent, after, wins, beta, memory)
        else:
            score = answered(opponent, after, wins, beta, memory)
        if score >= beta:
            return score
        memory[unsettled] = memory[place]
        unsettled += 1
    shared = memory[THREADS] > ONE and not near
    place, end, postponed, again = frame, unsettled, frame, False
    while place < end:
        column = signed(memory[place] & COLUMN)
        after = occupied | (moves & memory[COLUMNS + column])
        score = -NO_BOUND
        if shared:
            if under_way[BOUNDS] != memory[KNOWN]:  # another thread has answered the question
                memory[STOPPED] = ONE
                return 0
            hash_ = hashed(opponent + after, stones + 1, memory)
            least, most = look_up(hash_, place_of(hash_, near, memory), entries)
            if least >= beta or most < beta:
                score = least if least >= beta else most
            elif not again and place > frame and under_way[hash_ & UNDER_WAY] == hash_:
                memory[postponed] = memory[place]
                postponed += 1
                score = POSTPONED
            else:
                under_way[hash_ & UNDER_WAY] = hash_
        if score == -NO_BOUND:
            score = -search(
                opponent,
                after,
                memory[frame + width + column],
                memory[frame + 2 * width + column],
                stones + 1,
                1 - beta,
                table,
                under_way,
                memory,
                flag,
            )
            if memory[STOPPED]:
                return 0
        best = max(best, score)
        if best >= beta:
            break
        place += 1
        if place == end and not again:
            place, end, again = frame, postponed, True
    if best >= beta:
        low = max(low, best)
    else:
        high = min(high, best)
    hash_ = hashed(mover + occupied, stones, memory)
    near = cells - stones < NEAR_END
    entries = memory if near else table
    store(hash_, place_of(hash_, near, memory), low, high, entries)
    return best


SHORT: Final = 5  # stones by which a short win may miss the shortest; it takes 13 plies at most


@inlined
def question(low: int, high: int, shortest: int) -> int:
    """Which score to ask for; `low` is less than `high`, and the shortest win is worth `shortest`.

    Short wins and losses come first, trees are small there, then those half as far; then who wins,
    where replies in kind settle most; then scores that are not far from what is known.
    """
    short, middling = shortest - SHORT, 1 + shortest // 2
    if short > 1:
        if low < short <= high:
            return short
        if low < 1 - short <= high:
            return 1 - short
        if low < middling <= high:
            return middling
        if low < 1 - middling <= high:
            return 1 - middling
    if low < 0 < high:
        return 1
    if low >= max(1, short) or high <= -max(1, short):
        return (low + high + 1) // 2
    return low + (high - low + 2) // 3 if low >= 0 else high - (high - low - 1) // 3


@kernel
def solve(
    mover: Bits,
    occupied: Bits,
    stones: int,
    low: int,
    high: int,
    table: Words,
    under_way: Words,
    memory: Words,
    flag: Flag,
) -> tuple[int, int]:
    """The bounds of the score, the same unless stopped, or unless it is not in `low` to `high`."""
    cells = signed(memory[CELLS])
    board, step, slope = memory[BOARD], memory[STEP], memory[SLOPE]
    landing = (occupied + memory[BOTTOM]) & board
    if completing(mover, step, slope) & landing:
        score = (cells + 1 - stones) // 2
        return score, score
    threats = completing(mover ^ occupied, step, slope) & (board ^ occupied)
    moves = safe_moves(landing, threats)
    if not moves:
        score = -((cells - stones) // 2)
        return score, score
    if stones >= cells - 2:
        return 0, 0
    low = max(low, -((cells - 2 - stones) // 2))
    shortest = (cells - 1 - stones) // 2
    high = min(high, shortest)
    low, high = agree(low, high, under_way, memory)
    while low < high:
        beta = question(low, high, shortest)
        score = search(
            mover, occupied, threats, moves, stones, beta, table, under_way, memory, flag
        )
        if memory[STOPPED]:
            if under_way[BOUNDS] == memory[KNOWN]:
                break
            memory[STOPPED] = ZERO
        elif score >= beta:
            low = score
        else:
            high = score
        low, high = agree(low, high, under_way, memory)
    return low, high
