"""What the processor does for the players of a game, from being asked to moving."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Efforts:
    """Counts for each seat; programs have clocks, engines say how long they thought."""

    def __init__(self) -> None:
        self.clocks: dict[int, Callable[[], int]] = {}  # of programs, in milliseconds
        self.engines: dict[int, float] = {}  # seconds in all
        self._before: int | None = None  # the clock of the seat that was asked
        self._thought: float | None = None  # seconds

    def thought(self, seconds: float) -> None:
        """An engine has found a move; called in its thread."""
        self._thought = seconds

    def asked(self, seat: int) -> None:
        """The player begins to think."""
        clock = self.clocks.get(seat)
        self._before = clock() if clock else None

    def spent(self, seat: int) -> int | None:
        """Milliseconds since then, if they are known."""
        clock, before, thought = self.clocks.get(seat), self._before, self._thought
        self._before = self._thought = None
        if thought is not None:
            self.engines[seat] = self.engines.get(seat, 0.0) + thought
            return round(1000 * thought)
        return None if clock is None or before is None else clock() - before
