"""The Oware move server, asked by another process.

Every request is a connection of its own. The yardstick is a bare asyncio server that reads four
lines and sends five, asked in the same way.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_states

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

SECONDS: Final = 5.0
CLIENTS: Final = 16
HELD: Final = 2000
STANDARD: Final = "0 0 4 4 4 4 4 4 4 4 4 4 4 4"

BARE: Final = """
import asyncio

async def answer(reader, writer):
    for _ in range(4):
        await reader.readline()
    writer.write(b"OK\\nbare\\nbare\\n0\\n0 0 0 5 5 5 5 4 4 4 4 4 4 4\\n")
    writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print("bare", "%s:%d" % server.sockets[0].getsockname()[:2], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@contextmanager
def server(*command: str) -> Iterator[tuple[int, int]]:
    """A server process; its number and its port."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout  # noqa: S101 - it was started with a pipe
        line = process.stdout.readline().decode()
        try:
            yield process.pid, int(line.rpartition(":")[2])
        finally:
            process.terminate()


@contextmanager
def ours() -> Iterator[tuple[int, int]]:
    """`spielwerk serve --only oware`, with everything compiled."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(sys.executable).with_name("spielwerk"))
        options = ("--only", "oware", "--port", "oware=0", "--data", folder)
        with server(program, "serve", *options, "--set", "server.log=error") as running:
            asyncio.run(_warm(running[1]))
            yield running


async def _warm(port: int) -> None:
    await asyncio.gather(*(ask(port, request(depth, "")) for depth in (1, 5, 9) for _ in range(8)))


def request(depth: int, history: str) -> bytes:
    """Ask strategy 0."""
    return f"0\n{depth}\n{STANDARD}\n{history}\n".encode()


def histories() -> list[str]:
    """Games of all lengths, as a client would send them."""
    found = []
    for seed in range(200):
        rng = Random(seed)
        *states, _ = random_states(Oware().start(), rng)
        found.append(_played(seed, rng.randrange(len(states))))
    return found


def _played(seed: int, length: int) -> str:
    """The first moves of the random game with this seed."""
    rng, state, moves = Random(seed), Oware().start(), ""
    while len(moves) < length:
        move = rng.choice(state.legal_moves())
        state, moves = state.play(move), f"{moves}{move}"
    return moves


async def ask(port: int, data: bytes) -> float:
    """Send a request, wait for the answer and the end; how long that took."""
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    answer = await reader.read()
    writer.close()
    assert answer.count(b"\n") == 5, answer  # noqa: S101 - else we would measure nonsense
    return time.perf_counter() - began


async def rate(port: int, requests: list[bytes]) -> float:
    """Requests a second with a few clients that ask without a pause."""
    end, count = time.perf_counter() + SECONDS, 0

    async def client(number: int) -> None:
        nonlocal count
        while time.perf_counter() < end:
            await ask(port, requests[(number * 7919 + count) % len(requests)])
            count += 1

    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    return count / SECONDS


async def probed(port: int) -> list[float]:
    """How long depth-1 requests took, one every 20 ms, sorted."""
    end, taken = time.perf_counter() + SECONDS, []
    while time.perf_counter() < end:
        taken.append(await ask(port, request(1, "33")))
        await asyncio.sleep(0.02)
    return sorted(taken)


async def under_load(port: int) -> list[float]:
    """The same while four clients ask for depth 9 all the time."""
    moves = histories()

    async def deep() -> None:
        while True:
            for history in moves:
                await ask(port, request(9, history))

    tasks = [asyncio.create_task(deep()) for _ in range(4)]
    taken = await probed(port)
    for task in tasks:
        task.cancel()
    return taken


async def _held(port: int) -> AsyncIterator[asyncio.StreamWriter]:
    for _ in range(HELD):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"0\n1\n")
        yield writer


async def holding(pid: int, port: int) -> tuple[float, float]:
    """Kilobytes a connection that waits, and milliseconds of a request beside all of them."""
    before = memory(pid)
    writers = [writer async for writer in _held(port)]
    seconds = await ask(port, request(1, ""))
    each = (memory(pid) - before) / HELD
    for writer in writers:
        writer.close()
    return each, 1000 * seconds


def memory(pid: int) -> float:
    """Kilobytes that the process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return float(status.partition("VmRSS:")[2].split()[0])


def _times(taken: list[float]) -> str:
    p50, p99 = (1000 * taken[int(len(taken) * part)] for part in (0.5, 0.99))
    return f"{p50:.1f} ms, 99 % within {p99:.1f}, at most {1000 * taken[-1]:.1f}"


def rows() -> Iterator[tuple[str, str]]:
    """The figures."""
    games = histories()
    with server(sys.executable, "-c", BARE) as (_, port):
        bare = asyncio.run(rate(port, [request(1, "")]))
    yield "bare server, answers a second", f"{bare:,.0f}"
    with ours() as (pid, port):
        for depth in (1, 5):
            found = asyncio.run(rate(port, [request(depth, history) for history in games]))
            yield (
                f"requests a second at depth {depth}",
                f"{found:,.0f} ({found / bare:.2f} of bare)",
            )
        yield "depth 1 alone", _times(asyncio.run(probed(port)))
        yield "depth 1 beside four at depth 9", _times(asyncio.run(under_load(port)))
        each, beside = asyncio.run(holding(pid, port))
        yield f"{HELD:,} connections held", f"{each:.1f} KB each, an answer in {beside:.1f} ms"
