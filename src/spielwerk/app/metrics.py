"""Whether the server lives, and what it counts, for Prometheus, in a registry of its own."""

from __future__ import annotations

import asyncio
import logging
from functools import cache
from typing import TYPE_CHECKING, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import GaugeMetricFamily

from spielwerk.errors import SpielwerkError
from spielwerk.servers.sessions import ServiceCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prometheus_client.metrics_core import Metric

    from spielwerk.store.journal import StoreJournal
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.table import Table

log = logging.getLogger(__name__)

BEAT: Final = 1.0  # seconds between two beats of the loop
LATE: Final = 0.5  # seconds that a beat may be late before it is worth a line
STUCK: Final = 5.0  # seconds after which a beat or an answer of the database is overdue

ANSWERS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
COMMITS: Final = (0.0005, *ANSWERS)
BATCHES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Metrics(ServiceCounts):
    """Counters that services and the journal feed, and figures looked up when asked for."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        of_service, registry = ["service"], self.registry
        self._connections = Gauge(
            "spielwerk_connections", "Open connections.", of_service, registry=registry
        )
        self._opened = Counter(
            "spielwerk_connections_opened", "Connections accepted.", of_service, registry=registry
        )
        self._refused = Counter(
            "spielwerk_refused",
            "Clients that were refused, by reason.",
            ["service", "fault"],
            registry=registry,
        )
        self._answers = Histogram(
            "spielwerk_answer_seconds",
            "From the arrival of a move to its confirmation.",
            of_service,
            buckets=ANSWERS,
            registry=registry,
        )
        self._moves = Counter("spielwerk_moves", "Turns kept.", ["game"], registry=registry)
        self._batches = Histogram(
            "spielwerk_journal_batch_entries",
            "Entries in a commit of the journal.",
            buckets=BATCHES,
            registry=registry,
        )
        self._commits = Histogram(
            "spielwerk_journal_commit_seconds",
            "Time that a commit of the journal took.",
            buckets=COMMITS,
            registry=registry,
        )
        self._failures = Counter(
            "spielwerk_journal_failures", "Entries that could not be written.", registry=registry
        )
        self._lag = Gauge(
            "spielwerk_loop_lag_seconds", "How late the event loop last was.", registry=registry
        )
        self.engine_moves = Gauge(
            "spielwerk_engine_moves",
            "Moves that engines owe, in work or queued.",
            registry=registry,
        )
        self.thinking_waits = Histogram(
            "spielwerk_thinking_wait_seconds",
            "Time that moves, hints and analyses waited for a thread.",
            buckets=ANSWERS,
            registry=registry,
        )
        self.thinking_stops = Counter(
            "spielwerk_thinking_stops",
            "Searches that had to give way and begin anew.",
            registry=registry,
        )
        ProcessCollector(registry=registry)
        # Asked for with every move; finding a label's own figure costs more than counting.
        self._answers_of = cache(self._answers.labels)
        self._moves_of = cache(self._moves.labels)

    # services

    def opened(self, service: str) -> None:
        """A connection was accepted."""
        self._connections.labels(service).inc()
        self._opened.labels(service).inc()

    def closed(self, service: str) -> None:
        """A connection is no more."""
        self._connections.labels(service).dec()

    def refused(self, service: str, fault: str) -> None:
        """A client was refused for this reason."""
        self._refused.labels(service, fault).inc()

    def answered(self, service: str, seconds: float) -> None:
        """A move was confirmed so long after it had come."""
        self._answers_of(service).observe(seconds)

    def moved(self, game: str) -> None:
        """A turn was kept."""
        self._moves_of(game).inc()

    # journal and loop

    def committed(self, entries: int, seconds: float, failures: int = 0) -> None:
        """The journal wrote so many entries at once, but for those that failed."""
        self._batches.observe(entries)
        self._commits.observe(seconds)
        self._failures.inc(failures)

    def late(self, seconds: float) -> None:
        """The event loop came so much later than it was asked to."""
        self._lag.set(seconds)

    # asking

    def watch(self, arena: Arena) -> None:
        """Show this arena's tables, too."""
        self.registry.register(_Tables(arena))

    def text(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self.registry)


class _Tables:
    """The tables by state, counted when they are asked for."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    def collect(self) -> Iterator[Metric]:
        """Count."""
        states = [_state_of(table) for table in self._arena]
        tables = GaugeMetricFamily("spielwerk_tables", "Tables in memory.", labels=["state"])
        for state in ("waiting", "playing", "finished"):
            tables.add_metric([state], states.count(state))
        yield tables


def _state_of(table: Table) -> str:
    """Whether the game is over, being played, or waits for players."""
    if table.over:
        return "finished"
    return "waiting" if table.open else "playing"


class Pulse:
    """The loop's beat, and everything else that has to work."""

    def __init__(self, journal: StoreJournal, metrics: Metrics, read: Callable[[], object]) -> None:
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
        """Read something; all who ask while that takes its time wait for the same answer."""
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
