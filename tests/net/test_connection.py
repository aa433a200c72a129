"""A connection over real sockets: its timer, its limits, and all the ways it can end."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from spielwerk.net import connection
from spielwerk.net.connection import UNREAD, Connection, Direction, unpack
from spielwerk.net.listening import listen
from tests.waiting import PATIENCE, until

WAYS = ["fin", "reset", "half-close", "close", "drop"]


class Recorded(Connection):
    """A connection that writes down what happens to it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop, 10_000)
        self.events: list[str] = []
        self.text = b""
        self.over = asyncio.Event()

    def opened(self) -> None:
        self.events.append("opened")

    def received(self, data: bytes) -> None:
        self.text += data

    def ended(self) -> None:
        self.events.append("ended")

    def woken(self) -> None:
        self.events.append("woken")

    def gone(self, why: str) -> None:
        self.events.append(f"gone: {why}")
        self.over.set()


class Pair:
    """The server's end, which is ours, and the client's, which is a plain socket."""

    def __init__(self, ours: Recorded, client: socket.socket) -> None:
        self.ours = ours
        self.client = client

    async def hear(self) -> bytes:
        """Everything that the client hears; ConnectionResetError if it was reset."""
        loop, heard = asyncio.get_running_loop(), b""
        while data := await loop.sock_recv(self.client, 65536):
            heard += data
        return heard

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.client, data)

    def reset(self) -> None:
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.client.close()


@asynccontextmanager
async def connected(*, tiny: bool = False) -> AsyncIterator[Pair]:
    """A connection over loopback; a tiny one has hardly any room in its sockets."""
    loop = asyncio.get_running_loop()
    made: list[Recorded] = []

    def make() -> Recorded:
        made.append(Recorded(loop))
        return made[-1]

    listener = await loop.create_server(make, "127.0.0.1", 0)
    client = socket.socket()
    client.setblocking(False)
    if tiny:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    await loop.sock_connect(client, listener.sockets[0].getsockname())
    await until(lambda: made and made[0].events)
    if tiny:
        ours = made[0].transport.get_extra_info("socket")
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    try:
        yield Pair(made[0], client)
    finally:
        client.close()
        made[0].drop()
        await made[0].over.wait()
        listener.close()
        await listener.wait_closed()


def play(scene: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(PATIENCE):
            await scene()

    asyncio.run(limited())


@pytest.fixture
def short_linger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LINGER", 0.1)


# talk


def test_bytes_go_both_ways_and_are_written_down() -> None:
    async def scene() -> None:
        async with connected() as pair:
            await pair.send(b"hello\n")
            await until(lambda: pair.ours.text)
            pair.ours.send(b"+ hello\n")
            pair.ours.close()
            assert await pair.hear() == b"+ hello\n"
            assert pair.ours.transcript
            pieces = [(p.direction, p.data) for p in unpack(pair.ours.transcript.pack())]
            assert pieces == [(Direction.RECEIVED, b"hello\n"), (Direction.SENT, b"+ hello\n")]

    play(scene)


# the timer


def test_a_later_call_replaces_an_earlier_one() -> None:
    async def scene() -> None:
        async with connected() as pair:
            ours = pair.ours
            begun = ours.now
            ours.wake_at(begun + 0.02)
            ours.wake_at(begun + 0.1)
            await until(lambda: "woken" in ours.events)
            assert ours.now >= begun + 0.1 - connection.RESOLUTION
            await asyncio.sleep(0.05)
            assert ours.events.count("woken") == 1

    play(scene)


def test_nobody_is_woken_who_is_gone() -> None:
    async def scene() -> None:
        async with connected() as pair:
            pair.ours.wake_at(pair.ours.now + 0.02)
            pair.ours.drop()
            await asyncio.sleep(0.05)
            assert pair.ours.events == ["opened", "gone: closed"]

    play(scene)


# ends


@pytest.mark.usefixtures("short_linger")
@pytest.mark.parametrize("way", WAYS)
def test_gone_is_told_once_however_it_ends(way: str) -> None:
    async def scene() -> None:
        async with connected() as pair:
            ours = pair.ours
            ways: dict[str, Callable[[], object]] = {
                "fin": pair.client.close,
                "reset": pair.reset,
                "half-close": lambda: pair.client.shutdown(socket.SHUT_WR),
                "close": ours.close,
                "drop": ours.drop,
            }
            ways[way]()
            if way in ("fin", "half-close"):
                await until(lambda: "ended" in ours.events)
                ours.close()
            await ours.over.wait()
            assert ours.closed
            ours.close()
            ours.drop()
            await asyncio.sleep(0.02)
            assert [event for event in ours.events if event.startswith("gone")] == ours.events[-1:]

    play(scene)


def test_a_peer_that_only_listens_can_still_be_told_things() -> None:
    async def scene() -> None:
        async with connected() as pair:
            pair.client.shutdown(socket.SHUT_WR)
            await until(lambda: "ended" in pair.ours.events)
            pair.ours.send(b"- bye\n")
            pair.ours.close()
            assert await pair.hear() == b"- bye\n"

    play(scene)


def test_the_last_words_arrive_though_much_was_not_read() -> None:
    """A socket that is closed with unread bytes is reset, and the peer never hears why."""

    async def scene() -> None:
        async with connected() as pair:
            sending = asyncio.create_task(pair.send(b"x" * 3_000_000))
            await until(lambda: pair.ours.text)
            pair.ours.send(b"- that is too much\n")
            pair.ours.close()
            length = len(pair.ours.text)
            await sending
            assert await pair.hear() == b"- that is too much\n"
            assert len(pair.ours.text) == length

    play(scene)


async def talk(pair: Pair) -> None:
    while True:
        await pair.send(b"and another thing\n")
        await asyncio.sleep(0.005)


def test_a_peer_that_does_not_read_is_dropped() -> None:
    async def scene() -> None:
        async with connected(tiny=True) as pair:
            said = 0
            while not pair.ours.closed:
                pair.ours.send(b"x" * 1000)
                said += 1000
                assert said < 100 * UNREAD
            await pair.ours.over.wait()

    play(scene)


@pytest.mark.usefixtures("short_linger")
@pytest.mark.parametrize("half_closed", [False, True])
def test_last_words_that_nobody_reads_are_not_kept_for_ever(half_closed: bool) -> None:
    async def scene() -> None:
        async with connected(tiny=True) as pair:
            pair.ours.send(b"x" * (UNREAD - 1000))
            assert pair.ours.transport.get_write_buffer_size()
            if half_closed:
                pair.client.shutdown(socket.SHUT_WR)
                await until(lambda: "ended" in pair.ours.events)
            pair.ours.close()
            async with asyncio.timeout(10):
                await pair.ours.over.wait()

    play(scene)


@pytest.mark.parametrize("way", ["fin", "reset"])
def test_closing_is_no_error_when_the_peer_has_just_gone(way: str) -> None:
    """Our last words are what tells the system that nobody is there any more."""

    async def scene() -> None:
        async with connected() as pair:
            pair.client.close() if way == "fin" else pair.reset()
            pair.ours.send(b"+ QUIT\n")
            pair.ours.close()
            await pair.ours.over.wait()

    play(scene)


def test_the_peer_is_named() -> None:
    async def scene() -> None:
        async with connected() as pair:
            host, port = pair.client.getsockname()
            assert pair.ours.peer == f"{host}:{port}"

    play(scene)


def test_whoever_connects_is_written_to_at_once() -> None:
    """Not when the other side has confirmed what came before."""

    async def connect() -> int:
        made = Recorded(asyncio.get_running_loop())
        (server,) = await listen(lambda: made, "127.0.0.1", 0)
        with socket.create_connection(server.sockets[0].getsockname()):
            await until(lambda: made.events)
        server.close()
        ours: socket.socket = made.transport.get_extra_info("socket")
        at_once = ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        made.transport.abort()
        await until(made.over.is_set)
        return at_once

    assert asyncio.run(connect())
