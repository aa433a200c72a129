"""How often somebody may do something: buckets that fill up again, one for each address."""

from __future__ import annotations

import time
from collections import OrderedDict
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Scope

KEPT: Final = 10_000  # addresses that are remembered


class Rates:
    """Each address may do so much at once, and then so much a second."""

    def __init__(
        self, burst: float, rate: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst = burst
        self._rate = rate
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how much, and when

    def allows(self, address: str) -> bool:
        """Whether this address may do it once more now; nothing is counted."""
        return self._level(address) >= 1

    def count(self, address: str) -> bool:
        """Whether this address may do it now; if so it is counted."""
        level = self._level(address)
        allowed = level >= 1
        self._left[address] = (level - allowed, self._now())
        self._left.move_to_end(address)
        if len(self._left) > KEPT:
            self._left.popitem(last=False)
        return allowed

    def _level(self, address: str) -> float:
        level, then = self._left.get(address, (self._burst, 0.0))
        return min(self._burst, level + (self._now() - then) * self._rate)


def address_of(scope: Scope) -> str:
    """The peer's address; of IPv6 the part that a household has to itself."""
    host, _ = scope.get("client") or ("", 0)
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return str(host)
    return str(ip_network((address, 64), strict=False)) if address.version == 6 else str(address)
