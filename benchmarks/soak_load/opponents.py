"""People who play against an engine of level 3; an answer is the engine's move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.attacks.engines import answers
from benchmarks.soak_load.visitors import come

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

SECONDS = 3.0  # of a game, before the next begins


async def begin(load: Load, orders: Orders) -> None:
    """Have so many play."""
    come(load, partial(_play, load, orders.port), orders.groups)


async def _play(load: Load, port: int, _: int) -> None:
    found = await answers(port, SECONDS)
    if load.measuring:
        load.latencies.extend(found)
