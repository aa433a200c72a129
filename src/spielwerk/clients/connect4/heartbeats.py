"""Heartbeats: a datagram to the index server now and then, and an ear for its own.

They go from the port that is registered and come from the index server's; what comes from
elsewhere, or is no heartbeat, is ignored. Silence is not yet a loss: somebody has to ask.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final, cast

from spielwerk.wire.connect4.messages import Heartbeat, write_message

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

BEAT: Final = write_message(Heartbeat())
FORMS: Final = (BEAT, BEAT.strip(), BEAT.replace(b"\n", b"\r\n"))


class Heartbeats(asyncio.DatagramProtocol):
    """Beats every so often; `silent` is called once after each stretch of silence.

    Silence counts only while heartbeats are `expected`: while a game is registered.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        index: tuple[str, int],
        silent: Callable[[], None],
        expected: Callable[[], bool],
        *,
        every: float = 10.0,
        silence: float = 60.0,  # seconds; 0: never mind
    ) -> None:
        self._loop = loop
        self._index = index
        self._silent = silent
        self._expected = expected
        self._every = every
        self._silence = silence
        self._heard = loop.time()
        self._transport: asyncio.DatagramTransport | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast("asyncio.DatagramTransport", transport)
        self._beat()

    def datagram_received(self, data: bytes, address: tuple[str | Any, int]) -> None:
        """See asyncio; whoever it is from can be forged, but then only silence is lost."""
        if address[:2] == self._index and data in FORMS:
            self._heard = self._loop.time()

    def error_received(self, error: Exception) -> None:
        """See asyncio; a datagram may be lost, and that nobody listens shows in silence."""
        log.debug("heartbeat not delivered error=%r", error)

    def stop(self) -> None:
        """Beat no more."""
        if self._timer:
            self._timer.cancel()
        if self._transport:
            self._transport.close()
        self._transport = None

    def _beat(self) -> None:
        now = self._loop.time()
        if self._transport is None:
            return
        self._transport.sendto(BEAT, self._index)
        if not self._expected():
            self._heard = now
        elif self._silence and now - self._heard >= self._silence:
            self._heard = now  # the next complaint after as much silence again
            self._silent()
        self._timer = self._loop.call_at(now + self._every, self._beat)
