"""The game server over real sockets: segments, room, and ends that come at the same moment."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random

import psutil
import pytest

from spielwerk.servers.mnm import MnmService, MnmSettings
from spielwerk.store.records import Moved, SeatKind, SeatRecord
from spielwerk.tables.arena import Arena
from spielwerk.tables.parts import SystemClock
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.mnm.words import STOPPING
from tests.journal import MemoryJournal
from tests.waiting import PATIENCE, until

Address = tuple[str, int]


TRIES = 50
CLIENT_AND_ENGINE = (
    SeatRecord(SeatKind.CLIENT, "Client"),
    SeatRecord(SeatKind.ENGINE, "Engine", "random"),
)


class Wire:
    """A socket that is read line by line."""

    def __init__(self, stream: socket.socket) -> None:
        self.socket = stream
        self.lines: list[str] = []
        self.broken = False  # the connection was reset, not closed
        self._rest = b""

    @classmethod
    async def open(cls, address: Address) -> Wire:
        stream = socket.socket()
        stream.setblocking(False)
        await asyncio.get_running_loop().sock_connect(stream, address)
        return cls(stream)

    async def read(self) -> AsyncIterator[str]:
        """Every line until the end."""
        while True:
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                self.lines.append(line.decode())
                yield self.lines[-1]
            try:
                data = await asyncio.get_running_loop().sock_recv(self.socket, 65536)
            except OSError:
                self.broken = True
                return
            if not data:
                return
            self._rest += data

    async def send(self, data: bytes) -> None:
        """Send, unless the server has gone."""
        with contextlib.suppress(OSError):
            await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def listen(self) -> None:
        """Hear everything that is still to be said."""
        async for _ in self.read():
            pass

    def close(self) -> None:
        self.socket.close()


class Player:
    """A client that plays at random to the end; the wire stays open."""

    wire: Wire

    def __init__(self, address: Address, table: Table, seat: int, rng: Random) -> None:
        self._address = address
        self._table = table
        self._rng = rng
        self._answers = {
            "MNM": "VERSION 1.7",
            "Client": f"ID {table.id}",
            "PLAYING": f"PLAYER {seat}",
            "WAIT": "OKWAIT",
            "ENDFIELD": "THINKING",
        }

    @property
    def lines(self) -> list[str]:
        return self.wire.lines

    async def play(self) -> None:
        self.wire = await Wire.open(self._address)
        async for line in self.wire.read():
            word = line.split(" ")[1] if " " in line else ""
            if word == "GAMEOVER":
                self._answers.clear()  # a field follows, but no move is asked for
            answer = self._move() if word == "OKTHINK" else self._answers.get(word)
            if answer:
                await self.wire.send(f"{answer}\n".encode())

    def _move(self) -> str:
        move = self._rng.choice(self._table.state.legal_moves())
        return f"PLAY {self._table.game.format_move(move)}"


class House:
    """A server with a journal in memory that can be held back."""

    def __init__(self, settings: MnmSettings) -> None:
        self.journal = MemoryJournal()
        self.arena = Arena(self.journal, SystemClock(), rng=Random(1))
        self.service = MnmService(self.arena, self.journal, settings)
        self.addresses: list[Address] = []


@asynccontextmanager
async def house(*ports: str, connections: int = 100) -> AsyncIterator[House]:
    """The server while it runs."""
    opened = House(MnmSettings(ports=ports, connections=connections, okwait=60, thinking=60))
    opened.addresses = await opened.service.start("127.0.0.1")
    try:
        yield opened
    finally:
        opened.arena.stop(STOPPING)
        await opened.service.stop()


def play(scene: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(PATIENCE):
            await scene()

    asyncio.run(limited())


async def segments(address: Address, *lines: str, count: int) -> list[bytes]:
    """What single calls of recv bring, as many as are wanted, after each of these lines."""
    loop = asyncio.get_running_loop()
    wire = await Wire.open(address)
    await loop.sock_recv(wire.socket, 4096)
    for line in lines[:-1]:
        await wire.send(f"{line}\n".encode())
        await loop.sock_recv(wire.socket, 4096)
    await wire.send(f"{lines[-1]}\n".encode())
    found = [await loop.sock_recv(wire.socket, 4096) for _ in range(count)]
    wire.close()
    return found


@pytest.mark.parametrize(
    ("pace", "expected"),
    [
        ("first-then-rest", [b"+ PLAYING Quarto\n", b"+ le_game\n"]),
        ("block", [b"+ PLAYING Quarto\n+ le_game\n"]),
    ],
)
def test_one_recv_brings_one_segment(pace: str, expected: list[bytes]) -> None:
    """On a machine that is too busy two segments may come together, but not every time."""

    async def scene() -> None:
        async with house(f"0:1:{pace}") as opened:
            table = await opened.arena.create(NewTable("quarto", name="le_game"))
            lines = ("VERSION 1.0", f"ID {table.id}")
            for _ in range(TRIES):
                async with asyncio.timeout(PATIENCE / 2):
                    whole = await segments(opened.addresses[0], *lines, count=len(expected))
                if whole == expected:
                    return
            raise AssertionError(whole)

    play(scene)


async def last_move(journal: MemoryJournal) -> None:
    """Let moves through until the one that ends the game waits to be written."""
    journal.hold = True
    while True:
        await until(lambda: journal.held)
        entry = journal.held[0][0]
        if isinstance(entry, Moved) and entry.result:
            return
        journal.release()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("pace", ["block", "line", "first-then-rest"])
def test_a_client_that_goes_as_the_game_ends_disturbs_nobody(pace: str, seat: int) -> None:
    """Its socket is closed, but the server has not seen that yet when it tells the end."""

    async def scene() -> None:
        async with house(f"0:1:{pace}") as opened:
            options = ("n=2", f"begins={1 - seat}", "first=0")
            table = await opened.arena.create(NewTable("quarto", options))
            goes, stays = [
                Player(opened.addresses[0], table, number, Random(1)) for number in (seat, 1 - seat)
            ]
            playing = [asyncio.create_task(player.play()) for player in (goes, stays)]
            await last_move(opened.journal)
            playing[0].cancel()
            await asyncio.wait(playing[:1])
            goes.wire.close()
            opened.journal.release()
            assert table.over
            assert table.id in [game for _, game in opened.arena._finished]
            opened.journal.hold = False
            await playing[1]
            assert stays.lines[-1] == "+ QUIT"
            stays.wire.close()

    play(scene)


def test_stopping_while_a_move_is_written_does_not_end_the_game_against_an_engine() -> None:
    """The engine's turn comes when nobody may think any more; the game goes on after a restart."""

    async def scene() -> None:
        async with house("0:1:block") as opened:
            wish = NewTable("quarto", ("begins=0",), seats=CLIENT_AND_ENGINE)
            table = await opened.arena.create(wish)
            client = Player(opened.addresses[0], table, 0, Random(1))
            opened.journal.hold = True
            playing = asyncio.create_task(client.play())
            await until(lambda: opened.journal.held)
            opened.arena.stop(STOPPING)
            opened.journal.hold = False
            opened.journal.release()
            await playing
            client.wire.close()
            await asyncio.sleep(0.1)
            assert client.lines[-1] == f"- {STOPPING}"
            assert len(opened.journal.moves(table.id)) == 2
            assert opened.journal.results(table.id) == []

    play(scene)


LINGER_ZERO = struct.pack("ii", 1, 0)  # closing resets the connection


def test_no_descriptor_is_left_of_connections_however_they_end() -> None:
    async def scene() -> None:
        async with house("0") as opened:
            before = psutil.Process().num_fds()
            for number in range(30):
                wire = await Wire.open(opened.addresses[0])
                await wire.send(b"VERSION 1.0\n"[: number % 13])
                if number % 3 == 0:
                    wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
                elif number % 3 == 1:
                    wire.socket.shutdown(socket.SHUT_WR)
                wire.close()
            await until(lambda: psutil.Process().num_fds() <= before)

    play(scene)
