"""Clients of the Oware move server: a connection for every move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.oware_server import ask, histories, request
from benchmarks.soak_load.visitors import come, timed

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

DEPTH = 3


async def begin(load: Load, orders: Orders) -> None:
    """Ask for moves of many games."""
    come(load, partial(_ask, load, orders.port, histories()), orders.groups)


async def _ask(load: Load, port: int, games: list[str], _: int) -> None:
    await timed(load, ask(port, request(DEPTH, load.rng.choice(games))))
