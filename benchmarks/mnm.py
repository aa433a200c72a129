"""The game server under load: 1,000 clients in 500 games, from other processes, on one core.

Half of the games are Quarto, half Morris; who has finished one begins the next. A move is three
lines from its client (THINKING, PLAY, OKWAIT) and is in the database before it is confirmed. An
answer is the time from PLAY to MOVEOK as the client sees it; moves that were asked for too late
count from when they were due. Other work on the machine shows in the figures; on Linux a
`chrt -r 1` before the command keeps it off.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.load import figures
from benchmarks.load.generator import Orders
from benchmarks.load.processes import OTHER_CORES, SERVER_CORES, measure, server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load.figures import Row
    from benchmarks.load.processes import Measured

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))

GAMES = 500
OFFERED = 1000.0  # moves a second
INTERVAL = GAMES / OFFERED
SECONDS = 10.0
SEED = 1


def rows() -> Iterator[Row]:
    """What the machine can do at all, then the server beside it."""
    yield "cores: of the server, of the generators", f"{SERVER_CORES}, {OTHER_CORES}"
    with TemporaryDirectory(dir=figures.DISK) as folder:
        fsyncs = figures.fsyncs(Path(folder))
        yield "bare write and fsync of 4 KB", f"{fsyncs:,.0f}/s"
        with server(sys.executable, "-m", "benchmarks.load.echo") as echo:
            (port,) = echo.ports(1)
            calm = measure(echo, _echoes(port, INTERVAL), SECONDS)
            yield "bare asyncio echo, 1,000 lines/s offered", figures.answers(calm)
            busy = measure(echo, _echoes(port, None), SECONDS)
            yield "bare asyncio echo, as fast as it can", f"{figures.rate(busy, 'lines')}"
        yield from _served(Path(folder), calm, busy, fsyncs)


def _served(folder: Path, calm: Measured, busy: Measured, fsyncs: float) -> Iterator[Row]:
    command = [SPIELWERK, "serve", "--only", "mnm,web", "--data", str(folder)]
    command += ["--port", "mnm=0", "--port", "mnm=0:1:block", "--port", "web=0"]
    command += ["--set", "mnm.thinking=60"]  # an overloaded server must not blame the clients
    command += ["--set", "web.creation_burst=1000000"]  # every game is a new one
    with server(*command, log=folder / "log") as serving:
        paced, block, web = serving.ports(3)
        idle = serving.memory()
        offered = measure(serving, _games(paced, web, INTERVAL), SECONDS)
        yield "1,000 moves/s offered", f"{figures.answers(offered)}  asked: 99 % under 20 ms"
        yield "  against the echo", f"{offered.percentile(99) / calm.percentile(99):.1f} x its 99 %"
        yield "memory above the idle server", figures.memory(serving, idle)
        runs = [offered]
        for pace, port in (("block", block), ("first-then-rest", paced)):
            runs.append(measure(serving, _games(port, web, None), SECONDS))
            yield (
                f"as fast as it can, pace {pace}",
                f"{figures.rate(runs[-1], 'moves')}  asked: 2,000/s",
            )
            yield "  against echo and fsync", figures.ratios(runs[-1], busy, fsyncs)
        yield "memory above the idle server, at most", figures.memory(serving, idle)
    yield (
        "decisions acknowledged and stored",
        _stored(folder, sum(run.counts["decisions"] for run in runs)),
    )


def _echoes(port: int, interval: float | None) -> Orders:
    return Orders("benchmarks.load.echo", port, GAMES, interval, SEED)


def _games(port: int, web: int, interval: float | None) -> Orders:
    return Orders("benchmarks.mnm_load.clients", port, GAMES, interval, SEED, web)


def _stored(folder: Path, acknowledged: int) -> str:
    """Compare what clients were told with what is there; a difference is the worst of all."""
    with closing(sqlite3.connect(folder / "spielwerk.db")) as database:
        (stored,) = database.execute("SELECT count(*) FROM moves").fetchone()
    verdict = "equal" if stored == acknowledged else "NOT EQUAL"
    return f"{acknowledged:,} and {stored:,}: {verdict}"
