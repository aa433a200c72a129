"""Alpha-beta over whole turns: a table, mills first, late quiet turns less deep, solved sectors.

Positions are seen from the player to move: own stones, the opponent's, both hands, the count. All
that changes lies in one int64 array, so that a call passes few arguments.

Scores are hundredths of a stone. WIN - n: the game is won in n turns; TABLE_WIN - n: a capture or
blockade in n turns leads there in the solved sectors. Both are proven: reductions, the draws scored
for repetition and look-ups can only hide a win, never invent one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.engines.compiled import byte_at, inlined, kernel
from spielwerk.games.morris.engine.board import (
    FULL,
    LEAST_STONES,
    MOST_TURNS,
    NO_CAPTURE,
    NO_TURN,
    PAIRS,
    captured,
    closes,
    count,
    list_turns,
    moved,
)
from spielwerk.games.morris.engine.evaluation import PHASES, SIZE, evaluate, steps
from spielwerk.games.morris.engine.index import MOST, board_number
from spielwerk.games.morris.rules import EACH, LOSING, QUIET_TURNS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIN: Final = 30_000
TABLE_WIN: Final = 20_000
PROVEN: Final = 15_000  # beyond it a score is proven
INFINITE: Final = 32_000
NOT_SOLVED: Final = 100  # beside the bytes of the solved sectors

DEEPEST: Final = 60
POLL: Final = 255  # nodes between looks at the flag, less one

# The parts of the working memory.
NODES: Final = 0
NODE_LIMIT: Final = 1
STOPPED: Final = 2
LOOK_UPS: Final = 3  # in the solved sectors
ADDRESSES: Final = 16  # of the solved sectors, by stones in hand, own stones, the opponent's
CLASS_STARTS: Final = ADDRESSES + (2 * MOST + 1) * 100
WEIGHTS_AT: Final = CLASS_STARTS + 10
HISTORY: Final = WEIGHTS_AT + SIZE * len(PHASES)
KILLERS: Final = HISTORY + 1024
PATH: Final = KILLERS + 2 * (DEEPEST + 4)
TURNS: Final = PATH + DEEPEST + 4
ORDER: Final = TURNS + (DEEPEST + 4) * MOST_TURNS
MEMORY: Final = ORDER + (DEEPEST + 4) * MOST_TURNS

UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3


@inlined
def position_key(own: int, opponent: int, own_hand: int, opponent_hand: int) -> int:
    """A number of its own for each position, the count left out."""
    return own | opponent << 24 | own_hand << 48 | opponent_hand << 52


@inlined
def slot_of(key: int, table: NDArray[np.int64]) -> int:
    """Where the two entries begin that may hold the key; an entry is the key and its data."""
    mixed = key * 0x2545F4914F6CDD1D
    return ((mixed ^ (mixed >> 29)) >> 8 & (table.size // 4 - 1)) * 4


@inlined
def solved_value(
    own: int,
    opponent: int,
    hands: int,
    memory: NDArray[np.int64],
    classes: NDArray[np.int32],
) -> int:
    """The byte of a board in the solved sectors, or NOT_SOLVED."""
    owns, opponents = count(own), count(opponent)
    address = memory[ADDRESSES + 100 * hands + 10 * owns + opponents]
    if not address:
        return NOT_SOLVED
    memory[LOOK_UPS] += 1
    of_rank = classes[memory[CLASS_STARTS + owns] :]
    return int(byte_at(address + board_number(own, opponent, opponents, of_rank)))


@inlined
def _solved_score(value: int, quiet: int, ply: int) -> int:
    if abs(value) <= quiet:
        return 0
    distance = ply + QUIET_TURNS - abs(value)
    return TABLE_WIN - distance if value > 0 else distance - TABLE_WIN


@inlined
def _remembered(key: int, table: NDArray[np.int64]) -> int:
    """The data stored for the key, or 0."""
    slot = slot_of(key, table)
    for entry in (slot, slot + 2):
        if table[entry] == key:
            return int(table[entry + 1])
    return 0


@inlined
def _remember(
    key: int, turn: int, score: int, depth: int, bound: int, table: NDArray[np.int64]
) -> None:
    """Store what a search found: the first entry keeps the deeper result, the second the newer."""
    slot = slot_of(key, table)
    if table[slot] != key and (table[slot + 1] >> 22 & 255) > depth:
        slot += 2
    table[slot] = key
    table[slot + 1] = turn | bound << 20 | depth << 22 | (score + INFINITE) << 30


@inlined
def turn_in(data: int) -> int:
    """The best turn that stored data names."""
    return data & 0xFFFFF


@inlined
def _usable(data: int, quiet: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The stored score if it settles the node, else INFINITE.

    A proven score holds whatever the depth, but only if its line ends before the count does.
    """
    score = (data >> 30) - INFINITE
    bound = data >> 20 & 3
    if abs(score) > PROVEN:
        distance = (WIN if abs(score) > (WIN + TABLE_WIN) // 2 else TABLE_WIN) - abs(score)
        if quiet + distance >= QUIET_TURNS:
            return INFINITE
        score += -ply if score > 0 else ply
    elif (data >> 22 & 255) < depth:
        return INFINITE
    if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
        return score
    return INFINITE


@inlined
def _capture_worth(opponent: int, taken: int) -> int:
    """How much a capture hurts: stones that stand in mills and pairs first."""
    worth = 0
    while taken:
        field = count((taken & -taken) - 1)
        taken &= taken - 1
        for mill in range(2):
            others = count(opponent & PAIRS[field, mill])
            worth += others * others
    return worth


@inlined
def _promise(turn: int, best: int, opponent: int, ply: int, memory: NDArray[np.int64]) -> int:
    """How early the turn should be searched: mills, then killers, then what served before."""
    if turn == best:
        return 1 << 50
    if turn & NO_CAPTURE != NO_CAPTURE:
        return (1 << 40) + _capture_worth(opponent, captured(turn))
    if turn == memory[KILLERS + 2 * ply] or turn == memory[KILLERS + 2 * ply + 1]:
        return 1 << 39
    target, origin = turn & 31, turn >> 5 & 31
    promise = int(memory[HISTORY + (turn & 1023)])
    if closes(opponent, target):
        promise += 1 << 38
    if origin < 24 and closes(opponent, origin):
        promise -= 1 << 38
    return promise


@inlined
def _next_turn(number: int, end: int, memory: NDArray[np.int64]) -> int:
    """Swap the most promising of the turns not yet searched to the front."""
    shift = ORDER - TURNS
    chosen = number
    for other in range(number + 1, end):
        if memory[other + shift] > memory[chosen + shift]:
            chosen = other
    turn, promise = int(memory[chosen]), int(memory[chosen + shift])
    memory[chosen], memory[chosen + shift] = memory[number], memory[number + shift]
    memory[number], memory[number + shift] = turn, promise
    return turn


@inlined
def _repeated(key: int, quiet: int, ply: int, memory: NDArray[np.int64]) -> bool:
    """Whether the position stood on the board before, in this line and since the last capture.

    No player wins faster by coming back: the count has only gone up.
    """
    earlier = ply - 4
    while earlier >= 0 and earlier >= ply - quiet:
        if memory[PATH + earlier] == key:
            return True
        earlier -= 2
    return False


@inlined
def _reward(turn: int, depth: int, ply: int, memory: NDArray[np.int64]) -> None:
    """Remember a quiet turn that refuted the line before."""
    memory[HISTORY + (turn & 1023)] += depth * depth
    if memory[KILLERS + 2 * ply] != turn:
        memory[KILLERS + 2 * ply + 1] = memory[KILLERS + 2 * ply]
        memory[KILLERS + 2 * ply] = turn


@inlined
def _is_stopped(memory: NDArray[np.int64], flag: NDArray[np.uint8]) -> bool:
    memory[NODES] += 1
    if memory[NODES] > memory[NODE_LIMIT] or (memory[NODES] & POLL == 0 and flag[0]):
        memory[STOPPED] = 1
    return bool(memory[STOPPED])


@inlined
def _reduction(number: int, depth: int, turn: int) -> int:
    """By how much less deep a late quiet turn is searched at first."""
    if depth < 3 or number < 4 or turn & NO_CAPTURE != NO_CAPTURE:
        return 0
    return 2 if number >= 12 and depth >= 5 else 1


@kernel
def search(
    own: int,
    opponent: int,
    own_hand: int,
    opponent_hand: int,
    quiet: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    memory: NDArray[np.int64],
    table: NDArray[np.int64],
    classes: NDArray[np.int32],
    flag: NDArray[np.uint8],
) -> int:
    """The score for the player to move, within alpha and beta; worthless once STOPPED is set."""
    if _is_stopped(memory, flag):
        return 0
    if EACH - own_hand - count(own) >= LOSING:
        return ply - WIN
    if quiet >= QUIET_TURNS:
        return 0
    moving = own_hand + opponent_hand == 0
    value = solved_value(own, opponent, own_hand + opponent_hand, memory, classes)
    if value != NOT_SOLVED:
        return _solved_score(value, quiet, ply)
    board = position_key(own, opponent, own_hand, opponent_hand)
    memory[PATH + ply] = board
    if _repeated(board, quiet, ply, memory):
        return 0
    if depth <= 0 or ply >= DEEPEST:
        if moving and count(own) > LEAST_STONES and not steps(own, FULL & ~(own | opponent)):
            return ply - WIN
        return evaluate(own, opponent, own_hand, opponent_hand, memory, WEIGHTS_AT)
    key = board | (quiet + 1) << 56 if quiet + depth >= QUIET_TURNS else board
    data = _remembered(key, table)
    if data:
        score = _usable(data, quiet, depth, alpha, beta, ply)
        if score != INFINITE:
            return score
    start = TURNS + ply * MOST_TURNS
    end = list_turns(own, opponent, own_hand, opponent_hand, 0, memory, start)
    if end == start:
        return ply - WIN
    best_turn = turn_in(data) if data else NO_TURN
    for number in range(start, end):
        memory[number + ORDER - TURNS] = _promise(memory[number], best_turn, opponent, ply, memory)
    placed = 1 if own_hand else 0
    best, floor = -INFINITE, alpha
    for number in range(start, end):
        turn = _next_turn(number, end, memory)
        taken = captured(turn)
        now_own, now_opponent = moved(own, turn), opponent & ~taken
        now_quiet = 0 if taken else quiet + 1
        less = _reduction(number - start, depth, turn)
        narrow = number > start
        while True:  # with a null window first, then less reduced and wider as the score asks
            low = -floor - 1 if narrow else -beta
            score = -search(
                now_opponent,
                now_own,
                opponent_hand,
                own_hand - placed,
                now_quiet,
                depth - 1 - less,
                low,
                -floor,
                ply + 1,
                memory,
                table,
                classes,
                flag,
            )
            if memory[STOPPED]:
                return 0
            if score <= floor or not (less or (narrow and score < beta)):
                break
            if less:
                less = 0
            else:
                narrow = False
        if score > best:
            best, best_turn = score, turn
        floor = max(floor, best)
        if floor >= beta:
            if not taken:
                _reward(turn, depth, ply, memory)
            break
    bound = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
    kept = best
    if abs(best) > PROVEN:
        kept += ply if best > 0 else -ply
    _remember(key, best_turn, kept, depth, bound, table)
    return best


@kernel
def stored_turn(key: int, table: NDArray[np.int64]) -> int:
    """The turn that the table holds for a position, or NO_TURN."""
    data = _remembered(key, table)
    return turn_in(data) if data else NO_TURN
