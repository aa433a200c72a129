"""One socket: what it says is limited, and it is never waited for."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from starlette.websockets import WebSocketDisconnect

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.websockets import WebSocket

    Handle = Callable[[dict[str, Any]], None]

MESSAGES: Final = 64  # that may wait to be sent
CHARACTERS: Final = 1 << 20  # in them
RATE: Final = 20.0  # messages a second
BURST: Final = 40.0


class Close(IntEnum):
    """Why a socket is closed by us; from 4000 on the numbers are ours."""

    RESTART = 1012
    TOO_SLOW = 1013
    BAD_MESSAGE = 1007
    TOO_MANY = 1008
    NO_SUCH_GAME = 4404


class Viewer:
    """Whoever looks at a table or at the lobby, through one socket."""

    def __init__(self, socket: WebSocket, browser: str, *, operator: bool = False) -> None:
        self.browser = browser
        self.operator = operator
        self.seats: list[int] = []  # that are this browser's at the table
        self._socket = socket
        self._loop = asyncio.get_running_loop()
        self.heard = self._loop.time()
        self._tokens = BURST
        self._queue: deque[str] = deque()
        self._waiting = 0  # characters in the queue
        self._closing: tuple[int, str] | None = None
        self._more = asyncio.Event()
        self._dropped: asyncio.Future[None] = self._loop.create_future()

    # what it hears

    def offer(self, text: str) -> None:
        """Have it sent; a page that cannot follow is dropped instead."""
        if self._closing:
            return
        crowded = len(self._queue) >= MESSAGES or self._waiting + len(text) > CHARACTERS
        if crowded and self._queue:
            self.drop(Close.TOO_SLOW, "too slow")
            return
        self._queue.append(text)
        self._waiting += len(text)
        self._more.set()

    def close(self, code: int, reason: str) -> None:
        """Say what waits, then no more."""
        self._closing = self._closing or (code, reason)
        self._more.set()

    def drop(self, code: int, reason: str) -> None:
        """Say no more, at once."""
        self._closing = self._closing or (code, reason)
        if not self._dropped.done():
            self._dropped.set_result(None)

    # the socket's two directions

    async def attend(self, handle: Handle) -> None:
        """Write and read until one side has had enough."""
        writer = asyncio.create_task(self._write(), name="live writer")
        reader = asyncio.create_task(self._read(handle), name="live reader")
        try:
            ends = (writer, reader, self._dropped)
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            writer.cancel()
            reader.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)
        if self._closing:
            with suppress(WebSocketDisconnect, RuntimeError):
                await self._socket.close(*self._closing)

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect):
            while not self._closing or self._queue:
                while self._queue:
                    await self._socket.send_text(self._queue[0])
                    self._waiting -= len(self._queue.popleft())
                if not self._closing:
                    self._more.clear()
                    await self._more.wait()

    async def _read(self, handle: Handle) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return
            if not self._may_speak():
                self.drop(Close.TOO_MANY, "too many messages")
                return
            said = _understood(message.get("text"))
            if said is None:
                self.drop(Close.BAD_MESSAGE, "messages are JSON objects with a type")
                return
            handle(said)

    def _may_speak(self) -> bool:
        """Whether this is not one message too many."""
        now = self._loop.time()
        self._tokens = min(BURST, self._tokens + RATE * (now - self.heard)) - 1
        self.heard = now
        return self._tokens >= 0


def _understood(text: str | None) -> dict[str, Any] | None:
    try:
        said = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and isinstance(said.get("type"), str) else None
