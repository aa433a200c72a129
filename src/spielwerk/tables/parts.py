"""What a table is made of, besides its game and its seats."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from spielwerk.errors import SpielwerkError
from spielwerk.games import CHANCE
from spielwerk.games.playing import random_move
from spielwerk.tables.persons import real_timer

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.games import State
    from spielwerk.store.records import Entry
    from spielwerk.tables.persons import SetTimer


class NoFreeSeat(SpielwerkError):
    """The wanted seat is taken, reserved, somebody else's, or does not exist."""


class NotNow(SpielwerkError):
    """A move from a seat that is not to move, or while the last one is still being written."""


class Journal(Protocol):
    """What a table needs of the store."""

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
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
        """The time that asyncio's loops go by: limits and timers must agree.

        Finding the running loop would cost more than everything else that is done with the time.
        """
        return time.monotonic()

    def wall(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Rules:
    """How a table treats those who leave, and how it sets timers for those who think."""

    reservation: float = 5.0  # seconds that a lost client's seat stays closed
    timer: SetTimer = real_timer


class Thinking(NamedTuple):
    """Who has been asked to move, for how long, and how long it may take; in milliseconds."""

    seat: int
    elapsed: int
    limit: int  # 0: as long as it likes


def draw(state: State[Any], dice: Random) -> tuple[Any, ...]:
    """What chance decides before the next player can."""
    moves = []
    while state.turn == CHANCE:
        moves.append(random_move(state, dice))
        state = state.play(moves[-1])
    return tuple(moves)
