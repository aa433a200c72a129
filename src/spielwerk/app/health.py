"""Whether the server lives: its journal writes, its database answers, its loop turns."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError
from spielwerk.store.records import WireRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.servers.metrics import Metrics
    from spielwerk.store.records import Entry
    from spielwerk.tables.table import Journal

log = logging.getLogger(__name__)

BEAT: Final = 1.0  # seconds between two beats of the loop
LATE: Final = 0.5  # seconds that a beat may be late before it is worth a line
STUCK: Final = 5.0  # seconds after which a beat or a commit is overdue
REMEMBERED: Final = 30.0  # seconds that a failed write counts, if none has succeeded since


class WatchedJournal:
    """A journal, and how it does."""

    def __init__(self, journal: Journal, metrics: Metrics) -> None:
        self._journal = journal
        self._metrics = metrics
        self._time = asyncio.get_running_loop().time
        self._waiting: deque[float] = deque()
        self._failed: float | None = None
        self.wires: list[WireRecord] = []  # transcripts that are on their way

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        """Write the entry; see the journal."""

        def written(error: BaseException | None) -> None:
            self._waiting.popleft()  # the journal keeps the order
            if isinstance(entry, WireRecord):
                self.wires.remove(entry)
            self._failed = None if error is None else self._time()
            if error is not None:
                self._metrics.not_written()
            done(error)

        self._waiting.append(self._time())
        if isinstance(entry, WireRecord):
            self.wires.append(entry)
        self._journal.add(entry, written)

    def problem(self) -> str | None:
        """What is wrong with it."""
        now = self._time()
        if self._waiting and now - self._waiting[0] > STUCK:
            return f"the journal has not written for {now - self._waiting[0]:.0f} s"
        if self._failed is not None and now - self._failed < REMEMBERED:
            return "the journal could not write"
        return None


class Pulse:
    """The loop's beat, and everything else that has to work."""

    def __init__(
        self, journal: WatchedJournal, metrics: Metrics, read: Callable[[], object]
    ) -> None:
        self._journal = journal
        self._metrics = metrics
        self._read = read  # something that needs the database
        self._time = asyncio.get_running_loop().time
        self._beat = self._time()
        self._probe: asyncio.Task[object] | None = None

    async def run(self) -> None:
        """Beat for ever."""
        while True:
            due = self._time() + BEAT
            await asyncio.sleep(BEAT)
            self._beat = self._time()
            lag = max(0.0, self._beat - due)
            self._metrics.late(lag)
            if lag > LATE:
                log.warning("loop was late seconds=%.2f", lag)

    async def problems(self) -> list[str]:
        """What does not work at the moment."""
        overdue = self._time() - self._beat > STUCK
        found = [
            "the event loop does not beat" if overdue else None,
            self._journal.problem(),
            await self._database(),
        ]
        return [problem for problem in found if problem]

    async def _database(self) -> str | None:
        """Read something; whoever asks while that takes its time waits for the same answer."""
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(asyncio.to_thread(self._read))
        try:
            async with asyncio.timeout(STUCK):
                await asyncio.shield(self._probe)
        except TimeoutError:
            return f"the database has not answered for {STUCK:.0f} s"
        except SpielwerkError:
            return "the database cannot be read"
        return None
