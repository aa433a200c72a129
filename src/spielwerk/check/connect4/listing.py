"""An index server of a trial: the list of `wire`, with answers and failures as a script wants."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from uuid import UUID

from spielwerk.check.case import Side
from spielwerk.check.connection import TrialConnection, stop_listening
from spielwerk.check.trial import CaseOver
from spielwerk.errors import UsageError
from spielwerk.wire.connect4.index import HEARTBEAT, Change, Index, IndexLimits
from spielwerk.wire.connect4.messages import GameMessage, MessageError, read_message
from spielwerk.wire.lines import LineSplitter, LineTooLong

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.check.connect4.trial import ConnectFourTrial

CHANNEL: Final = "index"
BEATS: Final = "heartbeats"
EVERY: Final = 10.0  # seconds from one of our heartbeats to the next
TRIES: Final = 20  # to find a port that is free for TCP and UDP
LIMITS: Final = IndexLimits(silence=0.0, name=10_000, side=1_000_000)
LINE: Final = 65_536  # bytes of a request


class IndexRequest(NamedTuple):
    """What the program has asked, and whether it was granted."""

    message: GameMessage
    granted: bool


class HeardBeat(NamedTuple):
    """A datagram of the program."""

    data: bytes
    port: int


class ScriptedIndex:
    """Answers as an index server does, unless `answers` has another answer to a request.

    An answer that is empty is none; the connection is closed then.
    """

    def __init__(self, trial: ConnectFourTrial[Any]) -> None:
        self.trial = trial
        self.loop = asyncio.get_running_loop()
        drawn = Random(trial.settings.seed)
        self.index = Index(
            lambda: str(UUID(int=drawn.getrandbits(128), version=4)),
            self.loop.time(),
            LIMITS,
            variant=trial.variant,
        )
        self.answers: dict[str, str] = {}
        self.requests: list[IndexRequest] = []
        self.beats: list[HeardBeat] = []
        self.changed = asyncio.Event()
        self.port = 0
        self._server: asyncio.Server | None = None
        self._datagrams: asyncio.DatagramTransport | None = None
        self._connections: list[IndexConnection] = []
        self._timer: asyncio.TimerHandle | None = None

    async def open(self, port: int) -> None:
        """Listen with TCP and UDP on the same port."""
        for left in reversed(range(1 if port else TRIES)):
            try:
                await self._listen(port)
            except OSError as error:
                if not left:
                    problem = f"cannot listen on port {port}: {error.strerror}"
                    raise UsageError(f"{problem}; is another server running there?") from None
            else:
                return

    async def _listen(self, port: int) -> None:
        host = self.trial.settings.host
        self._server = await self.loop.create_server(
            lambda: IndexConnection(self), host, port, reuse_address=True, start_serving=False
        )
        await self._server.start_serving()
        self.port = self._server.sockets[0].getsockname()[1]
        try:
            self._datagrams, _ = await self.loop.create_datagram_endpoint(
                lambda: _Beats(self), local_addr=(host, self.port)
            )
        except OSError:
            self._server.close()
            raise

    def connected(self, connection: IndexConnection) -> None:
        """Keep a connection, to break it when the index server fails."""
        self._connections.append(connection)

    async def fail(self) -> None:
        """Be gone from now on, as a machine that has lost its power."""
        self.trial.happened("index-gone")
        await self.close()
        for connection in self._connections:
            if not connection.transport.is_closing():
                connection.reset()

    async def close(self) -> None:
        """Listen no more."""
        if self._server:
            await stop_listening(self._server)
        if self._datagrams:
            self._datagrams.close()
        if self._timer:
            self._timer.cancel()

    # what the program says

    def answer(self, connection: IndexConnection, line: bytes) -> None:
        """Answer a request, or say what is wrong with it."""
        now = self.loop.time()
        outcome = self.index.handle(line, _host_of(connection), now)
        if outcome is None:
            return
        try:
            request = read_message(line)
        except MessageError:
            request = GameMessage("")
        refused = "" if isinstance(outcome, Change) else outcome.refused
        if refused:
            self.trial.index_refuses(request, line, refused)
        instead = self.answers.get(request.header)
        if isinstance(outcome, Change):
            usual = instead is None
            outcome = self.index.settle(outcome, now) if usual else self.index.give_up(outcome)
        reply = outcome.line if instead is None else instead.encode()
        self.requests.append(IndexRequest(request, not refused))
        self.changed.set()
        if request.header == "register_game" and not refused:
            self._beat(request)
        if reply:
            connection.answer(reply)
        else:
            connection.close()

    def _beat(self, game: GameMessage) -> None:
        """Tell the initiator that we are there, from now on again and again."""
        if self._datagrams is None or self._datagrams.is_closing():
            return
        with suppress(OSError, ValueError):
            self._datagrams.sendto(HEARTBEAT, (self.trial.settings.host, game.values[6]))
        if self._timer:
            self._timer.cancel()
        self._timer = self.loop.call_later(EVERY, self._beat, game)

    def heard_beat(self, data: bytes, port: int) -> None:
        """Note a datagram of the program."""
        self.trial.add(Side.PROGRAM, BEATS, data)
        self.beats.append(HeardBeat(data, port))
        self.changed.set()

    # what a script waits for

    @property
    def unfinished(self) -> bool:
        """Whether bytes wait for their newline."""
        return any(connection.unfinished for connection in self._connections)

    def asked(self, header: str) -> IndexRequest | None:
        """The last request of this kind that was granted."""
        found = [one for one in self.requests if one.message.header == header and one.granted]
        return found[-1] if found else None

    async def wait_for(self, header: str, seconds: float) -> IndexRequest | None:
        """The request of this kind, if it comes within so many seconds."""
        await self.until(lambda: self.asked(header) is not None, seconds)
        return self.asked(header)

    async def until(self, is_so: Callable[[], bool], seconds: float) -> bool:
        """Whether something is so, at once or after what comes within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not is_so():
                    self.changed.clear()
                    await self.changed.wait()
        return is_so()


class IndexConnection(TrialConnection):
    """A connection to the index server: every line is answered as soon as it is complete."""

    def __init__(self, index: ScriptedIndex) -> None:
        super().__init__(index.trial, CHANNEL, asyncio.Queue())
        self._index = index
        self._lines = LineSplitter(LINE)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        super().connection_made(transport)
        self._index.connected(self)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        super().data_received(data)
        with suppress(LineTooLong, CaseOver):  # a flood has been blamed
            for at, piece in self.take():
                self._lines.feed(piece, at)
            while line := self._lines.take():
                self._index.answer(self, line.content)

    def answer(self, data: bytes) -> None:
        """Write at once, or byte by byte, by and by."""
        pieces = [bytes([byte]) for byte in data] if self._index.trial.drips else [data]
        for number, piece in enumerate(pieces):
            self._index.loop.call_later(0.003 * number, self.send, piece)

    @property
    def unfinished(self) -> int:
        """Bytes that wait for their newline."""
        return self._lines.waiting


class _Beats(asyncio.DatagramProtocol):
    def __init__(self, index: ScriptedIndex) -> None:
        self._index = index

    def datagram_received(self, data: bytes, address: tuple[str | Any, int]) -> None:
        """See asyncio."""
        self._index.heard_beat(data, address[1])


def _host_of(connection: IndexConnection) -> str:
    peer = cast("tuple[str, int]", connection.transport.get_extra_info("peername"))
    return peer[0] if peer else ""
