"""Hosts and opponents in this process, with a journal in memory and chance that can be told."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

from rich.console import Console

from spielwerk.clients.connect4.host import GameHost
from spielwerk.clients.connect4.index import IndexClient
from spielwerk.clients.connect4.offers import Offer, OfferSettings, offers
from spielwerk.clients.connect4.screen import PacedEngines, PeerScreen, own_seat
from spielwerk.clients.connect4.session import PeerSession
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import Endpoint
from spielwerk.store.records import Created, Ending
from spielwerk.tables.arena import Arena
from tests.clients.connect4.index import ScriptedIndex
from tests.journal import MemoryJournal
from tests.waiting import PATIENCE, until

SMALL = ConnectFour(4, 4)


class Chance(Random):
    """Draws who begins as the test wants it."""

    def __init__(self, begins: int) -> None:
        super().__init__(1)
        self.begins = begins

    def randint(self, a: int, b: int) -> int:
        assert (a, b) == (0, 1)
        return self.begins


class Clock:
    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    def wall(self) -> int:
        return time.time_ns() // 1_000_000


class FakeScreen(PeerScreen):
    """A screen that keeps what is said; a person types the given lines, then closes the door."""

    def __init__(self, *lines: str, patient: bool = False) -> None:
        super().__init__(Console(quiet=True))
        self.said: list[str] = []
        self.lines = deque(lines)
        self.patient = patient  # types nothing more, but stays

    def say(self, text: str) -> None:
        self.said.append(text)

    def ask(self, player: int) -> str:
        assert player in (0, 1)
        if self.lines:
            return self.lines.popleft()
        if self.patient:
            time.sleep(PATIENCE)
        raise EOFError


class Room:
    """An arena with what is kept of its games."""

    def __init__(self, begins: int = 1, delay: float = 0.0) -> None:
        self.journal = MemoryJournal()
        engines = PacedEngines(delay, threads=1)
        self.arena = Arena(self.journal, Clock(), engines=engines, rng=Chance(begins))

    @property
    def games(self) -> list[str]:
        return [e.record.id for e in self.journal.entries if isinstance(e, Created)]

    def result(self) -> Ending:
        """The one result of the one game."""
        (game,) = self.games
        (result,) = self.journal.results(game)
        return result

    def moves(self) -> list[tuple[int, str]]:
        (game,) = self.games
        return [(move.seat, move.move) for move in self.journal.moves(game)]


class Peer:
    """The other end of a connection: it says and hears lines, or leaves in some bad manner."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, place: Endpoint | None) -> Peer:
        assert place is not None
        return cls(*await asyncio.open_connection(*place, limit=2**20))

    def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    async def hear(self) -> str:
        async with asyncio.timeout(PATIENCE):
            return (await self.reader.readline()).decode().rstrip("\n")

    async def rest(self) -> list[str]:
        """Everything until the connection ends."""
        lines = []
        with suppress(ConnectionError):
            while line := await self.hear():
                lines.append(line)
        self.writer.close()
        return lines

    async def ask(self, *lines: str) -> str:
        self.say(*lines)
        return await self.hear()

    def finish(self) -> None:
        self.writer.close()

    def reset(self) -> None:
        end = self.writer.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    def fall_silent(self) -> None:
        """Say nothing more, and stay."""


MANNERS: dict[str, Callable[[Peer], None]] = {
    "FIN": Peer.finish,
    "RST": Peer.reset,
    "silence": Peer.fall_silent,
}


class Hosted:
    """A host that runs, and everything around it."""

    def __init__(self, room: Room, host: GameHost, wanted: list[Offer], screen: FakeScreen) -> None:
        self.room = room
        self.host = host
        self.offers = wanted
        self.screen = screen
        self.task = asyncio.create_task(host.run(wanted))
        self._peers: list[Peer] = []

    async def connect(self) -> Peer:
        peer = await Peer.connect(self.host.place)
        self._peers.append(peer)
        return peer

    def close(self) -> None:
        """Leave nothing behind."""
        for peer in self._peers:
            peer.writer.close()
        self.room.arena.engines.close()

    async def join(self, version: str = "V2", name: str = "game") -> Peer:
        peer = await self.connect()
        assert await peer.ask(f"join_game;Erna;{name};{version}") == f"join_game_success;{version}"
        return peer

    async def done(self) -> bool:
        async with asyncio.timeout(PATIENCE):
            return await self.task


@asynccontextmanager
async def hosted(
    index: ScriptedIndex,
    *,
    begins: int = 1,
    game: ConnectFour = SMALL,
    player: str = "random",
    count: int = 1,
    screen: FakeScreen | None = None,
    delay: float = 0.0,
    **settings: Any,
) -> AsyncIterator[Hosted]:
    """A host with games in the index; it is stopped in the end if need be."""
    room = Room(begins, delay)
    screen = screen or FakeScreen()
    chosen = OfferSettings(port=0, **settings)
    client = IndexClient(Endpoint(*index.address), 5.0)
    host = GameHost(room.arena, room.journal, client, screen, chosen)
    running = Hosted(
        room, host, offers("game", count, game, own_seat(player, "Karl", game)), screen
    )
    try:
        await until(lambda: len(index.games) >= count or running.task.done())
        yield running
    finally:
        running.close()
        running.task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await running.task


async def expire(session: PeerSession[Any]) -> None:
    """Let the peer's time run out, as soon as there is something that it is asked for."""
    async with asyncio.timeout(PATIENCE):
        while not session.closed:
            if session.machine.due < float("inf"):
                session.machine.due = session.now
                session.step()
            await asyncio.sleep(0.002)
