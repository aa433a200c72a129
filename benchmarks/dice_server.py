"""The dice server under load: 1,500 bots in 500 games, from another process, on one core.

Bots that think 100 ms before every decision, then bots that do not think at all; who has finished
a game begins the next. A decision is in the database with the throw that it brings before anybody
hears of it. An answer is the time from ROLL to its THRW, from SAVE to the TURN of the next bot, and
from the last BYE to the server's, as the bots see it. Other work on the machine shows in the
figures; on Linux a `chrt -r 1` before the command keeps it off.
"""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
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
    from benchmarks.load.processes import Measured, ServerProcess

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))

GAMES = 500
THINKING = 0.1
SECONDS = 10.0
STORED = {
    "decisions": "SELECT count(*) FROM moves WHERE seat >= 0",
    "throws": "SELECT count(*) FROM moves WHERE seat < 0",
    "byes": "SELECT 3 * count(*) FROM results WHERE reason = 'rule win' AND culprit IS NULL",
}


def rows() -> Iterator[Row]:
    """What the machine can do at all, then the server beside it."""
    yield "cores: of the server, of the bots", f"{SERVER_CORES}, {OTHER_CORES}"
    with TemporaryDirectory(dir=figures.DISK) as folder:
        fsyncs = figures.fsyncs(Path(folder))
        yield "bare write and fsync of 4 KB", f"{fsyncs:,.0f}/s"
        with server(sys.executable, "-m", "benchmarks.load.echo") as echo:
            (port,) = echo.ports(1)
            calm = _measured(echo, "benchmarks.load.echo", port, THINKING)
            yield "bare asyncio echo, 5,000 lines/s offered", figures.answers(calm)
            busy = _measured(echo, "benchmarks.load.echo", port, None)
            yield "bare asyncio echo, as fast as it can", figures.rate(busy, "lines")
        yield from _served(Path(folder), calm, busy, fsyncs)


def _served(folder: Path, calm: Measured, busy: Measured, fsyncs: float) -> Iterator[Row]:
    command = [SPIELWERK, "serve", "--only", "dice", "--data", str(folder), "--port", "dice=0"]
    command += ["--set", "dice.answer=60"]  # an overloaded server must not blame the bots
    with server(*command, log=folder / "log") as serving:
        (port,) = serving.ports(1)
        idle = serving.memory()
        thinking = _measured(serving, "benchmarks.dice_load.clients", port, THINKING)
        yield "bots that think 100 ms", f"{figures.answers(thinking)}  asked: 99 % under 50 ms"
        ratio = thinking.percentile(99) / calm.percentile(99)
        yield "  against the echo", f"{ratio:.1f} x its 99 %"
        yield "memory above the idle server", figures.memory(serving, idle)
        hasty = _measured(serving, "benchmarks.dice_load.clients", port, None, seed=2)
        yield "bots that answer at once", f"{figures.answers(hasty)}"
        yield "  throws among them", f"{_throws(hasty):,.0f}/s"
        yield "  against echo and fsync", figures.ratios(hasty, busy, fsyncs)
        yield "memory above the idle server, at most", figures.memory(serving, idle)
    yield from _stored(folder, thinking.counts + hasty.counts)


def _measured(
    target: ServerProcess, clients: str, port: int, thinking: float | None, seed: int = 1
) -> Measured:
    """One process generates: the bots of several would meet, and could not clock each other."""
    return measure(target, Orders(clients, port, GAMES, thinking, seed), SECONDS, generators=1)


def _throws(found: Measured) -> float:
    """Throws a second; their share in the answers is that of the whole run."""
    heard = found.counts["decisions"] + found.counts["byes"]
    return found.rate * found.counts["throws"] / heard


def _stored(folder: Path, heard: Counter[str]) -> Iterator[Row]:
    """Compare what bots were told with what is there; a difference is the worst of all."""
    with closing(sqlite3.connect(folder / "spielwerk.db")) as database:
        for what, query in STORED.items():
            (stored,) = database.execute(query).fetchone()
            verdict = "equal" if stored == heard[what] else "NOT EQUAL"
            yield f"{what} heard and stored", f"{heard[what]:,} and {stored:,}: {verdict}"
