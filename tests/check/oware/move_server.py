"""A correct Oware move server in small steps, each of which a mutant can get wrong.

It is written from the document alone and shares no code with the package.
"""

# ruff: noqa: ARG002 (steps that are correct need not use all that a mutant could)

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Board = list[int]

STANDARD = b"0 0 4 4 4 4 4 4 4 4 4 4 4 4"
LINES = (b"strategy", b"search-depth", b"initial-board", b"move-history")


@dataclass
class Position:
    board: Board
    player: int = 0
    seen: list[tuple[int, ...]] = field(default_factory=list)


class MoveServer:
    """Answers requests; every method is one step that can be replaced."""

    author = b"Karl Muster"
    names = (b"Karl Musters Super-Strategie", b"Karl Musters zweite Strategie")
    order: tuple[str, ...] = ("strategy", "depth", "board", "history")
    majority = 25
    ripe: tuple[int, ...] = (2, 3)

    # the connection

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """Serve on a free port until the end of the block."""
        self.clients: set[asyncio.StreamWriter] = set()
        server = await asyncio.start_server(self.client, "127.0.0.1", 0, limit=1 << 20)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for writer in self.clients:
                writer.transport.abort()
            await asyncio.sleep(0)

    async def client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.clients.add(writer)
        try:
            await self.serve(reader, writer)
            await self.goodbye(writer)
        except OSError:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = await self.read(reader)
        writer.write(self.sent(self.answer(lines)))
        await writer.drain()

    async def goodbye(self, writer: asyncio.StreamWriter) -> None:
        writer.close()
        self.clients.discard(writer)

    async def read(self, reader: asyncio.StreamReader) -> list[bytes]:
        lines: list[bytes] = []
        while len(lines) < 4:
            line = await reader.readline()
            if not line.endswith(b"\n"):
                return self.unterminated(lines, line)
            lines.append(self.received(line[:-1]))
        return lines

    def unterminated(self, lines: list[bytes], rest: bytes) -> list[bytes]:
        return lines

    def received(self, line: bytes) -> bytes:
        return line

    def sent(self, answer: bytes) -> bytes:
        return answer

    # the request

    def answer(self, lines: list[bytes]) -> bytes:
        if len(lines) < 4:
            return self.error("read-failure", LINES[len(lines)], self.default())
        for line in self.order:
            fault: bytes | None = getattr(self, f"wrong_{line}")(lines)
            if fault is not None:
                return fault
        position = self.start(lines)
        for character in lines[3]:
            position = self.play(position, self.house(character))
        if self.over(position):
            return self.finish(lines, position)
        move = self.chosen(position)
        after = self.play(position, move)
        return self.reply(b"OK", self.name(lines), b"%d" % move, self.told(after.board))

    def wrong_strategy(self, lines: list[bytes]) -> bytes | None:
        if re.fullmatch(self.strategies(), lines[0]):
            return None
        return self.error("strategy", self.repeated(lines[0]), self.default())

    def wrong_depth(self, lines: list[bytes]) -> bytes | None:
        if re.fullmatch(self.depths(), lines[1]):
            return None
        return self.error("search-depth", self.repeated(lines[1]), self.name(lines))

    def wrong_board(self, lines: list[bytes]) -> bytes | None:
        if self.board(lines[2]):
            return None
        return self.error("initial-board", self.repeated(lines[2]), self.name(lines))

    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        position = self.start(lines)
        for m, character in enumerate(lines[3]):
            house = self.house(character)
            if self.over(position) or house not in self.legal(position):
                status = f"move-history {self.counted(m)}"
                before = self.before(position, house)
                return self.error(status, self.repeated(lines[3]), self.name(lines), before)
            position = self.play(position, house)
        return None

    def strategies(self) -> bytes:
        return rb"[01]"

    def depths(self) -> bytes:
        return rb"[1-9]"

    def board(self, line: bytes) -> Board | None:
        if not re.fullmatch(rb"(%s )*%s" % (self.number(), self.number()), line):
            return None
        words = line.split(b" ")
        if len(words) != 14 or any(len(word) > 2 for word in words):
            return None
        board = [int(word) for word in words]
        return board if sum(board) == 48 else None

    def number(self) -> bytes:
        return rb"(?:0|[1-9][0-9]*)"

    def house(self, character: int) -> int:
        return character - ord("0")

    def start(self, lines: list[bytes]) -> Position:
        return Position(self.board(lines[2]) or [0, 0, *[4] * 12])

    # the answer

    def counted(self, m: int) -> int:
        return m

    def before(self, position: Position, house: int) -> bytes:
        return self.told(position.board)

    def repeated(self, line: bytes) -> bytes:
        return line

    def default(self) -> bytes:
        return self.names[0]

    def name(self, lines: list[bytes]) -> bytes:
        return self.names[int(lines[0] == b"1")]

    def told(self, board: Board) -> bytes:
        return " ".join(map(str, board)).encode()

    def error(self, status: str, details: bytes, name: bytes, board: bytes = STANDARD) -> bytes:
        return self.reply(f"ERROR {status}".encode(), name, details, board)

    def finish(self, lines: list[bytes], position: Position) -> bytes:
        board = self.final(position.board)
        return self.reply(b"OK", self.name(lines), b"finish", self.told(board))

    def reply(self, *lines: bytes) -> bytes:
        status, name, details, board = lines
        return b"".join(line + b"\n" for line in (status, self.author, name, details, board))

    # the rules

    def over(self, position: Position) -> bool:
        board = position.board
        if max(board[:2]) >= self.majority:
            return True
        return not self.legal(position) or self.repeats(position)

    def repeats(self, position: Position) -> bool:
        return self.situation(position) in position.seen

    def situation(self, position: Position) -> tuple[int, ...]:
        return (position.player, *position.board)

    def final(self, board: Board) -> Board:
        return [board[0] + sum(board[2:8]), board[1] + sum(board[8:]), *[0] * 12]

    def side(self, player: int) -> range:
        return range(2 + 6 * player, 8 + 6 * player)

    def legal(self, position: Position) -> list[int]:
        board, player = position.board, position.player
        full = [house for house in range(6) if board[self.side(player)[house]]]
        if any(board[place] for place in self.side(1 - player)):
            return full
        return [house for house in full if self.feeds(board[self.side(player)[house]], house)]

    def feeds(self, stones: int, house: int) -> bool:
        return house + stones > 5

    def chosen(self, position: Position) -> int:
        return self.legal(position)[0]

    def play(self, position: Position, house: int) -> Position:
        board, last = self.sow(position.board, self.side(position.player)[house])
        board = self.collect(board, last, position.player)
        return Position(board, 1 - position.player, self.remember(position))

    def remember(self, position: Position) -> list[tuple[int, ...]]:
        return [*position.seen, self.situation(position)]

    def sow(self, board: Board, origin: int) -> tuple[Board, int]:
        board, place, stones = list(board), origin, board[origin]
        board[origin] = 0
        sown = 0
        while sown < stones:
            place = self.following(place)
            if place != origin or not self.skipped(sown):
                board[place] += 1
                sown += 1
        return board, place

    def following(self, place: int) -> int:
        return 2 if place == 13 else place + 1

    def preceding(self, place: int) -> int:
        return 13 if place == 2 else place - 1

    def skipped(self, sown: int) -> bool:
        return True

    def collect(self, board: Board, last: int, player: int) -> Board:
        after = list(board)
        place = last
        while self.collectable(after, place, player):
            after[player] += after[place]
            after[place] = 0
            place = self.preceding(place)
        return board if self.slam(after, player) else after

    def collectable(self, board: Board, place: int, player: int) -> bool:
        return place in self.side(1 - player) and board[place] in self.ripe

    def slam(self, after: Board, player: int) -> bool:
        return not any(after[place] for place in self.side(1 - player))
