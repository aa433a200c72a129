"""What the Morris engine costs: search depth and speed, playouts, tables.

Time is that of the process, so that a busy machine does not count.
"""

from __future__ import annotations

import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from spielwerk.contests.match import MatchTally, play_out
from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Level, Limits
from spielwerk.engines.players import EnginePlayer
from spielwerk.games.morris.engine import MorrisEngine, sectors
from spielwerk.games.morris.engine.board import MOST_TURNS, captured, list_turns, moved
from spielwerk.games.morris.engine.cores import Cores
from spielwerk.games.morris.engine.index import Sector, sector_size
from spielwerk.games.morris.engine.sectors import (
    SHIPPED,
    SolvedSectors,
    open_sector,
    pack_sector,
)
from spielwerk.games.morris.engine.solver import SolvedFiles, jobs, solve
from spielwerk.games.morris.rules import EACH, LOSING, QUIET_TURNS, Morris
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.games.interface import State

# Balanced positions of the engine's games with itself: all stones placed, six to nine left.
MIDDLE_GAME = """
0..0111./11000011/..0..... hand 0 0 player 1 capture 0 quiet 1
010..101/0101.0.1/1010.1.0 hand 0 0 player 1 capture 0 quiet 27
00.1..1./01010100/.100...1 hand 0 0 player 1 capture 0 quiet 12
110.1010/10.1.011/0..0.1.0 hand 0 0 player 0 capture 0 quiet 14
.10.01../.1.1.010/00101100 hand 0 0 player 0 capture 0 quiet 17
1..0.011/.....101/00.01110 hand 0 0 player 0 capture 0 quiet 2
01.0.0.1/10.101.0/.01110.1 hand 0 0 player 0 capture 0 quiet 12
1010.010/01.0.100/1.01...1 hand 0 0 player 0 capture 0 quiet 11
"""
STARTS = {
    "start": "......../......../........ hand 9 9 player 0 capture 0 quiet 0",
    "placing": "..0..1../.0.1.0.1/........ hand 6 6 player 0 capture 0 quiet 6",
}

NODES = 20_000
WAS = {Sector(4, 3): 705.0, Sector(4, 4): 2480.0, Sector(3, 4, 1): 246.0}
"""Boards a unit of the yardstick before boards were placed by rows and bits counted at once."""


@kernel
def playouts(games: int, seed: int) -> int:
    """Play games of random turns to their end; how many turns that took."""
    np.random.seed(seed)
    turns = np.empty(MOST_TURNS, np.int64)
    total = 0
    for _ in range(games):
        own = other = own_hand = other_hand = quiet = 0
        own_hand += EACH
        other_hand += EACH
        while quiet < QUIET_TURNS:
            size = list_turns(own, other, own_hand, other_hand, 0, turns, 0)
            if size == 0:
                break
            turn = turns[np.random.randint(size)]
            taken = captured(turn)
            quiet = 0 if taken else quiet + 1
            total += 1
            placed = 1 if own_hand else 0
            own, other = other & ~taken, moved(own, turn)
            own_hand, other_hand = other_hand, own_hand - placed
            stones = own_hand
            for field in range(24):
                stones += own >> field & 1
            if EACH - stones >= LOSING:
                break
    return total


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _depth_in_a_second(engine: MorrisEngine, text: str) -> tuple[int, int]:
    """The greatest depth that takes less than a second, and the nodes of it a second."""
    state = Morris().parse_state(text)
    depth, speed = 0, 0
    for deeper in range(4, 40):
        began = time.process_time()
        result = engine.search(state, Limits(depth=deeper, seed=1))
        spent = time.process_time() - began
        if spent > 1 or result.depth < deeper:
            break
        depth, speed = deeper, int(result.nodes / spent)
    return depth, speed


def _solving(folder: Path, job: list[Sector], unit: float) -> str:
    """How fast a thread solves these when those below are in the folder."""
    cores = Cores(folder, SolvedFiles(folder), threads=1)
    cores.solve(job, lambda _share: None)  # which compiles or loads the kernels
    spent = _seconds(lambda: cores.solve(job, lambda _share: None))
    speed = sum(map(sector_size, job)) / spent
    was = f", was {WAS[job[0]]:.0f}" if job[0] in WAS else ""
    return f"{speed / 1e6:.2f} M boards/s, {speed / unit:.0f} a unit of the yardstick{was}"


def _yardstick(runs: int = 500) -> float:
    """The yardstick by the time of the process."""
    return runs / _seconds(lambda: [sum(n * n for n in range(10_000)) for _ in range(runs)])


def solver_rows() -> Iterator[tuple[str, str]]:
    """The solver by kind of sector: where somebody flies, where stones move, and are placed."""
    unit = _yardstick()
    with tempfile.TemporaryDirectory() as name, patch.object(sectors, "SHIPPED", Path(name)):
        solve(Sector(3, 3), folder=Path(name))
        for job in [*jobs(Sector(4, 4))[1:3], [Sector(3, 4, 1)]]:
            yield f"Morris, solving {job[0]}", _solving(Path(name), job, unit)
        yield from look_up_rows(Path(name))


def look_up_rows(folder: Path) -> Iterator[tuple[str, str]]:
    """Random boards of 4-4 by their stones, as they are; and by number where they are packed."""
    sector, rng = Sector(4, 4), random.Random(1)
    solved, places = SolvedSectors(folder), [rng.sample(range(24), 8) for _ in range(100_000)]
    boards = [(_stones(fields[:4]), _stones(fields[4:])) for fields in places]
    spent = _seconds(lambda: [solved.value(*board, 0) for board in boards])
    yield "Morris, look-ups, plain", f"{len(boards) / spent:,.0f} boards/s"
    with ThreadPoolExecutor(1) as pool:
        pack_sector(folder, sector, pool)
    packed = open_sector(folder, sector, checked=False)
    numbers = [rng.randrange(sector_size(sector)) for _ in range(2000)]
    spent = _seconds(lambda: [packed[number] for number in numbers])
    again = _seconds(lambda: [packed[numbers[-1]] for _ in range(100_000)])
    figures = f"{len(numbers) / spent:,.0f} boards/s, {100_000 / again:,.0f} if just read"
    yield "Morris, look-ups, packed", figures


def _stones(fields: list[int]) -> int:
    return sum(1 << field for field in fields)


def match_row(groups: int = 12) -> tuple[str, str]:
    """The tables of the package against none, from six random placements, both colours."""
    with tempfile.TemporaryDirectory() as name, patch.object(sectors, "SHIPPED", Path(name)):
        without = MorrisEngine(folder=Path(name))
        without.warm_up()
    with tempfile.TemporaryDirectory() as name:
        engine = MorrisEngine(folder=Path(name))
        engine.warm_up()
    tally, rng, level = MatchTally(), random.Random(1), Level(Limits(nodes=NODES))
    seats = EnginePlayer("with", engine, level), EnginePlayer("without", without, level)
    for _ in range(groups):
        opening = _opening(rng)
        winners = [play_out(opening, order, rng, rng).winner for order in (seats, seats[::-1])]
        first, second = (0.5 if winner is None else 1.0 - winner for winner in winners)
        tally.add([first, 1 - second])
    return f"Morris, with tables against none, {NODES:,} nodes", str(tally)


def _opening(rng: random.Random) -> State[Any]:
    state: State[Any] = Morris().start()
    for _ in range(6):
        state = state.play(random_move(state, rng))
    return state


def rows() -> Iterator[tuple[str, str]]:
    """What was measured, and the figure."""
    engine = MorrisEngine()
    engine.warm_up()
    places = [*STARTS.items(), *enumerate(MIDDLE_GAME.split("\n")[1:-1], 1)]
    for name, text in places:
        depth, speed = _depth_in_a_second(engine, text)
        what = name if isinstance(name, str) else f"middle game {name}"
        yield f"Morris, {what}: depth in 1 s", f"{depth} turns, {speed / 1e6:.1f} M nodes/s"
    start = Morris().start()
    spent = _seconds(lambda: engine.perft(start, 5))
    yield "Morris, perft 5", f"{spent:.2f} s, {5100480 / spent / 1e6:.0f} M decisions/s"
    playouts(1, 1)
    spent = _seconds(lambda: playouts(10_000, 1))
    yield "Morris, random playouts", f"{10_000 / spent:,.0f} games/s"
    yield from solver_rows()
    yield match_row()
    size = sum(path.stat().st_size for path in SHIPPED.glob("*.table"))
    with tempfile.TemporaryDirectory() as empty:
        spent = _seconds(lambda: SolvedSectors(Path(empty)))
    yield "Morris, tables in the package", f"{size / 1000:.0f} kB, loaded in {spent:.2f} s"


if __name__ == "__main__":
    for what, figure in rows():
        print(f"{what:45} {figure}", flush=True)
