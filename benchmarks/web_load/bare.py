"""The least that a server can do for players and viewers: acknowledge, and write to everybody.

`python -m benchmarks.web_load.bare` is the server. There are no rules, no journal and no tables.
"""

from __future__ import annotations

import asyncio
import json
import struct
import sys
import time
from typing import Any, Final, cast

from benchmarks.web_load.sockets import TEXT

UPGRADED: Final = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n\r\n"
)
FILLING: Final = "x" * 900  # about as much as the server says of a move


class Bare(asyncio.Protocol):
    """One connection; what it says comes frame by frame, because pages wait for their answers."""

    everybody: Final[set[Bare]] = set()
    plies = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002
        """See asyncio."""
        self.everybody.discard(self)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self in self.everybody:
            self._hear(json.loads(data[data.index(b"{") :]))
        elif data.startswith(b"GET /live"):
            self.transport.write(UPGRADED + _frame({"type": "table", "v": Bare.plies}))
            self.everybody.add(self)
        else:
            Bare.plies = 0
            answer = json.dumps({"id": "bare", "matches": [{"id": "bare"}]}).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(answer)}\r\n\r\n"
            self.transport.write(head.encode() + answer)
            self.transport.close()

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] != "move":
            return
        ply, at = Bare.plies, time.time_ns() // 1_000_000
        Bare.plies += 1
        self.transport.write(_frame({"type": "ack", "id": message["id"]}))
        moved = {"type": "moved", "v": ply + 1, "from": ply, "plies": [{"at": at}], "x": FILLING}
        news = _frame(moved)
        for one in self.everybody:
            one.transport.write(news)


def _frame(message: object) -> bytes:
    text = json.dumps(message, separators=(",", ":")).encode()
    length = bytes([len(text)]) if len(text) < 126 else struct.pack("!BH", 126, len(text))
    return bytes([TEXT]) + length + text


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Bare, "127.0.0.1", 0, backlog=1024)
    sys.stdout.write(f"bare 127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
