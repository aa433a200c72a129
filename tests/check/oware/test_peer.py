"""Asking a server: what it says about itself, and all the ways in which it can fail to answer."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from spielwerk.check.case import Side
from spielwerk.check.oware.requests import Sending, ended
from spielwerk.check.oware.trial import Exchange, OwareTrial, Peer
from spielwerk.errors import UsageError
from tests.check.oware.move_server import MoveServer
from tests.check.oware.wrong_talkers import EndsLinesWithCrLf

REQUEST = b"1\n1\n0 0 4 4 4 4 4 4 4 4 4 4 4 4\n33\n"
WHOLE = Sending((REQUEST,))
PATIENT = 60.0
T = TypeVar("T")


class Scripted(MoveServer):
    """Reads a line and sends what it was told to, then does as it was told."""

    def __init__(self, said: bytes, then: str) -> None:
        self.said, self.then = said, then

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(self.said)

    async def goodbye(self, writer: asyncio.StreamWriter) -> None:
        if self.then == "break":
            connection = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        elif self.then == "close":
            await super().goodbye(writer)


async def with_peer(
    server: MoveServer, do: Callable[[Peer], Awaitable[T]], wait: float = PATIENT
) -> T:
    async with server.listening() as port:
        return await do(Peer("127.0.0.1", port, wait, close_patience=wait))


def told(server: MoveServer, sending: Sending, wait: float = PATIENT) -> tuple[Exchange, list[str]]:
    """What comes back, and the kinds of what is wrong with it."""

    async def ask(peer: Peer) -> tuple[Exchange, list[str]]:
        trial = OwareTrial(peer)
        exchange = await trial.ask(sending)
        return exchange, [fault.kind for fault in trial.faults]

    return asyncio.run(with_peer(server, ask, wait))


def introduced(server: MoveServer) -> Peer:
    async def introduce(peer: Peer) -> Peer:
        await peer.introduce()
        return peer

    return asyncio.run(with_peer(server, introduce))


@pytest.mark.parametrize("server", [MoveServer(), EndsLinesWithCrLf()])
def test_a_server_tells_its_names(server: MoveServer) -> None:
    names = introduced(server).names
    assert names.author == b"Karl Muster"
    assert names.default == b"Karl Musters Super-Strategie"
    assert names.strategies == {
        0: b"Karl Musters Super-Strategie",
        1: b"Karl Musters zweite Strategie",
    }


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        peer = Peer("127.0.0.1", free.getsockname()[1])
        with pytest.raises(UsageError, match="is the server running there"):
            asyncio.run(peer.introduce())


@pytest.mark.parametrize(
    "sending",
    [
        WHOLE,
        ended(REQUEST),
        Sending((REQUEST[:7], REQUEST[7:]), 0.001),
        Sending(tuple(bytes([byte]) for byte in REQUEST)),
    ],
)
def test_a_right_answer_is_right_however_it_was_asked_for(sending: Sending) -> None:
    exchange, faults = told(MoveServer(), sending)
    assert (exchange.ending, faults) == ("closed", [])


def test_a_server_that_answers_too_early_is_heard() -> None:
    sending = Sending((REQUEST[:5], *[b"x"] * 20), 0.005)
    exchange, _ = told(Scripted(b"a\nb\nc\nd\ne\n", "close"), sending)
    assert exchange.received == b"a\nb\nc\nd\ne\n"
    assert exchange.ending == "closed"


@pytest.mark.parametrize(
    ("said", "then", "kind"),
    [
        (b"", "close", "nothing"),
        (b"", "break", "reset"),
        (b"OK\n", "close", "cut-off"),
        (b"ERROR strategy\n" * 5, "close", "differs:'OK', 'ERROR strategy'"),
    ],
)
def test_answers_that_fail(said: bytes, then: str, kind: str) -> None:
    assert told(Scripted(said, then), WHOLE)[1] == [kind]


@pytest.mark.parametrize(("said", "kind"), [(b"", "silent"), (b"OK\nhalf", "part")])
def test_silence(said: bytes, kind: str) -> None:
    assert told(Scripted(said, "wait"), WHOLE, 0.1)[1] == [kind]


def test_a_connection_that_stays_open() -> None:
    board = "0 0 0 5 5 5 5 4 4 4 4 4 4 4"
    right = f"OK\nme\nmine\n0\n{board}\n".encode()
    request = b"0\n1\n0 0 4 4 4 4 4 4 4 4 4 4 4 4\n\n"
    assert told(Scripted(right, "close"), Sending((request,)))[1] == []
    assert told(Scripted(right, "wait"), Sending((request,)), 0.1)[1] == ["left-open"]


def test_an_endless_answer_comes_to_an_end() -> None:
    exchange, _ = told(Scripted(b"x" * (2 << 20), "wait"), WHOLE)
    assert exchange.ending == "open"
    assert len(exchange.received) > 1 << 20


def test_patience_wears_out() -> None:
    async def ask(peer: Peer) -> tuple[float, float]:
        before = peer.timeout
        for _ in range(2):
            await OwareTrial(peer).ask(REQUEST)
        return before, peer.timeout

    before, after = asyncio.run(with_peer(Scripted(b"", "wait"), ask, 0.1))
    assert after < before == 0.1


def test_a_server_that_is_gone() -> None:
    async def ask() -> str:
        async with MoveServer().listening() as port:
            peer = Peer("127.0.0.1", port)
            await peer.introduce()
        trial = OwareTrial(peer)
        await trial.ask(REQUEST)
        async with trial.guests(b""):
            pass
        return ", ".join(fault.kind for fault in trial.faults)

    assert asyncio.run(ask()) == "unreachable, unreachable"


def test_only_what_was_answered_wrongly_is_kept() -> None:
    async def ask(peer: Peer) -> list[bytes]:
        trial = OwareTrial(peer)
        for request in (REQUEST, REQUEST[2:]):
            await trial.ask(ended(request))
        return [entry.data for entry in trial.transcript if entry.side is Side.CHECKER]

    class WrongOnce(MoveServer):
        def unterminated(self, lines: list[bytes], rest: bytes) -> list[bytes]:
            return [*lines, rest, b""]

    assert asyncio.run(with_peer(MoveServer(), ask)) == []
    assert asyncio.run(with_peer(WrongOnce(), ask)) == [REQUEST[2:]]
