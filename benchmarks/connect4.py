"""Connect Four on the flat board of 7 x 6: time and nodes to solve positions, and other speeds.

The sets are named by the stones on the board and the plies to the end under best play: late is more
than 28 stones, middle 15 to 28, early 8 to 14; near is fewer than 14 plies, medium 14 to 28, far
more. A line of a set holds the columns played, counted from 1, and the exact score. Each position
is solved with an empty table. The two sets that are costly to make are smaller.

python -m benchmarks.connect4 sets     makes the sets that are missing
python -m benchmarks.connect4 empty    solves the empty board
python -m benchmarks.connect4 book     makes the opening book anew: some 12 minutes, 1 GiB
"""

from __future__ import annotations

import itertools
import random
import sys
import time
import zlib
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.engines.tables import write_table
from spielwerk.games.connect4.engine.flat_board import FlatGeometry, FlatPosition, plies_to_end
from spielwerk.games.connect4.engine.flat_solver import (
    BOOK_STONES,
    KIND,
    SHIPPED,
    VERSION,
    Solver,
    key_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDER = Path(__file__).parent / "connect4_sets"
BOARD = FlatGeometry(7, 6)
EMPTY = FlatPosition(0, 0)
TABLE_BITS = 24
NEAR = 13  # plies


@dataclass(frozen=True)
class Kind:
    """A set: its name, stones and plies from least to most, how many positions."""

    name: str
    stones: tuple[int, int]
    plies: tuple[int, int]
    count: int


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
    for kind in KINDS:
        yield f"7 x 6 {kind.name}", figure(*ours(solver, kind))
        if find_spec("bitbully"):
            yield f"7 x 6 {kind.name}, bitbully", figure(*bitbully(kind))
    yield from speeds(solver)


def speeds(solver: Solver) -> Iterator[tuple[str, str]]:
    """Move sequences a second from the empty board."""
    solver.perft(EMPTY, 1)
    started = time.process_time()
    count = solver.perft(EMPTY, 9)
    yield "7 x 6 perft 9", f"{count / (time.process_time() - started) / 1e6:.0f} M sequences/s"


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


def solve_empty() -> None:
    """Solve the empty board with a table of 1 GiB at most."""
    solver = Solver(BOARD, 27)
    solver.score(played("4444442")[-1])
    solver.forget()
    started = time.process_time()
    score = solver.score(EMPTY)
    seconds = time.process_time() - started
    print(f"score {score}, {seconds:.1f} s, {solver.nodes:,} nodes")


def children(position: FlatPosition) -> list[FlatPosition]:
    """The positions after each move."""
    landing = (position.occupied + BOARD.bottom) & BOARD.board
    return [position.after(square) for square in BOARD.squares(landing)]


def openings(stones: int) -> list[dict[int, FlatPosition]]:
    """All positions with 0, 1, ... up to so many stones by key, those of the same parent together.

    With fewer than seven stones nobody has won.
    """
    layers = [{0: FlatPosition(0, 0)}]
    for _ in range(stones):
        parents = layers[-1].values()
        layers.append({key_of(child): child for parent in parents for child in children(parent)})
    return layers


def complete(scores: Mapping[int, int], stones: int) -> Mapping[int, int]:
    """Add the scores with fewer stones to those of all positions with exactly so many."""
    book = dict(scores)
    for layer in reversed(openings(stones - 1)):
        for key, position in layer.items():
            book[key] = max(-book[key_of(child)] for child in children(position))
    return book


def write_book(path: Path, book: Mapping[int, int]) -> None:
    """Write scores by key to a file."""
    keys = np.array(sorted(book), "<u8")
    scores = np.array([book[key] for key in keys.tolist()], np.int8)
    steps = np.diff(keys, prepend=np.uint64(0))
    content = zlib.compress(steps.tobytes() + scores.tobytes(), 9)
    write_table(path, KIND, VERSION, {"positions": len(keys)}, content)


def make_book() -> None:
    """Solve all positions with the most stones in the book; the others follow from them.

    By samples, the book with 5 stones would take an hour on one core, with 6 more than two.
    """
    started, solver = time.process_time(), Solver(BOARD, 27)
    deepest = openings(BOOK_STONES)[-1]
    book = complete({key: exact(solver, deepest[key]) for key in deepest}, BOOK_STONES)
    write_book(SHIPPED, book)
    seconds, size = time.process_time() - started, SHIPPED.stat().st_size
    print(f"{len(book):,} positions, {seconds:.0f} s, {solver.nodes:,} nodes, {size:,} bytes")


def exact(solver: Solver, position: FlatPosition) -> int:
    """The score; only bounds must not get into the book."""
    low, high = solver.bounds(position)
    check(str(position), low, high)
    return low


if __name__ == "__main__":
    {"sets": make_sets, "empty": solve_empty, "book": make_book}[sys.argv[1]]()
