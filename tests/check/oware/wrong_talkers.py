"""Servers that get the bytes and the connection wrong."""

from __future__ import annotations

import asyncio
import re

from tests.check.oware.move_server import STANDARD, MoveServer, Position
from tests.check.planting import Faults

caught = Faults()

# The bytes of the answer


@caught("answer/move", ".+", r"lines end in \\r\\n")
class EndsLinesWithCrLf(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer.replace(b"\n", b"\r\n")


@caught("answer/move", ".+", "the fifth line has no")
class OmitsFinalNewline(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer[:-1]


@caught("answer/move", ".+", "after the five lines the answer goes on")
class AnswersTwice(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer * 2


@caught("read-failure/no-line", ".+", "the answer ends in line 5, <resulting-board>")
class OmitsTheBoardOfReadFailures(MoveServer):
    def error(self, status: str, details: bytes, name: bytes, board: bytes = STANDARD) -> bytes:
        answer = super().error(status, details, name, board)
        return answer[: -len(board) - 1] if status == "read-failure" else answer


@caught("answer/move", ".+", "does not close the connection")
class KeepsTheConnectionOpen(MoveServer):
    async def goodbye(self, writer: asyncio.StreamWriter) -> None:
        pass


@caught("answer/move", ".+", "<status> is 'ok'")
class WritesSmallLetters(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer.replace(b"OK\n", b"ok\n", 1)


# The network


@caught("answer/move", ".+", "no answer came in time")
class WaitsForTheEndOfTheRequest(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = await super().read(reader)
        await reader.read()
        return lines


@caught("network/silent-clients", ".+", "no answer came in time")
class ServesOneClientAtATime(MoveServer):
    def __init__(self) -> None:
        self.turn = asyncio.Lock()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self.turn:
            await super().serve(reader, writer)


@caught("network/every-split", ".+", "came in time")
class ReadsOnlyOnce(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = (await reader.read(1 << 17)).split(b"\n")[:-1]
        if 0 < len(lines) < 4:
            await asyncio.sleep(60)
        return lines[:4]


@caught("network/byte-by-byte", ".+", "<status> is 'ERROR read-failure'")
class TakesASegmentForTheRequest(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        return (await reader.read(1 << 17)).split(b"\n")[:-1][:4]


@caught("network/at-once", ".+", "<status>|<response-details>|<strategy-name>|<resulting-board>")
class SharesStateBetweenClients(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        self.lines = await super().read(reader)
        await asyncio.sleep(0.01)
        return self.lines


@caught("*/long", ".+", "broke the connection|closed the connection without")
class BreaksOnLongLines(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = await super().read(reader)
        if any(len(line) > 1000 for line in lines):
            raise ConnectionError
        return lines


@caught("network/half-closed", ".+", "closed the connection without an answer")
class GivesUpOnHalfClosedConnections(MoveServer):
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = await self.read(reader)
        await asyncio.sleep(0.05)
        if not reader.at_eof():
            writer.write(self.answer(lines))


@caught("network/further-lines", ".+", "goes on|<status>|<resulting-board>")
class JudgesFurtherLines(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = (await reader.read(1 << 17)).split(b"\n")[:-1]
        return lines if len(lines) <= 4 else []


@caught("network/lost-clients", ".+", "cannot connect|no answer|without an answer|broke")
class DiesWhenAClientLeaves(MoveServer):
    dead = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            lines = await self.read(reader)
        except OSError:
            self.dead = True
            raise
        self.dead = self.dead or len(lines) < 4
        if not self.dead:
            writer.write(self.answer(lines))


@caught("cycle/nothing-kept", ".+")
class RemembersEarlierRequests(MoveServer):
    def __init__(self) -> None:
        self.kept: list[tuple[int, ...]] = []

    def start(self, lines: list[bytes]) -> Position:
        position = super().start(lines)
        position.seen = [situation for situation in self.kept if situation[1] == 23]
        return position

    def chosen(self, position: Position) -> int:
        self.kept = [*position.seen, self.situation(position)]
        return super().chosen(position)


# Reading the lines


@caught("read-failure/unterminated-*", ".+", "<status> is 'OK'|<response-details>")
class AcceptsAnUnterminatedLine(MoveServer):
    def unterminated(self, lines: list[bytes], rest: bytes) -> list[bytes]:
        return [*lines, rest] if rest else lines


@caught("read-failure/empty-lines", ".+", "<response-details>")
class OverlooksEmptyLines(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        kept = [line for line in lines if line]
        return super().answer(kept if len(lines) < 4 else lines)


@caught("read-failure/one-line", ".+", "without an answer")
class SaysNothingToReadFailures(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        return super().answer(lines) if len(lines) == 4 else b""


@caught("read-failure/cr-ends-no-line", ".+", "<response-details>|<status>")
class EndsLinesAtCr(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        data = b""
        while len(re.findall(rb"\r\n|\r|\n", data)) < 4 and (more := await reader.read(1 << 17)):
            data += more
        return re.split(rb"\r\n|\r|\n", data)[:-1][:4]
