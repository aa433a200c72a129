"""The least that a server can do: give every line back."""

from __future__ import annotations

import asyncio
import sys
from typing import cast


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


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0, backlog=1024)
    sys.stdout.write(f"echo 127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
