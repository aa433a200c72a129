"""A server for tests on the loopback: one client, one script; and programs that are waited for."""

from __future__ import annotations

import queue
import socket
import struct
import subprocess
import threading
from collections.abc import Callable
from typing import Any, Self

from tests.waiting import PATIENCE


class Peer:
    """The server's end of the connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        connection.settimeout(PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = connection.makefile("rb")

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def line(self) -> str:
        """The client's next line, or nothing when it has closed."""
        return self._file.readline().decode().rstrip("\n")

    def expect(self, *exchange: tuple[str, str]) -> None:
        """Say something, and expect the answer to it."""
        for said, answer in exchange:
            self.say(said)
            assert self.line() == answer

    def follow(self, script: list[str]) -> None:
        """Say the lines with a sign, and expect the others."""
        for line in script:
            if line[:1] in "+-":
                self.say(line)
            else:
                assert self.line() == line

    def reset(self) -> None:
        """Close so that the client gets a reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._file.close()
        self.socket.close()

    def close(self) -> None:
        self._file.close()
        self.socket.close()


class Host:
    """Listens, runs the script with the first client, and hands on what went wrong in it."""

    def __init__(self, script: Callable[[Peer], Any]) -> None:
        self._script = script
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        self.port: int = self._listener.getsockname()[1]
        self._results: queue.Queue[Any] = queue.Queue()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            peer = Peer(self._listener.accept()[0])
            try:
                result = self._script(peer)
            finally:
                peer.close()
            self._results.put(result)
        except BaseException as error:  # raised again in the test
            self._results.put(error)

    def result(self) -> Any:
        """What the script returned."""
        result = self._results.get(timeout=PATIENCE)
        if isinstance(result, BaseException):
            raise result
        return result

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """The exit code, and what it has printed."""
    try:
        out, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, out, errors


def unused_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
