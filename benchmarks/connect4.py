"""Connect Four on the flat board of 7 x 6: time and nodes to solve positions, and other speeds.

The sets are named by the stones on the board and the plies to the end under best play: late is more
than 28 stones, middle 15 to 28, early 8 to 14; near is fewer than 14 plies, medium 14 to 28, far
more. A line of a set holds the columns played, counted from 1, and the exact score. Each position
is solved with an empty table and without the book. The two sets that are costly to make are
smaller; `python -m benchmarks.connect4` makes those that are missing.
"""

from __future__ import annotations

import itertools
import random
import time
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielwerk.engines.interface import Limits
from spielwerk.games.connect4.engine.flat_board import FlatGeometry, FlatPosition, plies_to_end
from spielwerk.games.connect4.engine.flat_engine import FlatEngine
from spielwerk.games.connect4.engine.flat_solver import Solver
from spielwerk.games.connect4.rules import ConnectFour

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "connect4_sets"
BOARD = FlatGeometry(7, 6)
EMPTY = FlatPosition(0, 0)
TABLE_BITS = 24
NEAR = 13  # plies
GAMES = 200  # for the time of an answer
ANSWER = 0.01  # seconds that one may take
SHARED = 30  # positions to be solved by one thread and by two,
OPENINGS = ["12", "33"]  # and these, too


@dataclass(frozen=True)
class Kind:
    """A set: its name, stones and plies from least to most, how many positions."""

    name: str
    stones: tuple[int, int]
    plies: tuple[int, int]
    count: int


BEFORE = {
    "late-near": (7_400, 41.2),
    "middle-near": (16_800, 163.1),
    "middle-medium": (2_110_000, 31_165.7),
    "early-near": (98_900, 1_157.4),
    "early-medium": (32_400_000, 457_172.8),
    "early-far": (169_600_000, 2_555_689.5),
}
"""A position's time and nodes before the solver knew how to wait and which question to ask first.

Time is counted in sequences that perft counts meanwhile, so that any machine can be compared.
"""

KINDS = (
    Kind("late-near", (29, 38), (1, 13), 1000),
    Kind("middle-near", (15, 28), (1, 13), 1000),
    Kind("middle-medium", (15, 28), (14, 28), 1000),
    Kind("early-near", (8, 14), (1, 13), 1000),
    Kind("early-medium", (8, 14), (14, 28), 200),
    Kind("early-far", (8, 14), (29, 42), 100),
)


def rows() -> Iterator[tuple[str, str]]:
    """What is measured, and the figure."""
    started = time.perf_counter()
    solver = Solver(BOARD, TABLE_BITS)
    solver.score(played("444444")[-1])
    yield "flat: compile or load the solver", f"{time.perf_counter() - started:.2f} s"
    yield "7 x 6 perft 9", f"{speed(solver) / 1e6:.0f} M sequences/s"
    for kind in KINDS:
        unit, found = speed(solver), ours(solver, kind)
        yield f"7 x 6 {kind.name}", figure(*found)
        yield f"7 x 6 {kind.name}, of what it was", progress(kind, unit, *found)
        if find_spec("bitbully"):
            yield f"7 x 6 {kind.name}, bitbully", figure(*bitbully(kind))
    yield "7 x 6 empty board", empty()
    yield from threads()
    yield from answers()


def speed(solver: Solver) -> float:
    """Move sequences a second from the empty board."""
    solver.perft(EMPTY, 1)
    started = time.process_time()
    count = solver.perft(EMPTY, 9)
    return count / (time.process_time() - started)


def progress(kind: Kind, unit: float, positions: int, seconds: float, nodes: int) -> str:
    """Time and nodes as shares of what they were."""
    sequences, visited = BEFORE[kind.name]
    share = seconds / positions * unit / sequences
    return f"{share:.2f} of the time, {nodes / positions / visited:.2f} of the nodes"


def figure(positions: int, seconds: float, nodes: int) -> str:
    """The means of a set in words."""
    mean = f"{seconds / positions * 1e6:,.1f} us, {nodes / positions:,.0f} nodes a position"
    return f"{mean} ({positions}), {nodes / seconds / 1e6:.1f} M nodes/s"


def ours(solver: Solver, kind: Kind) -> tuple[int, float, int]:
    """Positions, seconds of CPU and nodes of our solver on a set."""
    seconds, nodes, lines = 0.0, 0, read(kind)
    for columns, score in lines:
        position = played(columns)[-1]
        solver.forget()
        started = time.process_time()
        found = solver.score(position)
        seconds += time.process_time() - started
        nodes += solver.nodes
        check(columns, found, score)
    return len(lines), seconds, nodes


def bitbully(kind: Kind) -> tuple[int, float, int]:
    """The same of the bitbully solver, if it is installed, without its book."""
    core: Any = import_module("bitbully.bitbully_core")
    solver, seconds, lines = core.BitBullyCore(), 0.0, read(kind)
    for columns, score in lines:
        board = core.BoardCore()
        board.setBoard([int(column) - 1 for column in columns])
        solver.resetTranspositionTable()
        started = time.process_time()
        found = solver.mtdf(board, 0)
        seconds += time.process_time() - started
        check(columns, found, score)
    return len(lines), seconds, int(solver.getNodeCounter())


def check(columns: str, found: int | None, score: int) -> None:
    """Stop at a wrong score: its time would mean nothing."""
    if found != score:
        raise AssertionError(f"{columns}: found {found}, known {score}")


def read(kind: Kind) -> list[tuple[str, int]]:
    """The positions of a set with their scores."""
    lines = (FOLDER / f"{kind.name}.txt").read_text(encoding="ascii").splitlines()
    return [(columns, int(score)) for columns, score in map(str.split, lines)]


def played(columns: str) -> list[FlatPosition]:
    """The positions of a game, given by its columns from 1."""
    line = [EMPTY]
    for column in columns:
        occupied = line[-1].occupied
        landing = (occupied + BOARD.bottom) & BOARD.board
        line.append(line[-1].after(landing & 0x3F << 7 * (int(column) - 1)))
    return line


def make(kind: Kind, solver: Solver) -> Iterator[str]:
    """The lines of a set, by random play."""
    chance, seen = random.Random(kind.name), set[FlatPosition]()
    while len(seen) < kind.count:
        stones = chance.randint(*kind.stones)
        columns = "".join(chance.choice("1234567") for _ in range(stones))
        position = reached(columns, solver)
        if position is None or position in seen:
            continue
        if is_near(position, solver) == (kind.plies[0] == 1):
            score = solver.score(position) or 0
            if kind.plies[0] <= plies_to_end(score, stones, BOARD.cells) <= kind.plies[1]:
                seen.add(position)
                yield f"{columns} {score}\n"


def reached(columns: str, solver: Solver) -> FlatPosition | None:
    """Where these columns lead, if they can be played and nobody has won or can win at once."""
    if max(map(columns.count, columns)) > BOARD.height:
        return None
    line = played(columns)
    for before, after in itertools.pairwise(line):
        if solver.wins(before, before.occupied ^ after.occupied):
            return None
    won = any(solver.wins(line[-1], square) for square in solver.landings(line[-1]))
    return None if won else line[-1]


def is_near(position: FlatPosition, solver: Solver) -> bool:
    """Whether the game ends within 13 plies; much cheaper than to ask when it ends."""
    free = BOARD.cells - position.stones
    if free <= NEAR:
        return True
    slow_win = max(0, (free + 1) // 2 - (NEAR + 1) // 2)
    slow_loss = min(0, NEAR // 2 - free // 2)
    wins = solver.bounds(position, slow_win, slow_win + 1)[0] > slow_win
    return wins or solver.bounds(position, slow_loss - 1, slow_loss)[1] < slow_loss


def make_sets() -> None:
    """Write all sets that are not there yet."""
    solver = Solver(BOARD, TABLE_BITS)
    FOLDER.mkdir(exist_ok=True)
    for kind in KINDS:
        path = FOLDER / f"{kind.name}.txt"
        if not path.exists():
            path.write_text("".join(make(kind, solver)), encoding="ascii")


def empty() -> str:
    """Time and nodes to solve the empty board, with a table of 1 GiB at most."""
    solver = Solver(BOARD, 27)
    started = time.process_time()
    check("", solver.score(EMPTY), 1)
    return f"{time.process_time() - started:.1f} s, {solver.nodes:,} nodes"


def answers() -> Iterator[tuple[str, str]]:
    """How long the engine takes for a move of a perfect game: its own are best, the others any.

    Half of the opponent's moves are best, too, the others random; each side begins in turn. Every
    answer comes with an empty table. Who begins can win, so the engine must win when it does.
    """
    engine, chance, times = FlatEngine(TABLE_BITS), random.Random(1), list[float]()
    engine.warm_up()
    won = 0
    for number in range(GAMES):
        state = ConnectFour().start()
        while not state.outcome:
            if state.turn == number % 2 or chance.random() < 0.5:
                engine.forget()
                started = time.process_time()
                result = engine.search(state, Limits(seed=chance.getrandbits(30)))
                if state.turn == number % 2:
                    times.append(time.process_time() - started)
                state = state.play(result.move)
            else:
                state = state.play(chance.choice(state.legal_moves()))
        won += number % 2 == 0 and state.outcome.winner == 0
    times.sort()
    slow = sum(seconds > ANSWER for seconds in times)
    middle, late = (f"{times[int(share * len(times))] * 1e3:.1f}" for share in (0.5, 0.999))
    figure = f"median {middle} ms, 99.9 % {late} ms, longest {times[-1] * 1e3:.1f} ms"
    yield "7 x 6 moves of perfect games", f"{figure}; {slow} of {len(times)} over 10 ms"
    yield "7 x 6 perfect games by who begins", f"{won} of {GAMES // 2} won"


def threads() -> Iterator[tuple[str, str]]:
    """How much sooner two threads are there, by the clock on the wall: of an idle machine."""
    scores = dict(read(KINDS[-1])[:SHARED])
    far = [*scores]
    for what, games in (("early-far", far), ("openings of two stones", OPENINGS)):
        seconds, nodes = dict.fromkeys((1, 2), 0.0), dict.fromkeys((1, 2), 0)
        for columns, count in itertools.product(games, seconds):
            solver = Solver(BOARD, TABLE_BITS)
            solver.use(count)
            started = time.perf_counter()
            score = solver.exact_score(played(columns)[-1])
            seconds[count] += time.perf_counter() - started
            nodes[count] += solver.nodes
            check(columns, score, scores.setdefault(columns, score))
        figure = (
            f"{seconds[1] / seconds[2]:.2f} times as fast, {nodes[2] / nodes[1]:.2f} of the nodes"
        )
        yield f"7 x 6 {what}, two threads", figure


if __name__ == "__main__":
    make_sets()
