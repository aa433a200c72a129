"""How often something may happen: token buckets, alone or one for each address.

Addresses come and go, so only the latest are remembered.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

KEPT: Final = 10_000  # addresses that are remembered

ValueT = TypeVar("ValueT")
KeyT = TypeVar("KeyT", bound="Hashable")


class Memory(Generic[KeyT, ValueT]):
    """The latest of something, by key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[KeyT, ValueT] = OrderedDict()

    def get(self, key: KeyT) -> ValueT | None:
        """What is remembered."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: KeyT, value: ValueT) -> None:
        """Remember it, and forget what was not needed for longest."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)


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
        self._buckets: Memory[str, Bucket] = Memory(KEPT)

    def allows(self, address: str) -> bool:
        """Whether this address may do it once more now; nothing is counted."""
        bucket = self._buckets.get(address)
        return bucket is None or bucket.level(self._now()) >= 1

    def count(self, address: str) -> bool:
        """Whether this address may do it now; if so it is counted."""
        now = self._now()
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = Bucket(self._burst, self._rate, now)
            self._buckets.put(address, bucket)
        return bucket.take(now)
