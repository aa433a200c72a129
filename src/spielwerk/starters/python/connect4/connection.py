"""Messages over TCP: a header and parameters with semicolons between, a newline at the end.

(MIT licence) TCP carries a stream of bytes, not messages: one recv may bring half a message or
three of them. So what has come is kept until a newline ends it.
"""

from __future__ import annotations

import socket
import time

PATIENCE = 10.0  # seconds; section 3.3 of the document


class GameError(Exception):
    """The game cannot go on; the text says why."""


class Aborted(GameError):
    """The other side has aborted the game."""


class Connection:
    """A TCP connection that speaks in messages."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._rest = b""  # what has come and has no newline yet

    @classmethod
    def to(cls, host: str, port: int) -> Connection:
        """A new connection."""
        return cls(socket.create_connection((host, port), PATIENCE))

    def send(self, header: str, *parameters: object) -> None:
        """Send a message."""
        texts = (str(one).replace(";", ",").replace("\n", " ") for one in parameters)
        self._socket.sendall((";".join([header, *texts]) + "\n").encode())

    def receive(self, seconds: float | None = PATIENCE) -> list[str]:
        """The next message, its header first; GameError if it does not come in time, or at all."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._rest:
            left = None if deadline is None else max(deadline - time.monotonic(), 0.001)
            self._socket.settimeout(left)
            try:
                data = self._socket.recv(65536)
            except socket.timeout:
                raise GameError("the other side did not answer in time") from None
            if not data:
                raise GameError("the other side closed the connection")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r").split(";")

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


def ask_index(index: tuple[str, int], *message: object) -> list[str]:
    """The answer of the index server to one message."""
    connection = Connection.to(*index)
    try:
        connection.send(str(message[0]), *message[1:])
        return connection.receive()
    finally:
        connection.close()


def number(text: str) -> int:
    """A number in a message, or GameError: nothing that others send is sure to make sense."""
    if not (text.isascii() and text.isdigit()):
        raise GameError(f"{text!r} is no number")
    return int(text)
