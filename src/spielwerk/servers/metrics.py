"""What the server counts, for Prometheus; every server has a registry of its own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import GaugeMetricFamily

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prometheus_client.metrics_core import Metric

    from spielwerk.tables.arena import Arena
    from spielwerk.tables.table import Table

ANSWERS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
COMMITS: Final = (0.0005, *ANSWERS)
BATCHES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

WAITING: Final = "waiting"  # somebody is missing
PLAYING: Final = "playing"
FINISHED: Final = "finished"


class Metrics:
    """Counters that services and the journal feed, and figures looked up when somebody asks."""

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

    def committed(self, entries: int, seconds: float) -> None:
        """The journal wrote so many entries at once."""
        self._batches.observe(entries)
        self._commits.observe(seconds)

    def not_written(self) -> None:
        """An entry could not be written."""
        self._failures.inc()

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
    """The tables by state, counted when somebody asks."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    def describe(self) -> Iterable[Metric]:
        """Name what is collected."""
        return [self._tables()]

    def collect(self) -> Iterator[Any]:
        """Count."""
        tables = self._tables()
        counts = dict.fromkeys((WAITING, PLAYING, FINISHED), 0)
        for table in self._arena:
            counts[state_of(table)] += 1
        for state, count in counts.items():
            tables.add_metric([state], count)
        yield tables

    def _tables(self) -> GaugeMetricFamily:
        return GaugeMetricFamily("spielwerk_tables", "Tables in memory.", labels=["state"])


def state_of(table: Table) -> str:
    """Whether the game is over, being played, or waits for somebody to come."""
    if table.over:
        return FINISHED
    return PLAYING if all(seat.ready for seat in table.seats) else WAITING
