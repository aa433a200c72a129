"""What one search may spend, has spent, and whether it has been stopped."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spielwerk.engines.interface import Limits, Stop

UNLIMITED: Final = 1 << 62


@dataclass
class Effort:
    """The limits of a search and its running account."""

    limits: Limits
    stop: Stop
    nodes: int = 0
    started: float = field(default_factory=perf_counter)
    _lock: Lock = field(default_factory=Lock)

    def spend(self, nodes: int) -> None:
        """Account for positions visited, by any thread."""
        with self._lock:
            self.nodes += nodes

    @property
    def nodes_left(self) -> int:
        """How many more positions may be visited."""
        return UNLIMITED if self.limits.nodes is None else self.limits.nodes - self.nodes

    @property
    def over(self) -> bool:
        """Whether the search has to come to its end."""
        return bool(self.stop.flag[0]) or self.nodes_left <= 0

    @property
    def time(self) -> float:
        """Seconds since the search began."""
        return perf_counter() - self.started
