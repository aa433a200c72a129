"""The index server on one core: requests, a list of 10,000 games, heartbeats of 5,000 initiators.

Fifty connections ask, each again as soon as it is answered, beside a bare asyncio echo of the same
line. Registrations are in the database before they are confirmed. Heartbeats come from 5,000
addresses of this machine, each every 10 s, and go back to them; nobody may fall out of the list.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys
import time
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, cast

from benchmarks.load.figures import DISK
from benchmarks.load.processes import OTHER_CORES, SERVER_CORES, server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from benchmarks.load.processes import ServerProcess

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))

CONNECTIONS = 50
SECONDS = 4.0
GAMES = 10_000
INITIATORS = 5000
BEATS = 25.0  # seconds, longer than the silence that is allowed here
SILENCE = 20
UDP_PORT = 39_090
IP_PKTINFO = 8  # Linux: says from which of our addresses a datagram comes

LIST = b"request_game_list\n"
Row = tuple[str, str]


class Load(NamedTuple):
    """What was measured."""

    rate: float
    slow: float  # milliseconds, 99 %
    cpu: float  # of the core

    def __str__(self) -> str:
        each = 1e6 * self.cpu / max(1.0, self.rate)
        figure = f"{self.rate:,.0f}/s  99 % {self.slow:.1f} ms"
        return f"{figure}  {self.cpu:.0%} of the core, {each:.0f} us each"


class Asking(asyncio.Protocol):
    """Asks, waits for the answer, and asks again."""

    def __init__(self, ask: Callable[[bytes], bytes], times: list[float]) -> None:
        self._ask = ask
        self._times = times
        self._answer: list[bytes] = []
        self._since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast("asyncio.Transport", transport)
        self._next(b"")

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        self._answer.append(data)
        if data.endswith(b"\n"):
            self._times.append(time.perf_counter() - self._since)
            answer, self._answer = b"".join(self._answer), []
            self._next(answer)

    def _next(self, answer: bytes) -> None:
        self._since = time.perf_counter()
        self._transport.write(self._ask(answer))


def rows() -> Iterator[Row]:
    """The echo, then the server beside it."""
    yield "cores: of the server, of the clients", f"{SERVER_CORES}, {OTHER_CORES}"
    os.sched_setaffinity(0, OTHER_CORES)
    with server(sys.executable, "-m", "benchmarks.load.echo") as echo:
        bare = asyncio.run(_load(echo, echo.ports(1)[0], lambda _: LIST))
        yield "bare asyncio echo", str(bare)
    with TemporaryDirectory(dir=DISK) as folder, _index(folder) as serving:
        (port,) = serving.ports(1)
        found = asyncio.run(_load(serving, port, lambda _: LIST))
        yield "request_game_list, no games", f"{found}  {found.rate / bare.rate:.2f} x the echo"
        found = asyncio.run(_load(serving, port, _registrations()))
        yield "register_game, unregister_game", f"{found}  {found.rate / bare.rate:.2f} x the echo"
        yield from _long_list(serving, port)
    with TemporaryDirectory(dir=DISK) as folder, _index(folder) as serving:
        yield from _heartbeats(serving, serving.ports(1)[0])


def _index(folder: str) -> AbstractContextManager[ServerProcess]:
    limits = ("entries=20000", "entries_each=20000", f"silence={SILENCE}")
    chosen = [word for limit in limits for word in ("--set", f"index.{limit}")]
    command = [SPIELWERK, "serve", "--only", "index", "--port", "index=0", "--data", folder]
    return server(*command, *chosen, log=Path(folder) / "log")


async def _load(
    serving: ServerProcess,
    port: int,
    ask: Callable[[bytes], bytes],
    connections: int = CONNECTIONS,
) -> Load:
    loop, times = asyncio.get_running_loop(), list[float]()
    made = [
        await loop.create_connection(lambda: Asking(ask, times), "127.0.0.1", port)
        for _ in range(connections)
    ]
    await asyncio.sleep(0.5)
    times.clear()
    cpu, began = serving.cpu(), time.perf_counter()
    await asyncio.sleep(SECONDS)
    took, found = time.perf_counter() - began, [*times]
    for transport, _ in made:
        transport.abort()
    await asyncio.sleep(0.1)
    slow = 1000 * quantiles(found, n=100)[-1]
    return Load(len(found) / took, slow, (serving.cpu() - cpu) / took)


def _registrations() -> Callable[[bytes], bytes]:
    """Registers a game, and unregisters it when that is confirmed."""
    numbers = iter(range(10**9))

    def ask(answer: bytes) -> bytes:
        header, _, rest = answer.partition(b";")
        if header == b"register_success":
            return b"unregister_game;" + rest
        return _register(f"game {next(numbers)}", "127.0.0.1")

    return ask


def _register(name: str, address: str, port: int = UDP_PORT) -> bytes:
    return f"register_game;martin;{name};7;6;4;{address};{port}\n".encode()


def _fill(port: int, lines: list[bytes]) -> float:
    """Register all of them; the seconds it took."""
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port)) as made, made.makefile("rb") as answers:
        for start in range(0, len(lines), 500):
            made.sendall(b"".join(lines[start : start + 500]))
            for _ in lines[start : start + 500]:
                if not answers.readline().startswith(b"register_success"):
                    raise RuntimeError("a game could not be registered")
    return time.perf_counter() - began


def _listed(port: int) -> tuple[int, int]:
    """How many games there are, and in how many bytes."""
    with socket.create_connection(("127.0.0.1", port)) as made, made.makefile("rb") as answers:
        made.sendall(LIST)
        line = answers.readline()
    return int(line.split(b";", 2)[1]), len(line)


def _long_list(serving: ServerProcess, port: int) -> Iterator[Row]:
    seconds = _fill(port, [_register(f"martin's game {n}", "127.0.0.1") for n in range(GAMES)])
    yield (
        f"{GAMES:,} registered on one connection",
        f"{GAMES / seconds:,.0f}/s, one after the other",
    )
    count, size = _listed(port)
    for connections in (1, CONNECTIONS):
        found = asyncio.run(_load(serving, port, lambda _: LIST, connections))
        rate = f"{found.rate * size / 1e6:,.0f} MB/s"
        yield (
            f"list of {count:,} games, {size / 1e3:,.0f} KB, {connections} clients",
            (f"{found}  {rate}"),
        )


# heartbeats


def _address(number: int) -> str:
    return f"127.1.{number // 250}.{number % 250 + 1}"


def _heartbeats(serving: ServerProcess, port: int) -> Iterator[Row]:
    _fill(port, [_register(f"game {n}", _address(n)) for n in range(INITIATORS)])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**22)
        udp.bind(("0.0.0.0", UDP_PORT))  # noqa: S104 - all of this machine's 127.x.x.x
        udp.setblocking(False)
        cpu, began = serving.cpu(), time.perf_counter()
        sent, heard = _beat(udp, port, began)
        took = time.perf_counter() - began
        share = (serving.cpu() - cpu) / took
        flood = _flood(serving, udp, port)
    figure = f"{sent / took:,.0f}/s in, {heard / took:,.0f}/s out, {share:.1%} of the core"
    yield f"heartbeats of {INITIATORS:,} initiators", figure
    yield f"  still in the list after {took:.0f} s", f"{_listed(port)[0]:,} of {INITIATORS:,}"
    yield "  as fast as they can be sent", flood


def _beat(udp: socket.socket, port: int, began: float) -> tuple[int, int]:
    """Every initiator every 10 s, evenly; how many went and how many came."""
    sent = heard = 0
    while (now := time.perf_counter() - began) < BEATS:
        while sent < now * INITIATORS / 10:
            _send(udp, port, sent % INITIATORS)
            sent += 1
        heard += _drain(udp)
        time.sleep(0.002)
    return sent, heard


def _send(udp: socket.socket, port: int, number: int) -> None:
    source = struct.pack("=I4s4s", 0, socket.inet_aton(_address(number)), bytes(4))
    udp.sendmsg([b"heartbeat\n"], [(socket.IPPROTO_IP, IP_PKTINFO, source)], 0, ("127.0.0.1", port))


def _drain(udp: socket.socket) -> int:
    count = 0
    try:
        while udp.recv(64) == b"heartbeat\n":
            count += 1
    except BlockingIOError:
        return count
    raise RuntimeError("something else than a heartbeat came")


def _flood(serving: ServerProcess, udp: socket.socket, port: int) -> str:
    """What a heartbeat costs when they come without a pause; many are lost."""
    cpu, began, sent = serving.cpu(), time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS:
        _send(udp, port, sent % INITIATORS)
        sent += 1
        if sent % 100 == 0:
            _drain(udp)
    took = time.perf_counter() - began
    return f"{sent / took:,.0f}/s sent, {(serving.cpu() - cpu) / took:.0%} of the core"
