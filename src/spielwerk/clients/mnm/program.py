"""The whole program: get the thinker ready, connect, play."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.mnm import thinker as words
from spielwerk.clients.mnm.connector import Connector
from spielwerk.clients.mnm.sentences import ClientError
from spielwerk.clients.mnm.thinker import ThinkerProcess
from spielwerk.errors import UsageError, cause
from spielwerk.games import find_game
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from spielwerk.clients.mnm.sentences import Voice
    from spielwerk.clients.mnm.settings import ClientSettings
    from spielwerk.games import Game


def play(settings: ClientSettings, game: str, seat: int | None, voice: Voice) -> None:
    """Play the game to its end, or raise ClientError."""
    with ThinkerProcess(settings.engine, _games(settings.kind), voice.language) as thinker:
        _wait_until_ready(thinker, voice)
        voice.say("connecting", host=settings.host, port=settings.port)
        with connected(settings.host, settings.port, settings.patience, thinker) as connection:
            Connector(settings, game, seat, connection, thinker, voice).run()


def _games(kind: str | None) -> list[Game[Any]]:
    """The games that may have to be played."""
    return [find_game(name)() for name, called in game_kinds().items() if kind in (None, called)]


def _wait_until_ready(thinker: ThinkerProcess, voice: Voice) -> None:
    """Let the thinker compile, however long it takes."""
    while True:
        for message in thinker.messages():
            if message.word == words.READY:
                return
            if message.word == words.UNSUITABLE:
                raise UsageError(message.text)
            voice.say("compiling", game=message.text)


CHUNK: Final = 65536
_BROKEN: Final = (errno.EPIPE, errno.ECONNRESET)

Ready = frozenset[object]
"""Whom there is something to hear from: a connection, a thinker, or both."""


class ServerConnection:
    """A TCP connection; waiting for the server is also waiting for the thinker."""

    def __init__(self, connected: socket.socket, thinker: ThinkerProcess, patience: float) -> None:
        self._socket = connected
        self._patience = patience
        self._socket.settimeout(patience)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._selector = selectors.DefaultSelector()
        self._selector.register(connected, selectors.EVENT_READ, self)
        self._selector.register(thinker, selectors.EVENT_READ, thinker)

    def wait(self, until: float) -> Ready:
        """Wait for the server, the thinker, or that moment."""
        ready = self._selector.select(max(until - time.monotonic(), 0.0))
        return frozenset(key.data for key, _ in ready)

    def receive(self) -> bytes:
        """What the server has sent; nothing if it has closed."""
        try:
            return self._socket.recv(CHUNK)
        except OSError as error:
            raise ClientError("connection-lost", problem=cause(error)) from None

    def send(self, data: bytes) -> None:
        """Write to the server; that it has gone shows when one reads what it said last."""
        try:
            self._socket.sendall(data)
        except TimeoutError:
            raise ClientError("silent", seconds=self._patience) from None
        except OSError as error:
            if error.errno not in _BROKEN:
                raise ClientError("connection-lost", problem=cause(error)) from None

    def close(self) -> None:
        """Close the socket."""
        self._selector.close()
        self._socket.close()


@contextmanager
def connected(
    host: str, port: int, patience: float, thinker: ThinkerProcess
) -> Iterator[ServerConnection]:
    """A connection to the first of the host's addresses that takes it."""
    problems = set()
    until = time.monotonic() + patience
    for family, address in _addresses(host, port):
        with socket.socket(family, socket.SOCK_STREAM) as candidate:
            problem = _connect(candidate, address, until, thinker)
            problems.add(problem)
            if not problem:
                connection = ServerConnection(candidate, thinker, patience)
                try:
                    yield connection
                finally:
                    connection.close()
                return
    raise _not_connected(host, port, problems)


def _addresses(host: str, port: int) -> list[tuple[int, Any]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:  # the latter for a part too long for a name
        raise ClientError("unknown-host", host=host, problem=cause(error)) from None
    return [(family, address) for family, _, _, _, address in found]


def _connect(candidate: socket.socket, address: Any, until: float, thinker: ThinkerProcess) -> int:
    """Try an address; 0, or the number of what went wrong."""
    candidate.setblocking(False)
    problem = candidate.connect_ex(address)
    if problem != errno.EINPROGRESS:
        return problem
    with selectors.DefaultSelector() as selector:
        selector.register(candidate, selectors.EVENT_WRITE, candidate)
        selector.register(thinker, selectors.EVENT_READ, thinker)
        ready = {key.data for key, _ in selector.select(max(until - time.monotonic(), 0.0))}
    if thinker in ready:
        thinker.messages()  # it has nothing to say now, unless it is gone
    if candidate not in ready:
        return errno.ETIMEDOUT
    return candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def _not_connected(host: str, port: int, problems: Collection[int]) -> ClientError:
    if errno.ECONNREFUSED in problems:
        return ClientError("connection-refused", host=host, port=port)
    reasons = ", ".join(sorted(os.strerror(problem) for problem in problems))
    return ClientError("unreachable", host=host, port=port, problem=reasons)
