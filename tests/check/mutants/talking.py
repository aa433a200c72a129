"""Servers that get the bytes and the connection wrong."""

from __future__ import annotations

import asyncio
import re

from tests.check.move_server import STANDARD, Board, MoveServer, Position
from tests.check.mutants.planting import caught

# The bytes of the answer


@caught("answer/move", r"lines end in \\r\\n")
class EndsLinesWithCrLf(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer.replace(b"\n", b"\r\n")


@caught("read-failure/no-line", r"lines end in \\r\\n")
class EndsLinesOfErrorsWithCrLf(MoveServer):
    def error(self, status: str, details: bytes, name: bytes, board: bytes = STANDARD) -> bytes:
        return super().error(status, details, name, board).replace(b"\n", b"\r\n")


@caught("answer/move", "the fifth line has no")
class OmitsFinalNewline(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer[:-1]


@caught("majority/A.8", "the fifth line has no")
class OmitsFinalNewlineOfFinish(MoveServer):
    def finish(self, lines: list[bytes], position: Position) -> bytes:
        return super().finish(lines, position)[:-1]


@caught("answer/move", "after the five lines the answer goes on")
class AnswersTwice(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer * 2


@caught("answer/move", "goes on \\(1 bytes\\)")
class SendsAnEmptyLineMore(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer + b"\n"


@caught("answer/move", "goes on \\(5 bytes\\)")
class SendsTextBehind(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer + b"bye.\n"


@caught("read-failure/no-line", "the answer ends in line 5, <resulting-board>")
class OmitsTheBoardOfReadFailures(MoveServer):
    def error(self, status: str, details: bytes, name: bytes, board: bytes = STANDARD) -> bytes:
        answer = super().error(status, details, name, board)
        return answer[: -len(board) - 1] if status == "read-failure" else answer


@caught("answer/move", "does not close the connection")
class KeepsTheConnectionOpen(MoveServer):
    async def goodbye(self, writer: asyncio.StreamWriter) -> None:
        pass


@caught("strategy/B.2", "does not close the connection")
class KeepsTheConnectionOpenAfterErrors(MoveServer):
    failed = False

    async def goodbye(self, writer: asyncio.StreamWriter) -> None:
        if not self.failed:
            await super().goodbye(writer)

    def answer(self, lines: list[bytes]) -> bytes:
        answer = super().answer(lines)
        self.failed = answer.startswith(b"ERROR strategy")
        return answer


@caught("answer/move", "<resulting-board> is '0 0 0 5 5 5 5 4 4 4 4 4 4 4 '")
class PutsABlankBehindTheBoard(MoveServer):
    def told(self, board: Board) -> bytes:
        return super().told(board) + b" "


@caught("answer/move", "<status> is 'ok'")
class WritesSmallLetters(MoveServer):
    def sent(self, answer: bytes) -> bytes:
        return answer.replace(b"OK\n", b"ok\n", 1)


# The network


@caught("answer/move", "no answer came in time")
class WaitsForTheEndOfTheRequest(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = await super().read(reader)
        await reader.read()
        return lines


@caught("network/silent-clients", "no answer came in time")
class ServesOneClientAtATime(MoveServer):
    def __init__(self) -> None:
        self.turn = asyncio.Lock()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self.turn:
            await super().serve(reader, writer)


@caught("network/many-clients", "no answer came in time")
class ServesTenClientsAtATime(MoveServer):
    def __init__(self) -> None:
        self.turn = asyncio.Semaphore(10)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self.turn:
            await super().serve(reader, writer)


@caught("network/half-requests", "no answer came in time")
class ServesOneStartedRequestAtATime(MoveServer):
    def __init__(self) -> None:
        self.turn = asyncio.Lock()

    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        first = await reader.readexactly(1)
        async with self.turn:
            start = asyncio.StreamReader()
            start.feed_data(first + await reader.readline())
            return [(await start.readline())[:-1], *await self.others(reader)]

    async def others(self, reader: asyncio.StreamReader) -> list[bytes]:
        return [(await reader.readline())[:-1] for _ in range(3)]


@caught("network/every-split", "came in time")
class ReadsOnlyOnce(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = (await reader.read(1 << 17)).split(b"\n")[:-1]
        if 0 < len(lines) < 4:
            await asyncio.sleep(60)
        return lines[:4]


@caught("network/byte-by-byte", "<status> is 'ERROR read-failure'")
class TakesASegmentForTheRequest(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        return (await reader.read(1 << 17)).split(b"\n")[:-1][:4]


@caught("network/at-once", "<status>|<response-details>|<strategy-name>|<resulting-board>")
class SharesStateBetweenClients(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        self.lines = await super().read(reader)
        await asyncio.sleep(0.01)
        return self.lines


@caught("*/long", "broke the connection|closed the connection without")
class BreaksOnLongLines(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = await super().read(reader)
        if any(len(line) > 1000 for line in lines):
            raise ConnectionError
        return lines


@caught("*/long", "<response-details>")
class CutsLongLines(MoveServer):
    def received(self, line: bytes) -> bytes:
        return line[:8192]


@caught("network/half-closed", "closed the connection without an answer")
class GivesUpOnHalfClosedConnections(MoveServer):
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = await self.read(reader)
        await asyncio.sleep(0.05)
        if not reader.at_eof():
            writer.write(self.answer(lines))


@caught("network/further-lines", "goes on|<status>|<resulting-board>")
class JudgesFurtherLines(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines = (await reader.read(1 << 17)).split(b"\n")[:-1]
        return lines if len(lines) <= 4 else []


@caught("network/lost-clients", "cannot connect|no answer|without an answer|broke")
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


@caught("cycle/nothing-kept")
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


@caught("read-failure/unterminated-*", "<status> is 'OK'|<response-details>")
class AcceptsAnUnterminatedLine(MoveServer):
    def unterminated(self, lines: list[bytes], rest: bytes) -> list[bytes]:
        return [*lines, rest] if rest else lines


@caught("read-failure/three-lines", "<status> is 'OK'")
class TakesAMissingHistoryForAnEmptyOne(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        return super().answer([*lines, b""] if len(lines) == 3 else lines)


@caught("read-failure/empty-lines", "<response-details>")
class OverlooksEmptyLines(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        kept = [line for line in lines if line]
        return super().answer(kept if len(lines) < 4 else lines)


@caught("read-failure/two-lines", "<response-details> is 'search-depth'")
class NamesTheLastLineRead(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        if 0 < len(lines) < 4:
            return super().answer(lines[:-1])
        return super().answer(lines)


@caught("read-failure/one-line", "without an answer")
class SaysNothingToReadFailures(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        return super().answer(lines) if len(lines) == 4 else b""


@caught("*/cr", "<response-details>|<status>")
class DropsCr(MoveServer):
    def received(self, line: bytes) -> bytes:
        return line.removesuffix(b"\r")


@caught("read-failure/cr-ends-no-line", "<response-details>|<status>")
class EndsLinesAtCr(MoveServer):
    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        data = b""
        while len(re.findall(rb"\r\n|\r|\n", data)) < 4 and (more := await reader.read(1 << 17)):
            data += more
        return re.split(rb"\r\n|\r|\n", data)[:-1][:4]
