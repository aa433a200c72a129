"""An event loop that waits for nothing: when no bytes are on their way, the clock jumps.

Players in the same process talk with a trial over real sockets, and a case that takes a minute
takes milliseconds, in exactly its own time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

DELIVERY = 0.001  # seconds for bytes to arrive on loopback


class HastySelector(selectors.DefaultSelector):
    """Skips the time in which nothing would happen."""

    skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; the timeout passes at once if nothing is."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(min(timeout, DELIVERY))
        if not ready:
            self.skipped += timeout
        return ready


class HastyLoop(asyncio.SelectorEventLoop):
    """A loop with such a clock."""

    def __init__(self) -> None:
        self._hasty = HastySelector()
        super().__init__(self._hasty)

    def time(self) -> float:
        """The clock, with all that was skipped."""
        return super().time() + self._hasty.skipped


def run_hastily(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in such a loop, and let those in who have just connected: none is lost."""

    async def settled() -> T:
        result = await work
        for _ in range(5):
            await asyncio.sleep(0)
        return result

    with asyncio.Runner(loop_factory=HastyLoop) as runner:
        return runner.run(settled())
