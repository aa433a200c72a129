"""A person's game against level 3, alone and beside 40 games between engines of the highest level.

The server and all its engines have one core. An answer is the time from the person's move to the
engine's, with both in the database and told to the page. What is promised: under attack its median
is at most three times that of an idle server, plus 100 ms.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from benchmarks.attacks.engines import TABLES, answers, attack
from benchmarks.load import figures
from benchmarks.load.processes import server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load.figures import Row

SPIELWERK: Final = str(Path(sys.executable).with_name("spielwerk"))
SECONDS: Final = 15.0
SETTLE: Final = 2.0
CASES: Final = (  # addresses of the attack, tables, and settings
    (1, TABLES, "tables.engine_tables=20"),
    (1, TABLES, "tables.engine_tables=1000"),
    (100, 10 * TABLES, "tables.engine_tables=20"),
)


def rows() -> Iterator[Row]:
    """An idle server, then one for each attack."""
    for addresses, tables, setting in CASES:
        with TemporaryDirectory(dir=figures.DISK) as folder:
            command = [SPIELWERK, "serve", "--only", "web", "--data", folder]
            command += ["--port", "web=0", "--set", setting]
            with server(*command, log=Path(folder) / "log") as serving:
                yield from asyncio.run(_measured(serving.ports(1)[0], addresses, tables))


async def _measured(port: int, addresses: int, tables: int) -> list[Row]:
    await answers(port, SETTLE)  # the engine is loaded
    idle = await answers(port, SECONDS)
    refused = await attack(port, addresses, tables)
    await asyncio.sleep(SETTLE)
    attacked = await answers(port, SECONDS)
    promised = 3 * median(idle) + 0.1
    return [
        ("level 3, idle", _said(idle)),
        (f"  {addresses} addresses, {tables} games, {refused} refused", _said(attacked)),
        ("  of what is promised", f"{median(attacked) / promised:.2f}"),
    ]


def _said(seconds: list[float]) -> str:
    ordered = sorted(1000 * one for one in seconds)
    most, late = ordered[-1], ordered[int(0.9 * len(ordered))]
    return f"median {median(ordered):5.0f} ms, 90 % {late:5.0f}, most {most:5.0f} ({len(ordered)})"
