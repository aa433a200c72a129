"""The server that is checked, and how a case asks it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.check.oware.requests import (
    STRATEGIES,
    Difference,
    Names,
    Ruling,
    Sending,
    difference,
)
from spielwerk.check.server import ENOUGH, CheckedServer
from spielwerk.check.texts import Scripts
from spielwerk.check.trial import Trial
from spielwerk.check.visible import lines_of
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from spielwerk.check.connection import TrialConnection

ENDLESS: Final = 1 << 20  # bytes after which the end of an answer is not waited for
LINES: Final = len(words.ANSWER_LINES)

script: Final = Scripts()


@dataclass(slots=True)
class Peer(CheckedServer):
    """A move server, and what it has told about itself."""

    close_patience: float = 2.0  # for the end of the connection once the answer is there
    names: Names = field(default_factory=Names)
    open: int = 0  # times that it did not close

    @property
    def close_timeout(self) -> float:
        """How long to wait for the end of a connection."""
        return self.close_patience * (self.impatient if self.open >= ENOUGH else 1)

    def trial(self) -> OwareTrial:
        """See the base."""
        return OwareTrial(self)

    async def introduce(self) -> None:
        """Learn author and names from the simplest requests, or UsageError."""
        await CheckedServer.introduce(self)
        await self.trial().carry_out(self._learn_all)

    async def _learn_all(self, trial: OwareTrial) -> None:
        for strategy in (*map(str, range(STRATEGIES)), "x"):
            await self._learn(trial, f"{strategy}\n1\n{words.STANDARD_BOARD}\n\n".encode())

    async def _learn(self, trial: OwareTrial, request: bytes) -> None:
        """Believe the names in an answer whose status is right."""
        ruling = Ruling.of(request)
        answer = (await trial.exchange(Sending((request,)))).received
        lines = [line.rstrip(b"\r\n") for line in lines_of(answer)]
        if len(lines) < 3 or lines[0] != ruling.status:
            return
        self.names.author = lines[1] if self.names.author is None else self.names.author
        if ruling.strategy is None:
            self.names.default = lines[2]
        else:
            self.names.strategies[ruling.strategy] = lines[2]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back, and how it ended: closed, reset, silent, open or unreachable."""

    received: bytes
    ending: str
    channel: str = ""
    problem: str = ""
    seconds: float = 0.0  # until the answer was complete, or given up


class OwareTrial(Trial):
    """Asks the server for one case; what was answered rightly is not kept in the transcript."""

    package: ClassVar = "spielwerk.check.oware"

    def __init__(self, peer: Peer) -> None:
        super().__init__()
        self.limit = None  # thinking takes as long as it takes
        self.peer = peer
        self._asked = 0  # requests
        self._asking = 0  # of them under way
        self._numbers = count(1)  # of clients

    async def connect(self) -> TrialConnection:
        """A new connection, or OSError."""
        return await self.peer.connect(self, f"client {next(self._numbers)}")

    async def exchange(
        self,
        sending: Sending,
        connection: TrialConnection | None = None,
        patience: float | None = None,
    ) -> Exchange:
        """Send a request on a connection of its own, or on one that is open already, and read.

        The time for the answer counts from the last byte sent.
        """
        try:
            line = connection or await self.connect()
        except OSError as error:
            return Exchange(b"", "unreachable", problem=str(error) or "no answer")
        received = bytearray()

        async def read(seconds: float, *, to_end: bool) -> bool:
            """Whether the answer is complete, or even the connection at its end."""
            until = self.now + seconds
            while not line.gone and len(received) <= ENDLESS:
                if not to_end and received.count(b"\n") >= LINES:
                    return True
                if not await line.changed(until - self.now):
                    return False
                received.extend(b"".join(data for _, data in line.take()))
            return True

        for number, piece in enumerate(sending.pieces):
            if number and await read(sending.pause, to_end=False):
                break  # to send more would break the line
            if piece:
                line.send(piece)
        if sending.half_close and not line.transport.is_closing():
            line.transport.write_eof()
        sent, timeout = self.now, self.peer.timeout if patience is None else patience
        ending = "silent"
        if await read(timeout, to_end=False):
            seconds = self.now - sent
            ended = await read(self.peer.close_timeout, to_end=True)
            ending = line.gone if ended and line.gone else "open"
        else:
            seconds = timeout
        received.extend(b"".join(data for _, data in line.take()))
        line.drop()
        self.peer.late += ending == "silent"
        self.peer.open += ending == "open"
        return Exchange(bytes(received), ending, line.channel, "", seconds)

    async def ask(
        self,
        sending: Sending | bytes,
        ruling: Ruling | None = None,
        connection: TrialConnection | None = None,
        patience: float | None = None,
        manner: str = "",
        **values: object,
    ) -> Exchange:
        """Ask, and compare the answer with the ruling, which follows from the request.

        How it is asked, if not simply, is told by an event.
        """
        sending = Sending((sending,)) if isinstance(sending, bytes) else sending
        alone = not self._asking
        self._asking += 1
        self._asked += 1
        start, before, number = len(self.transcript), len(self.faults), self._asked
        if manner or sending.manner:
            self.happened(manner or sending.manner, **values)
        exchange = await self.exchange(sending, connection, patience)
        self._asking -= 1
        self._judge(exchange, ruling or Ruling.of(sending.request))
        if alone and number == self._asked and before == len(self.faults):
            del self.transcript[start:]
        return exchange

    def _judge(self, exchange: Exchange, ruling: Ruling) -> None:
        answer, names = exchange.received, self.peer.names
        found = difference(answer, ruling, names)
        lost = self._lost(exchange)
        if lost and (found or not answer):
            found = Difference(lost, found.position if found and answer else None, True)
        elif not found and exchange.ending == "open":
            found = Difference("left-open", None, True)
        if found:
            place: dict[str, Any] = {}
            if found.position is not None:
                said = self.said(exchange.channel)
                place = self.where(said, found.position, exchange.channel)
            told: dict[str, Any] = {"why": exchange.problem, **found.values}
            wanted = ruling.wanted(names, answer)
            self.blame(found.kind, expected=wanted, everywhere=found.everywhere, **place, **told)

    def _lost(self, exchange: Exchange) -> str:
        """The kind of fault if the answer did not come to its end."""
        if exchange.ending == "silent":
            return "part" if exchange.received else "silent"
        if exchange.ending in ("unreachable", "reset"):
            return exchange.ending
        return "" if exchange.received else "nothing"

    @asynccontextmanager
    async def guests(self, *pieces: bytes) -> AsyncIterator[list[TrialConnection]]:
        """Further clients, one for each piece; they send it and wait until the end.

        Where a connection is refused there are fewer of them, which is a fault.
        """
        connections: list[TrialConnection] = []
        try:
            for piece in pieces:
                connections.append(await self.connect())
                if piece:
                    connections[-1].send(piece)
        except OSError as error:
            self.blame("unreachable", why=str(error), everywhere=True)
        try:
            yield connections
        finally:
            for connection in connections:
                connection.drop()

    @property
    def gave_up(self) -> bool:
        """Whether the server has been waited for in vain, so that more of the same is useless."""
        return any(fault.kind in ("silent", "part", "left-open") for fault in self.faults)
