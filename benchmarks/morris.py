"""What the Morris engine costs: search depth and speed, playouts, tables.

Time is that of the process, so that a busy machine does not count.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Limits
from spielwerk.games.morris.engine import MorrisEngine, sectors
from spielwerk.games.morris.engine.board import MOST_TURNS, captured, list_turns, moved
from spielwerk.games.morris.engine.cores import Cores
from spielwerk.games.morris.engine.index import Sector, sector_size
from spielwerk.games.morris.engine.sectors import SHIPPED, SolvedSectors
from spielwerk.games.morris.engine.solver import SolvedFiles, jobs
from spielwerk.games.morris.rules import EACH, LOSING, QUIET_TURNS, Morris

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def _solving(sector: Sector) -> str:
    """How long a sector with its mirror image takes when those below are there."""
    with tempfile.TemporaryDirectory() as folder, patch.object(sectors, "SHIPPED", Path(folder)):
        cores = Cores(Path(folder), SolvedFiles(Path(folder)), threads=1)
        *below, job = [job for job in jobs(sector) if not job[0].hands]
        for earlier in below:
            cores.solve(earlier, lambda _share: None)
        spent = _seconds(lambda: cores.solve(job, lambda _share: None))
    boards = sum(map(sector_size, job))
    return f"{spent:.2f} s, {boards:,} boards, {boards / spent / 1e6:.2f} M boards/s"


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
    for sector in (Sector(3, 3), Sector(4, 3), Sector(4, 4)):
        yield f"Morris, solving {sector}", _solving(sector)
    size = sum(path.stat().st_size for path in SHIPPED.glob("*.table"))
    with tempfile.TemporaryDirectory() as empty:
        spent = _seconds(lambda: SolvedSectors(Path(empty)))
    yield "Morris, tables in the package", f"{size / 1000:.0f} kB, loaded in {spent:.2f} s"


if __name__ == "__main__":
    for what, figure in rows():
        print(f"{what:45} {figure}", flush=True)
