"""Listening: sockets for a name and a port, and a share of the loop for those who come.

A flood of connections delays those of its own address alone: a visitor waits as a bare
socket, which costs next to nothing, and a few are let in at a time, by turns of the addresses that
they come from. All listeners of a loop share one line, so that a flood of one port is none of the
others. Where the peer speaks first, the system keeps those who say nothing for a while.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from collections import deque
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from spielwerk.net.rooms import household

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

TURN: Final = 8  # connections that are let in between two turns of the loop
ACCEPTED: Final = 64  # that a listener takes from the system meanwhile
WAITING: Final = 5000  # that may wait in line, as a large class does whose games end together
FILES: Final = 4  # the part of the process's open files that may wait in line
LOOKED: Final = 256  # addresses in line that are looked at to find the largest crowd
QUEUE: Final = 2048  # that may wait in the system for a listener
SILENT: Final = 1  # seconds that the system keeps connections on which nothing is said
PAUSE: Final = 1.0  # seconds without accepting when the system has no more sockets for us


class Listener:
    """A socket that listens; `make` makes the protocol of each connection.

    Without `greeting` the peer speaks first, and is accepted only then.
    """

    def __init__(
        self,
        make: Callable[[], asyncio.BaseProtocol],
        accepting: socket.socket,
        *,
        greeting: bool = True,
    ) -> None:
        self.sockets = [accepting]
        self.make = make
        self._loop = asyncio.get_running_loop()
        self._line = _lines.setdefault(self._loop, WaitingLine())
        accepting.setblocking(False)
        accepting.listen(QUEUE)
        if not greeting:
            with suppress(OSError, AttributeError):  # not every system can
                accepting.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT)
        self._go_on()

    def close(self) -> None:
        """Accept no more; those who wait are not let in."""
        for accepting in self.sockets:
            self._loop.remove_reader(accepting)
            accepting.close()
        self.sockets = []

    def _go_on(self) -> None:
        for accepting in self.sockets:
            self._loop.add_reader(accepting, self._accept, accepting)

    def _accept(self, accepting: socket.socket) -> None:
        for _ in range(ACCEPTED):
            try:
                connection, address = accepting.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError as error:
                log.error("cannot accept connections: %s", error)  # noqa: TRY400
                self._loop.remove_reader(accepting)
                self._loop.call_later(PAUSE, self._go_on)
                break
            self._line.join(connection, household(address[0]), self)


class WaitingLine:
    """Those who have been accepted at any listener of a loop, and are not let in yet."""

    def __init__(self) -> None:
        # by address, whose turn it is first
        self._waiting: dict[str, deque[tuple[socket.socket, Listener]]] = {}
        self._count = 0
        self._most = min(WAITING, open_files() // FILES)
        self._tasks: set[asyncio.Task[object]] = set()

    def join(self, connection: socket.socket, address: str, listener: Listener) -> None:
        """Wait, and be let in by and by; of too many the last of the largest crowd has to go."""
        if not self._count:
            asyncio.get_running_loop().call_soon(self._admit)
        self._waiting.setdefault(address, deque()).append((connection, listener))
        self._count += 1
        if self._count > self._most:
            self._turn_away()

    def _turn_away(self) -> None:
        looked = islice(self._waiting, LOOKED)
        address = max(looked, key=lambda one: len(self._waiting[one]))
        connection, _ = self._waiting[address].pop()
        connection.close()
        if not self._waiting[address]:
            del self._waiting[address]
        self._count -= 1

    def _admit(self) -> None:
        """Let in a few of those who wait, one of each address in its turn."""
        for _ in range(min(TURN, self._count)):
            address = next(iter(self._waiting))
            waiting = self._waiting.pop(address)
            self._let_in(*waiting.popleft())
            if waiting:
                self._waiting[address] = waiting
        if self._count:
            asyncio.get_running_loop().call_soon(self._admit)

    def _let_in(self, connection: socket.socket, listener: Listener) -> None:
        self._count -= 1
        if not listener.sockets or _is_gone(connection):
            connection.close()
            return
        loop = asyncio.get_running_loop()
        task = loop.create_task(loop.connect_accepted_socket(listener.make, connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_lines: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, WaitingLine]] = WeakKeyDictionary()


def open_files() -> int:
    """How many files, connections among them, this process may have open."""
    try:
        import resource
    except ImportError:  # there is no such limit
        return sys.maxsize
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def _is_gone(connection: socket.socket) -> bool:
    """Whether the peer has reset the connection while it waited, as floods do."""
    connection.setblocking(False)
    try:
        connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return False


async def listening_sockets(bind: str, port: int) -> list[socket.socket]:
    """A bound socket for each address that the name stands for; OSError says which is taken."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            sockets.append(_known_as_tcp(socket.create_server(address, family=family)))
    except OSError as error:
        for one in sockets:
            one.close()
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, f"{reason} ({bind}:{port})") from None
    return sockets


def _known_as_tcp(made: socket.socket) -> socket.socket:
    """The same socket, its protocol named: asyncio sends at once only on what it knows as TCP.

    Elsewhere a second small write would wait until the first is confirmed: 40 milliseconds.
    """
    return socket.socket(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())


async def listen(
    make: Callable[[], asyncio.BaseProtocol], bind: str, port: int, *, greeting: bool = True
) -> list[Listener]:
    """Listeners on every address of the name."""
    sockets = await listening_sockets(bind, port)
    return [Listener(make, one, greeting=greeting) for one in sockets]
