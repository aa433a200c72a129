"""What a table needs from the server: the journal, the clock, timers and a few rules."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.records import Entry

    Done = Callable[[BaseException | None], None]


class NoFreeSeat(SpielwerkError):
    """The wanted seat is taken, reserved, owned, or does not exist."""


class NotNow(SpielwerkError):
    """A move from a seat that is not to move, or while the last one is still being written."""


class Journal(Protocol):
    """What a table needs of the store."""

    def add(self, entry: Entry, done: Done) -> None:
        """Write the entry, then call done with None, or with what went wrong."""


class Clock(Protocol):
    """The server's time."""

    def monotonic(self) -> float:
        """Seconds that only go forward, for limits."""

    def wall(self) -> int:
        """Milliseconds since 1970, for the record."""


class SystemClock:
    """The machine's time."""

    def monotonic(self) -> float:
        """The time of asyncio's loops: limits and timers must agree.

        Asking the running loop would cost more than everything else that is done with the time.
        """
        return time.monotonic()

    def wall(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000


class Timer(Protocol):
    """A pending call that can be cancelled."""

    def cancel(self) -> None:
        """Drop the call."""


class SetTimer(Protocol):
    """How timers are set: for a moment by the table's clock."""

    def __call__(self, when: float, call: Callable[[], None], /) -> Timer:
        """Call this then."""


def real_timer(when: float, call: Callable[[], None], /) -> Timer:
    """Call this then, by the event loop's time."""
    return asyncio.get_running_loop().call_at(when, call)


@dataclass(frozen=True, slots=True)
class Rules:
    """How a table treats players who leave, how it begins, and how it sets timers."""

    reservation: float = 5.0  # seconds that a lost client's seat stays closed
    timer: SetTimer = real_timer
    together: bool = False  # no player is asked before all have come, whatever the game


class TurnClock(NamedTuple):
    """Who has been asked to move, for how long, and how long it may take; in milliseconds."""

    seat: int
    elapsed: int
    limit: int  # 0: no limit
