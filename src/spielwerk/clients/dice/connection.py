"""The connection to the server, whose errors are sentences."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, cause, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK: Final = 65536

_KEEPALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 6}
"""A bot may wait for others for hours; that the server is gone it notices after two minutes."""


class BotError(SpielwerkError):
    """The game could not be played to its end."""


class BotConnection:
    """A connected socket."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def receive(self) -> bytes:
        """Wait for the server; what it has sent, or nothing if it has closed."""
        try:
            return self._socket.recv(CHUNK)
        except OSError as error:
            raise BotError(f"connection lost: {error.strerror}") from None

    def send(self, data: bytes) -> None:
        """Write to the server; that it has gone shows when one reads what it said last."""
        try:
            self._socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return
        except OSError as error:
            raise BotError(f"connection lost: {error.strerror}") from None


@contextmanager
def connected(host: str, port: int) -> Iterator[BotConnection]:
    """A connection to the first of the host's addresses that takes it; closed at the end."""
    problems = []
    for address in _addresses(host, port):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as candidate:
            try:
                candidate.connect((address, port))
            except OSError as error:
                problems.append(f"{address}: {error.strerror}")
                continue
            yield BotConnection(candidate)
            return
    reasons = ", ".join(problems)
    raise BotError(f"cannot connect to {quote(host)}, port {port} ({reasons})")


def _addresses(host: str, port: int) -> list[str]:
    """The host's IPv4 addresses."""
    try:
        answers = socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # the latter for a part too long for a name
        raise BotError(f"unknown host {quote(host)}: {cause(error)}") from None
    return [str(address[0]) for *_, address in answers]
