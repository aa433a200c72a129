"""uvicorn as one service among others: in our event loop, on sockets and with signals of ours."""

from __future__ import annotations

import asyncio
import logging
import socket
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import h11
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from spielwerk.net.connection import NEVER
from spielwerk.net.listening import Listener, listening_sockets
from spielwerk.net.rates import Bucket
from spielwerk.net.rooms import FairRoom
from spielwerk.web.browsers import GIVES_WAY
from spielwerk.web.viewers import TRANSPORT, VIEWER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starlette.types import ASGIApp, Message

log = logging.getLogger(__name__)

LOOPBACK: Final = ("127.0.0.0/8", "::1")  # where a proxy of this machine is
GOODBYE: Final = 1  # seconds for answers that are on their way when the server stops
LINGER: Final = 2.0  # seconds that a page may take to hear that its socket is closed
SILENCE: Final = 30.0  # seconds that pages say nothing though they are looked at
LONGEST: Final = 16_384  # bytes of a message from a page
SENDING: Final = 65_536  # bytes that the system keeps for a page; it would take megabytes
READING: Final = 1024  # bytes of a page that are taken at a time
FLOOD: Final = 32_768.0  # bytes that a page may send at once
RATE: Final = 8192.0  # and then in a second; pages say little
SLOWEST: Final = 1024  # bytes a second that must be read of an answer
UNREAD: Final = 4_194_304  # bytes that may wait for a page to read them

NO_ROOM: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n"
    b"connection: close\r\n\r\n"
    b'{"error": "too many connections from there; close some, or try again later"}'
)


# What every answer tells the browser: nothing foreign, nothing inline, nothing guessed.
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # a table's address is the key to it
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class ImpatientProtocol(H11Protocol):
    """HTTP that does not wait for ever for a request's head, nor for a body that is not wanted.

    Nor for those who do not read the answer. uvicorn's own timer runs only between requests, and
    every byte stops it.
    """

    patience: float
    room: FairRoom[Any]
    _heard = 0.0
    _slow: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio; we want to hear of everything that has to wait."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)
        self._heard = self.loop.time()
        if self.room.enter(self, self.client[0] if self.client else ""):
            self._watch()
        else:
            transport.write(NO_ROOM)
            transport.close()

    @property
    def active(self) -> float:
        """When it was last heard of; a request that we are answering gives way last of all.

        Not so one whose peer does not read the answer, or that has to wait for it as a penalty.
        """
        cycle, waits = self.cycle, self.flow.write_paused
        if cycle is None or cycle.response_complete or waits or self.scope.get(GIVES_WAY):
            return self._heard
        return NEVER

    def drop(self) -> None:
        """Make room for another."""
        self.transport.abort()

    def pause_writing(self) -> None:
        """See asyncio."""
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        """See asyncio."""
        self._stop_waiting()
        super().resume_writing()

    def _await_reader(self) -> None:
        waiting = self.transport.get_write_buffer_size()
        most = waiting - self.patience * SLOWEST
        self._unread = self.loop.call_later(self.patience, self._look, most)

    def _look(self, most: float) -> None:
        """Go on waiting if not more than so many bytes wait."""
        if self.transport.get_write_buffer_size() > most:
            self.transport.abort()
        else:
            self._await_reader()

    def _stop_waiting(self) -> None:
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self not in self.room:
            return
        self._heard = self.loop.time()
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._relax()
        self._stop_waiting()
        self.room.leave(self)
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Give the peer its time, once, if it is the peer that we are waiting for."""
        head = self.conn.their_state is h11.IDLE
        answered = self.conn.our_state in (h11.DONE, h11.MUST_CLOSE)
        if not head and not (answered and self.conn.their_state is h11.SEND_BODY):
            self._relax()
        elif self._slow is None:
            self._slow = self.loop.call_later(self.patience, self.transport.abort)

    def _relax(self) -> None:
        if self._slow:
            self._slow.cancel()
            self._slow = None


class LiveProtocol(WebSocketsSansIOProtocol):
    """Sockets of pages, of which none is waited for: what is closed is gone soon.

    uvicorn waits until a closed socket has been read to its end, however long that takes.
    """

    room: FairRoom[Any]
    _heard = 0.0

    @property
    def active(self) -> float:
        """When the page was last heard of; players give way last of all."""
        viewer = self._lent.get(VIEWER)
        return NEVER if viewer and viewer.seats else self._heard + SILENCE

    def drop(self) -> None:
        """Make room for another."""
        self.transport.abort()

    async def run_asgi(self) -> None:
        """See uvicorn; the application gets the connection, too, to write to many at once."""
        self._lent["transport"] = self.transport
        self.scope["extensions"][TRANSPORT] = self._lent
        ours: socket.socket = self.transport.get_extra_info("socket")
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)
        await super().run_asgi()

    async def send(self, message: Message) -> None:  # type: ignore[override]
        """See ASGI; a close does not wait for those who do not read."""
        closes = message["type"] == "websocket.close"
        if message["type"] == "websocket.accept":
            self._move()
        if closes:
            self.writable.set()
        await super().send(message)  # type: ignore[arg-type]
        if closes:
            self.loop.call_later(LINGER, self._give_up)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio; frames may be tiny, and all of one reading hold up the others."""
        super().connection_made(transport)
        self._heard = self.loop.time()
        self._lent: dict[object, Any] = {}  # what the application and it tell each other
        self.room.leave(self.transport.get_protocol())  # the request that it was
        self._move()
        self.transport.set_write_buffer_limits()
        self.transport.max_size = READING  # type: ignore[attr-defined]
        self._bytes = Bucket(FLOOD, RATE, self.loop.time())

    def data_received(self, data: bytes) -> None:
        """See asyncio; who floods us, reads no pongs or speaks before its turn is not answered."""
        self._heard = self.loop.time()
        early = self.handshake_initiated and not self.handshake_complete
        welcome = self._bytes.take(self._heard, len(data)) and not early
        if not welcome or self.transport.get_write_buffer_size() > UNREAD:
            log.info("dropped page=%s reason=%r", self.client, "early" if early else "flood")
            self.transport.abort()
        else:
            super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """See uvicorn; a text that is none is no error of ours, with a traceback."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(self.frames):
            self.conn.fail(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """See uvicorn."""
        log.info("dropped page=%s reason=%r", self.client, "not WebSocket")
        super().handle_parser_exception()

    def _move(self) -> None:
        """Count for the address that the page comes from, which a proxy tells after a while."""
        host, _ = (getattr(self, "scope", {}).get("client") or self.client) or ("", 0)
        self.room.leave(self)
        if not self.room.enter(self, host):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self.room.leave(self)
        super().connection_lost(exc)

    def _give_up(self) -> None:
        """Go, if that has not happened meanwhile."""
        if not self.disconnected:
            self.transport.abort()

    def shutdown(self) -> None:
        """See uvicorn."""
        super().shutdown()
        self.loop.call_later(GOODBYE / 2, self._give_up)

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """See uvicorn."""
        super().on_task_complete(task)
        self.loop.call_later(LINGER, self._give_up)


def _is_text(parts: list[bytes]) -> bool:
    try:
        b"".join(parts).decode()
    except UnicodeDecodeError:
        return False
    return True


class WebService:
    """The web application on its ports; `goodbye` tells pages that it goes down."""

    def __init__(
        self,
        app: ASGIApp,
        ports: Sequence[int],
        *,
        patience: float,
        connections: int,
        connections_each: int,
        proxies: Sequence[str],
        goodbye: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        room: FairRoom[Any] = FairRoom(
            connections, connections_each, asyncio.get_running_loop().time
        )
        shared: dict[str, Any] = {"patience": patience, "room": room}
        self._goodbye = goodbye
        self._ports = ports
        self._sockets: list[socket.socket] = []
        self._listeners: list[Listener] = []
        self._task: asyncio.Task[None] | None = None
        self._server = Server(
            Config(
                app,
                http=type("Protocol", (ImpatientProtocol,), shared),
                ws=type("Socket", (LiveProtocol,), shared),
                ws_max_size=LONGEST,
                ws_ping_interval=None,  # pages ping for themselves
                ws_per_message_deflate=False,  # what is sent to all is made once
                lifespan="off",
                log_config=None,
                access_log=False,
                forwarded_allow_ips=[*LOOPBACK, *proxies],  # others may say what they like
                server_header=False,
                headers=[*HEADERS.items()],
                timeout_graceful_shutdown=GOODBYE,
            )
        )

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Listen on every port, and say which addresses they are; OSError if one is taken."""
        try:
            for port in self._ports:
                self._sockets += await listening_sockets(bind, port)
        except OSError:
            self._close()
            raise
        server, config = self._server, self._server.config
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[])
        protocol: Any = config.http_protocol_class
        state = {"server_state": server.server_state, "app_state": server.lifespan.state}
        make = partial(protocol, config=config, **state)
        self._listeners = [Listener(make, one, greeting=False) for one in self._sockets]
        self._task = asyncio.create_task(server.main_loop(), name="web")
        return [one.getsockname()[:2] for one in self._sockets]

    @property
    def clients(self) -> int:
        """How many pages are open; other connections come and go all the time."""
        connections = self._server.server_state.connections
        return sum(isinstance(one, LiveProtocol) for one in connections)

    async def stop(self) -> None:
        """Accept no connection, and let answers that are on their way arrive."""
        try:
            if self._task:
                if self._goodbye:
                    await self._goodbye()
                self._server.should_exit = True
                await self._task
                self._close()
                await self._server.shutdown()
        finally:
            self._close()

    def _close(self) -> None:
        for listener in self._listeners:
            listener.close()
        for one in self._sockets:
            one.close()
        self._listeners.clear()
        self._sockets.clear()
