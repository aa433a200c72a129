"""One TCP connection: a single re-armed timer, a bounded transcript, and an end that arrives.

A peer that does not read is dropped, never waited for. A closed connection lingers: what we said
last would be lost if bytes from the peer were still unread when the socket goes.
"""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress
from typing import Final, cast

from spielwerk.net.transcript import Direction, Transcript

NEVER: Final = float("inf")
LINGER: Final = 2.0  # seconds that a peer may go on talking after we have closed
UNREAD: Final = 65536  # bytes that may wait for a peer to read them
RESOLUTION: Final = 1e-6  # the loop's timers may be early by so much

# A machine that has lost its power says nothing: the system looks after two minutes.
_KEEPALIVE: Final = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))


class Connection(asyncio.Protocol):
    """The base of all our TCP connections; the hooks are `opened` to `gone`."""

    transport: asyncio.Transport

    def __init__(self, loop: asyncio.AbstractEventLoop, transcript_limit: int) -> None:
        self.loop = loop
        self.transcript = Transcript(transcript_limit) if transcript_limit else None
        self.closed = False  # we have said everything; what still comes is ignored
        self.peer = ""
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
        host, port = (self.transport.get_extra_info("peername") or ("?", 0))[:2]
        self.peer = f"{host}:{port}"
        self.opened()

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self.closed:
            return
        if self.transcript:
            self.transcript.add(self.now - self.opened_at, Direction.RECEIVED, data)
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
