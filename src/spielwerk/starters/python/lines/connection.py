"""The connection to a server: lines out, lines in. (MIT licence)

TCP carries a stream of bytes, not lines: one recv may bring half a line or three of them. So what
has come is kept until a newline ends it.
"""

from __future__ import annotations

import socket


class Connection:
    """A TCP connection that speaks in lines."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""  # what has come and has no newline yet

    def send(self, line: str) -> None:
        """Send a line."""
        self._socket.sendall(f"{line}\n".encode())

    def receive(self) -> str:
        """The server's next line, without its newline; ConnectionError if there is none."""
        while b"\n" not in self._rest:
            data = self._socket.recv(4096)
            if not data:
                raise ConnectionError("the server closed the connection")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(errors="replace")

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()
