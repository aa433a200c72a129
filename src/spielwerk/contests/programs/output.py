"""What a program writes: read as it comes, so that it never waits for us; only the end is kept."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Final

from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT: Final = 8192  # bytes
_AT_ONCE: Final = 65536  # bytes that are read before others get their turn


class Tail:
    """The last of what was written, and how much it was altogether."""

    def __init__(self, kept: int = KEPT) -> None:
        self.total = 0  # bytes
        self._kept = kept
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        """Take more of it."""
        self.total += len(data)
        self._data += data
        del self._data[: -self._kept]

    @property
    def text(self) -> str:
        """What is kept, as lines that can be shown anywhere: no terminal obeys them."""
        lines = self._data.decode(errors="replace").replace("\r\n", "\n").split("\n")
        if self.total > self._kept and len(lines) > 1:
            del lines[0]  # its beginning is lost
        return "\n".join(printable(line.expandtabs()) for line in lines).strip("\n")


class Output:
    """A pipe that a program writes into, and the end of it that is read here."""

    def __init__(self, limit: int, flooded: Callable[[], None]) -> None:
        self.tail = Tail()
        self._limit = limit
        self._flooded = flooded
        self._reader, self.writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reader, self._read)

    def started(self) -> None:
        """The program has its own end of the pipe now, or will never have it."""
        os.close(self.writer)

    def _read(self) -> None:
        if not self._take():
            self._loop.remove_reader(self._reader)
        elif self.tail.total > self._limit:
            self._loop.remove_reader(self._reader)
            self._flooded()

    def _take(self) -> bool:
        """Take some of what has come; False at the end."""
        try:
            data = os.read(self._reader, _AT_ONCE)
        except BlockingIOError:
            return True
        self.tail.add(data)
        return bool(data)

    def catch_up(self) -> None:
        """Take all that is in the pipe at the moment."""
        before = -1
        while before != self.tail.total <= self._limit:
            before = self.tail.total
            self._take()

    def close(self) -> None:
        """Take what is left, and close the pipe."""
        if self._reader != -1:
            self._loop.remove_reader(self._reader)
            self.catch_up()
            os.close(self._reader)
            self._reader = -1
