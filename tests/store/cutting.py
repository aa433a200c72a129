"""A wire to PostgreSQL that can be cut at the worst moment."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto


class Cut(Enum):
    """When the wire is cut, once."""

    NEVER = auto()
    BEFORE_COMMIT = auto()  # the server never hears of the commit
    AFTER_COMMIT = auto()  # the client never hears that it went through


class Wire:
    """Passes everything on between clients and the server until it is told to cut."""

    def __init__(self, listener: socket.socket, server: tuple[str, int]) -> None:
        self.cut = Cut.NEVER
        self.port: int = listener.getsockname()[1]
        self._listener = listener
        self._server = server
        self.connections: list[threading.Thread] = []

    def run(self) -> None:
        """Accept clients until the listener is closed."""
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self.connections.append(thread)
            thread.start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as server:
            while all(self._pass_on(peer, client, server) for peer in _ready(client, server)):
                pass

    def _pass_on(self, peer: socket.socket, client: socket.socket, server: socket.socket) -> bool:
        """Pass one piece on; False when the wire has been cut or is at its end."""
        worst = Cut.BEFORE_COMMIT if peer is client else Cut.AFTER_COMMIT
        try:
            data = peer.recv(65536)
            if b"COMMIT" in data and self.cut is worst:
                self.cut = Cut.NEVER
                return False
            (server if peer is client else client).sendall(data)
        except OSError:
            return False
        return bool(data)


def _ready(*peers: socket.socket) -> list[socket.socket]:
    return select.select(peers, (), ())[0]


@contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    """A wire to the server on this port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        wire = Wire(listener, ("127.0.0.1", port))
        runner = threading.Thread(target=wire.run, daemon=True)
        runner.start()
        try:
            yield wire
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for thread in (runner, *wire.connections):
                thread.join(10)
