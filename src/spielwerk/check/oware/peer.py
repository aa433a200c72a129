"""The server that is checked, and how a case asks it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import CaseFault, Wording, run
from spielwerk.check.oware.requests import STRATEGIES, Names, Ruling, Sending, difference, whole
from spielwerk.check.visible import lines_of
from spielwerk.errors import UsageError, quote
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from spielwerk.check.case import Case, CaseVerdict, Measurement

ENOUGH: Final = 2  # times that a server may use up all patience
IMPATIENT: Final = 0.1  # the share of it that is left then


@dataclass(slots=True)
class Peer:
    """A move server: where it is, how long to wait for it, and what it has told about itself."""

    host: str
    port: int
    patience: float = 10.0  # seconds for an answer
    close_patience: float = 2.0  # for the end of the connection once the answer is there
    names: Names = field(default_factory=Names)
    _late: int = 0
    _open: int = 0

    async def introduce(self) -> None:
        """Learn author and names from the simplest requests, or UsageError."""
        try:
            (await self.open()).abort()
        except (OSError, UnicodeError) as error:
            raise UsageError(
                f"cannot connect to {quote(self.host)}, port {self.port}: "
                f"{error or 'no answer'}; is the server running there?"
            ) from None
        for strategy in range(STRATEGIES):
            await self._learn(f"{strategy}\n1\n{words.STANDARD_BOARD}\n\n".encode())
        await self._learn(f"x\n1\n{words.STANDARD_BOARD}\n\n".encode())

    async def _learn(self, request: bytes) -> None:
        """Believe the names in an answer whose status is right."""
        ruling = Ruling.of(request)
        lines = [
            line.rstrip(b"\r\n") for line in lines_of((await self.asked(whole(request))).received)
        ]
        if len(lines) < 3 or lines[0] != ruling.status:
            return
        self.names.author = lines[1] if self.names.author is None else self.names.author
        if ruling.strategy is None:
            self.names.default = lines[2]
        else:
            self.names.strategies[ruling.strategy] = lines[2]

    async def open(self) -> ProbeConnection:
        """A new connection, or OSError."""
        return await connect(self.host, self.port, self.timeout)

    async def asked(
        self,
        sending: Sending,
        connection: ProbeConnection | None = None,
        patience: float | None = None,
    ) -> Exchange:
        """Send a request on a connection of its own, or on one that is open already."""
        try:
            connection = connection or await self.open()
        except OSError as error:
            return Exchange(b"", ConnectionEnd.REFUSED, str(error) or "no answer")
        timeout = self.timeout if patience is None else patience
        exchange = await connection.exchange(sending, timeout, self.close_timeout)
        self._late += exchange.ending is ConnectionEnd.SILENT
        self._open += exchange.ending is ConnectionEnd.OPEN
        return exchange

    @property
    def timeout(self) -> float:
        """How long to wait for an answer; less when the server has been silent often."""
        return self.patience * (IMPATIENT if self._late >= ENOUGH else 1)

    @property
    def close_timeout(self) -> float:
        """How long to wait for the end of a connection."""
        return self.close_patience * (IMPATIENT if self._open >= ENOUGH else 1)


@dataclass(slots=True)
class OwareProbe:
    """Asks the server for one case, and remembers what was wrong."""

    peer: Peer
    faults: list[CaseFault] = field(default_factory=list)
    requests: int = 0
    transcript: tuple[()] = ()  # every fault shows its own request
    measured: list[Measurement] = field(default_factory=list)

    async def ask(
        self,
        sending: Sending | bytes,
        ruling: Ruling | None = None,
        connection: ProbeConnection | None = None,
        patience: float | None = None,
    ) -> Exchange:
        """Ask, and compare the answer with the ruling, which follows from the request."""
        sending = whole(sending) if isinstance(sending, bytes) else sending
        self.requests += 1
        exchange = await self.peer.asked(sending, connection, patience)
        fault = judged(exchange, sending, ruling or Ruling.of(sending.request), self.peer.names)
        if fault:
            self.faults.append(fault)
        return exchange

    @asynccontextmanager
    async def guests(self, *sendings: Sending) -> AsyncIterator[list[ProbeConnection]]:
        """Further clients, one for each sending; they send it and wait until the end.

        Where a connection is refused there are fewer of them, which is a fault.
        """
        connections: list[ProbeConnection] = []
        try:
            for sending in sendings:
                connections.append(await self.peer.open())
                await connections[-1].send(sending)
        except OSError as error:
            which = f"{len(connections) + 1}"
            problem = Wording(
                f"connection {which} of {len(sendings)} failed: {error}",
                f"Verbindung {which} von {len(sendings)} misslang: {error}",
            )
            self.faults.append(CaseFault("unreachable", problem, b"", everywhere=True))
        try:
            yield connections
        finally:
            for connection in connections:
                connection.abort()

    @property
    def gave_up(self) -> bool:
        """Whether the server has been waited for in vain, so that more of the same is useless."""
        return any(fault.kind in ("silent", "left open") for fault in self.faults)

    def blame(
        self,
        kind: str,
        problem: str,
        sent: bytes,
        received: bytes,
        *,
        advice: bool = False,
        timed: bool = False,
    ) -> None:
        """Remember a fault that no single answer shows."""
        fault = CaseFault(kind, problem, sent, (), received, advice=advice, timed=timed)
        self.faults.append(fault)


def judged(exchange: Exchange, sending: Sending, ruling: Ruling, names: Names) -> CaseFault | None:
    """What is wrong with an answer and its end, or None."""
    answer, ending = exchange.received, exchange.ending
    wanted = ruling.wanted(names, answer)
    lost = _lost(exchange)
    found = difference(answer, ruling, names)

    def fault(kind: str, problem: str, position: int | None, *, everywhere: bool) -> CaseFault:
        sent, manner = sending.request, sending.manner
        return CaseFault(kind, problem, sent, wanted, answer, position, manner, everywhere)

    if lost and (found or not answer):
        return fault(*lost, found.position if found and answer else None, everywhere=True)
    if found:
        return fault(found.kind, found.problem, found.position, everywhere=found.everywhere)
    if ending is ConnectionEnd.OPEN:
        problem = Wording(
            "the answer is right, but the server does not close the connection at once",
            "die Antwort ist richtig, aber der Server schließt die Verbindung nicht sofort",
        )
        return fault("left open", problem, None, everywhere=True)
    return None


def _lost(exchange: Exchange) -> tuple[str, str] | None:
    """Kind and problem if the answer did not come to its end."""
    why = exchange.problem
    if exchange.ending is ConnectionEnd.REFUSED:
        told = Wording(f"cannot connect any more: {why}", f"keine Verbindung mehr möglich: {why}")
        return "unreachable", told
    if exchange.ending is ConnectionEnd.SILENT:
        return "silent", PART if exchange.received else SILENT
    if exchange.ending is ConnectionEnd.BROKEN:
        told = Wording(
            f"the server broke the connection: {why}",
            f"der Server hat die Verbindung abgebrochen: {why}",
        )
        return "broken", told
    return None if exchange.received else ("nothing", NOTHING)


SILENT: Final = Wording(
    "no answer came in time, though the client had said all it will say",
    "rechtzeitig kam keine Antwort, obwohl der Client alles gesagt hatte",
)
PART: Final = Wording(
    "only part of an answer came in time, though the client had said all it will say",
    "rechtzeitig kam nur ein Teil einer Antwort, obwohl der Client alles gesagt hatte",
)
NOTHING: Final = Wording(
    "the server closed the connection without an answer",
    "der Server hat die Verbindung ohne Antwort geschlossen",
)

ENDLESS: Final = 1 << 20  # bytes after which the end of an answer is not waited for
LINES: Final = len(words.ANSWER_LINES)


class ConnectionEnd(Enum):
    """How a connection ended."""

    CLOSED = "closed"
    BROKEN = "broken"  # reset
    SILENT = "silent"  # the answer was not complete in time
    OPEN = "open"  # the answer was complete, but the connection stayed open
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back, and how it ended."""

    received: bytes
    ending: ConnectionEnd
    problem: str = ""
    seconds: float = 0.0  # until the answer was complete, or given up


class ProbeConnection(asyncio.Protocol):
    """A connection and all that came on it; unlike a stream it keeps that when it breaks."""

    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._received = bytearray()
        self._ending: ConnectionEnd | None = None
        self._problem = ""
        self._answered = asyncio.Event()  # the answer is complete, or nothing more will come
        self._ended = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        self._received += data
        if len(self._received) > ENDLESS:
            self._end(ConnectionEnd.OPEN)
        elif self._received.count(b"\n") >= LINES:
            self._answered.set()

    def eof_received(self) -> bool:
        """The server has closed; what the client still says does not matter."""
        self._end(ConnectionEnd.CLOSED)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has broken, unless it had ended before."""
        self._problem = str(exc or "")
        self._end(ConnectionEnd.BROKEN)

    def _end(self, ending: ConnectionEnd) -> None:
        self._ending = self._ending or ending
        self._answered.set()
        self._ended.set()

    async def exchange(self, sending: Sending, timeout: float, close_timeout: float) -> Exchange:
        """Send, and read to the end; the time for the answer counts from the last byte sent."""
        late, loop, seconds = ConnectionEnd.SILENT, asyncio.get_running_loop(), timeout
        try:
            await self.send(sending)
            sent = loop.time()
            async with asyncio.timeout(timeout):
                await self._answered.wait()
            late, seconds = ConnectionEnd.OPEN, loop.time() - sent
            async with asyncio.timeout(close_timeout):
                await self._ended.wait()
        except TimeoutError:
            self._end(late)
        finally:
            self.abort()
        return Exchange(bytes(self._received), self._ending or late, self._problem, seconds)

    async def send(self, sending: Sending) -> None:
        """Send the pieces, until the server has answered: to send more would break the line."""
        for number, piece in enumerate(sending.pieces):
            if number:
                await asyncio.sleep(sending.pause)
            if self._answered.is_set():
                return
            self._transport.write(piece)
        if sending.half_close and not self._transport.is_closing():
            self._transport.write_eof()

    def abort(self) -> None:
        """Break the connection off, without a goodbye."""
        self._transport.abort()


async def connect(host: str, port: int, timeout: float) -> ProbeConnection:
    """Open a connection, or OSError."""
    async with asyncio.timeout(timeout):
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(ProbeConnection, host, port))[1]


async def check(
    cases: Sequence[Case],
    peer: Peer,
    parallel: int,
    done: Callable[[CaseVerdict], None] = lambda _: None,
) -> list[CaseVerdict]:
    """Carry out the cases on a server, or UsageError if there is none."""
    await peer.introduce()
    return await run(cases, lambda: OwareProbe(peer), parallel, done)
