"""A client of the index server, and an initiator's port for heartbeats."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Final, cast

from spielwerk.check.case import Side
from spielwerk.check.connect4_index.answers import IndexAnswer, understood
from spielwerk.check.connection import TrialConnection
from spielwerk.wire.connect4.messages import MessageError, is_blank, write_message
from spielwerk.wire.lines import LineSplitter, LineTooLong

if TYPE_CHECKING:
    from spielwerk.check.connect4_index.trial import IndexTrial
    from spielwerk.wire.connect4.messages import GameMessage

LONGEST_LINE: Final = 2_000_000  # bytes of a list with very many games
HEARTBEAT: Final = b"heartbeat\n"


class Visitor:
    """A client of the index server; it connects again where the server has closed."""

    connection: TrialConnection

    def __init__(self, trial: IndexTrial, name: str) -> None:
        self._trial = trial
        self.name = name
        self._lines = LineSplitter(LONGEST_LINE)
        self._connected = False
        self._answers = 0  # on this connection

    async def connect(self) -> None:
        """Open a new connection, or a fault."""
        server = self._trial.server
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(server.patience):
                made = await loop.create_connection(
                    lambda: TrialConnection(self._trial, self.name), server.host, server.port
                )
        except OSError as error:
            place = f"{server.host}:{server.port}"
            self._trial.fail("unreachable", place=place, error=error or "?", everywhere=True)
        self.connection, self._connected = made[1], True
        self._lines = LineSplitter(LONGEST_LINE)
        self._answers = 0

    async def renew(self) -> None:
        """Leave, and come again."""
        self.leave()
        await self.connect()

    async def send(self, *pieces: bytes, pause: float = 0.0) -> None:
        """Send bytes as they are, on a new connection if there is none."""
        if not self._connected or self.connection.gone:
            await self.connect()
        for number, piece in enumerate(pieces):
            if number:
                await asyncio.sleep(pause)
            self.connection.send(piece)

    async def ask(self, request: GameMessage, *wanted: str) -> IndexAnswer:
        """Send a request; its answer, which must be one of these.

        A server that closes after every answer may have closed while we sent: we ask again.
        """
        await self.send(write_message(request))
        if self._answers and not await self._goes_on():
            await self.send(write_message(request))
        return await self.expect(*wanted)

    async def _goes_on(self) -> bool:
        """Whether something comes on this connection, or at least not its end."""
        await self.connection.changed(self._trial.server.timeout)
        return self.connection.waiting or not self.connection.gone

    async def expect(self, *wanted: str) -> IndexAnswer:
        """The next answer, which must be one of these."""
        answer = await self.hear()
        if answer.message.header not in wanted:
            self._trial.fail(
                "another-answer",
                answer=str(answer.message),
                wanted=" / ".join(wanted),
                expected=(f"{' / '.join(wanted)}",),
                entry=answer.entry,
                position=answer.start,
            )
        return answer

    async def hear(self) -> IndexAnswer:
        """The next answer, or a fault."""
        server = self._trial.server
        line = await self.line(server.timeout)
        if line is None:
            server.late += not self.connection.gone
            kind = "closed" if self.connection.gone else "silent"
            values = {"seconds": server.timeout, "client": self.name}
            everywhere, timed = not server.spoke, kind == "silent"
            self._trial.fail(kind, everywhere=everywhere, timed=timed, **values)
        return self.read(line)

    async def line(self, patience: float) -> bytes | None:
        """The next line that says something, or None."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while True:
            line = self._take()
            if line is not None and not is_blank(line):
                self._answers += 1
                self._trial.server.heard()
                return line
            if line is not None:
                self._trial.odd("empty-line")
            elif not await self.connection.changed(deadline - loop.time()):
                return None
            elif taken := self.connection.take():
                for at, data in taken:
                    self._lines.feed(data, at)
            elif self.connection.gone:
                return None

    def _take(self) -> bytes | None:
        try:
            line = self._lines.take()
        except LineTooLong:
            self._trial.fail("endless", bytes=LONGEST_LINE)
        return None if line is None else line.content

    def read(self, line: bytes) -> IndexAnswer:
        """The message in a line, or a fault."""
        entry = self._entry(line)
        start = self._trial.transcript[entry].data.find(line)
        try:
            heard, oddities = understood(line)
        except MessageError as error:
            hint = "charset" if isinstance(error.__cause__, UnicodeError) else ""
            self._trial.fail(
                "unreadable", problem=str(error), hint=hint, entry=entry, position=max(start, 0)
            )
        for oddity in oddities:
            self._trial.oddities.setdefault(oddity, entry)
        return IndexAnswer(heard, entry, max(start, 0), line)

    def _entry(self, line: bytes) -> int:
        """Where a line stands in the transcript: among what came since this client asked."""
        transcript = self._trial.transcript
        last = None
        for number in range(len(transcript) - 1, -1, -1):
            one = transcript[number]
            if one.channel != self.name or one.side is Side.EVENT:
                continue
            if one.side is Side.CHECKER:
                break
            last = number if last is None else last
            if line in one.data:
                return number
        return len(transcript) - 1 if last is None else last

    def leave(self) -> None:
        """Close the connection without another word."""
        if self._connected and not self.connection.gone:
            self._trial.happened("checker-closes")
            self.connection.drop()

    def stop_reading(self) -> None:
        """Take no more bytes."""
        end: socket.socket = self.connection.transport.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.connection.transport.pause_reading()


class Mailbox(asyncio.DatagramProtocol):
    """An initiator's UDP port."""

    def __init__(self, trial: IndexTrial, server: tuple[str, int]) -> None:
        self.server = server
        self.datagrams: asyncio.Queue[tuple[bytes, tuple[str, int]]] = asyncio.Queue()
        self._trial = trial

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast("asyncio.DatagramTransport", transport)
        self.address: tuple[str, int] = transport.get_extra_info("sockname")[:2]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """See asyncio."""
        self._trial.add(Side.PROGRAM, "UDP", data)
        self.datagrams.put_nowait((data, addr))

    def send(self, data: bytes = HEARTBEAT) -> None:
        """Send a datagram to the server."""
        self._trial.add(Side.CHECKER, "UDP", data)
        self._transport.sendto(data, self.server)

    def close(self) -> None:
        """No more."""
        self._transport.close()
