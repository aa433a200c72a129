"""The connection to the server, whose errors are sentences; signals are noticed in every wait."""

from __future__ import annotations

import errno
import os
import select
import signal
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, cause, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK: Final = 65536
_GONE: Final = (errno.EPIPE, errno.ECONNRESET)

_KEEPALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 6}
"""A bot may wait for others for hours; that the server is gone it notices after two minutes."""


class BotError(SpielwerkError):
    """The game could not be played to its end."""


class BotConnection:
    """A connected socket."""

    def __init__(self, connected: socket.socket, signals: Signals) -> None:
        self._socket = connected
        self._signals = signals
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def receive(self) -> bytes:
        """Wait for the server; what it has sent, or nothing if it has closed."""
        while True:
            self._signals.wait(self._socket.fileno())
            try:
                return self._socket.recv(CHUNK)
            except BlockingIOError:
                continue
            except OSError as error:
                raise BotError(f"connection lost: {error.strerror}") from None

    def send(self, data: bytes) -> None:
        """Write to the server; that it has gone shows when one reads what it said last."""
        while data:
            self._signals.wait(self._socket.fileno(), select.POLLOUT)
            try:
                data = data[self._socket.send(data) :]
            except BlockingIOError:
                continue
            except OSError as error:
                if error.errno not in _GONE:
                    raise BotError(f"connection lost: {error.strerror}") from None
                return


@contextmanager
def connected(host: str, port: int, signals: Signals) -> Iterator[BotConnection]:
    """A connection to the first of the host's addresses that takes it; closed at the end."""
    problems = []
    for address in _look_up(host, port, signals):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as candidate:
            problem = _connect(candidate, address, signals)
            if not problem:
                yield BotConnection(candidate, signals)
                return
            problems.append(f"{address[0]}: {os.strerror(problem)}")
    reasons = ", ".join(problems)
    raise BotError(f"cannot connect to {quote(host)}, port {port} ({reasons})")


def _look_up(host: str, port: int, signals: Signals) -> list[tuple[str, int]]:
    """The host's IPv4 addresses, found by a thread, as nothing interrupts a slow lookup."""
    found: list[tuple[str, int]] = []
    problems: list[str] = []
    done, finished = os.pipe()

    def look_up() -> None:
        try:
            found.extend(_addresses(host, port))
        except (OSError, UnicodeError) as error:  # the latter for a part too long for a name
            problems.append(cause(error))
        finally:
            os.close(finished)

    threading.Thread(target=look_up, daemon=True).start()
    signals.wait(done)
    os.close(done)
    if problems:
        raise BotError(f"unknown host {quote(host)}: {problems[0]}")
    return found


def _addresses(host: str, port: int) -> list[tuple[str, int]]:
    answers = socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)
    return [(str(address[0]), port) for *_, address in answers]


def _connect(candidate: socket.socket, address: tuple[str, int], signals: Signals) -> int:
    """Try an address; 0, or the number of what went wrong."""
    candidate.setblocking(False)
    problem = candidate.connect_ex(address)
    if problem != errno.EINPROGRESS:
        return problem
    signals.wait(candidate.fileno(), select.POLLOUT)
    return candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


TERMINATING: Final = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


class TerminationRequested(Exception):
    """A signal has asked the bot to stop."""


class Signals:
    """Catches the signals; to be made once, for the catching lasts until the process ends.

    A signal interrupts nothing: it is written into a pipe, and every wait looks at that, too.
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
