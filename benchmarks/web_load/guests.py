"""Pages that look at the lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchmarks.web_load.sockets import Socket
from benchmarks.web_load.viewers import EVERY, PING

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

LOBBY: Final = b'{"type":"lobby"'


class Guest(Socket):
    """A page that shows the lobby."""

    def heard(self, text: bytes) -> None:
        """The lobby as it is now."""
        super().heard(text)
        if text.startswith(LOBBY) and self.load.measuring:
            self.load.counts["lobbies"] += 1
            self.load.counts["bytes"] += len(text)

    def ping(self) -> None:
        """Ping, now and for ever."""
        self.transport.write(PING)
        self.load.loop.call_later(EVERY, self.ping)


async def begin(load: Load, orders: Orders) -> None:
    """Open all pages."""
    for _ in range(orders.groups):
        guest = Guest(load, "/live")
        await guest.connect(orders.port)
        load.loop.call_later(EVERY * load.rng.random(), guest.ping)
