"""Signals that ask a process to stop: the first one asks, the last one ends the process at once."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

STOP: Final = (signal.SIGINT, signal.SIGTERM)


def with_hangup() -> tuple[signal.Signals, ...]:
    """The usual signals, and that of a closed terminal unless it is ignored, as under nohup."""
    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    if hangup is None or signal.getsignal(hangup) is signal.SIG_IGN:
        return STOP
    return (*STOP, hangup)


class StopSignals:
    """Catches signals inside a `with` block, and afterwards restores their former handlers.

    A signal interrupts nothing. It is counted, it makes `fileno()` readable for code that polls,
    and it calls the function given to `listen` for code in an event loop. The signal with the
    number `last` ends the process with exit code 1; 0 means that none does.
    """

    def __init__(self, signals: Iterable[signal.Signals] = STOP, last: int = 2) -> None:
        self.count = 0
        self.name = ""  # of the first signal
        self._signals = tuple(signals)
        self._last = last
        self._former: dict[signal.Signals, object] = {}
        self._former_wakeup = -1
        self._loop: asyncio.AbstractEventLoop | None = None
        self._call: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        self._readable, self._wakeup = socket.socketpair()
        self._readable.setblocking(False)
        self._wakeup.setblocking(False)
        # Without a wakeup descriptor, a signal just before a poll would be noticed after it only.
        self._former_wakeup = signal.set_wakeup_fd(self._wakeup.fileno(), warn_on_full_buffer=False)
        for number in self._signals:
            self._former[number] = signal.signal(number, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        if self._loop:
            self._loop.remove_reader(self._readable)
        for number, handler in self._former.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # as it was returned
        signal.set_wakeup_fd(self._former_wakeup)
        self._readable.close()
        self._wakeup.close()

    def __bool__(self) -> bool:
        return self.count > 0

    def fileno(self) -> int:
        """A descriptor that is readable once a signal has come."""
        return self._readable.fileno()

    def listen(self, call: Callable[[], None]) -> None:
        """Call this in the running loop for each signal; also for one that has come already."""
        self._loop, self._call = asyncio.get_running_loop(), call
        self._loop.add_reader(self._readable, self._drain)
        if self.count:
            self._loop.call_soon(call)

    async def wait(self) -> str:
        """Wait for a signal, which may have come already, and return its name."""
        heard = asyncio.Event()
        self.listen(heard.set)
        await heard.wait()
        return self.name

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        self.count += 1
        if self.count == self._last:
            os._exit(1)
        self.name = self.name or signal.Signals(number).name
        if self._loop and self._call:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._call)

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            self._readable.recv(4096)
