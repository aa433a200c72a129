"""The game server under load: 1,000 clients in 500 games, from other processes, on one core.

Half of the games are Quarto, half Morris; who has finished one begins the next. A move is three
lines from its client (THINKING, PLAY, OKWAIT) and is in the database before it is confirmed. An
answer is the time from PLAY to MOVEOK as the client sees it; moves that were asked for too late
count from when they were due. Other work on the machine shows in the figures; on Linux a
`chrt -r 1` before the command keeps it off.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.mnm_load.generator import Orders
from benchmarks.mnm_load.processes import OTHER_CORES, SERVER_CORES, measure, server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.mnm_load.processes import Measured, ServerProcess

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))
DISK = "/var/tmp"  # noqa: S108 - /tmp is often in memory, where nothing has to reach a disk

GAMES = 500
OFFERED = 1000.0
SECONDS = 10.0
SEED = 1
PAGE = bytes(4096)

Row = tuple[str, str]


def rows() -> Iterator[Row]:
    """What the machine can do at all, then the server beside it."""
    yield "cores: of the server, of the generators", f"{SERVER_CORES}, {OTHER_CORES}"
    with TemporaryDirectory(dir=DISK) as folder:
        fsyncs = _fsyncs(Path(folder))
        yield "bare write and fsync of 4 KB", f"{fsyncs:,.0f}/s"
        with server(sys.executable, "-m", "benchmarks.mnm_load.echo") as echo:
            (port,) = echo.ports(1)
            calm = measure(echo, Orders(port, 0, GAMES, OFFERED, SEED), SECONDS)
            yield "bare asyncio echo, 1,000 lines/s offered", _answers(calm)
            busy = measure(echo, Orders(port, 0, GAMES, None, SEED), SECONDS)
            yield "bare asyncio echo, as fast as it can", f"{_rate(busy, 'lines')}"
        yield from _served(Path(folder), calm, busy, fsyncs)


def _served(folder: Path, calm: Measured, busy: Measured, fsyncs: float) -> Iterator[Row]:
    command = [SPIELWERK, "serve", "--only", "mnm,web", "--data", str(folder)]
    command += ["--port", "mnm=0", "--port", "mnm=0:1:block", "--port", "web=0"]
    command += ["--set", "mnm.thinking=60"]  # an overloaded server must not blame the clients
    with server(*command, log=folder / "log") as serving:
        paced, block, web = serving.ports(3)
        idle = serving.memory()
        offered = measure(serving, Orders(paced, web, GAMES, OFFERED, SEED), SECONDS)
        yield "1,000 moves/s offered", f"{_answers(offered)}  asked: 99 % under 20 ms"
        yield "  against the echo", f"{offered.percentile(99) / calm.percentile(99):.1f} x its 99 %"
        yield "memory above the idle server", _memory(serving, idle)
        runs = [offered]
        for pace, port in (("block", block), ("first-then-rest", paced)):
            runs.append(measure(serving, Orders(port, web, GAMES, None, SEED), SECONDS))
            yield f"as fast as it can, pace {pace}", f"{_rate(runs[-1], 'moves')}  asked: 2,000/s"
            yield "  against echo and fsync", _ratios(runs[-1], busy, fsyncs)
        yield "memory above the idle server, at most", _memory(serving, idle)
    yield "decisions acknowledged and stored", _stored(folder, sum(run.decisions for run in runs))


def _fsyncs(folder: Path, seconds: float = 2.0) -> float:
    """How often a second something can be brought to the disk, one after the other."""
    count, start = 0, time.perf_counter()
    with (folder / "fsync").open("wb", buffering=0) as file:
        while time.perf_counter() - start < seconds:
            file.write(PAGE)
            os.fdatasync(file.fileno())
            count += 1
    return count / (time.perf_counter() - start)


def _answers(found: Measured) -> str:
    marks = [f"{name} {found.percentile(p):.1f}" for name, p in (("50 %", 50), ("99 %", 99))]
    answers = f"{found.rate:,.0f}/s  {'  '.join(marks)}  max {found.percentile(100):.1f} ms"
    return f"{answers}  {_cores(found)}"


def _rate(found: Measured, what: str) -> str:
    return f"{found.rate:,.0f} {what}/s  {_cores(found)}"


def _cores(found: Measured) -> str:
    """What the figure has to be read with: how much of the core the server had."""
    share = f"{found.cpu / found.seconds:.0%} of the core, {found.cpu_each:.0f} us each"
    others = found.others / found.seconds
    return f"{share} (others: {others:.0%})" if others > 0.05 else share


def _ratios(found: Measured, echo: Measured, fsyncs: float) -> str:
    lines = f"{found.rate / echo.rate:.2f} x the echo's lines"
    cost = f"{found.cpu_each / echo.cpu_each:.0f} x its time on the core"
    return f"{lines}, {cost}, {found.rate / fsyncs:.2f} x bare fsyncs"


def _memory(serving: ServerProcess, idle: float) -> str:
    more = serving.memory("VmHWM") - idle
    return f"{more:.0f} MB  (idle: {idle:.0f} MB)  asked: at most 100 MB"


def _stored(folder: Path, acknowledged: int) -> str:
    """Compare what clients were told with what is there; a difference is the worst of all."""
    with closing(sqlite3.connect(folder / "spielwerk.db")) as database:
        (stored,) = database.execute("SELECT count(*) FROM moves").fetchone()
    verdict = "equal" if stored == acknowledged else "NOT EQUAL"
    return f"{acknowledged:,} and {stored:,}: {verdict}"
