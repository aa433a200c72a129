"""One process of the generator: `python -m benchmarks.mnm_load.generator ORDERS`.

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
from random import Random

from benchmarks.mnm_load.clients import Client, Echoed, Load, Pair
from benchmarks.mnm_load.scripts import scripts

PATIENCE = 20.0  # seconds for the last answers


@dataclass(frozen=True)
class Orders:
    """What a process has to do; times are those of the system's monotonic clock."""

    port: int
    web: int  # 0 for the echo server
    pairs: int
    rate: float | None  # of all pairs of this process together; None: as fast as they can
    seed: int


@dataclass
class Findings:
    """What a process measured."""

    latencies: list[float]
    turns: int
    decisions: int
    games: int
    late: int
    problem: str


async def generate(orders: Orders) -> Findings:
    """Play, measure, and stop when every move that was sent has been answered."""
    interval = orders.pairs / orders.rate if orders.rate else None
    load = Load(interval, Random(orders.seed))
    await (_play(load, orders) if orders.web else _echo(load, orders))
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
        load.fail(f"{load.outstanding} moves were never answered")
    return Findings(
        list(load.latencies), load.turns, load.decisions, load.games, load.late, load.problem
    )


async def _play(load: Load, orders: Orders) -> None:
    written = scripts(orders.seed)
    for _ in range(orders.pairs):
        await Pair(load, (orders.port, orders.web), written).begin()


async def _echo(load: Load, orders: Orders) -> None:
    for _ in range(orders.pairs):
        one, other = Echoed(load), Echoed(load)
        one.partner, other.partner = other, one
        for client in (one, other):
            await _connect(load, client, orders.port)
        load.when_begun(lambda client=one: client.send_next(None))  # type: ignore[misc]


async def _connect(load: Load, client: Client, port: int) -> None:
    await load.loop.create_connection(lambda: client, "127.0.0.1", port)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    gc.disable()  # a short life; pauses of ours would look like the server's
    _say(json.dumps(asdict(asyncio.run(generate(Orders(**json.loads(sys.argv[1])))))))
