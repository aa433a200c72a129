"""What the clients of a generating process share: their pace, the end, and what was measured."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections import Counter
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


class Load:
    """The clients of a process together."""

    def __init__(self, interval: float | None, rng: Random) -> None:
        self.interval = interval  # seconds between a group's moves; None: as fast as it can
        self.rng = rng
        self.loop = asyncio.get_running_loop()
        self.begun = False
        self.over = False
        self._held: list[Callable[[], None]] = []  # first moves, until all have joined
        self.window = (float("inf"), float("inf"))
        self.outstanding = 0
        self.latencies = array("d")  # seconds, those in the window
        self.behind = array("d")  # seconds that our own lines went out after they were due
        self.late = 0  # moves that the server asked for only after they were due
        self.counts: Counter[str] = Counter()  # what was confirmed, also outside of the window
        self.problem = ""

    def when_begun(self, move: Callable[[], None]) -> None:
        """Do this as soon as all have joined, so that joining does not take for ever."""
        if self.begun:
            move()
        else:
            self._held.append(move)

    def begin(self) -> None:
        """All have joined."""
        self.begun = True
        for move in self._held:
            move()

    def due(self, last: float | None) -> float:
        """When a group's next move is due; a new game begins somewhere in the interval."""
        now = self.loop.time()
        if self.interval is None:
            return now
        return now + self.interval * self.rng.random() if last is None else last + self.interval

    @property
    def measuring(self) -> bool:
        """Whether what happens now counts."""
        return self.window[0] <= self.loop.time() < self.window[1]

    def answered(self, since: float) -> None:
        """What was sent then has been answered."""
        self.outstanding -= 1
        if self.measuring:
            self.latencies.append(self.loop.time() - since)

    def fail(self, problem: str) -> None:
        """Something happened that must not; the first such thing is told, all are counted."""
        self.counts["failures"] += 1
        self.problem = self.problem or problem


class Client(asyncio.Protocol):
    """What all kinds of clients do: send one line when it is due, and clock its answer."""

    transport: asyncio.Transport

    def __init__(self, load: Load) -> None:
        self.load = load
        self.expected = False  # whether the connection may end now
        self.since = 0.0  # when the line went out that is to be answered
        self._rest = b""

    async def connect(self, port: int) -> None:
        """Connect to the server."""
        await self.load.loop.create_connection(lambda: self, "127.0.0.1", port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, error: Exception | None) -> None:
        """See asyncio."""
        if not (self.expected or self.load.over):
            self.load.fail(f"a connection ended: {error}")

    def send_when(self, due: float, line: bytes) -> None:
        """Send when it is due, which may have been a while ago."""
        if due > self.load.loop.time():
            self.load.loop.call_at(due, self._ring, line, due)
        else:
            self.load.late += self.load.interval is not None
            self._send(line, due)

    def _ring(self, line: bytes, due: float) -> None:
        self.load.behind.append(self.load.loop.time() - due)
        self._send(line, None)

    def _send(self, line: bytes, since: float | None) -> None:
        if self.load.over:
            return
        self.load.outstanding += 1
        self.since = time.monotonic() if since is None else since
        self.transport.write(line)
