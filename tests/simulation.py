"""A game server in a world with its own time: no sockets, no threads, nothing that is not exact.

`World` has a clock, a loop of timers, a journal in memory, and the real arena and service on top.
`Peer` is a client: it sends bytes and keeps every segment with the moment it came.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, cast

from spielwerk.servers.dice import DiceService, DiceSession, DiceSettings
from spielwerk.servers.mnm import MnmService, MnmSession, MnmSettings
from spielwerk.servers.sessions import ServiceCounts
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.tables.arena import Arena, ArenaRules
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.mnm.server import Pace
from spielwerk.wire.mnm.words import DIALECTS
from tests.journal import MemoryJournal
from tests.waiting import PATIENCE, until

DAWN = 1_000.0  # where the simulated time begins
CLIENTS = (SeatRecord(SeatKind.CLIENT, "Player 1"), SeatRecord(SeatKind.CLIENT, "Player 2"))


class Timer:
    """A call that is due at a certain time."""

    def __init__(self, when: float, call: Callable[[], object]) -> None:
        self._when = when
        self.call = call
        self.cancelled = False

    def when(self) -> float:
        return self._when

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """As much of an event loop as connections need, in a time of its own."""

    def __init__(self) -> None:
        self._now = DAWN
        self._heap: list[tuple[float, int, Timer]] = []
        self._order = itertools.count()

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, call: Callable[..., object], *arguments: Any) -> Timer:
        timer = Timer(when, lambda: call(*arguments))
        heapq.heappush(self._heap, (max(when, self._now), next(self._order), timer))
        return timer

    def call_soon(self, call: Callable[..., object], *arguments: Any) -> Timer:
        return self.call_at(self._now, call, *arguments)

    def run_until(self, end: float) -> None:
        """Let everything happen up to and including this moment."""
        while self._heap and self._heap[0][0] <= end:
            when, _, timer = heapq.heappop(self._heap)
            self._now = max(self._now, when)
            if not timer.cancelled:
                timer.call()
        self._now = max(self._now, end)


class Transport:
    """The server's end of a connection."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._closing = False

    def write(self, data: bytes) -> None:
        if not self._closing:
            self._peer.segments.append((self._peer.world.loop.time(), data))
            self._peer.world.loop.call_soon(self._peer.hear, data)

    def write_eof(self) -> None:
        self._peer.finished = True
        if self._peer.polite:
            self._peer.world.loop.call_soon(self._peer.finish)

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._peer.finished = True
            self._peer.world.loop.call_soon(self._peer.session.connection_lost, None)

    abort = close

    def is_closing(self) -> bool:
        return self._closing

    def set_write_buffer_limits(self, high: int) -> None:
        """Nothing waits here."""

    def get_extra_info(self, name: str) -> tuple[str, int]:
        assert name == "peername"
        return ("127.0.0.1", 1)


class Peer:
    """A client of the simulated server."""

    def __init__(self, world: World, dialect: int = 1, pace: Pace = Pace.FIRST_THEN_REST) -> None:
        self.world = world
        self.segments: list[tuple[float, bytes]] = []
        self.finished = False  # the server has closed its side
        self.polite = True  # closes, too, when the server has
        self.listener: Callable[[bytes], None] = lambda _data: None
        self.session = self._begin(dialect, pace)
        self.transport = Transport(self)
        self.session.connection_made(cast("asyncio.Transport", self.transport))

    def _begin(self, dialect: int, pace: Pace) -> Any:
        return MnmSession(self.world.service, DIALECTS[dialect], pace)

    @property
    def said(self) -> bytes:
        """Everything the server has said."""
        return b"".join(data for _, data in self.segments)

    @property
    def lines(self) -> list[str]:
        """The server's lines."""
        return self.said.decode().split("\n")[:-1]

    def send(self, data: bytes | str) -> None:
        """Send, if the server still listens."""
        if not self.transport.is_closing():
            self.session.data_received(data.encode() if isinstance(data, str) else data)

    def hear(self, data: bytes) -> None:
        """A segment has come."""
        self.listener(data)

    def finish(self) -> None:
        """Close our sending side, as a client does that goes away."""
        if not self.transport.is_closing() and not self.session.eof_received():
            self.transport.close()

    def reset(self) -> None:
        """Vanish."""
        if not self.transport.is_closing():
            self.transport._closing = True
            self.finished = True
            self.session.connection_lost(ConnectionResetError())

    def say(self, *lines: str, wait: float = 0.05) -> list[str]:
        """Send lines one by one and give back what the server said since."""
        before = len(self.lines)
        for line in lines:
            self.send(f"{line}\n")
            self.world.run(wait)
        return self.lines[before:]


class DicePeer(Peer):
    """A client of the dice server."""

    def _begin(self, dialect: int, pace: Pace) -> Any:  # noqa: ARG002
        return DiceSession(self.world.dice)


class Counts(ServiceCounts, Counter[str]):
    """The figures that a service reports."""

    def opened(self, service: str) -> None:
        self[f"{service} opened"] += 1

    def closed(self, service: str) -> None:
        self[f"{service} closed"] += 1

    def refused(self, service: str, fault: str) -> None:
        self[f"{service} {fault}"] += 1

    def answered(self, service: str, seconds: float) -> None:
        assert seconds >= 0
        self[f"{service} answered"] += 1

    def moved(self, game: str) -> None:
        self[game] += 1


class World:
    """The whole server in simulated time."""

    def __init__(
        self,
        settings: MnmSettings | None = None,
        seed: int = 1,
        dice: DiceSettings | None = None,
    ) -> None:
        self.loop = Loop()
        self.journal = MemoryJournal(self.loop.call_soon)
        self.counts = Counts()
        self.arena = Arena(
            self.journal, self, ArenaRules(), rng=Random(seed), timer=self.loop.call_at
        )
        self.service = MnmService(
            self.arena,
            self.journal,
            settings or MnmSettings(),
            self.counts,
            cast("asyncio.AbstractEventLoop", self.loop),
        )
        self.dice = DiceService(
            self.arena,
            self.journal,
            dice or DiceSettings(seed="1"),
            self.counts,
            cast("asyncio.AbstractEventLoop", self.loop),
        )

    def monotonic(self) -> float:
        """The arena's clock is ours."""
        return self.loop.time()

    def wall(self) -> int:
        return round(self.loop.time() * 1000)

    def run(self, seconds: float = 0.0) -> None:
        """Let time pass."""
        self.loop.run_until(self.loop.time() + seconds)

    async def until(self, true: Callable[[], object]) -> None:
        """Let both our loop and the real one run until something is true."""

        def look() -> object:
            self.run()
            return true()

        await until(look)

    async def made(self, arena: Arena, wish: NewTable) -> Table:
        """A new table in an arena whose journal is ours."""
        making = asyncio.create_task(arena.create(wish))
        await self.until(making.done)
        return making.result()

    def table(self, wish: NewTable) -> Table:
        """A new table."""

        async def create() -> Table:
            making = asyncio.create_task(self.arena.create(wish))
            async with asyncio.timeout(PATIENCE):
                while not making.done():
                    await asyncio.sleep(0)
                    self.run()
            return await making

        return asyncio.run(create())

    def connect(self, dialect: int = 1, pace: Pace = Pace.FIRST_THEN_REST) -> Peer:
        """A new client; it has read the banner."""
        peer = Peer(self, dialect, pace)
        self.run(0.05)
        return peer

    def join(self, table: Table, seat: int | None = None, dialect: int = 1) -> Peer:
        """A client that has gone through the prolog."""
        peer = self.connect(dialect)
        wanted = "" if seat is None else f" {seat}"
        game_id = DIALECTS[dialect].game_id(table.id)
        peer.say(f"VERSION {dialect}.0", f"ID {game_id}", f"PLAYER{wanted}", wait=0.1)
        return peer


class Bot:
    """A client that plays a whole game: it answers every line as the documents say.

    Its moves come from `choose`, which is given the table; `delay` is its thinking time.
    """

    def __init__(
        self,
        peer: Peer,
        table: Table,
        choose: Callable[[Table], str],
        *,
        seat: int | None = None,
        delay: float = 0.2,
    ) -> None:
        self.peer = peer
        self.sent: list[str] = []
        self.talk: list[str] = []  # the session so far, segment by segment
        self._table = table
        self._choose = choose
        self._seat = seat
        self._delay = delay
        self._asked = False
        self._named = False
        peer.listener = self._listen

    def _listen(self, data: bytes) -> None:
        lines = data.decode().splitlines()
        self.talk += [f"S: {lines[0]}", *[f"   {line}" for line in lines[1:]]]
        for line in lines:
            self._answer(line)

    def _answer(self, line: str) -> None:
        dialect = self.peer.session._machine.dialect.number
        word = line.split(" ")[1]
        if word == "MNM":
            self._say(f"VERSION {dialect}.7")
        elif word == "Client":
            self._say(f"ID {self._table.id}")
        elif word == "PLAYING":
            self._named = True
        elif self._named:
            self._named = False
            self._say("PLAYER" if self._seat is None else f"PLAYER {self._seat}")
        elif word == "WAIT":
            self._say("OKWAIT")
        elif word == "MOVE":
            self._asked = True
        elif word.startswith("END") and self._asked:
            self._asked = False
            self._say("THINKING")
        elif word == "OKTHINK":
            now = self.peer.world.loop.time()
            self.peer.world.loop.call_at(now + self._delay, self._move)

    def _move(self) -> None:
        self._say(f"PLAY {self._choose(self._table)}")

    def _say(self, line: str) -> None:
        self.sent.append(line)
        self.talk.append(f"C: {line}")
        self.deliver(f"{line}\n".encode())

    def deliver(self, data: bytes) -> None:
        """Hand the bytes to the server, in one piece."""
        self.peer.send(data)
