"""The viewers of pages: one socket each, whose messages are limited and which is never waited for.

Most messages go to many viewers at once. So they are made into frames once and written to the
connections directly, and no task has to wake up for each viewer: that costs a third of ASGI's way.
"""

from __future__ import annotations

import asyncio
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import IntEnum
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, Final

from starlette.websockets import WebSocketDisconnect
from websockets.frames import Frame, Opcode

from spielwerk.net.rates import Bucket

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.websockets import WebSocket

    Handle = Callable[[dict[str, Any]], None]

log = logging.getLogger(__name__)

TRANSPORT: Final = "spielwerk.transport"  # the extension of ASGI that has the connection
VIEWER: Final = "viewer"  # and the page that looks through it
UNSENT: Final = 1 << 18  # bytes that may wait for a page to read them
RATE: Final = 20.0  # messages a second
BURST: Final = 40.0
CHUNK: Final = 50  # viewers that are sent to between two turns of the loop

_THREADS: Final = ThreadPoolExecutor(2, "live")  # of our own: slow requests must not hold up news


async def in_thread(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do work for viewers that would take the loop too long."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, work, *arguments)


def encode(message: object) -> str:
    """JSON without blanks; everything outside ASCII escaped, so that nothing can go wrong later."""
    return json.dumps(message, separators=(",", ":"))


def said(kind: str, **parts: object) -> str:
    """A message of this type."""
    return encode({"type": kind, **parts})


class Close(IntEnum):
    """Why a socket is closed by us; from 4000 on the numbers are ours."""

    RESTART = 1012
    TRY_AGAIN = 1011
    TOO_SLOW = 1013
    BAD_MESSAGE = 1007
    TOO_MANY = 1008
    NO_SUCH_GAME = 4404


class Viewer:
    """A page that looks at a table, a contest or the lobby, through an accepted socket."""

    def __init__(self, socket: WebSocket, browser: str, *, operator: bool = False) -> None:
        self.browser = browser
        self.operator = operator
        self.seats: list[int] = []  # that are this browser's at the table
        self.listing = False  # whether it may see the tables of others in the lobby
        self._socket = socket
        lent = socket.scope["extensions"][TRANSPORT]
        lent[VIEWER] = self
        self._transport: asyncio.Transport = lent["transport"]
        self._loop = asyncio.get_running_loop()
        self.heard = self.now
        self.followed = 0.0  # when it was last told a table's wire
        self._speech = Bucket(BURST, RATE, self.now)
        self._most = UNSENT
        self._closing: tuple[int, str] | None = None
        self._ended: asyncio.Future[None] = self._loop.create_future()

    @property
    def now(self) -> float:
        """The time by the loop's clock."""
        return self._loop.time()

    @property
    def unsent(self) -> int:
        """Bytes that wait to be sent."""
        return self._transport.get_write_buffer_size()

    def offer(self, text: str) -> None:
        """Send it; a page that cannot follow is dropped instead."""
        if self._closing or self._transport.is_closing():
            return
        frame = _frame(text)
        self._most = max(self._most, 2 * len(frame))  # long games take more than one breath
        if self.unsent + len(frame) > self._most:
            self.close(Close.TOO_SLOW, "too slow")
        else:
            self._transport.write(frame)

    def close(self, code: int, reason: str) -> None:
        """Say no more."""
        self._closing = self._closing or (code, reason)
        if not self._ended.done():
            self._ended.set_result(None)

    def abort(self) -> None:
        """Say no more, not even what waits."""
        self.close(Close.TOO_SLOW, "too slow")
        self._transport.abort()

    async def attend(self, handle: Handle) -> None:
        """Hand over each message until one side closes."""
        reader = asyncio.create_task(self._read(handle), name="live reader")
        try:
            await asyncio.wait((reader, self._ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            reader.cancel()
            for end in await asyncio.gather(reader, return_exceptions=True):
                if isinstance(end, Exception):
                    log.error("a page's socket failed", exc_info=end)
        if self._closing:
            with suppress(WebSocketDisconnect, RuntimeError):
                await self._socket.close(*self._closing)

    async def _read(self, handle: Handle) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return
            self.heard = self.now
            if not self._speech.take(self.heard):
                self.close(Close.TOO_MANY, "too many messages")
                return
            understood = _understood(message.get("text"))
            if understood is None:
                self.close(Close.BAD_MESSAGE, "messages are JSON objects with a type")
                return
            handle(understood)


@lru_cache(maxsize=4)
def _frame(text: str) -> bytes:
    """A message as it is sent; what is told to many is one object, and found here again."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def _understood(text: str | None) -> dict[str, Any] | None:
    try:
        message = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and isinstance(message.get("type"), str) else None


class Audience:
    """Viewers who look at the same thing and hear what is new there."""

    def __init__(self) -> None:
        self.viewers: dict[Viewer, None] = {}  # in the order they came

    def leave(self, viewer: Viewer) -> None:
        """The viewer is gone."""
        self.viewers.pop(viewer, None)

    def hear(self, viewer: Viewer, message: dict[str, Any]) -> None:
        """Answer a message; types that we do not know may come from a newer page."""
        if message["type"] == "ping":
            viewer.offer(said("pong", t=_echo(message.get("t"))))

    async def tell(self, text: str | Callable[[Viewer], str]) -> None:
        """Send a text to all, players first, and never to so many that the loop is late."""
        audience = sorted(self.viewers, key=lambda viewer: not viewer.seats)
        for number, viewer in enumerate(audience, 1):
            viewer.offer(text if isinstance(text, str) else text(viewer))
            if number % CHUNK == 0:
                await asyncio.sleep(0)


def _echo(value: object) -> object:
    """A number as it came; nothing else is sent back."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < inf:
        return value
    return None
