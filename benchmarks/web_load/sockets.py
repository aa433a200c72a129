"""A page's socket without a browser: frames are cut out of what comes, and hardly read."""

from __future__ import annotations

import asyncio
import json
import struct
from typing import TYPE_CHECKING, Any, Final

from benchmarks.load.clients import Client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load.clients import Load

TEXT: Final = 0x81
CLOSE: Final = 0x88
UNMASKED: Final = bytes(4)  # a mask that changes nothing

UPGRADE: Final = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "Cookie: {cookie}\r\n\r\n"
)


class Socket(Client):
    """One page; `heard` gets every text, `ready` is done when the first has come."""

    def __init__(self, load: Load, path: str, cookie: str = "") -> None:
        super().__init__(load)
        self.ready: asyncio.Future[None] = load.loop.create_future()
        self._request = UPGRADE.format(path=path, cookie=cookie).encode()
        self._upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        super().connection_made(transport)
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        data = self._rest + data if self._rest else data
        if not self._upgraded:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            self._upgraded = True
            if not head.startswith(b"HTTP/1.1 101"):
                self.load.fail(f"no socket: {head[:60]!r}")
        self._cut(data)

    def _cut(self, data: bytes) -> None:
        at = 0
        for kind, start, at in frames(data):
            if kind == TEXT:
                self.heard(data[start:at])
            elif kind == CLOSE:
                self.closed(int.from_bytes(data[start : start + 2]))
        self._rest = data[at:]

    def heard(self, text: bytes) -> None:  # noqa: ARG002 - for those who listen
        """Something was said."""
        if not self.ready.done():
            self.ready.set_result(None)

    def closed(self, code: int) -> None:
        """The server has closed the socket."""
        if not (self.expected or self.load.over):
            self.load.fail(f"a socket was closed with {code}")

    async def connect(self, port: int) -> None:
        """Connect, and wait until the page has been shown something."""
        await super().connect(port)
        async with asyncio.timeout(60):
            await self.ready


def frames(data: bytes) -> Iterator[tuple[int, int, int]]:
    """The whole frames: their first byte, and where their content begins and ends."""
    at, size = 0, len(data)
    while size - at >= 2:
        length, start = data[at + 1], at + 2
        if length >= 126:
            start += 2 if length == 126 else 8
            length = int.from_bytes(data[at + 2 : start])
        if size < start + length:
            return
        yield data[at], start, start + length
        at = start + length


def said(**message: object) -> bytes:
    """A message of a page as a frame."""
    text = json.dumps(message).encode()
    assert len(text) < 65_536  # noqa: S101 - pages send nothing that long
    length = bytes([0x80 | len(text)]) if len(text) < 126 else struct.pack("!BH", 254, len(text))
    return bytes([TEXT]) + length + UNMASKED + text


async def ask(port: int, method: str, path: str, body: object = None) -> tuple[Any, str]:
    """What the server answers to a request, and the cookie that comes with it."""
    content = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head.encode() + content)
        top, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    lines = top.decode("latin-1").split("\r\n")
    cookies = [line.partition(":")[2] for line in lines if line.lower().startswith("set-cookie:")]
    return json.loads(answer), "; ".join(cookie.partition(";")[0].strip() for cookie in cookies)
