"""UDP with real sockets: what comes, what is too long, and what cannot be sent."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from spielwerk.net.datagrams import A_TURN, LONGEST, Datagrams
from tests.waiting import until

Heard = list[tuple[bytes, tuple[str, int]]]


class Ears:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: Heard = []
        self.oversized: list[tuple[str, int]] = []

    def receive(self, data: bytes, source: tuple[str, int]) -> None:
        if data == b"trap":
            raise RuntimeError("fell into it")
        self.heard.append((data, source))

    async def until(self, count: int) -> Heard:
        await until(lambda: len(self.heard) >= count)
        return self.heard


@asynccontextmanager
async def listening(host: str = "127.0.0.1") -> AsyncIterator[tuple[Datagrams, Ears]]:
    ears = Ears()
    datagrams = Datagrams(
        asyncio.get_running_loop(), (host, 0), ears.receive, ears.oversized.append
    )
    try:
        yield datagrams, ears
    finally:
        datagrams.close()


def sender(host: str = "127.0.0.1") -> socket.socket:
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((host, 0))
    made.settimeout(60)
    return made


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_there_and_back(host: str) -> None:
    async def run() -> None:
        async with listening(host) as (datagrams, ears):
            with sender(host) as peer:
                peer.sendto(b"heartbeat\n", datagrams.address)
                ((data, source),) = await ears.until(1)
                assert (data, source) == (b"heartbeat\n", peer.getsockname()[:2])
                assert datagrams.send(b"and back", source)
                answer, from_ = await asyncio.to_thread(peer.recvfrom, 100)
                assert (answer, from_[:2]) == (b"and back", datagrams.address)

    asyncio.run(run())


def test_what_is_too_long_is_not_handed_on() -> None:
    async def run() -> None:
        async with listening() as (datagrams, ears):
            with sender() as peer:
                for size in (LONGEST, LONGEST + 1, 60_000, 0):
                    peer.sendto(bytes(size), datagrams.address)
                heard = await ears.until(2)
                assert [len(data) for data, _ in heard] == [LONGEST, 0]
                assert ears.oversized == [peer.getsockname()] * 2

    asyncio.run(run())


def test_a_mistake_with_one_datagram_is_logged_and_the_next_is_heard(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def run() -> None:
        async with listening() as (datagrams, ears):
            with sender() as peer:
                peer.sendto(b"trap", datagrams.address)
                peer.sendto(b"fine", datagrams.address)
                ((data, _),) = await ears.until(1)
                assert data == b"fine"

    asyncio.run(run())
    assert "fell into it" in caplog.text


def test_a_flood_leaves_turns_to_others() -> None:
    async def run() -> None:
        async with listening() as (datagrams, ears):
            with sender() as peer:
                for _ in range(2 * A_TURN):
                    peer.sendto(b"x", datagrams.address)
                counts = []
                while len(ears.heard) < 2 * A_TURN:
                    await asyncio.sleep(0)
                    counts.append(len(ears.heard))
                assert any(0 < count <= A_TURN for count in counts)

    asyncio.run(run())


@pytest.mark.parametrize(
    "target",
    [
        ("255.255.255.255", 80),  # forbidden to plain sockets
        ("::1", 80),  # of the other kind
        ("127.0.0.1", 70_000),
    ],
)
def test_what_cannot_be_sent_is_lost_and_no_more(target: tuple[str, int]) -> None:
    async def run() -> None:
        async with listening() as (datagrams, ears):
            assert not datagrams.send(b"x", target)
            with sender() as peer:
                peer.sendto(b"still here", datagrams.address)
                await ears.until(1)

    asyncio.run(run())


def test_which_hosts_it_reaches() -> None:
    async def run() -> None:
        async with listening() as (four, _), listening("::1") as (six, _):
            assert [four.reaches(host) for host in ("127.0.0.1", "::1")] == [True, False]
            assert [six.reaches(host) for host in ("127.0.0.1", "::1")] == [False, True]

    asyncio.run(run())
