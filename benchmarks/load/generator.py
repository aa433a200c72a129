"""One process of the generator: `python -m benchmarks.load.generator ORDERS`.

It says `ready` when all its clients have joined, then reads when to measure from and until, lets
them play, and at the end writes what it measured.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from dataclasses import asdict, dataclass
from importlib import import_module
from random import Random

from benchmarks.load.clients import Load

PATIENCE = 20.0  # seconds for the last answers


@dataclass(frozen=True)
class Orders:
    """What a process has to do."""

    clients: str  # the module with `begin(load, orders)`, which has all of them join
    port: int
    groups: int  # of clients that play with each other
    interval: float | None  # seconds between the moves of a group; None: as fast as it can
    seed: int
    web: int = 0  # the port of the HTTP interface, for those who need it
    watched: int = 1  # the newest tables, for those who only look


@dataclass
class Findings:
    """What a process measured."""

    latencies: list[float]
    counts: dict[str, int]
    late: int
    behind: float  # seconds within which 99 % of its timed lines went out; it is busy, too
    problem: str


async def generate(orders: Orders) -> Findings:
    """Play, measure, and stop when every move that was sent has been answered."""
    load = Load(orders.interval, Random(orders.seed))
    await import_module(orders.clients).begin(load, orders)
    _say("ready")
    line = await load.loop.run_in_executor(None, sys.stdin.readline)
    load.window = (float(line.split()[0]), float(line.split()[1]))
    load.begin()
    await asyncio.sleep(load.window[1] - time.monotonic())
    load.over = True
    end = time.monotonic() + PATIENCE
    while load.outstanding and not load.problem and time.monotonic() < end:
        await asyncio.sleep(0.05)
    if load.outstanding:
        load.fail(f"{load.outstanding} lines were never answered")
    behind = sorted(load.behind)[len(load.behind) * 99 // 100] if load.behind else 0.0
    return Findings(list(load.latencies), dict(load.counts), load.late, behind, load.problem)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    gc.disable()  # a short life; pauses of ours would look like the server's
    _say(json.dumps(asdict(asyncio.run(generate(Orders(**json.loads(sys.argv[1])))))))
