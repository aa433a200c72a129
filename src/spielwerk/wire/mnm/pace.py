"""How a block of lines, from one client line to the next, is cut into segments.

Many clients take one `recv` for one message, so it matters where a segment ends. MOVEOK never
shares a segment with what follows it, whatever the pace.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

GAP: Final = 0.04  # seconds between the first line and the rest


class Pace(StrEnum):
    """The ways to write a block."""

    FIRST_THEN_REST = "first-then-rest"
    BLOCK = "block"
    LINE = "line"


class Pacer:
    """Takes lines, gives segments when their time has come."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace  # another one holds for the lines to come
        self._ready: list[bytes] = []
        self._rest: list[bytes] = []
        self._release: float | None = None  # when the rest of the running block may leave

    @property
    def pending(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._ready or self._rest)

    @property
    def due(self) -> float | None:
        """When the rest has to be written."""
        return self._release if self._rest else None

    def begin(self) -> None:
        """A client's line has been taken: what follows is a new block."""
        self._release = None

    def add(self, lines: list[str], now: float, *, alone: bool = False) -> float:
        """Add lines to the running block, and say when the last of them will leave.

        The first line of a block leaves `alone` at every pace if it is told to.
        """
        encoded = [f"{line}\n".encode() for line in lines]
        if self.pace is Pace.LINE:
            self._ready += encoded
            return now
        if self._release is None:
            self._release = now
            if alone or self.pace is Pace.FIRST_THEN_REST:
                self._ready.append(encoded.pop(0))
                self._release += GAP
        self._rest += encoded
        return max(now, self._release) if self._rest else now

    def take(self, now: float) -> list[bytes]:
        """The segments whose time has come."""
        segments, self._ready = self._ready, []
        if self._rest and self._release is not None and now >= self._release:
            segments.append(b"".join(self._rest))
            self._rest = []
        return segments

    def hurry(self) -> None:
        """Let everything leave at once: the connection is about to be closed."""
        self._release = 0.0
