"""A correct index server in small steps, each of which a faulty one can get wrong.

It is written from the document alone and shares no code with the package.
"""

# ruff: noqa: ARG002 (steps that are correct need not use all that a faulty one could)

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import cast

LIMIT = 60.0


@dataclass
class Game:
    guid: str
    player: str
    name: str
    sides: list[str]
    address: tuple[str, str]  # as they were registered
    heard: float
    status: str = "Open"


class IndexServer(asyncio.DatagramProtocol):
    """Answers requests; every method is one step that can be replaced."""

    charset = "utf-8"
    limit = LIMIT
    beat = 10.0
    look = 1.0
    heartbeat = b"heartbeat\n"

    # the network

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """Serve on a free port, TCP and UDP, until the end of the block."""
        self.games: list[Game] = []
        self.clients: set[asyncio.StreamWriter] = set()
        self.loop = asyncio.get_running_loop()
        self.server = await asyncio.start_server(self.client, "127.0.0.1", 0, limit=1 << 20)
        self.port = self.server.sockets[0].getsockname()[1]
        await self.loop.create_datagram_endpoint(lambda: self, ("127.0.0.1", self.port))
        self.left: list[str] = []  # names of games in the end
        tasks = [self.loop.create_task(work) for work in (self.beats(), self.looks())]
        try:
            yield self.port
        finally:
            self.left = [game.name for game in self.games]
            self.die()
            for task in tasks:
                task.cancel()
            await asyncio.sleep(0)

    def die(self) -> None:
        self.server.close()
        self.udp.close()
        for writer in self.clients:
            writer.transport.abort()

    async def client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.clients.add(writer)
        with suppress(OSError, ValueError, asyncio.LimitOverrunError):
            await self.serve(reader, writer)
        self.clients.discard(writer)
        writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await self.read(reader):
            if answer := await self.handled(line):
                writer.write(self.sent(answer))
                await self.written(writer)

    async def read(self, reader: asyncio.StreamReader) -> bytes:
        line = await reader.readline()
        return line if line.endswith(b"\n") else b""

    async def handled(self, line: bytes) -> str:
        return self.answer(line.decode(self.charset, "replace").rstrip("\r\n"))

    def sent(self, answer: str) -> bytes:
        return f"{answer}\n".encode(self.charset, "replace")

    async def written(self, writer: asyncio.StreamWriter) -> None:
        await writer.drain()

    # requests

    def answer(self, line: str) -> str:
        word, *values = line.split(";")
        match word:
            case "request_game_list":
                return self.whole_list()
            case "register_game":
                return self.register(values)
            case "seal_game":
                return self.seal(values)
            case "unregister_game":
                return self.unregister(values)
        return self.unknown(line)

    def unknown(self, line: str) -> str:
        return "error;unknown message"

    def whole_list(self) -> str:
        cells = [cell for game in self.listed() for cell in self.cells(game)]
        return ";".join(["answer_game_list", str(self.count()), *cells])

    def listed(self) -> list[Game]:
        return self.games

    def count(self) -> int:
        return len(self.listed())

    def cells(self, game: Game) -> list[str]:
        return [self.status(game), game.player, game.name, *game.sides, *game.address]

    def status(self, game: Game) -> str:
        return game.status

    def register(self, values: list[str]) -> str:
        if not self.fits(values):
            return self.failed("register", "wrong parameters")
        player, name, *rest = values
        if self.taken(player, name):
            return self.failed("register", "the name is taken")
        sides, address = self.sides(rest[:3]), (rest[3], rest[4])
        game = Game(self.guid(), player, self.name(name), sides, address, self.loop.time())
        self.games.append(game)
        return f"register_success;{game.guid}"

    def fits(self, values: list[str]) -> bool:
        if len(values) != 7 or not all(values[number].isdigit() for number in (2, 3, 4, 6)):
            return False
        width, height, port = (int(values[number]) for number in (2, 3, 6))
        return width > 0 and height > 0 and 0 < port < 65536

    def name(self, name: str) -> str:
        return name

    def sides(self, sides: list[str]) -> list[str]:
        return sides

    def taken(self, player: str, name: str) -> bool:
        return any(game.name == name for game in self.games)

    def guid(self) -> str:
        return str(uuid.uuid4())

    def seal(self, values: list[str]) -> str:
        game = self.found(values)
        if game is None:
            return self.failed("seal_game", "no such game")
        self.sealed(game)
        return "seal_game_success"

    def sealed(self, game: Game) -> None:
        game.status = "Sealed"

    def unregister(self, values: list[str]) -> str:
        game = self.found(values)
        if game is None:
            return self.failed("unregister_game", "no such game")
        self.remove(game)
        return "unregister_game_success"

    def remove(self, game: Game) -> None:
        self.games.remove(game)

    def found(self, values: list[str]) -> Game | None:
        wanted = self.plain(values[0]) if len(values) == 1 else ""
        return next((game for game in self.games if self.plain(game.guid) == wanted), None)

    def plain(self, guid: str) -> str:
        return guid.strip("{}").lower()

    def failed(self, what: str, why: str) -> str:
        return f"{what}_failed;{why}"

    # heartbeats

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.udp = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        for game in self.games:
            if data == b"heartbeat\n" and self.comes_from(game, addr):
                game.heard = self.loop.time()

    def comes_from(self, game: Game, source: tuple[str, int]) -> bool:
        return game.address == (source[0], str(source[1]))

    async def beats(self) -> None:
        while True:
            for host, port in {game.address for game in self.games}:
                self.udp.sendto(self.heartbeat, (host, int(port)))
            await asyncio.sleep(self.beat)

    async def looks(self) -> None:
        while True:
            await asyncio.sleep(self.look)
            late = [game for game in self.games if self.loop.time() > game.heard + self.limit]
            for game in self.fallen(late):
                self.games.remove(game)

    def fallen(self, late: list[Game]) -> list[Game]:
        return late
