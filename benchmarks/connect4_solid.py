"""Connect Four on solid boards: speed, depth and strength.

python -m benchmarks.connect4_solid strength   plays the matches that show that thinking pays
python -m benchmarks.connect4_solid boards     solves the small empty boards, for minutes

Other weights than those of the engine were compared by matches of 5,000 nodes a move. None was
better beyond chance (95 % intervals 4.9 % and 6.3 %); blanks were not played.

                    7 x 6 x 4, 400 games    4 x 4 x 4, 240 games
lines 0 1 3 6             45.5 %                  51.7 %
lines 0 1 6 12            51.5 %                  46.7 %
lines 0 1 8 8             48.2 %                  45.4 %
lines 0 1 4 16            49.8 %                  49.4 %
lines 0 2 4 4             51.2 %                  54.0 %
threat 6, parity 3        48.2 %
threat 12, parity 0       51.0 %
parity 24                 48.5 %
"""

from __future__ import annotations

import itertools
import math
import random
import sys
import time
from typing import TYPE_CHECKING

from spielwerk.engines.interface import Limits, Stop
from spielwerk.games.connect4.engine.solid_engine import SolidEngine
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.engines.interface import Result

    Player = Callable[[ConnectFourState, int], int]
    Size = tuple[int, int, int]

MIDDLES: dict[Size, int] = {
    (4, 4, 4): 24,
    (5, 5, 5): 24,
    (7, 6, 4): 24,
    (8, 8, 8): 8,
    (16, 16, 16): 6,
    (32, 32, 32): 6,
}
"""The boards, with the stones of a middle game; on large boards games are soon decided."""

RANDOM_MOVES = 4
"""Games open with so many random moves."""

BOARDS: list[Size] = sorted(
    (
        (width, height, layers)
        for height, width in itertools.product(range(1, 5), range(2, 5))
        for layers in range(2, width + 1)
        if max(width, height) == 4
    ),
    key=math.prod,
)
"""The solid boards up to 4 x 4 x 4 that have a line; width and depth are alike."""

QUICK, LONG = 10_000_000, 200_000_000
"""Nodes for each of them."""

ENDGAMES, FREE, ENDGAME_NODES = 8, 24, 12_000_000
"""Endgames on 4 x 4 x 4, their free fields, and the nodes for each."""

SOLVED_BEFORE, ENDGAMES_BEFORE = 6, 8
"""How many boards and endgames were solved with so many nodes before replies in kind were known,
and before the table knew which positions are alike."""


def rows() -> Iterator[tuple[str, str]]:
    """What is measured, and the figure."""
    engine = SolidEngine()
    started = time.perf_counter()
    engine.warm_up()
    yield "warm-up (compile or load)", f"{time.perf_counter() - started:.2f} s"
    yield from perft_rows(engine)
    for size, middle in MIDDLES.items():
        for stones in (0, middle):
            yield one_second(engine, size, stones)
    yield "4 x 4 x 4 with 24 free fields", endgames()
    solved = sum(solve(size, QUICK).score.exact for size in BOARDS)
    yield (
        f"empty boards up to 4 x 4 x 4, {QUICK / 1e6:.0f} M nodes",
        f"{solved} of {len(BOARDS)} solved (before: {SOLVED_BEFORE})",
    )


def endgames() -> str:
    """How many endgames are solved, in how much time."""
    engine, chance = SolidEngine(), random.Random(1)
    states = [undecided(engine, (4, 4, 4), 64 - FREE, chance) for _ in range(ENDGAMES)]
    started = time.process_time()
    results = [engine.search(state, Limits(nodes=ENDGAME_NODES, seed=1)) for state in states]
    seconds = (time.process_time() - started) / ENDGAMES
    solved = sum(result.score.exact for result in results)
    most = max(result.nodes for result in results) / 1e6
    within = f"{seconds:.1f} s a position, at most {most:.1f} M nodes"
    return f"{solved} of {ENDGAMES} solved (before: {ENDGAMES_BEFORE}), {within}"


def solve(size: Size, nodes: int) -> Result[int]:
    """What the empty board is worth, as far as so many nodes tell."""
    return SolidEngine(table_bits=25).search(
        ConnectFour(*size).start(), Limits(nodes=nodes, seed=1)
    )


def boards() -> Iterator[tuple[str, str]]:
    """What each small board is worth, with nodes and seconds."""
    for size in BOARDS:
        started = time.process_time()
        result = solve(size, LONG)
        seconds = time.process_time() - started
        worth = str(result.score) if result.score.exact else "not solved"
        yield name(size), f"{worth}, {result.nodes:,} nodes, {seconds:.1f} s"


def perft_rows(engine: SolidEngine) -> Iterator[tuple[str, str]]:
    """How fast the kernel counts move sequences."""
    for size, depth in (((4, 4, 4), 6), ((7, 6, 4), 5)):
        started = time.process_time()
        count = engine.perft(ConnectFour(*size).start(), depth)
        seconds = time.process_time() - started
        yield f"{name(size)} perft {depth}", f"{count / seconds / 1e6:.0f} M sequences/s"


def one_second(engine: SolidEngine, size: Size, stones: int) -> tuple[str, str]:
    """Depth and speed of searches of one second, the mean of five positions."""
    chance = random.Random(1)
    states = [undecided(engine, size, stones, chance) for _ in range(5)]
    started = time.process_time()
    results = [engine.search(state, Limits(time=1, seed=1)) for state in states]
    speed = sum(result.nodes for result in results) / (time.process_time() - started)
    depth = sum(result.depth for result in results) / len(results)
    proven = sum(result.score.exact for result in results)
    figure = f"depth {depth:.1f}, {speed / 1e6:.2f} M nodes/s, {proven} of {len(results)} proven"
    return f"{name(size)} with {stones} stones, 1 s", figure


def name(size: Size) -> str:
    """A size in words."""
    return " x ".join(map(str, size))


def opening(size: Size, stones: int, chance: random.Random) -> ConnectFourState:
    """A position after so many random moves."""
    state = ConnectFour(*size).start()
    for _ in range(stones):
        state = state.play(chance.choice(state.legal_moves()))
    return opening(size, stones, chance) if state.outcome else state


def undecided(
    engine: SolidEngine, size: Size, stones: int, chance: random.Random
) -> ConnectFourState:
    """A position from the engine's play against itself that a short search cannot decide."""
    while True:
        state = opening(size, min(stones, RANDOM_MOVES), chance)
        for _ in range(stones - RANDOM_MOVES):
            if not state.outcome:
                limits = Limits(nodes=1500, seed=chance.getrandbits(30))
                state = state.play(engine.search(state, limits).move)
        if not state.outcome and not engine.search(state, Limits(nodes=20_000)).score.exact:
            return state


def thinker(limits: Limits) -> Player:
    """A player that asks an engine of its own."""
    engine = SolidEngine(table_bits=18)

    def choose(state: ConnectFourState, seed: int) -> int:
        asked = Limits(limits.time, limits.depth, limits.nodes, seed=seed)
        return engine.search(state, asked).move

    return choose


def greedy() -> Player:
    """A player that wins if it can, does not let the other win at once, and else plays anywhere."""
    engine = SolidEngine(table_bits=8)
    stop = Stop()
    stop.set()  # the analysis ends with what is seen at first sight

    def choose(state: ConnectFourState, seed: int) -> int:
        scores = engine.analyse(state, stop=stop)
        best = max(score.result or 0 for score in scores.values())
        moves = [move for move, score in scores.items() if (score.result or 0) == best]
        return random.Random(hash((seed, state.board.count(".")))).choice(sorted(moves))

    return choose


def match(size: Size, one: Player, two: Player, games: int) -> str:
    """Play pairs of games from undecided openings, sides swapped; the score of the first."""
    chance, judge = random.Random(1), SolidEngine(table_bits=18)
    points = [0, 0, 0]  # lost, drawn, won
    for pair in range(games // 2):
        start = undecided(judge, size, RANDOM_MOVES, chance)
        for side in range(2):
            winner = play(start, (one, two) if side == 0 else (two, one), 2 * pair + side)
            points[1 if winner is None else 2 * (winner == side)] += 1
    share = (points[2] + points[1] / 2) / games
    error = 1.96 * math.sqrt(share * (1 - share) / games)
    return f"+{points[2]} ={points[1]} -{points[0]}  {share:.1%} +- {error:.1%}"


def play(state: ConnectFourState, players: tuple[Player, Player], seed: int) -> int | None:
    """Play a game to its end; who won."""
    while not state.outcome:
        state = state.play(players[state.turn](state, seed))
    return state.outcome.winner


def strength() -> Iterator[tuple[str, str]]:
    """Matches in which the stronger one should win."""
    for size in ((4, 4, 4), (5, 5, 5), (7, 6, 4)):
        where = name(size)
        quick = thinker(Limits(nodes=20_000))
        yield f"{where}: 20,000 nodes against greedy", match(size, quick, greedy(), 100)
        deep, flat = thinker(Limits(depth=6)), thinker(Limits(depth=4))
        yield f"{where}: depth 6 against depth 4", match(size, deep, flat, 60)
        slow, fast = thinker(Limits(nodes=100_000)), thinker(Limits(nodes=10_000))
        yield f"{where}: 100,000 against 10,000 nodes", match(size, slow, fast, 60)


if __name__ == "__main__":
    for what, figure in {"strength": strength, "boards": boards}[sys.argv[1]]():
        print(f"{what:<60} {figure}", flush=True)
