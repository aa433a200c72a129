"""Servers that are right in their own way must not be blamed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading

import pytest

from spielwerk.check.case import select
from spielwerk.check.oware.cases import all_cases
from spielwerk.check.oware.trial import Peer
from spielwerk.check.server import check
from tests.check.oware.move_server import MoveServer
from tests.check.oware.test_mutants import HASTY, PATIENT, checked
from tests.check.planting import told


class HasFiveStrategies(MoveServer):
    names = (b"0", b"1")

    def strategies(self) -> bytes:
        return rb"[0-4]"

    def name(self, lines: list[bytes]) -> bytes:
        return lines[0]


class HasAnotherDefaultStrategy(MoveServer):
    def default(self) -> bytes:
        return self.names[1]


class HasOneNameForBoth(MoveServer):
    names = (b"Alpha-Beta", b"Alpha-Beta")


class HasOddNames(MoveServer):
    author = b"  \\ <&> 'K' \"M\" "
    names = (b"OK", b"finish")


class WritesByteByByte(MoveServer):
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for byte in self.answer(await self.read(reader))[:300]:
            writer.write(bytes([byte]))
            await writer.drain()


class TakesItsTime(MoveServer):
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = await self.read(reader)
        await asyncio.sleep(0.02)
        writer.write(self.answer(lines))

    async def goodbye(self, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.02)
        await super().goodbye(writer)


class GivesUpAfterSilence(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines: list[bytes] = []
        with contextlib.suppress(TimeoutError):
            while len(lines) < 4:
                async with asyncio.timeout(0.5):
                    lines.append((await reader.readuntil())[:-1])
        return lines


@pytest.mark.parametrize(
    "server",
    [
        HasFiveStrategies(),
        HasAnotherDefaultStrategy(),
        HasOneNameForBoth(),
        HasOddNames(),
    ],
    ids=lambda server: type(server).__name__,
)
def test_nothing_is_wrong_with(server: MoveServer) -> None:
    cases = select(all_cases(3), ["answer", "names", "majority", "random/few-stones"])
    assert told(asyncio.run(checked(server, cases, PATIENT)), advice=True) == []


@pytest.mark.parametrize("server", [WritesByteByByte(), TakesItsTime()])
def test_nothing_is_wrong_with_slow_ones(server: MoveServer) -> None:
    cases = select(all_cases(3), ["answer", "network/at-once", "network/byte-by-byte"])
    assert told(asyncio.run(checked(server, cases, PATIENT)), advice=True) == []


def test_silence_is_answered() -> None:
    cases = select(all_cases(silence=0.1), ["network/silence"])
    assert told(asyncio.run(checked(GivesUpAfterSilence(), cases, PATIENT)), advice=True) == []
    problems = told(asyncio.run(checked(MoveServer(), cases, HASTY)))
    assert len(problems) == 3
    assert all("no answer came in time" in problem for problem in problems)


def plain(listener: socket.socket, server: MoveServer) -> None:
    """A thread for each client that takes single bytes and leaves the rest of them unread."""

    def serve(connection: socket.socket) -> None:
        with connection:
            request = b""
            while request.count(b"\n") < 4 and (byte := connection.recv(1)):
                request += byte
            connection.sendall(server.answer(request.split(b"\n")[:-1]))

    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def test_nothing_is_wrong_with_threads_that_leave_further_lines_unread() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    peer = Peer("127.0.0.1", listener.getsockname()[1], PATIENT, close_patience=PATIENT)
    accepting = threading.Thread(target=plain, args=(listener, MoveServer()))
    accepting.start()
    cases = select(all_cases(), ["answer", "network/further-lines", "network/half-closed"])
    try:
        assert told(asyncio.run(check(cases, peer, 4)), advice=True) == []
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join()
