"""A line between browser and server that can be cut, frozen, and made deaf on one side."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Self

CHUNK = 65_536


class Proxy:
    """Passes bytes on, as long as it is told to."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._open = True  # whether new connections are taken
        self._passing = {"up": True, "down": True}
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._lock = threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self.cut()

    def cut(self) -> None:
        """Break all connections; new ones are closed at once, until `mend`."""
        self._open = False
        with self._lock:
            for one in [one for pair in self._pairs for one in pair]:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            self._pairs.clear()

    def drop(self, *ways: str) -> None:
        """Lose all that is sent `up` to the server, or `down` to the browser."""
        for way in ways:
            self._passing[way] = False

    def mend(self) -> None:
        """Let everything pass again."""
        self._passing = {"up": True, "down": True}
        self._open = True

    def _serve(self) -> None:
        while True:
            try:
                browser, _ = self._socket.accept()
            except OSError:
                return
            if self._open:
                threading.Thread(target=self._join, args=(browser,), daemon=True).start()
            else:
                browser.close()

    def _join(self, browser: socket.socket) -> None:
        with (
            browser,
            contextlib.suppress(OSError),
            socket.create_connection(self._server) as server,
        ):
            with self._lock:
                self._pairs.append((browser, server))
            up = threading.Thread(target=self._pass, args=("up", browser, server), daemon=True)
            up.start()
            self._pass("down", server, browser)
            up.join()

    def _pass(self, way: str, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                if self._passing[way]:
                    sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
