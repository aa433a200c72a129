"""One UDP socket: what comes is cut off at a limit, what cannot be sent at once is not sent.

asyncio's own transport keeps whatever cannot be sent, without limit, and reads one datagram a turn
of the loop. Datagrams may be lost anyway, so here nothing is kept; and a flood is read in pieces,
between which all others have a turn.
"""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    Received = Callable[[bytes, tuple[str, int]], None]

log = logging.getLogger(__name__)

LONGEST: Final = 1024  # bytes of a datagram that are looked at, unless told otherwise
A_TURN: Final = 64  # datagrams that are read before others have their turn
ROOM: Final = 2**20  # bytes that may wait to be read, if the system allows it


class Datagrams:
    """A bound UDP socket; `received` is told every datagram and who sent it.

    A longer datagram than `longest` is not handed on: `oversized` is told its sender.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        address: tuple[str, int] | socket.socket,  # or one that is bound already
        received: Received,
        oversized: Callable[[tuple[str, int]], None],
        longest: int = LONGEST,
    ) -> None:
        self._loop = loop
        self._received = received
        self._oversized = oversized
        self._longest = longest
        self._socket = address if isinstance(address, socket.socket) else _bound(address)
        self._socket.setblocking(False)
        loop.add_reader(self._socket, self._read)

    @property
    def address(self) -> tuple[str, int]:
        """Where it is bound."""
        host, port = self._socket.getsockname()[:2]
        return host, port

    def reaches(self, host: str) -> bool:
        """Whether this host, in numbers, is of the socket's kind."""
        return (":" in host) == (self._socket.family is socket.AF_INET6)

    def send(self, data: bytes, target: tuple[str, int]) -> bool:
        """Send one datagram to a host in numbers; False if it could not be sent now."""
        try:
            self._socket.sendto(data, target)
        except (OSError, ValueError, OverflowError) as error:
            log.debug("not sent target=%s error=%r", target, str(error))
            return False
        return True

    def close(self) -> None:
        """Hear nothing any more."""
        self._loop.remove_reader(self._socket)
        self._socket.close()

    def _read(self) -> None:
        for _ in range(A_TURN):
            try:
                data, source = self._socket.recvfrom(self._longest + 1)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:  # a host says that nothing listens to what we sent it
                continue
            self._hand_on(data, source[:2])

    def _hand_on(self, data: bytes, source: tuple[str, int]) -> None:
        if not source[1]:
            return  # no sender has that port
        try:
            if len(data) > self._longest:
                self._oversized(source)
            else:
                self._received(data, source)
        except Exception:  # one datagram must not be the end of all
            log.exception("internal error source=%s", source)


def _bound(address: tuple[str, int]) -> socket.socket:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    made = socket.socket(family, socket.SOCK_DGRAM)
    try:
        made.setblocking(False)
        if family is socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        with suppress(OSError):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
        made.bind(address)
    except BaseException:
        made.close()
        raise
    return made
