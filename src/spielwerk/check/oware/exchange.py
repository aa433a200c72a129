"""One connection to a move server: what is sent, how, and all that comes back until the end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from spielwerk.wire.oware import words

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDLESS: Final = 1 << 20  # bytes after which nobody waits for the end of an answer
LINES: Final = len(words.ANSWER_LINES)


class Ending(Enum):
    """How a connection ended."""

    CLOSED = "closed"
    BROKEN = "broken"  # reset
    SILENT = "silent"  # the answer was not complete in time
    OPEN = "open"  # the answer was complete, but the connection stayed open
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back, and how it ended."""

    received: bytes
    ending: Ending
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Sending:
    """A request in pieces with pauses between them, and whether nothing will follow."""

    pieces: tuple[bytes, ...]
    pause: float = 0.0
    half_close: bool = False
    manner: str = ""

    @property
    def request(self) -> bytes:
        """All of it."""
        return b"".join(self.pieces)


def whole(request: bytes) -> Sending:
    """The request in one piece; the client goes on listening and could say more."""
    return Sending((request,))


def ended(request: bytes) -> Sending:
    """The request in one piece, and the client has closed its sending side."""
    return Sending((request,), half_close=True, manner="then the client closes its sending side")


def split(pieces: Sequence[bytes], pause: float, manner: str) -> Sending:
    """The request in pieces."""
    return Sending(tuple(pieces), pause, manner=manner)


class Connection(asyncio.Protocol):
    """A connection and all that came on it; unlike a stream it keeps that when it breaks."""

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._received = bytearray()
        self._ending: Ending | None = None
        self._problem = ""
        self._answered = asyncio.Event()  # the answer is complete, or nothing more will come
        self._ended = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        self._received += data
        if len(self._received) > ENDLESS:
            self._end(Ending.OPEN)
        elif self._received.count(b"\n") >= LINES:
            self._answered.set()

    def eof_received(self) -> bool:
        """The server has closed; what the client still says does not matter."""
        self._end(Ending.CLOSED)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has broken, unless it had ended before."""
        self._problem = str(exc or "")
        self._end(Ending.BROKEN)

    def _end(self, ending: Ending) -> None:
        self._ending = self._ending or ending
        self._answered.set()
        self._ended.set()

    async def exchange(self, sending: Sending, timeout: float, close_timeout: float) -> Exchange:
        """Send, and read to the end; the time for the answer counts from the last byte sent."""
        late = Ending.SILENT
        try:
            await self.send(sending)
            async with asyncio.timeout(timeout):
                await self._answered.wait()
            late = Ending.OPEN
            async with asyncio.timeout(close_timeout):
                await self._ended.wait()
        except TimeoutError:
            self._end(late)
        finally:
            self.abort()
        return Exchange(bytes(self._received), self._ending or late, self._problem)

    async def send(self, sending: Sending) -> None:
        """Send the pieces, until the server has answered: to send more would break the line."""
        for number, piece in enumerate(sending.pieces):
            if number:
                await asyncio.sleep(sending.pause)
            if self._answered.is_set():
                return
            self._transport.write(piece)
        if sending.half_close and not self._transport.is_closing():
            self._transport.write_eof()

    def abort(self) -> None:
        """Break the connection off, without a goodbye."""
        self._transport.abort()


async def connect(host: str, port: int, timeout: float) -> Connection:
    """Open a connection, or OSError."""
    async with asyncio.timeout(timeout):
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(Connection, host, port))[1]
