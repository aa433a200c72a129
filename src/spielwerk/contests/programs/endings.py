"""The end of a process: noticed when it comes, and told in words."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

_SHELL_SIGNAL: Final = 128  # what shells, and bubblewrap, add to a signal to tell of it


class Ending:
    """Waits for the end of a child, and calls with its exit code, negative for a signal.

    The child stays a zombie until `take_notice`, so that its number stays its own: it can be
    signalled without hitting another one. Where the system has no such means (macOS), a thread
    waits, and the number is free at once.
    """

    def __init__(self, process: subprocess.Popen[bytes], told: Callable[[int], None]) -> None:
        self._process = process
        self._told: Callable[[int], None] | None = told
        self._loop = asyncio.get_running_loop()
        self._handle = _handle(process.pid)
        if self._handle is None:
            threading.Thread(target=self._wait, daemon=True).start()
        else:
            self._loop.add_reader(self._handle, self._over)

    def _over(self) -> None:
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if found:
            exited = found.si_code == os.CLD_EXITED
            self._tell(found.si_status if exited else -found.si_status)

    def _wait(self) -> None:
        code = self._process.wait()
        with suppress(RuntimeError):  # the loop is closed: nobody wants to know
            self._loop.call_soon_threadsafe(self._tell, code)

    def _tell(self, code: int) -> None:
        """Call, but only once."""
        if self._handle is not None:
            self._loop.remove_reader(self._handle)
            os.close(self._handle)
            self._handle = None
        if self._told:
            told, self._told = self._told, None
            told(code)

    def take_notice(self) -> None:
        """Let the child go, which has ended or is about to."""
        self._tell(self._process.wait())

    def give_up(self) -> None:
        """Wait no longer for a child that was killed and does not end: the kernel has it."""
        self._tell(-signal.SIGKILL)


def _handle(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # not on this system
        return None


def told_by_shell(code: int) -> int:
    """The exit code of a program that another one told us of: bubblewrap does it as shells do."""
    return _SHELL_SIGNAL - code if _is_signal(code - _SHELL_SIGNAL) else code


def in_words(code: int) -> str:
    """An exit code as one reads it: `exit 1`, `killed by SIGSEGV`."""
    if code >= 0:
        return f"exit {code}"
    return f"killed by {signal.Signals(-code).name if _is_signal(-code) else f'signal {-code}'}"


def _is_signal(number: int) -> bool:
    return number in set(signal.Signals)
