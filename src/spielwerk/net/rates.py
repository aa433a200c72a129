"""How often something may happen: token buckets, alone or one for each address."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT: Final = 10_000  # addresses that are remembered


class Bucket:
    """So much at once, and then so much a second; the caller says what time it is."""

    __slots__ = ("_burst", "_level", "_rate", "_then")

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self._burst = burst
        self._rate = rate
        self._level = burst
        self._then = now

    def level(self, now: float) -> float:
        """How much may be taken now."""
        return min(self._burst, self._level + (now - self._then) * self._rate)

    def take(self, now: float, amount: float = 1) -> bool:
        """Take so much if it is there; False if it is not."""
        level = self.level(now)
        allowed = level >= amount
        self._level, self._then = level - amount * allowed, now
        return allowed


class Rates:
    """A bucket for each address; those not heard of for longest are forgotten."""

    def __init__(
        self, burst: float, rate: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst = burst
        self._rate = rate
        self._now = now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether this address may do it once more now; nothing is counted."""
        bucket = self._buckets.get(address)
        return bucket is None or bucket.level(self._now()) >= 1

    def count(self, address: str) -> bool:
        """Whether this address may do it now; if so it is counted."""
        now = self._now()
        bucket = self._buckets.setdefault(address, Bucket(self._burst, self._rate, now))
        self._buckets.move_to_end(address)
        if len(self._buckets) > KEPT:
            self._buckets.popitem(last=False)
        return bucket.take(now)
