"""The whole program: get the thinker ready, connect, play."""

from __future__ import annotations

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
    from collections.abc import Iterator

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

Ready = frozenset[object]
"""Whom there is something to hear from: a connection, a thinker, or both."""


class ServerConnection:
    """A TCP connection; waiting for the server is also waiting for the thinker."""

    def __init__(self, connected: socket.socket, thinker: ThinkerProcess, patience: float) -> None:
        self._socket = connected
        self._patience = patience
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
        except (BrokenPipeError, ConnectionResetError):
            return
        except OSError as error:
            raise ClientError("connection-lost", problem=cause(error)) from None

    def close(self) -> None:
        """Wait for nothing any more."""
        self._selector.close()


@contextmanager
def connected(
    host: str, port: int, patience: float, thinker: ThinkerProcess
) -> Iterator[ServerConnection]:
    """A connection to the server, closed at the end."""
    with dial(host, port, patience) as end:
        connection = ServerConnection(end, thinker, patience)
        try:
            yield connection
        finally:
            connection.close()


def dial(host: str, port: int, patience: float) -> socket.socket:
    """A socket that is connected to the first of the host's addresses that takes it."""
    try:
        connected = socket.create_connection((host, port), patience)
    except (socket.gaierror, UnicodeError) as error:  # the latter for a part too long for a name
        raise ClientError("unknown-host", host=host, problem=cause(error)) from None
    except ConnectionRefusedError:
        raise ClientError("connection-refused", host=host, port=port) from None
    except OSError as error:
        raise ClientError("unreachable", host=host, port=port, problem=cause(error)) from None
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connected
