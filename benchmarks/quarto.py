"""Quarto: exact results on the 4 x 4 board with an empty table, and depth on the other boards.

python -m benchmarks.quarto sets        writes quarto_positions.txt anew
python -m benchmarks.quarto openings    proves that all positions of two stones are draws
                                        (won 0, drawn 148, lost 0; 365 s of process time)
python -m benchmarks.quarto evaluation  fits the evaluation's weights to solved positions
                                        (base 0.446, safe moves -0.543, odd placements 0.324)
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import TYPE_CHECKING, Final, TypeGuard

import numpy as np

from spielwerk.engines.interface import Limits
from spielwerk.games.playing import random_states
from spielwerk.games.quarto.engine import QuartoEngine
from spielwerk.games.quarto.engine.root import UNLIMITED
from spielwerk.games.quarto.engine.search import board_of, geometry, winning_square
from spielwerk.games.quarto.engine.solver import (
    HAND,
    LANES,
    TAKEN,
    YES,
    decide,
    position_of,
    safe_stones,
)
from spielwerk.games.quarto.engine.symmetry import canonical_key
from spielwerk.games.quarto.rules import Placement, Quarto, QuartoState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.games.interface import State
    from spielwerk.games.quarto.rules import Move

POSITIONS: Final = Path(__file__).with_name("quarto_positions.txt")
SETS: Final = {3: 10, 4: 60, 5: 200, 6: 200, 7: 200, 8: 200}
"""How many positions of so many stones: random play, the stone in hand does not win at once."""


def write(state: QuartoState) -> str:
    """The squares from A1 on and the stone in hand as hexadecimal digits, a dot for empty."""
    return "".join("." if s is None else f"{s:x}" for s in (*state.board, state.stone))


def read(text: str) -> QuartoState:
    """The position that `write` wrote."""
    *board, hand = (None if digit == "." else int(digit, 16) for digit in text)
    return QuartoState(Quarto(), None, tuple(board), hand)


def placed(state: QuartoState) -> int:
    """The number of stones on the board."""
    return len(state.board) - state.board.count(None)


def random_set(stones: int, number: int, seed: int) -> list[QuartoState]:
    """Different positions of so many stones from random play in which nobody wins at once."""
    rng = Random(seed)
    found: dict[QuartoState, None] = {}
    while len(found) < number:
        states = random_states(Quarto(first=rng.randrange(16)).start(), rng)
        found |= {state: None for state in states if is_quiet(state, stones)}
    return list(found)


def is_quiet(state: State[Move], stones: int) -> TypeGuard[QuartoState]:
    """Whether so many stones are placed and a player has to decide who does not win at once."""
    if not isinstance(state, QuartoState) or state.turn < 0 or placed(state) != stones:
        return False
    return winning_square(geometry(4), board_of(state)) < 0


def write_sets() -> None:
    """Make all sets anew."""
    sets = (random_set(stones, number, seed=stones) for stones, number in SETS.items())
    POSITIONS.write_text("".join(f"{write(state)}\n" for states in sets for state in states))


def solve(
    state: QuartoState, table: np.ndarray[tuple[int], np.dtype[np.uint64]]
) -> tuple[int, int]:
    """The result for the player to place, and the nodes it took."""
    nodes, stop = np.zeros(1, np.int64), np.zeros(1, np.uint8)
    position = position_of(state)
    if decide(position, True, table, nodes, UNLIMITED, stop) == YES:
        return 1, int(nodes[0])
    holds = decide(position, False, table, nodes, UNLIMITED, stop) == YES
    return (0 if holds else -1), int(nodes[0])


def timed(states: list[QuartoState]) -> str:
    """Process time and nodes of the set, each position with an empty table."""
    table = np.zeros(1 << 20, np.uint64)
    seconds, nodes, results = [], [], Counter[int]()
    for state in states:
        table.fill(0)
        start = time.process_time()
        result, visited = solve(state, table)
        seconds.append(time.process_time() - start)
        nodes.append(visited)
        results[result] += 1
    return (
        f"mean {fmean(seconds) * 1000:8.2f} ms  median {median(seconds) * 1000:8.2f}  "
        f"worst {max(seconds) * 1000:8.2f}  nodes {fmean(nodes):10,.0f}  "
        f"won {results[1]} drawn {results[0]} lost {results[-1]}"
    )


def rows() -> Iterator[tuple[str, str]]:
    """The figures, as `make bench` prints them."""
    start = time.perf_counter()
    engine = QuartoEngine()
    engine.warm_up()
    yield "warm-up", f"{time.perf_counter() - start:.2f} s"
    states = [read(text) for text in POSITIONS.read_text().split()]
    for stones in sorted(SETS, reverse=True):
        chosen = [state for state in states if placed(state) == stones]
        yield f"{len(chosen)} positions of {stones} stones", timed(chosen)
    for n in (5, 6, 8, 16):
        state = Quarto(n=n, first=0).start().play(Placement(0, 1)).play(Placement(n + 2, 2))
        result = engine.search(state, Limits(time=1.0, seed=0))
        speed = f"{result.nodes / result.time / 1e3:,.0f} k nodes a second"
        yield f"{n} x {n} with two stones in 1 s", f"depth {result.depth}, {speed}"


def openings() -> Iterator[QuartoState]:
    """All positions of two stones that no symmetry makes the same; stone 0 is in hand."""
    seen = set()
    for first, second in permutations(range(16), 2):
        for one, other in permutations(range(1, 16), 2):
            board = [None if s not in (first, second) else 0 for s in range(16)]
            board[first], board[second] = one, other
            state = QuartoState(Quarto(), None, tuple(board), 0)
            words = position_of(state)
            key = int(canonical_key(words[LANES], words[TAKEN], words[HAND]))
            if key not in seen:
                seen.add(key)
                yield state


def prove_openings() -> None:
    """Solve them all: the others of at most two stones then are draws, too."""
    table = np.zeros(1 << 24, np.uint64)
    results = Counter(solve(state, table)[0] for state in openings())
    print(f"won {results[1]} drawn {results[0]} lost {results[-1]}: {time.process_time():.0f} s")


def fit_evaluation() -> None:
    """Least squares: a constant, the share of safe moves, the share of odd placements."""
    table = np.zeros(1 << 20, np.uint64)
    features, results = [], []
    for stones in (6, 7, 8, 9):
        for state in random_set(stones, 1000, seed=100 + stones):
            free = [square for square, stone in enumerate(state.board) if stone is None]
            position = position_of(state)
            safe = [int(safe_stones(position, np.uint64(square))).bit_count() for square in free]
            share = sum(safe) / len(free) / len(state.supply())
            features.append((1.0, share, fmean(number % 2 for number in safe)))
            results.append(solve(state, table)[0])
    weights, *_ = np.linalg.lstsq(np.array(features), np.array(results), rcond=None)
    print("base {:.3f}, safe moves {:.3f}, odd placements {:.3f}".format(*weights))


if __name__ == "__main__":
    {"sets": write_sets, "openings": prove_openings, "evaluation": fit_evaluation}[sys.argv[1]]()
