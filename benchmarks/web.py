"""The web interface under load: players, viewers and the lobby from other processes, on one core.

Players are persons in browsers: 36 moves a second at one table is the most that the pages of two
may send; what is faster is played with several pages each. An answer is the time from sending a
move to its acknowledgement, which comes when it is in the database. Seen is the time from when the
server got the move until the last viewer has it. The bare server does the least that is possible,
without rules, database and tables: it acknowledges and writes to everybody. Slow viewers read
nothing. Other work on the machine shows in the figures; on Linux a `chrt -r 1` before the command
keeps it off.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from benchmarks.load import figures
from benchmarks.load.generator import Orders
from benchmarks.load.processes import OTHER_CORES, SERVER_CORES, measure_each, server
from benchmarks.web_load.pages import load
from benchmarks.web_load.players import WISH
from benchmarks.web_load.sockets import ask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from benchmarks.load.figures import Row
    from benchmarks.load.processes import Measured, ServerProcess
    from benchmarks.web_load.pages import Loaded

SPIELWERK: Final = str(Path(sys.executable).with_name("spielwerk"))

SECONDS: Final = 3.0
SETTLE: Final = 1.5
SEED: Final = 1

PACE: Final = 1 / 36  # seconds between the moves at one table
VIEWERS: Final = 500
SLOW: Final = 50
TABLES: Final = 200
MANY_VIEWERS: Final = 1000
LISTED: Final = 1000  # tables in the lobby
GUESTS: Final = 200
MNM_GAMES: Final = 50


def rows() -> Iterator[Row]:
    """The bare server, then ours beside it."""
    yield "cores: of the server, of the generators", f"{SERVER_CORES}, {OTHER_CORES}"
    with TemporaryDirectory(dir=figures.DISK) as folder:
        yield from _starting(Path(folder))
        with server(sys.executable, "-m", "benchmarks.web_load.bare") as bare:
            (port,) = bare.ports(1)
            least, seen = _run(bare, _players(port), _viewers(port, VIEWERS))
        yield "bare server, 500 viewers", figures.answers(least)
        yield "  seen by all", figures.answers(seen)
        with _serving(Path(folder)) as serving:
            mnm, web = serving.ports(2)
            yield from _pages(web)
            yield from _one_table(serving, web, seen)
            yield from _slow_readers(serving, web)
            yield from _beside(serving, mnm, web)
            yield from _many_tables(serving, web)
        with _serving(Path(folder) / "lobby") as serving:
            yield from _lobby(serving, serving.ports(2)[1])


def _serving(folder: Path) -> AbstractContextManager[ServerProcess]:
    folder.mkdir(exist_ok=True)
    command = [SPIELWERK, "serve", "--only", "mnm,web", "--data", str(folder)]
    command += ["--port", "mnm=0", "--port", "web=0", "--set", "mnm.thinking=60"]
    command += ["--set", "web.connections=5000", "--set", "web.creation_burst=100000"]
    return server(*command, log=folder / "log")


def _run(target: ServerProcess, *orders: Orders) -> list[Measured]:
    return measure_each(target, orders, SECONDS, SETTLE)


def _players(port: int, tables: int = 1, interval: float | None = PACE) -> Orders:
    return Orders("benchmarks.web_load.players", port, tables, interval, SEED)


def _viewers(port: int, viewers: int, tables: int = 1) -> Orders:
    return Orders("benchmarks.web_load.viewers", port, viewers, None, SEED, watched=tables)


# one table


def _one_table(serving: ServerProcess, web: int, bare: Measured) -> Iterator[Row]:
    (alone,) = _run(serving, _players(web))
    yield "36 moves/s, no viewers", figures.answers(alone)
    for viewers in (100, VIEWERS):
        moves, seen = _run(serving, _players(web), _viewers(web, viewers))
        yield f"36 moves/s, {viewers} viewers", figures.answers(moves)
        yield "  against no viewers", _slower(moves, alone)
        yield "  seen by all", figures.answers(seen)
    yield "  against the bare server", f"{_each(seen) / _each(bare):.1f} x its time on the core"
    (alone,) = _run(serving, _players(web, interval=None))
    yield "as fast as it can, no viewers", figures.answers(alone)
    moves, seen = _run(serving, _players(web, interval=None), _viewers(web, VIEWERS))
    yield "as fast as it can, 500 viewers", figures.answers(moves)
    yield "  seen by all", figures.answers(seen)


def _slow_readers(serving: ServerProcess, web: int) -> Iterator[Row]:
    before = serving.memory("VmHWM")
    slow = Orders("benchmarks.web_load.deaf", web, SLOW, None, SEED)
    orders = _players(web, interval=None), _viewers(web, VIEWERS - SLOW), slow
    moves, seen, heard = measure_each(serving, orders, SECONDS + 3, SETTLE)
    yield "the same, 50 of 500 never read", figures.answers(moves)
    yield "  seen by all others", figures.answers(seen)
    left, more = heard.counts["watching"], serving.memory("VmHWM") - before
    yield "  viewers left at the end", f"{left}  memory at most: {more:.0f} MB more"


# others at the same time


def _beside(serving: ServerProcess, mnm: int, web: int) -> Iterator[Row]:
    interval = MNM_GAMES / 100
    clients = Orders("benchmarks.mnm_load.clients", mnm, MNM_GAMES, interval, SEED, web)
    (alone,) = _run(serving, clients)
    yield "TCP clients, 100 moves/s", figures.answers(alone)
    beside, _, _ = _run(serving, clients, _players(web), _viewers(web, VIEWERS))
    yield "  beside 36 moves/s with 500 viewers", figures.answers(beside)
    yield "  against alone", _slower(beside, alone)


def _many_tables(serving: ServerProcess, web: int) -> Iterator[Row]:
    orders = _players(web, TABLES, TABLES / 200), _viewers(web, MANY_VIEWERS, TABLES)
    moves, seen = _run(serving, *orders)
    yield "200 tables, 1,000 viewers, 200 moves/s", figures.answers(moves)
    yield "  seen by all", figures.answers(seen)


def _lobby(serving: ServerProcess, web: int) -> Iterator[Row]:
    """1,000 tables, at which 50 moves a second are played, with and without anybody looking."""
    players = _players(web, LISTED, LISTED / 50)
    (alone,) = _run(serving, players)
    yield "1,000 tables, 50 moves/s, empty lobby", figures.answers(alone)
    guests = Orders("benchmarks.web_load.guests", web, GUESTS, None, SEED)
    moves, seen = _run(serving, players, guests)
    yield "  200 guests in the lobby", figures.answers(moves)
    told, size = seen.counts["lobbies"] / SECONDS / GUESTS, seen.counts["bytes"] / SECONDS
    share = (moves.cpu - alone.cpu) / SECONDS
    yield "  for the lobby", f"{share:.0%} of the core, {told:.1f}/s, {size / 1e6:.1f} MB/s in all"


# pages


def _pages(web: int) -> Iterator[Row]:
    made, _ = asyncio.run(ask(web, "POST", "/api/v1/matches", WISH))
    board = ("games/dice/board.js", "games/dice/board.css")
    for name, path, more in (("/", "/", ()), ("/t/ID", f"/t/{made['id']}", board)):
        first, again = load(web, path, more), load(web, path, more)
        yield f"{name} with everything, one after the other", _shown(first, again)


def _shown(first: Loaded, again: Loaded) -> str:
    times = f"{1000 * first.seconds:.0f} ms, again {1000 * again.seconds:.0f} ms"
    return (
        f"{first.bytes / 1000:.0f} KB in {len(first.known)} files  {times}  asked: 200 KB, 500 ms"
    )


def _starting(folder: Path) -> Iterator[Row]:
    started = time.perf_counter()
    subprocess.run([SPIELWERK, "--help"], check=True, capture_output=True)
    least, times = time.perf_counter() - started, []
    for _ in range(3):
        started = time.perf_counter()
        with _serving(folder) as serving:
            serving.ports(2)
            times.append(time.perf_counter() - started)
    late = "loop was late" in (folder / "log").read_text()
    against = f"{min(times) / least:.1f} x spielwerk --help"
    yield "start until it accepts", f"{min(times):.2f} s  {against}{'  LOOP WAS LATE' * late}"


# words


def _each(seen: Measured) -> float:
    """Seconds on the core for every message that reached somebody."""
    return seen.cpu / max(1, seen.counts["deliveries"])


def _slower(found: Measured, alone: Measured) -> str:
    ratios = [
        f"{p} %: {found.percentile(p) / max(0.001, alone.percentile(p)):.1f} x" for p in (50, 99)
    ]
    return "  ".join(ratios)
