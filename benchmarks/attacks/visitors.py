"""Hostile visitors, all at once: `python -m benchmarks.attacks.visitors ORDERS` until it is ended.

They come from one address or from a hundred (127.0.x.y, so on Linux only). What their orders do not
name as a port they do not touch. At the end they say how often they did what.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import signal
import socket
import struct
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Final

from benchmarks.attacks import engines

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

HERE: Final = "127.0.0.1"
AGAIN: Final = 10.0  # seconds until those who were dropped come again
BURST: Final = 50  # connections of a flood, before the other attacks get their turn
RESET: Final = struct.pack("ii", 1, 0)  # SO_LINGER: gone at once, without a trace in the system
LINES: Final = (b"\xff\xfe\x00\n", b"PLAY " * 999, b"+ WAIT\n", b";" * 5000 + b"\n", b"\n" * 300)
UPGRADE: Final = (
    b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
NOT_WEBSOCKET: Final = (
    b"\x8f\x80abcd",
    b"\x81\x01x",
    b"\x81\x82\0\0\0\0\xff\xfe",
    b"GET / HTTP\n\n",
)


@dataclass(frozen=True)
class Attack:
    """Against which ports, from how many addresses, and how much of it."""

    ports: dict[str, int]  # by service
    addresses: int
    canary: int  # a port of this machine that nobody may reach through the server
    crowd: int = 600  # silent connections at every service
    flood: float = 1380.0  # connections a second
    rate: float = 20.0  # of everything else, a second


class Attacker:
    """Does all of it until it is cancelled."""

    def __init__(self, attack: Attack) -> None:
        self.counts: Counter[str] = Counter()
        self._attack = attack
        first = 1 if attack.addresses == 1 else 10
        places = [f"127.0.{first + n // 250}.{2 + n % 250}" for n in range(attack.addresses)]
        self._places = cycle(places)
        self._loop = asyncio.get_running_loop()
        self._held: list[asyncio.StreamWriter] = []

    async def run(self) -> None:
        """All attacks at once."""
        once = [self._crowd(port) for port in self._attack.ports.values()]
        rate = self._attack.rate
        often = {
            self._table: rate,
            self._probe: rate,
            self._token: rate,
            self._frame: rate,
            self._fuzz: rate,
            self._deaf: rate / 10,
            self._engines: 0.2,
        }
        repeated = [self._repeat(one, each) for one, each in often.items()]
        await asyncio.gather(self._flood(), *once, *repeated)

    async def _repeat(self, attack: Callable[[], Awaitable[object]], rate: float) -> None:
        """So often a second, whether it is answered or not."""
        running: set[asyncio.Task[None]] = set()
        while True:
            if len(running) < 200:
                task = asyncio.create_task(self._try(attack))
                running.add(task)
                task.add_done_callback(running.discard)
            await asyncio.sleep(1 / rate)

    async def _try(self, attack: Callable[[], Awaitable[object]]) -> None:
        name = attack.__name__.strip("_")
        with suppress(OSError, asyncio.IncompleteReadError, ValueError, IndexError, TimeoutError):
            async with asyncio.timeout(20):
                await attack()
            self.counts[name] += 1

    # connections

    async def _open(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(HERE, port, local_addr=(next(self._places), 0))

    async def _crowd(self, port: int) -> None:
        """Hold silent connections, and come again when they are dropped."""

        async def silent() -> None:
            while True:
                with suppress(OSError):
                    reader, writer = await self._open(port)
                    self.counts["crowd"] += 1
                    with suppress(OSError):
                        while await reader.read(65536):
                            pass
                    writer.close()
                await asyncio.sleep(AGAIN * (1 + random.random()))

        await asyncio.gather(*(silent() for _ in range(self._attack.crowd)))

    async def _flood(self) -> None:
        """Connect and reset, at every service by turns."""
        ports, began, done = cycle(self._attack.ports.values()), self._loop.time(), 0
        recent: list[socket.socket] = []
        while True:
            due = int((self._loop.time() - began) * self._attack.flood) - done
            for _ in range(min(due, BURST)):
                done += 1
                one = socket.socket()
                one.setblocking(False)
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                with suppress(OSError):
                    one.bind((next(self._places), 0))
                    one.connect((HERE, next(ports)))
                recent.append(one)
                if len(recent) > 50:
                    recent.pop(0).close()
            self.counts["flood"] = done
            await asyncio.sleep(0.005)

    # requests

    async def _ask(self, request: str, body: object = None, headers: str = "") -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        reader, writer = await self._open(self._attack.ports["web"])
        try:
            writer.write(
                f"{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}"
                f"Content-Length: {len(content)}\r\n\r\n".encode()
                + content
            )
            return await reader.read()
        finally:
            writer.close()

    async def _table(self) -> None:
        await self._ask("POST /api/v1/matches", {"type": "Quarto"})

    async def _engines(self) -> None:
        port, addresses = self._attack.ports["web"], self._attack.addresses
        self.counts["engines refused"] += await engines.attack(port, addresses)

    async def _probe(self) -> None:
        """Have the server connect to a port of its own machine."""
        place = f"{HERE}:{self._attack.canary}"
        player = {"type": "ENGINE", "engine": f"remote:{place}"}
        join = {"game": "x", "index": place, "name": "x"}
        await self._ask(f"GET /api/v1/connect4/games?index={place}")
        await self._ask("POST /api/v1/matches", {"type": "oware", "players": [player, player]})
        await self._ask("POST /api/v1/connect4/join", join)

    async def _token(self) -> None:
        await self._ask("DELETE /api/v1/matches/x", headers="Authorization: Bearer wrong\r\n")

    async def _frame(self) -> None:
        """Garbage after an upgrade, at once or when it is accepted."""
        reader, writer = await self._open(self._attack.ports["web"])
        try:
            writer.write(UPGRADE)
            await (asyncio.sleep(0) if random.random() < 0.5 else reader.readuntil(b"\r\n\r\n"))
            writer.write(random.choice((*NOT_WEBSOCKET, random.randbytes(100))))
            await reader.read()
        finally:
            writer.close()

    async def _fuzz(self) -> None:
        """Lines that are none, at a service of lines."""
        ports = [port for name, port in self._attack.ports.items() if name != "web"]
        reader, writer = await self._open(random.choice(ports))
        try:
            for _ in range(20):
                writer.write(random.choice((*LINES, random.randbytes(300) + b"\n")))
            await reader.read(1000)
        finally:
            writer.close()

    async def _deaf(self) -> None:
        """Pages that ask for everything and read nothing."""
        _, writer = await self._open(self._attack.ports["web"])
        writer.transport.pause_reading()
        writer.write(UPGRADE if random.random() < 0.5 else b"GET / HTTP/1.1\r\n\r\n" * 100)
        self._held.append(writer)
        if len(self._held) > 100:
            self._held.pop(0).transport.abort()


async def _main(attack: Attack) -> None:
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # that peers hang up is no news
    attacker = Attacker(attack)
    running = asyncio.create_task(attacker.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    with suppress(asyncio.CancelledError):
        await running
    sys.stdout.write(json.dumps(attacker.counts) + "\n")


def orders(attack: Attack) -> list[str]:
    """The command that attacks so."""
    return [sys.executable, "-m", "benchmarks.attacks.visitors", json.dumps(asdict(attack))]


if __name__ == "__main__":
    asyncio.run(_main(Attack(**json.loads(sys.argv[1]))))
