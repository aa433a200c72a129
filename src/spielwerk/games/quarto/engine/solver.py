"""The exact search on the 4 x 4 board: a yes-or-no question, asked of alternating players.

`decide` asks whether the player to place can force a win, or at least a draw. A move answers it if
the opponent cannot force the contrary, so the two questions alternate down the tree and no score
windows are needed. Three things keep the tree small: a player only hands on stones that do not win
at once; moves that leave the opponent the fewest such answers come first; and stones or squares
between which no line makes a difference any more count as one.

For every line a byte holds the attribute values that all its stones share (low half: has the
attribute, high half: lacks it): eight rows and columns in one word, the diagonals in another. The
words hold no winning line: a player who could complete one does so before the solver is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import copy_row, inlined, kernel, lowest_bit, popcount
from spielwerk.games.quarto.engine.symmetry import LANE, SPREAD, SQUARES, canonical_key, plain_key
from spielwerk.games.quarto.rules import lines

if TYPE_CHECKING:
    from spielwerk.games.quarto.engine.search import Flag, Numbers, Words
    from spielwerk.games.quarto.rules import QuartoState

# The words of a position: values shared and stones counted line by line, then squares and stones.
STRAIGHT: Final = 0
DIAGONAL: Final = 1
STRAIGHT_COUNT: Final = 2
DIAGONAL_COUNT: Final = 3
TAKEN: Final = 4
SUPPLY: Final = 5
LANES: Final = 6
HAND: Final = 7
WORDS: Final = 8
_KEY: Final = 8  # used inside the search only

NO: Final = 0
YES: Final = 1
UNDECIDED: Final = 2

# Chosen by node counts and time on the benchmark sets: below, looking up costs more than it saves.
_STORED_FROM: Final = 6  # stones in the supply
_CANONICAL_FROM: Final = 8
_ORDERED_FROM: Final = 5
_POLLED: Final = 0xFF

_ONE: Final = np.uint64(1)
_ONES: Final = np.uint64(0x0101010101010101)
_BYTE: Final = np.uint64(0xFF)
_FACTS: Final = np.uint64(15)
_WINS: Final = np.uint64(1)
_CANNOT_WIN: Final = np.uint64(2)
_HOLDS: Final = np.uint64(4)
_LOSES: Final = np.uint64(8)


def _lines_through(first: int, last: int) -> Words:
    """For every square the bytes of those of the lines that it lies on."""
    chosen = lines(4)[first:last]
    return np.array(
        [
            sum(0xFF << 8 * number for number, line in enumerate(chosen) if square in line)
            for square in range(SQUARES)
        ],
        np.uint64,
    )


_STRAIGHT_LINES: Final = _lines_through(0, 8)
_DIAGONAL_LINES: Final = _lines_through(8, 10)
_VALUES: Final = np.array([stone | (15 - stone) << 4 for stone in range(16)], np.uint64)
_POISONED: Final = np.array(
    [sum(1 << s for s in range(16) if int(_VALUES[s]) & hot) for hot in range(256)], np.uint64
)


@inlined
def _any_byte(word: np.uint64) -> np.uint64:
    word |= word >> np.uint64(32)
    word |= word >> np.uint64(16)
    word |= word >> np.uint64(8)
    return word & _BYTE


@inlined
def _with_three(shared: np.uint64, counts: np.uint64) -> np.uint64:
    """The shared values of the lines of three stones: 3 is the only count with both low bits."""
    return shared & ((counts & (counts >> _ONE) & _ONES) * _BYTE)


@inlined
def _kept(position: Words, square: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The values still shared on straight lines and diagonals once the stone in hand is placed."""
    values = _VALUES[position[HAND]] * _ONES
    return (
        position[STRAIGHT] & (values | ~_STRAIGHT_LINES[square]),
        position[DIAGONAL] & (values | ~_DIAGONAL_LINES[square]),
    )


@inlined
def _safe(
    position: Words, square: np.uint64, straight: np.uint64, diagonal: np.uint64
) -> np.uint64:
    """The stones that can be handed on after the placement without losing at once."""
    hot = _with_three(straight, position[STRAIGHT_COUNT] + (_STRAIGHT_LINES[square] & _ONES))
    hot |= _with_three(diagonal, position[DIAGONAL_COUNT] + (_DIAGONAL_LINES[square] & _ONES))
    poisoned: np.uint64 = _POISONED[_any_byte(hot)]
    supply: np.uint64 = position[SUPPLY]
    return supply & ~poisoned


@kernel
def safe_stones(position: Words, square: np.uint64) -> np.uint64:
    """The stones that do not win at once for the opponent if handed on after the placement."""
    straight, diagonal = _kept(position, square)
    return _safe(position, square, straight, diagonal)


@inlined
def _play(position: Words, square: np.uint64, stone: np.uint64, child: Words) -> None:
    straight, diagonal = _kept(position, square)
    child[STRAIGHT] = straight
    child[DIAGONAL] = diagonal
    child[STRAIGHT_COUNT] = position[STRAIGHT_COUNT] + (_STRAIGHT_LINES[square] & _ONES)
    child[DIAGONAL_COUNT] = position[DIAGONAL_COUNT] + (_DIAGONAL_LINES[square] & _ONES)
    child[TAKEN] = position[TAKEN] | (_ONE << square)
    child[SUPPLY] = position[SUPPLY] & ~(_ONE << stone)
    child[LANES] = position[LANES] | (SPREAD[position[HAND]] << square)
    child[HAND] = stone


@kernel
def play(position: Words, square: np.uint64, stone: np.uint64, child: Words) -> None:
    """Write into `child` the position after placing the stone in hand and handing on another."""
    _play(position, square, stone, child)


def position_of(state: QuartoState) -> Words:
    """The state as the solver wants it; a stone must be in hand."""
    words = np.zeros(WORDS, np.uint64)
    words[STRAIGHT], words[DIAGONAL], words[SUPPLY] = ~np.uint64(0), LANE, LANE
    for square, stone in enumerate(state.board):
        if stone is not None:
            words[HAND] = stone
            play(words, np.uint64(square), np.uint64(stone), words)
    words[HAND] = state.stone or 0
    words[SUPPLY] &= ~(_ONE << words[HAND])
    return words


@kernel
def answers(position: Words) -> np.uint64:
    """How many moves there are that do not hand on a stone that wins at once."""
    total = np.uint64(0)
    free = ~position[TAKEN] & LANE
    while free:
        square = lowest_bit(free)
        free &= free - _ONE
        straight, diagonal = _kept(position, square)
        total += popcount(_safe(position, square, straight, diagonal))
    return total


@inlined
def _can_hand_on(position: Words) -> bool:
    """Whether some move hands on a stone that does not win at once."""
    free = ~position[TAKEN] & LANE
    while free:
        square = lowest_bit(free)
        free &= free - _ONE
        straight, diagonal = _kept(position, square)
        if _safe(position, square, straight, diagonal):
            return True
    return False


@inlined
def _different(stones: np.uint64, live: np.uint64) -> np.uint64:
    """One of each kind of stones, told apart only by attributes that still count on some line."""
    dead = ~(live | (live >> np.uint64(4)))
    if dead & np.uint64(1):
        stones &= ~((stones & np.uint64(0x5555)) << np.uint64(1))
    if dead & np.uint64(2):
        stones &= ~((stones & np.uint64(0x3333)) << np.uint64(2))
    if dead & np.uint64(4):
        stones &= ~((stones & np.uint64(0x0F0F)) << np.uint64(4))
    if dead & np.uint64(8):
        stones &= ~((stones & np.uint64(0x00FF)) << np.uint64(8))
    return stones


@inlined
def _candidates(
    position: Words, must_win: bool, left: np.uint64, moves: Words, child: Words
) -> int:
    """Write the moves worth trying, the best first, and count them; -1 if one settles it.

    Near the root a move is the better the fewer safe answers it leaves, and the fewer values that
    lines can still be won with.
    """
    number = 0
    dead_square_seen = False
    free = ~position[TAKEN] & LANE
    while free:
        square = lowest_bit(free)
        free &= free - _ONE
        straight_here = position[STRAIGHT] & _STRAIGHT_LINES[square]
        if (straight_here | (position[DIAGONAL] & _DIAGONAL_LINES[square])) == np.uint64(0):
            if dead_square_seen:
                continue
            dead_square_seen = True
        straight, diagonal = _kept(position, square)
        if (straight | diagonal) == np.uint64(0):  # no line can be won any more
            if not must_win:
                return -1
            continue
        safe = _safe(position, square, straight, diagonal)
        # An odd number is good when nothing changes: the opponent is the first to run out.
        rank = popcount(safe) + (~popcount(safe) & _ONE) * np.uint64(16)
        stones = _different(safe, _any_byte(straight | diagonal))
        while stones:
            stone = lowest_bit(stones)
            stones &= stones - _ONE
            if left >= np.uint64(_ORDERED_FROM):
                _play(position, square, stone, child)
                replies = answers(child)
                if replies == np.uint64(0):
                    return -1
                rank = replies * np.uint64(2) + popcount(straight) + popcount(diagonal)
            if left >= np.uint64(4):
                _insert(moves, number, (rank << np.uint64(8)) | (square << np.uint64(4)) | stone)
            else:
                moves[number] = (square << np.uint64(4)) | stone
            number += 1
    return number


@inlined
def _insert(moves: Words, number: int, move: np.uint64) -> None:
    while number > 0 and (moves[number - 1] >> np.uint64(8)) > (move >> np.uint64(8)):
        moves[number] = moves[number - 1]
        number -= 1
    moves[number] = move


@inlined
def _mixed(key: np.uint64) -> np.uint64:
    """A reversible scrambling, so that index and remainder still tell all keys apart."""
    key ^= key >> np.uint64(32)
    key *= np.uint64(0x9E3779B97F4A7C15)
    key ^= key >> np.uint64(29)
    key *= np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(32))


@inlined
def _key(position: Words, left: np.uint64) -> np.uint64:
    if left >= np.uint64(_CANONICAL_FROM):
        key = canonical_key(position[LANES], position[TAKEN], position[HAND])
    else:
        key = plain_key(position[LANES], position[TAKEN], position[HAND])
    return _mixed(key)


@inlined
def _known(table: Words, bits: np.uint64, key: np.uint64) -> np.uint64:
    """What the table says about the position: index and entry together hold the whole key."""
    entry: np.uint64 = table[key >> (np.uint64(64) - bits)]
    if (entry & ~_FACTS) == (key << bits):
        return entry & _FACTS
    return np.uint64(0)


@inlined
def _remember(table: Words, bits: np.uint64, key: np.uint64, must_win: bool, answer: bool) -> None:
    if must_win:
        facts = _WINS | _HOLDS if answer else _CANNOT_WIN
    else:
        facts = _HOLDS if answer else _LOSES | _CANNOT_WIN
    facts |= _known(table, bits, key)
    table[key >> (np.uint64(64) - bits)] = (key << bits) | facts


@inlined
def _answer(position: Words, must_win: bool, left: np.uint64, known: np.uint64) -> int:
    """YES or NO where no search is needed, else UNDECIDED.

    The last stone is placed by the opponent of who faces a supply of one, so that player cannot
    win; and with two left, not to lose is to survive this move.
    """
    if left <= np.uint64(2) and not must_win:
        return YES if left == np.uint64(0) or _can_hand_on(position) else NO
    if left <= _ONE:
        return NO
    if known & (_WINS if must_win else _HOLDS):
        return YES
    if known & (_CANNOT_WIN if must_win else _LOSES):
        return NO
    return UNDECIDED


@kernel
def decide(
    root: Words,
    root_must_win: bool,
    table: Words,
    nodes: Numbers,
    most_nodes: int,
    stop: Flag,
) -> int:
    """YES if the player to place can force a win (or hold the draw), NO, or UNDECIDED.

    The stone in hand must not win at once. `nodes[0]` counts on until `most_nodes`; the length of
    the table is a power of two from 16 on.
    """
    bits = popcount(np.uint64(len(table) - 1))
    frames = np.zeros((SQUARES + 2, WORDS + 1), np.uint64)
    moves = np.zeros((SQUARES + 2, SQUARES * SQUARES), np.uint64)
    numbers = np.zeros(SQUARES + 2, np.int64)
    tried = np.zeros(SQUARES + 2, np.int64)
    copy_row(root[:WORDS], frames[0])
    depth = 0
    while True:
        # Enter a position: answer it at once, or list its moves.
        nodes[0] += 1
        if ((nodes[0] & _POLLED) == 0 and stop[0]) or nodes[0] > most_nodes:
            return UNDECIDED
        position = frames[depth]
        must_win = root_must_win ^ (depth & 1 == 1)
        left = popcount(position[SUPPLY])
        known = np.uint64(0)
        if left >= np.uint64(_STORED_FROM):
            position[_KEY] = _key(position, left)
            known = _known(table, bits, position[_KEY])
        answer = _answer(position, must_win, left, known)
        if answer == UNDECIDED:
            tried[depth] = 0
            numbers[depth] = _candidates(position, must_win, left, moves[depth], frames[depth + 1])
        # Go back up as long as positions are answered.
        while True:
            if answer == UNDECIDED:
                if numbers[depth] < 0:
                    answer = YES
                elif tried[depth] < numbers[depth]:
                    break
                else:
                    answer = NO
                if left >= np.uint64(_STORED_FROM):
                    _remember(table, bits, frames[depth, _KEY], must_win, answer == YES)
            if depth == 0:
                return answer
            depth -= 1
            must_win = not must_win
            left += _ONE
            if answer == NO:
                numbers[depth] = -1
            answer = UNDECIDED
        move = moves[depth, tried[depth]]
        tried[depth] += 1
        square = (move >> np.uint64(4)) & np.uint64(15)
        _play(frames[depth], square, move & np.uint64(15), frames[depth + 1])
        depth += 1
