"""The least that a server can do, give every line back, and clients for it.

`python -m benchmarks.load.echo` is the server.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Final, cast

from benchmarks.load.clients import Client

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

ECHOED: Final = b"PLAY A1:A2\n"


class Echo(asyncio.Protocol):
    """Cuts what comes into lines, and sends each back."""

    def __init__(self) -> None:
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._transport.write(line + b"\n")


class Echoed(Client):
    """A client of the echo server."""

    partner: Echoed
    due: float | None = None

    def data_received(self, data: bytes) -> None:
        """See asyncio; the answer lets the partner send."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for _ in lines:
            self.load.answered(self.since)
            self.partner.send_next(self.due)

    def send_next(self, last: float | None) -> None:
        """Send a line in its time."""
        self.due = self.load.due(last)
        self.send_when(self.due, ECHOED)


async def begin(load: Load, orders: Orders) -> None:
    """Connect two clients for each group, who send by turns."""
    for _ in range(orders.groups):
        one, other = Echoed(load), Echoed(load)
        one.partner, other.partner = other, one
        for client in (one, other):
            await client.connect(orders.port)
        load.when_begun(lambda client=one: client.send_next(None))  # type: ignore[misc]


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=1024)
    sys.stdout.write(f"echo 127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
