"""Move servers on loopback that do what a test tells them, good and bad."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from spielwerk.wire.oware import RequestReading, ServerIdentity, Task, judge
from tests.waiting import PATIENCE

IDENTITY = ServerIdentity("Karl Muster", ("Karl Musters Super-Strategie", "plain"))

Behaviour = Callable[[socket.socket, list[bytes]], None]


def request_from(connection: socket.socket) -> list[bytes]:
    """The four lines of the client."""
    reading = RequestReading()
    while not reading.complete:
        data = connection.recv(65536)
        assert data, "the client closed before its request was whole"
        reading.receive(data)
    return reading.lines


def first_move(task: Task) -> int:
    return task.state.legal_moves()[0]


def honest_answer(lines: list[bytes], think: Callable[[Task], int] = first_move) -> bytes:
    judged = judge(lines, IDENTITY)
    return judged.answer(think(judged)) if isinstance(judged, Task) else judged


class Host:
    """A server; `behave` gets every connection and the request on it, one after the other.

    When it returns nothing more is sent, but only the client's closing ends the connection.
    """

    def __init__(
        self,
        behave: Behaviour | None = None,
        *,
        family: int = socket.AF_INET,
    ) -> None:
        self._behave = behave or (
            lambda connection, lines: connection.sendall(honest_answer(lines))
        )
        bind = "::1" if family == socket.AF_INET6 else "127.0.0.1"
        self._listener = socket.create_server((bind, 0), family=family)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._open: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]
        self.requests: list[list[bytes]] = []
        self.closed_by_client: list[bool] = []

    @property
    def text(self) -> str:
        """How a player here is described."""
        return f"remote:127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening, and wake up the thread that is still waiting."""
        with suppress(OSError), socket.create_connection(self._listener.getsockname()[:2], 1):
            self._listener.close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)

    def _serve(self) -> None:
        with suppress(OSError, AssertionError):
            while True:
                connection, _ = self._listener.accept()
                with connection, suppress(OSError):
                    self._open.append(connection)
                    connection.settimeout(PATIENCE)
                    lines = request_from(connection)
                    self.requests.append(lines)
                    self._behave(connection, lines)
                    self.closed_by_client.append(self._is_closed(connection))

    @staticmethod
    def _is_closed(connection: socket.socket) -> bool:
        """Whether the client closes, in its own time, without having said anything more."""
        try:
            return connection.recv(1) == b""
        except ConnectionError:
            return True


def saying(answer: bytes) -> Behaviour:
    """A server that answers this, whatever it is asked."""
    return lambda connection, _lines: connection.sendall(answer)


def hanging_up(answer: bytes = b"", *, hard: bool = False) -> Behaviour:
    """A server that says this and is gone, without a farewell if it is hard."""

    def behave(connection: socket.socket, _lines: list[bytes]) -> None:
        connection.sendall(answer)
        if hard:
            linger = b"\1\0\0\0\0\0\0\0"  # a close that waits zero seconds resets the connection
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        connection.close()

    return behave


def silent(_connection: socket.socket, _lines: list[bytes]) -> None:
    """A server that never answers."""
