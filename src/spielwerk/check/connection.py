"""A connection between the checker and the program: every byte of it goes into the transcript."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Final, cast

from spielwerk.check.case import Side

if TYPE_CHECKING:
    from spielwerk.check.trial import Trial


MOST_UNREAD: Final = 1 << 18  # bytes that may wait for a script; a flood has to wait itself
FLOOD: Final = 4_000_000  # bytes on one connection; no game has so many


async def stop_listening(server: asyncio.Server) -> None:
    """Close a server; asyncio would lose a connection that it is just about to accept."""
    loop = asyncio.get_running_loop()
    for accepting in server.sockets:
        loop.remove_reader(accepting.fileno())
    for _ in range(2):
        await asyncio.sleep(0)
    server.close()


class TrialConnection(asyncio.Protocol):
    """A connection with the program; everything on it goes into the transcript."""

    transport: asyncio.Transport

    def __init__(
        self, trial: Trial, channel: str, arrived: asyncio.Queue[TrialConnection] | None = None
    ) -> None:
        self.gone = ""  # how the program has exited it: closed or reset
        self.opened_at = 0.0
        self._ours = False  # whether we have ended it
        self._trial = trial
        self.channel = channel
        self._arrived = arrived
        self._received: list[tuple[float, bytes]] = []
        self._changed = asyncio.Event()
        self._unread = self._total = 0  # bytes

    def send(self, data: bytes) -> None:
        """Write one segment."""
        self._trial.add(Side.CHECKER, self.channel, data)
        self._trial.requests += 1
        if not self.transport.is_closing():
            self.transport.write(data)

    async def changed(self, seconds: float) -> bool:
        """Whether bytes have come, or the end, within so many seconds."""
        if not self._received and not self.gone:
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, seconds)):
                    await self._changed.wait()
        return bool(self._received or self.gone)

    @property
    def waiting(self) -> bool:
        """Whether bytes have come that were not taken."""
        return bool(self._received)

    def take(self) -> list[tuple[float, bytes]]:
        """What has come since, and when."""
        if self._total > FLOOD:
            self._trial.fail("flooded", bytes=FLOOD, everywhere=True)
        taken, self._received = self._received, []
        if self._unread > MOST_UNREAD:
            self.transport.resume_reading()
        self._unread = 0
        return taken

    def close(self) -> None:
        """End it as a server does that has said everything."""
        if not self.transport.is_closing():
            self._trial.happened("checker-closes")
            with suppress(OSError):
                self.transport.write_eof()

    def reset(self) -> None:
        """Break it, as when a machine fails."""
        self._trial.happened("checker-resets")
        self._ours = True
        end: socket.socket = self.transport.get_extra_info("socket")
        with suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def drop(self) -> None:
        """Close it at once."""
        self._ours = True
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self.transport = cast("asyncio.Transport", transport)
        self.opened_at = asyncio.get_running_loop().time()
        if not self._trial.opened(self):
            self.drop()
            return
        self._trial.happened("program-connects" if self._arrived else "checker-connects")
        if self._arrived:
            self._arrived.put_nowait(self)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        self._total += len(data)
        if self._total > FLOOD:  # what follows is not even kept
            self.drop()
            return
        self._received.append((asyncio.get_running_loop().time(), data))
        self._trial.add(Side.PROGRAM, self.channel, data)
        self._changed.set()
        self._unread += len(data)
        if self._unread > MOST_UNREAD:
            self.transport.pause_reading()

    def eof_received(self) -> bool:
        """See asyncio; our side stays open."""
        self._end("closed")
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._end("reset" if exc else "closed")

    def _end(self, how: str) -> None:
        if not self.gone:
            self.gone = how
            if not self._ours:
                self._trial.happened(f"program-{how}")
            self._changed.set()
