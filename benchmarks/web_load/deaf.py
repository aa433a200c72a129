"""Pages that look at a table and never read what they are told."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Final, cast

from benchmarks.web_load.sockets import UPGRADE, ask

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

LITTLE: Final = 4096  # bytes that the system keeps for us
TASKS: Final[list[asyncio.Task[None]]] = []


class Deaf(asyncio.Protocol):
    """One of them."""

    def __init__(self, path: str) -> None:
        self._path = path

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        plain = cast("asyncio.Transport", transport)
        plain.write(UPGRADE.format(path=self._path, cookie="").encode())
        plain.pause_reading()


async def begin(load: Load, orders: Orders) -> None:
    """Connect all of them to the newest table."""
    found, _ = await ask(orders.port, "GET", "/api/v1/matches?limit=1")
    game_id = found["matches"][0]["id"]
    for _ in range(orders.groups):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE)
        one.setblocking(False)
        await load.loop.sock_connect(one, ("127.0.0.1", orders.port))
        path = f"/live?table={game_id}&seen=0"
        await load.loop.create_connection(lambda path=path: Deaf(path), sock=one)  # type: ignore[misc]
    TASKS.append(load.loop.create_task(_count(load, orders.port, game_id)))


async def _count(load: Load, port: int, game_id: str) -> None:
    """Ask the server how many it still talks to."""
    while not load.over:
        lobby, _ = await ask(port, "GET", "/api/v1/lobby")
        (table,) = (one for one in lobby["tables"] if one["id"] == game_id)
        load.counts["watching"] = table["viewers"]
        await asyncio.sleep(0.5)
