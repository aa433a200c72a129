"""What the Oware engine does: search speed and depth, strategy 0 against strategy 1, its tables.

Time is that of the process, so that a busy machine does not count.
"""

from __future__ import annotations

import random
import threading
import time
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.contests.match import MatchTally, play_out
from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Level, Limits, Stop
from spielwerk.engines.players import EnginePlayer, Player
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.engine.endgames import most_stones, own_folder, promise, solved_codes
from spielwerk.games.oware.rules import Oware, OwareState
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from spielwerk.games.interface import State

OPENING_MOVES = (6, 8)
BALANCED_DEPTH = 9
BALANCED_VALUE = 0.06  # by strategy 1: about one and a half stones
MATCH_SEED = 2007
GAMES = 100_000
DEPTH_5 = Limits(depth=5)


def rows() -> Iterator[tuple[str, str]]:
    """Everything that is measured."""
    yield from kernel_rows()
    yield from search_rows()
    yield from match_rows()
    yield from table_rows()


@kernel
def look_ups(codes: NDArray[np.uint8], first: int, houses: NDArray[np.uint64]) -> int:
    """Look all pairs of rows up in the tables; the sum keeps the compiler from leaving it out."""
    total = first
    for mine in houses:
        for theirs in houses:
            total += promise(mine, theirs, True, codes)
    return total


def table_rows() -> Iterator[tuple[str, str]]:
    """Endgame tables: look-ups a second, and what they are worth at equal nodes."""
    codes = solved_codes(own_folder())
    rng = random.Random(1)
    boards = [np.bincount([rng.randrange(6) for _ in range(6)], minlength=8) for _ in range(3000)]
    rows_of_six = np.array(boards).astype(np.uint8).view(np.uint64).ravel()
    look_ups(codes, 0, rows_of_six[:1])
    began = time.process_time()
    look_ups(codes, 0, rows_of_six)
    speed = len(rows_of_six) ** 2 / (time.process_time() - began)
    yield f"tables up to {most_stones(codes)} stones", f"{speed / 1e6:.0f} M look-ups/s"
    openings = balanced_openings(100, MATCH_SEED)
    tally = match(OwareEngine(), OwareEngine(0), openings, Limits(nodes=10_000))
    yield "with tables against without, 10,000 nodes", str(tally)
    yield from equal_time_rows(openings[:40], 0.005)


def equal_time_rows(openings: Sequence[OwareState], seconds: float) -> Iterator[tuple[str, str]]:
    """The same where both have as much time of the processor for a move."""
    engines = {"with": OwareEngine(), "without": OwareEngine(0)}
    seats = [PunctualEngine(name, engine, seconds) for name, engine in engines.items()]
    tally, rng = MatchTally(), random.Random(0)
    for opening in openings:
        results = [play_out(opening, order, rng, rng).winner for order in (seats, seats[::-1])]
        shares = [0.5 if winner is None else 1.0 - winner for winner in results]
        tally.add([shares[0], 1 - shares[1]])
    used = " and ".join(f"{1000 * seat.spent / seat.moves:.1f} ms" for seat in seats)
    yield f"with tables against without, {1000 * seconds:g} ms", f"{tally}, they took {used} a move"


class PunctualEngine(Player):
    """An engine that is stopped when its thread has used so many seconds of the processor."""

    def __init__(self, name: str, engine: OwareEngine, seconds: float) -> None:
        super().__init__(name)
        self._engine = engine
        self._seconds = seconds
        self.spent = 0.0
        self.moves = 0

    def choose(self, state: State[Any], rng: random.Random, _within: float | None = None) -> Any:
        """What the engine has found until then."""
        stop, found = Stop(), threading.Event()
        began, clock = time.thread_time(), time.pthread_getcpuclockid(threading.get_ident())
        watch = threading.Thread(target=self._watch, args=(clock, began, stop, found))
        watch.start()
        move = self._engine.search(state, Limits(seed=rng.getrandbits(32)), stop).move
        self.spent += time.thread_time() - began
        self.moves += 1
        found.set()
        watch.join()
        return move

    def _watch(self, clock: int, began: float, stop: Stop, found: threading.Event) -> None:
        while time.clock_gettime(clock) - began < self._seconds and not found.wait(0.0005):
            pass
        stop.set()


def kernel_rows() -> Iterator[tuple[str, str]]:
    """The speed of the rules in the kernel."""
    engine = OwareEngine()
    engine.warm_up()
    began = time.process_time()
    count = engine.perft(Oware().start(), 10)
    yield "perft 10", f"{count:,}  {count / (time.process_time() - began) / 1e6:.0f} M/s"


def search_rows() -> Iterator[tuple[str, str]]:
    """Time to fixed depths from middle game positions, and the depth that one second buys."""
    positions = middle_game(24, seed=3)
    for strategy in (0, 1):
        for depth in (6, 9, 12):
            yield f"strategy {strategy}, depth {depth}", depth_figure(strategy, depth, positions)
        engine = OwareEngine(strategy)
        reached = [engine.search(state, Limits(time=1.0)).depth for state in positions[:8]]
        yield f"strategy {strategy}, depth in 1 s (wall)", f"median {median(reached):.0f}"


def depth_figure(strategy: int, depth: int, positions: Sequence[OwareState]) -> str:
    """Time, nodes and nodes a second, every position with a fresh table."""
    times, nodes = [], []
    for state in positions:
        engine = OwareEngine(strategy)
        engine.warm_up()
        began = time.process_time()
        nodes.append(engine.search(state, Limits(depth=depth, seed=0)).nodes)
        times.append(1000 * (time.process_time() - began))
    speed = sum(nodes) / sum(times) / 1000
    return (
        f"median {median(times):.2f} ms, most {max(times):.2f} ms, "
        f"median {median(nodes):,.0f} nodes, {speed:.1f} M/s"
    )


def match_rows() -> Iterator[tuple[str, str]]:
    """Strategy 0 against strategy 1 at depth 5, as A from the standard board and in pairs."""
    strong, simple = OwareEngine(0), OwareEngine(1)
    tally = MatchTally()
    for seed in range(100):
        tally.add([points(strong, simple, Oware().start(), random.Random(seed))])
    yield "0 as A against 1, standard board, 100 seeds", str(tally)
    openings = balanced_openings(200, MATCH_SEED)
    yield "0 against 1, 200 balanced openings, swapped", str(match(strong, simple, openings))


def middle_game(count: int, seed: int) -> list[OwareState]:
    """Positions after 4 to 40 moves, seven of ten as strategy 0 plays, the others at random."""
    rng, engine = random.Random(seed), OwareEngine()
    positions: list[OwareState] = []
    while len(positions) < count:
        state = Oware().start()
        for _ in range(rng.randint(4, 40)):
            if not state.outcome:
                best = engine.search(state, Limits(depth=3, seed=1)).move
                state = state.play(random_move(state, rng) if rng.random() < 0.3 else best)
        if not state.outcome:
            positions.append(state)
    return positions


def balanced_openings(count: int, seed: int) -> list[OwareState]:
    """Different random openings in which strategy 1, nine moves deep, sees nobody ahead."""
    rng, judge = random.Random(seed), OwareEngine(1)
    openings: dict[OwareState, None] = {}
    while len(openings) < count:
        state = Oware().start()
        for _ in range(rng.randint(*OPENING_MOVES)):
            state = state.play(random_move(state, rng))
        value = judge.search(state, Limits(depth=BALANCED_DEPTH, seed=0)).score.value
        if abs(value) <= BALANCED_VALUE:
            openings[state] = None
    return list(openings)


def points(
    first: OwareEngine,
    second: OwareEngine,
    state: OwareState,
    rng: random.Random,
    limits: Limits = DEPTH_5,
) -> float:
    """What A gets from a game between the engines with equal limits."""
    level = Level(limits)
    seats = EnginePlayer("A", first, level), EnginePlayer("B", second, level)
    winner = play_out(state, seats, rng, rng).winner
    return 0.5 if winner is None else 1.0 - winner


def match(
    first: OwareEngine,
    second: OwareEngine,
    openings: Sequence[OwareState],
    limits: Limits = DEPTH_5,
) -> MatchTally:
    """Two games from each opening with the sides swapped, and what the first engine scored."""
    tally, rng = MatchTally(), random.Random(0)
    for opening in openings:
        as_a = points(first, second, opening, rng, limits)
        tally.add([as_a, 1 - points(second, first, opening, rng, limits)])
    return tally
