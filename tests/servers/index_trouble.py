"""Fifty clients that make trouble for an index server, each kind in its own way, until killed.

Run as `python -m tests.servers.index_trouble HOST PORT`; prints a line when all are at it.
"""

from __future__ import annotations

import asyncio
import random
import socket
import struct
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

EACH = 5  # of every kind


async def _connect(address: tuple[str, int]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(*address)


async def silent(address: tuple[str, int]) -> None:
    """Connect and say nothing."""
    reader, _writer = await _connect(address)
    await reader.read()


async def slow(address: tuple[str, int]) -> None:
    """Say something, a byte every now and then."""
    _, writer = await _connect(address)
    for byte in b"request_game_list\n" * 1000:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.02)


async def flooding(address: tuple[str, int]) -> None:
    """Ask for the list as often as possible, and read the answers."""
    reader, writer = await _connect(address)
    while True:
        writer.write(b"request_game_list\n" * 200)
        await reader.readuntil(b"\n")
        await reader.read(2**20)


async def deaf(address: tuple[str, int]) -> None:
    """Ask for the list as often as possible, and read nothing."""
    _, writer = await _connect(address)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    while True:
        writer.write(b"request_game_list\n" * 500)
        await writer.drain()


async def babbling(address: tuple[str, int]) -> None:
    """Send rubbish without an end of line."""
    _, writer = await _connect(address)
    while True:
        writer.write(random.randbytes(4096))
        await writer.drain()
        await asyncio.sleep(0.001)


async def empty(address: tuple[str, int]) -> None:
    """Send nothing but newlines."""
    _, writer = await _connect(address)
    while True:
        writer.write(b"\n" * 65536)
        await writer.drain()


async def wrong(address: tuple[str, int]) -> None:
    """Send requests that are wrong in many ways."""
    reader, writer = await _connect(address)
    while True:
        writer.write(b"seal_game;no guid\nregister_game;a;b\nunregister_game;\n" * 20)
        await reader.read(2**20)


async def hanging_up(address: tuple[str, int]) -> None:
    """Connect, ask, and reset the connection."""
    _, writer = await _connect(address)
    writer.write(b"request_game_list\nregister_ga")
    made: socket.socket = writer.get_extra_info("socket")
    made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
    await asyncio.sleep(0.005)


async def registering(address: tuple[str, int]) -> None:
    """Register and unregister games without end."""
    reader, writer = await _connect(address)
    while True:
        name = random.getrandbits(64)
        writer.write(f"register_game;t;{name};7;6;4;trouble;99\n".encode())
        answer = await reader.readline()
        writer.write(b"unregister_game;" + answer.partition(b";")[2])
        await reader.readline()


async def beating(address: tuple[str, int]) -> None:
    """Send datagrams that are no heartbeats of anybody."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        while True:
            for data in (b"heartbeat\n", random.randbytes(9000), b""):
                with suppress(OSError):
                    sender.sendto(data, address)
            await asyncio.sleep(0.001)


KINDS = (
    silent,
    slow,
    flooding,
    deaf,
    babbling,
    empty,
    wrong,
    hanging_up,
    registering,
    beating,
)


async def _again(
    make: Callable[[tuple[str, int]], Awaitable[None]], address: tuple[str, int]
) -> None:
    """Whoever is thrown out comes back."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError, ValueError):
            await make(address)
        await asyncio.sleep(0.01)


async def main(host: str, port: str) -> None:
    """Make trouble."""
    address = host, int(port)
    troubles = [asyncio.create_task(_again(kind, address)) for kind in KINDS for _ in range(EACH)]
    await asyncio.sleep(0.5)
    sys.stdout.write(f"{len(troubles)}\n")
    sys.stdout.flush()
    await asyncio.gather(*troubles)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
