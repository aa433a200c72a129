"""Counting and random play on flat boards: the kernel's move generator on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.engines.compiled import kernel
from spielwerk.games.connect4.engine.flat.board import ONE, ZERO, Bits, has_four, signed
from spielwerk.games.connect4.engine.flat.memory import BOARD, BOTTOM, COLUMNS, SLOPE, STEP, WIDTH

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.flat.memory import Words


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


@kernel
def play_out(mover: Bits, occupied: Bits, games: int, seed: Bits, memory: Words) -> int:
    """Wins less losses of the player to move in so many random games from here.

    The generator is xorshift64*; `seed` must not be 0.
    """
    bottom, board = memory[BOTTOM], memory[BOARD]
    step, slope, width = memory[STEP], memory[SLOPE], memory[WIDTH]
    state, balance = seed, 0
    for _ in range(games):
        active, taken, sign = mover, occupied, 1
        while taken != board:
            landing, move = (taken + bottom) & board, ZERO
            while not move:  # drawing again is cheaper than counting the columns with room
                state ^= state >> Bits(12)
                state ^= state << Bits(25)
                state ^= state >> Bits(27)
                draw = (state * Bits(0x2545F4914F6CDD1D)) >> Bits(32)
                move = landing & memory[COLUMNS + signed((draw * width) >> Bits(32))]
            active |= move
            taken |= move
            if has_four(active, step, slope):
                balance += sign
                break
            active ^= taken
            sign = -sign
    return balance
