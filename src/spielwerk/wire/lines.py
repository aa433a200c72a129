"""Cutting a stream of bytes into lines, with a hard limit on their length."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

MOST: Final = 10_000
"""Lines that are taken at once: a flood of empty ones would keep all others waiting."""


class ReceivedLine(NamedTuple):
    """A line without its newline, and when its last byte came."""

    content: bytes
    arrived: float


class LineTooLong(Exception):
    """A line that passed the limit, or far too many at once; what follows cannot be trusted."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class LineSplitter:
    """Collects bytes and gives them back line by line; only a newline ends a line."""

    def __init__(self, limit: int, padding: bytes = b"") -> None:
        self._limit = limit
        self._padding = padding  # bytes that do not count where a line begins
        self._lines: deque[ReceivedLine] = deque()
        self._rest = b""
        self._broken = False
        self.waiting = 0  # bytes that have come and were not taken

    @property
    def ready(self) -> bool:
        """Whether a whole line waits to be taken."""
        return bool(self._lines)

    def feed(self, data: bytes, now: float) -> None:
        """Take what has come."""
        if self._broken:
            return
        self.waiting -= len(self._rest)
        *lines, rest = (self._rest + data).split(b"\n", MOST)
        for line in lines:
            content = line.lstrip(self._padding)
            if len(content) > self._limit:
                self._broken = True
                break
            self._lines.append(ReceivedLine(content, now))
            self.waiting += len(content) + 1
        self._rest = rest.lstrip(self._padding)
        if len(self._rest) > self._limit or b"\n" in self._rest:
            self._broken, self._rest = True, b""
        self.waiting += len(self._rest)

    def take(self) -> ReceivedLine | None:
        """The next line, None while there is none, or LineTooLong."""
        if self._lines:
            line = self._lines.popleft()
            self.waiting -= len(line.content) + 1
            return line
        if self._broken:
            raise LineTooLong(self._limit)
        return None

    def discard(self) -> None:
        """Forget everything that has come."""
        self._lines.clear()
        self._rest, self.waiting = b"", 0


class Lines:
    """Collects bytes and cuts them into lines when they are asked for, one at a time.

    What comes is not looked at until then: a flood costs nothing but its room.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting = bytearray()
        self._seen = 0  # so far there is no newline

    @property
    def waiting(self) -> int:
        """How many bytes have not been taken."""
        return len(self._waiting)

    @property
    def ready(self) -> bool:
        """Whether there is a line, or one that is too long."""
        return self._end() >= 0 or len(self._waiting) > self._limit

    def feed(self, data: bytes) -> None:
        """Take what has come."""
        self._waiting += data

    def _end(self) -> int:
        return self._waiting.find(b"\n", self._seen, self._limit + 1)

    def take(self) -> bytes | None:
        """The next line without its newline, None while there is none, or LineTooLong."""
        end = self._end()
        if end < 0:
            if len(self._waiting) > self._limit:
                raise LineTooLong(self._limit)
            self._seen = len(self._waiting)
            return None
        line = bytes(self._waiting[:end])
        del self._waiting[: end + 1]
        self._seen = 0
        return line

    def rest(self) -> bytes:
        """What has come and was not taken."""
        return bytes(self._waiting)
