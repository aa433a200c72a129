"""The index server's list in numbers, for `/metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prometheus_client.metrics_core import GaugeMetricFamily

from spielwerk.wire.connect4.messages import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prometheus_client.metrics_core import Metric

    from spielwerk.wire.connect4.index import Index


class Figures:
    """The list in numbers, counted when somebody asks."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def describe(self) -> Iterable[Metric]:
        """Name what is collected."""
        return [self._games(), self._initiators()]

    def collect(self) -> Iterator[Any]:
        """Count."""
        games, initiators = self._games(), self._initiators()
        statuses = [entry.status for entry in self._index.entries]
        for status in Status:
            games.add_metric([status.lower()], statuses.count(status))
        initiators.add_metric([], self._index.initiators)
        yield from (games, initiators)

    def _games(self) -> GaugeMetricFamily:
        return GaugeMetricFamily("spielwerk_index_games", "Games in the list.", labels=["status"])

    def _initiators(self) -> GaugeMetricFamily:
        return GaugeMetricFamily("spielwerk_index_initiators", "Who has games there.", labels=[])
