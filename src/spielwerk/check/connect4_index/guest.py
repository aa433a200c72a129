"""A client of the index server, and an initiator's port for heartbeats."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from spielwerk.check.case import Side
from spielwerk.wire.connect4.messages import (
    PARAMETERS,
    SEPARATOR,
    SYNONYMS,
    GameMessage,
    MessageError,
    is_blank,
    message,
    read_message,
    write_message,
)
from spielwerk.wire.lines import LineSplitter, LineTooLong

if TYPE_CHECKING:
    from spielwerk.check.connect4_index.trial import IndexTrial
    from spielwerk.check.connection import TrialConnection

LONGEST_LINE: Final = 2_000_000  # bytes of a list with very many games
HEARTBEAT: Final = b"heartbeat\n"


class IndexAnswer(NamedTuple):
    """A message, and where it begins in the transcript."""

    message: GameMessage
    entry: int
    start: int
    line: bytes

    def cell(self, number: int, cell: int) -> int:
        """Where a value of a game of the list begins in that entry of the transcript."""
        before = self.line.split(b";")[: 2 + 8 * number + cell]
        return self.start + sum(len(word) + 1 for word in before)


def understood(line: bytes) -> tuple[GameMessage, list[str]]:
    """The message in a line and what is odd about it, or MessageError."""
    oddities = ["return"] if line.endswith(b"\r") else []
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise MessageError("the answer is no UTF-8") from error
    bare = text.rstrip("\r\0 ")
    if bare != text.removesuffix("\r"):
        oddities.append("trailing-blank")
    word, _, rest = bare.partition(SEPARATOR)
    if word in SYNONYMS:
        oddities.append("spelling")
    header = SYNONYMS.get(word, word)
    if header.endswith("_failed") and header in PARAMETERS:  # any text is right
        oddities += ["semicolon"] if SEPARATOR in rest else []
        oddities += [] if rest else ["no-explanation"]
        return message(header, rest), oddities
    return _without_last_semicolon(bare, oddities)


def _without_last_semicolon(text: str, oddities: list[str]) -> tuple[GameMessage, list[str]]:
    """The message; a semicolon may follow the last parameter as well."""
    try:
        return read_message(text.encode()), oddities
    except MessageError:
        if not text.endswith(SEPARATOR):
            raise
        return read_message(text[:-1].encode()), [*oddities, "last-semicolon"]


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
        try:
            self.connection = await server.connect(self._trial, self.name)
        except OSError as error:
            place = f"{server.host}:{server.port}"
            self._trial.fail("unreachable", place=place, error=error or "?", everywhere=True)
        self._connected = True
        self._lines = LineSplitter(LONGEST_LINE)
        self._answers = 0

    async def send(self, *pieces: bytes, pause: float = 0.0) -> None:
        """Send bytes as they are, on a new connection if there is none."""
        if not self._connected or self.connection.gone:
            await self.connect()
        for number, piece in enumerate(pieces):
            if number:
                await asyncio.sleep(pause)
            if piece:
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
        return self.fits(await self.hear(), *wanted)

    def fits(self, answer: IndexAnswer, *wanted: str) -> IndexAnswer:
        """An answer, which must be one of these."""
        if answer.message.header not in wanted:
            due = " / ".join(wanted)
            place = {"entry": answer.entry, "position": answer.start}
            told = {"answer": str(answer.message), "wanted": due}
            self._trial.fail("another-answer", expected=(due,), **told, **place)
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
        place = self._trial.where(line, channel=self.name)
        try:
            heard, oddities = understood(line)
        except MessageError as error:
            hint = "charset" if isinstance(error.__cause__, UnicodeError) else ""
            self._trial.fail("unreadable", problem=str(error), hint=hint, **place)
        for oddity in oddities:
            self._trial.oddities.setdefault(oddity, place["entry"])
        return IndexAnswer(heard, place["entry"], place.get("position", 0), line)

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
