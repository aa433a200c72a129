"""One request, one answer, on a connection of its own; every way this can fail is a sentence."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.players import Fault, PlayerFailed
from spielwerk.errors import quote
from spielwerk.wire.oware.client import AnswerReading

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.clients.oware.address import Address

    Stream = Callable[[int], socket.socket]

CHUNK: Final = 4096
LEAST: Final = 0.001  # seconds: a socket takes no time-out of 0 for one


def exchange(
    address: Address,
    request: bytes,
    within: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    heard: Callable[[bool, bytes], None] | None = None,
    stream: Stream = socket.socket,
) -> bytes:
    """The five lines of the answer, or PlayerFailed; AnswerError if it never ends.

    `within` seconds it must be there, or within the address's own limits if those are shorter.
    `heard` is told what goes over the connection: whether we send it, and the bytes. `stream`
    makes a TCP socket for a family of addresses.
    """
    heard = heard or _nobody
    end = None if within is None else clock() + within
    with _connected(address, _Deadline(address.connect, end, clock), stream) as connection:
        deadline = _Deadline(address.timeout, end, clock)
        heard(True, request)
        _send(connection, request, address, deadline)
        return _receive(connection, address, deadline, heard)


def knock(address: Address, within: float) -> None:
    """See whether a connection can be made in these seconds; PlayerFailed says why not."""
    end = time.monotonic() + within
    _connected(address, _Deadline(address.connect, end, time.monotonic)).close()


class _Deadline:
    """A number of seconds from now on, cut short by an end."""

    def __init__(self, seconds: float, end: float | None, clock: Callable[[], float]) -> None:
        now = clock()
        self._clock = clock
        self._until = now + seconds if end is None else min(now + seconds, end)
        self.seconds = max(self._until - now, 0.0)

    def arm(self, connection: socket.socket, parts: int = 1) -> None:
        """Have the next operation end in time, one of so many; TimeoutError if it is too late."""
        left = self._until - self._clock()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(max(left / parts, LEAST))

    def __str__(self) -> str:
        return f"{self.seconds:.3g} s"


def _connected(
    address: Address, deadline: _Deadline, stream: Stream = socket.socket
) -> socket.socket:
    """A connection to the first of the host's addresses that takes it; each gets its share."""
    places = _look_up(address)
    errors: list[OSError] = []
    for number, (family, _, _, _, place) in enumerate(places):
        try:
            return _connect(stream(family), place, deadline, len(places) - number)
        except OSError as error:
            errors.append(error)
    if all(map(_timed_out, errors)):
        raise PlayerFailed(Fault.LATE, f"no connection to {address} within {deadline}")
    causes = ", ".join(dict.fromkeys(map(_cause, errors)))
    raise PlayerFailed(Fault.LOST, f"cannot connect to {address}: {causes}")


def _connect(
    connection: socket.socket, place: Any, deadline: _Deadline, parts: int
) -> socket.socket:
    try:
        deadline.arm(connection, parts)
        connection.connect(place)
    except BaseException:
        connection.close()
        raise
    return connection


def _look_up(address: Address) -> list[Any]:
    try:
        return socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # the latter for a part too long for a name
        problem = f"unknown host {quote(address.host)}: {_cause(error)}"
        raise PlayerFailed(Fault.LOST, problem) from None


def _send(connection: socket.socket, request: bytes, address: Address, deadline: _Deadline) -> None:
    """Send the request; that the server has gone shows when one reads what it said last."""
    try:
        deadline.arm(connection)
        connection.sendall(request)
    except OSError as error:
        if _timed_out(error):
            problem = f"{address} did not take the request within {deadline}"
            raise PlayerFailed(Fault.LATE, problem) from None
        if not isinstance(error, ConnectionError):
            raise _lost(address, error) from None


def _nobody(_sent: bool, _data: bytes) -> None:
    """Listen to nothing."""


def _receive(
    connection: socket.socket,
    address: Address,
    deadline: _Deadline,
    heard: Callable[[bool, bytes], None],
) -> bytes:
    reading = AnswerReading()
    try:
        complete = False
        while not complete:
            deadline.arm(connection)
            data = connection.recv(CHUNK)
            if not data:
                raise PlayerFailed(Fault.LOST, f"{address} closed the connection {_cut(reading)}")
            heard(False, data)
            complete = reading.receive(data)
    except OSError as error:
        if _timed_out(error):
            raise PlayerFailed(Fault.LATE, _late(address, reading, deadline)) from None
        raise _lost(address, error) from None
    return reading.data


def _cut(reading: AnswerReading) -> str:
    return f"before the end of {reading.missing}" if reading.data else "without an answer"


def _late(address: Address, reading: AnswerReading, deadline: _Deadline) -> str:
    if not reading.data:
        return f"{address} did not answer within {deadline}"
    some = f"{len(reading.data)} bytes of an answer came"
    return f"{address} is too slow: within {deadline} {some}, not to the end of {reading.missing}"


def _lost(address: Address, error: OSError) -> PlayerFailed:
    return PlayerFailed(Fault.LOST, f"connection to {address} lost: {_cause(error)}")


def _timed_out(error: OSError) -> bool:
    """Whether it was our own limit; what the system gives up by itself has a number."""
    return isinstance(error, TimeoutError) and error.errno is None


def _cause(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
