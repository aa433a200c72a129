"""The index server in a world with its own time: no sockets, no threads."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any, cast

from spielwerk.net.datagrams import Datagrams
from spielwerk.servers.index import IndexService, IndexSettings
from spielwerk.servers.index_session import IndexSession
from spielwerk.store.records import Entry, IndexChanged, IndexRecord, IndexStep
from spielwerk.tables.arena import Arena, ArenaRules
from spielwerk.wire.connect4.index import HEARTBEAT
from tests.journal import MemoryJournal
from tests.simulation import Counts, Loop


class Sent:
    """Where heartbeats go."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self.datagrams: list[tuple[float, tuple[str, int]]] = []

    def reaches(self, host: str) -> bool:
        return ":" not in host

    def send(self, data: bytes, target: tuple[str, int]) -> bool:
        assert data == HEARTBEAT
        self.datagrams.append((self._loop.time(), target))
        return True

    def close(self) -> None:
        """Nothing to close."""


class Wire:
    """The server's end of a connection; `room` is how much the client takes before it stalls."""

    def __init__(self, peer: IndexPeer, host: str) -> None:
        self._peer = peer
        self._host = host
        self._closing = False
        self.reading = True
        self.paused = 0  # how often
        self.room = float("inf")

    def write(self, data: bytes) -> None:
        assert not self._closing
        self._peer.said += data
        self.room -= len(data)
        if self.room < 0:
            self._peer.session.pause_writing()

    def drain(self) -> None:
        """The client reads again."""
        self.room = float("inf")
        self._peer.session.resume_writing()

    def pause_reading(self) -> None:
        self.reading = False
        self.paused += 1

    def resume_reading(self) -> None:
        self.reading = True

    def write_eof(self) -> None:
        self._peer.finished = True

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._peer.finished = True
            self._peer.world.loop.call_soon(self._peer.session.connection_lost, None)

    abort = close

    def is_closing(self) -> bool:
        return self._closing

    def set_write_buffer_limits(self, high: int) -> None:
        """The room is what limits."""

    def get_extra_info(self, name: str) -> tuple[str, int]:
        assert name == "peername"
        return (self._host, 4711)


class IndexPeer:
    """A client of the simulated index server."""

    def __init__(self, world: IndexWorld, host: str) -> None:
        self.world = world
        self.said = b""
        self.finished = False
        self.session = IndexSession(world.service)
        self.wire = Wire(self, host)
        self.session.connection_made(cast("asyncio.Transport", self.wire))

    def send(self, data: str | bytes) -> None:
        self.session.data_received(data.encode() if isinstance(data, str) else data)

    def finish(self) -> None:
        """Close our sending side."""
        if not self.session.eof_received():
            self.wire.close()

    def reset(self) -> None:
        """Vanish."""
        self.wire._closing = True
        self.session.connection_lost(ConnectionResetError())

    def ended(self) -> bool:
        """Whether the server has closed its side."""
        return self.finished

    @property
    def lines(self) -> list[str]:
        return self.said.decode().split("\n")[:-1]

    def ask(self, *lines: str) -> list[str]:
        """Send lines, and give back what was said since."""
        before = len(self.lines)
        for line in lines:
            self.send(f"{line}\n")
        self.world.run()
        return self.lines[before:]

    def register(self, name: str, port: int = 80, address: str = "127.0.0.1") -> str:
        (answer,) = self.ask(f"register_game;anna;{name};7;6;4;{address};{port}")
        header, _, key = answer.partition(";")
        assert header == "register_success", answer
        return key


class IndexWorld:
    """The whole index server in simulated time; it can be stopped and started again."""

    def __init__(self, journal: MemoryJournal | None = None, **settings: Any) -> None:
        self.loop = Loop()
        self.journal = MemoryJournal(self.loop.call_soon)
        if journal:
            self.journal.entries += journal.entries
        self.counts = Counts()
        self.arena = Arena(self.journal, self, ArenaRules(), rng=Random(1))
        self.service = IndexService(
            self.arena,
            self.journal,
            IndexSettings(**settings),
            self.counts,
            loop=cast("asyncio.AbstractEventLoop", self.loop),
        )
        self.service.restore(kept(self.journal.entries))
        self.sent = Sent(self.loop)
        self.service.senders.append(cast("Datagrams", self.sent))
        self.service.tick()

    def monotonic(self) -> float:
        return self.loop.time()

    def wall(self) -> int:
        return round(self.loop.time() * 1000)

    def run(self, seconds: float = 0.0) -> None:
        self.loop.run_until(self.loop.time() + seconds)

    def connect(self, host: str = "127.0.0.1") -> IndexPeer:
        return IndexPeer(self, host)

    def names(self) -> list[str]:
        return [entry.name for entry in self.service.index.entries]


def kept(entries: list[Entry]) -> list[IndexRecord]:
    """The list that these entries of a journal leave: what a store has to make of them."""
    games: dict[str, IndexRecord] = {}
    for entry in entries:
        if isinstance(entry, IndexRecord):
            games[entry.guid] = entry
        elif isinstance(entry, IndexChanged):
            for guid in entry.guids:
                if entry.step is IndexStep.REMOVED:
                    del games[guid]
                else:
                    games[guid] = replace(games[guid], sealed=True)
    return [*games.values()]
