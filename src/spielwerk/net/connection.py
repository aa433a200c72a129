"""One TCP connection: a single re-armed timer, a bounded transcript, and an end that arrives.

A peer that does not read is dropped, never waited for. A closed connection lingers: what we said
last would be lost if bytes from the peer were still unread when the socket goes.

Of a transcript the beginning and the most recent part are kept; what lies between is counted.
Packed, a record is its microseconds since the connection opened, its direction, its length, and the
bytes: fine enough to put the traffic of several connections in order.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NEVER: Final = float("inf")
LINGER: Final = 2.0  # seconds that a peer may go on talking after we have closed
UNREAD: Final = 65536  # bytes that may wait for a peer to read them
RESOLUTION: Final = 1e-6  # the loop's timers may be early by so much

# A machine that has lost its power says nothing: the system looks after two minutes.
_KEEPALIVE: Final = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))

_HEADER: Final = struct.Struct("<QBI")
PIECE_LIMIT: Final = 4096  # bytes kept of one piece: a flood is told by its beginning


class Connection(asyncio.Protocol):
    """The base of all our TCP connections; the hooks are `opened` to `gone`."""

    transport: asyncio.Transport

    def __init__(self, loop: asyncio.AbstractEventLoop, transcript_limit: int) -> None:
        self.loop = loop
        self.transcript = Transcript(transcript_limit) if transcript_limit else None
        self.closed = False  # we have said everything; what still comes is ignored
        self.host = self.peer = ""
        self.heard = 0.0  # when bytes came last
        nanoseconds = time.time_ns()
        self.opened_wall = nanoseconds // 1_000_000  # and at that very moment by the loop's clock:
        self.opened_at = self.loop.time() - nanoseconds % 1_000_000 / 1e9
        self._timer: asyncio.TimerHandle | None = None
        self._wake = NEVER
        self._silent = False  # the peer has closed its sending side

    # hooks

    def opened(self) -> None:
        """The connection stands."""

    def received(self, data: bytes) -> None:
        """Bytes have come."""

    def ended(self) -> None:
        """The peer will send no more; it may still read."""

    def woken(self) -> None:
        """The time given to `wake_at` has come."""

    def gone(self, why: str) -> None:
        """The connection is no more; called once, however it ended."""

    # verbs

    @property
    def now(self) -> float:
        """The loop's time."""
        return self.loop.time()

    def send(self, data: bytes) -> None:
        """Write one segment."""
        if self.transcript:
            self.transcript.add(self.now - self.opened_at, Direction.SENT, data)
        self.transport.write(data)

    def wake_at(self, when: float) -> None:
        """Have `woken` called then; a later call replaces an earlier one."""
        self._wake = when
        if when == NEVER or (self._timer and self._timer.when() <= when):
            return
        if self._timer:
            self._timer.cancel()
        self._timer = self.loop.call_at(when, self._ring)

    def keep_alive(self) -> None:
        """Have the system look now and then whether a silent peer is still there."""
        end = self.transport.get_extra_info("socket")
        with suppress(OSError, AttributeError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _KEEPALIVE:
                end.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def close(self) -> None:
        """Everything is said: let it arrive, then go."""
        if self.closed:
            return
        self.closed = True
        self.wake_at(self.now + LINGER)
        if self._silent:
            self.transport.close()
        else:
            self._finish()

    def _finish(self) -> None:
        """Close our sending side."""
        try:
            self.transport.write_eof()
        except OSError:  # the peer has just gone
            self.transport.abort()

    def drop(self) -> None:
        """Go at once, whatever has not been written."""
        self.closed = True
        self.transport.abort()

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.set_write_buffer_limits(high=UNREAD)
        self.host, port = (self.transport.get_extra_info("peername") or ("?", 0))[:2]
        self.peer = f"{self.host}:{port}"
        self.heard = self.now
        self.opened()

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self.closed:
            return
        self.heard = self.now
        if self.transcript:
            self.transcript.add(self.heard - self.opened_at, Direction.RECEIVED, data)
        self.received(data)

    def eof_received(self) -> bool:
        """See asyncio; the connection stays open for what we have to say."""
        self._silent = True
        if self.closed:
            return False
        self.ended()
        return True

    def pause_writing(self) -> None:
        """See asyncio; too much waits to be read."""
        self.drop()

    def connection_lost(self, error: Exception | None) -> None:
        """See asyncio."""
        self.closed = True
        if self._timer:
            self._timer.cancel()
        self.gone(_loss(error))

    def _ring(self) -> None:
        self._timer = None
        if self._wake > self.now + RESOLUTION:
            self.wake_at(self._wake)
        elif self.closed:
            self.transport.abort()
        else:
            self._wake = NEVER
            self.woken()


def _loss(error: Exception | None) -> str:
    """What has become of a connection, in a word."""
    if error is None:
        return "closed"
    return "reset" if isinstance(error, ConnectionResetError) else "lost"


class Direction(IntEnum):
    """Which way the bytes went; LEFT_OUT stands where bytes are missing."""

    RECEIVED = 0
    SENT = 1
    LEFT_OUT = 2


class Piece(NamedTuple):
    """Some bytes and when they came or went, in milliseconds; or how many are missing here."""

    at: float
    direction: Direction
    data: bytes


class Line(NamedTuple):
    """The transcript of a connection to a game, and who is at its other end."""

    game: str
    seat: int | None  # None for a client that has none yet
    service: str
    peer: str
    opened: int  # milliseconds since 1970
    transcript: Transcript


class Cursor(NamedTuple):
    """How far a reader is: in pieces, in bytes of traffic, in bytes as they are packed."""

    pieces: int = 0
    traffic: int = 0
    packed: int = 0


class Transcript:
    """Takes pieces of traffic and keeps as much as it may."""

    def __init__(self, limit: int) -> None:
        self._part = limit // 3
        self._beginning = _Page(Cursor())
        self._older = _Page(Cursor())
        self._newest = self._beginning  # until that is full

    def add(self, at: float, direction: Direction, data: bytes) -> None:
        """Keep a piece; `at` is in seconds since the connection opened.

        One function for the usual case: it is called for everything that is ever said.
        """
        page, length = self._newest, len(data)
        if length > PIECE_LIMIT:
            self._shorten(at, direction, data)
            return
        if len(page.packed) + _HEADER.size + length > self._part:
            page = self._turn_page()
        page.packed += _HEADER.pack(round(at * 1e6) if at > 0 else 0, direction, length) + data
        page.pieces += 1
        page.traffic += length

    def _shorten(self, at: float, direction: Direction, data: bytes) -> None:
        """Keep the beginning, and how many bytes are missing after it."""
        missing = len(data) - PIECE_LIMIT
        told = str(missing).encode()
        self.add(at, direction, data[:PIECE_LIMIT])
        self.add(at, Direction.LEFT_OUT, told)
        self._newest.traffic += missing - len(told)

    def _turn_page(self) -> _Page:
        """Begin a new part; of the parts after the beginning only the last two are kept."""
        if self._newest is not self._beginning:
            self._older = self._newest
        self._newest = _Page(self._newest.end)
        return self._newest

    def pack(self) -> bytes:
        """Everything kept, to be stored or shown."""
        return b"".join(_packed(self._pages(Cursor())))

    def after(self, place: Cursor) -> tuple[list[Piece], Cursor]:
        """What has come since, as far as it is kept, and how far that is."""
        return unpack(b"".join(_packed(self._pages(place)))), self._newest.end

    def _pages(self, place: Cursor) -> Iterator[tuple[_Page, Cursor]]:
        """The pages that are not read yet, and how far they are."""
        for page in dict.fromkeys((self._beginning, self._older, self._newest)):
            if place.packed < page.end.packed:
                yield page, place
                place = page.end


class _Page:
    """A stretch of traffic, packed."""

    __slots__ = ("packed", "pieces", "start", "traffic")

    def __init__(self, start: Cursor) -> None:
        self.start = start
        self.packed = bytearray()
        self.pieces = 0
        self.traffic = 0

    @property
    def end(self) -> Cursor:
        """How far a reader is that has read all of it."""
        pieces, traffic, packed = self.start
        return Cursor(pieces + self.pieces, traffic + self.traffic, packed + len(self.packed))


def _packed(pages: Iterable[tuple[_Page, Cursor]]) -> Iterator[bytes]:
    """What is not read yet of each page, and how much is missing before it."""
    for page, place in pages:
        missing = page.start.traffic - place.traffic
        if missing > 0:
            told = str(missing).encode()
            yield _HEADER.pack(0, Direction.LEFT_OUT, len(told)) + told
        yield bytes(page.packed[max(0, place.packed - page.start.packed) :])


def unpack(traffic: bytes) -> list[Piece]:
    """The pieces of a packed transcript."""
    return list(_pieces(traffic))


def _pieces(traffic: bytes) -> Iterator[Piece]:
    start = 0
    while start < len(traffic):
        at, direction, length = _HEADER.unpack_from(traffic, start)
        start += _HEADER.size
        yield Piece(at / 1000, Direction(direction), traffic[start : start + length])
        start += length
