"""Sockets as the system knows them: by numbers, which stand in /proc with whoever holds them.

Linux is asked with sock_diag(7). The table in /proc/net would have all sockets of the machine; it
takes milliseconds to be read, and what is asked here is asked for every connection.
"""

from __future__ import annotations

import functools
import socket
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    Address = tuple[str, int]

# what is said to Linux about sockets
_SOCK_DIAG: Final = 4
_BY_FAMILY: Final = 20
_ONE, _ALL = 0x1, 0x301  # requests: for one socket, and for all that fit
_LISTENING: Final = 1 << 10
_BOUND: Final = 1 << 13 | 1 << 7  # have a port and no more; Linux before 6.8 does not tell
_CONNECTED: Final = 0b1011_1111_1110  # all that have another end, from the first word to the last
_HEAD: Final = 16  # bytes
_NUMBER: Final = _HEAD + 68  # bytes before it
_ADDRESS: Final = 16  # bytes
_ANY: Final = bytes(4)  # interface
_UNKNOWN: Final = b"\xff" * 8  # what Linux would call the socket by itself
_LONGEST: Final = 65_536  # bytes
_PATIENCE: Final = 1.0  # seconds


@functools.cache
def are_told() -> bool:
    """Whether the system tells of sockets and of who holds them; that is tried once."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as own:
            (number,) = listening(own.getsockname()[1])
            return str(Path(f"/proc/self/fd/{own.fileno()}").readlink()) == held(number)
    except (AttributeError, OSError, ValueError):
        return False


def held(number: int) -> str:
    """A socket as it is listed among the things that a process has open."""
    return f"socket:[{number}]"


def other_end(own: Address, peer: Address) -> set[int]:
    """The socket at the other end of a connection on this machine; none if nobody has it now."""
    ports = struct.pack(">HH", peer[1], own[1])
    places = (socket.inet_aton(host).ljust(_ADDRESS, b"\0") for host, _ in (peer, own))
    return _ask(socket.AF_INET, _ONE, _CONNECTED, ports + b"".join(places))


def listening(port: int) -> set[int]:
    """The sockets that accept connections at a port, whichever of our addresses it is."""
    return _at(port, 0, _LISTENING)


def bound_to(port: int) -> set[int]:
    """The sockets that keep a port from everybody else, whether they listen or not."""
    return _at(port, 0, _LISTENING | _BOUND)


def connected_to(port: int, own: int = 0) -> set[int]:
    """The sockets that have a connection to a port, from any or from a certain one.

    To find them all takes a millisecond.
    """
    return _at(own, port, _CONNECTED)


def _at(own: int, peer: int, states: int) -> set[int]:
    identity = struct.pack(">HH", own, peer) + bytes(2 * _ADDRESS)
    families = (socket.AF_INET, socket.AF_INET6)
    return set().union(*(_ask(family, _ALL, states, identity) for family in families))


def _ask(family: int, request: int, states: int, identity: bytes) -> set[int]:
    """The numbers of the sockets that fit, as far as somebody holds them."""
    wanted = struct.pack("=BBxxI", family, socket.IPPROTO_TCP, states)
    body = wanted + identity + _ANY + _UNKNOWN
    head = struct.pack("=IHHII", _HEAD + len(body), _BY_FAMILY, request, 0, 0)
    found: set[int] = set()
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
        kernel.settimeout(_PATIENCE)
        kernel.send(head + body)
        while _read(kernel.recv(_LONGEST), states, found) and request == _ALL:
            pass
    return found - {0}


def _read(answer: bytes, states: int, found: set[int]) -> bool:
    """Take in what the system says; False if that was all."""
    while answer:
        length, kind = struct.unpack_from("=IH", answer)
        if kind != _BY_FAMILY:  # the end, or there is no such socket
            return False
        if states >> answer[_HEAD + 1] & 1:
            found.add(struct.unpack_from("=I", answer, _NUMBER)[0])
        answer = answer[length:]  # they all have lengths that need no filling up
    return True
