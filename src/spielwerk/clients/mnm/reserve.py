"""How much of the announced time may be used: less a reserve, which is measured."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

MARGIN: Final = 0.02  # seconds, for what differs from one way to the next
FIRST_OVERSHOOT: Final = 0.05  # seconds, before anything has been measured
REMEMBERED: Final = 8
NETWORK_SHARE: Final = 0.5  # of the announced time: more reserve than that helps nobody
WHOLE_SHARE: Final = 0.75  # the same with the thinker's part


class Deadlines(NamedTuple):
    """When the thinker shall answer, and when the connector must have moved."""

    thinker: float
    connector: float


class Reserve:
    """The worst of the last measurements.

    The server's clock runs from the moment it sends MOVE to the moment it gets PLAY: the way here
    and the way back are lost, which together are one round trip. The thinker in turn answers
    somewhat after the moment it was given.
    """

    def __init__(self) -> None:
        self._trips: deque[float] = deque(maxlen=REMEMBERED)
        self._overshoots: deque[float] = deque([FIRST_OVERSHOOT], maxlen=REMEMBERED)

    def round_trip(self, seconds: float) -> None:
        """The server has answered a line at once, after so long."""
        self._trips.append(max(seconds, 0.0))

    def overshoot(self, seconds: float) -> None:
        """The thinker has answered so long after its deadline; an early answer says nothing."""
        if seconds > 0:
            self._overshoots.append(seconds)

    @property
    def network(self) -> float:
        """Seconds for both ways."""
        return max(self._trips, default=0.0) + MARGIN

    @property
    def thinker(self) -> float:
        """Seconds by which the thinker may be late."""
        return max(self._overshoots) + MARGIN

    def deadlines(self, asked: float, announced: float) -> Deadlines:
        """The moments for a move that was asked then, with so many seconds to make it."""
        network = min(self.network, announced * NETWORK_SHARE)
        both = min(self.network + self.thinker, announced * WHOLE_SHARE)
        return Deadlines(asked + announced - both, asked + announced - network)
