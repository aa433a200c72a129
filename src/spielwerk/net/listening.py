"""Listening: sockets for a name and a port, and a share of the loop for those who come."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TURN: Final = 8  # connections that are accepted between two turns of the loop
QUEUE: Final = 2048  # that may wait in the system until then


async def listening_sockets(bind: str, port: int) -> list[socket.socket]:
    """A bound socket for each address that the name stands for; OSError says which is taken."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            sockets.append(_known_as_tcp(socket.create_server(address, family=family)))
    except OSError as error:
        for one in sockets:
            one.close()
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, f"{reason} ({bind}:{port})") from None
    return sockets


def _known_as_tcp(made: socket.socket) -> socket.socket:
    """The same socket, its protocol named: asyncio sends at once only on what it knows as TCP.

    Elsewhere a second small write would wait until the first is confirmed: 40 milliseconds.
    """
    return socket.socket(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())


async def listen(
    make: Callable[[], asyncio.Protocol], bind: str, port: int
) -> list[asyncio.Server]:
    """Servers that make a protocol for each connection, on every address of the name."""
    loop = asyncio.get_running_loop()
    sockets = await listening_sockets(bind, port)
    servers = [await loop.create_server(make, sock=one, backlog=TURN) for one in sockets]
    lengthen_queues(sockets)
    return servers


def lengthen_queues(sockets: Iterable[socket.socket]) -> None:
    """Let many wait in the system: asyncio takes one number for that and for a turn of the loop."""
    for one in sockets:
        one.listen(QUEUE)
