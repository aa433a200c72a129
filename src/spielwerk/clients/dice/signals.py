"""Signals that ask the bot to terminate, noticed wherever it waits."""

from __future__ import annotations

import os
import select
import signal
from typing import Final

TERMINATING: Final = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


class TerminationRequested(Exception):
    """Somebody wants the bot to stop."""


class Signals:
    """Catches the signals; to be made once, for the catching lasts until the process ends.

    A signal interrupts nothing: it is written into a pipe, and whoever waits looks at that, too.
    So there is no place where it could be lost or leave things half done.
    """

    def __init__(self) -> None:
        self._pipe, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        for number in TERMINATING:
            signal.signal(number, lambda *_: None)

    @staticmethod
    def ignore() -> None:
        """The bot is ending anyway, and the next signal must not find it without a handler."""
        for number in TERMINATING:
            signal.signal(number, signal.SIG_IGN)

    def wait(self, descriptor: int, event: int = select.POLLIN) -> None:
        """Wait until the descriptor is ready, or raise TerminationRequested."""
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        poll.register(descriptor, event)
        if self._pipe in dict(poll.poll()):
            raise TerminationRequested
