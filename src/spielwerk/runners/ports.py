"""Ports for programs that listen themselves: ours as long as the game is played, and nobody else's.

A program binds its port only after it was told which, and in between another worker on this machine
could choose the same. So a port is reserved under a name that only one process at a time can have,
and it lies where the system takes none for outgoing connections.
"""

from __future__ import annotations

import socket
import struct
import sys
from contextlib import contextmanager, suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from collections.abc import Iterator

PORTS: Final = range(16_384, 32_768)
TRIES: Final = 200

# what is said to Linux about sockets
_SOCK_DIAG: Final = 4
_BY_FAMILY: Final = 20
_DUMP: Final = 0x301  # a request for all that fit
_LISTEN: Final = 10
_HEAD: Final = 16  # bytes
_REST_OF_IDENTITY: Final = 46  # bytes: the peer, addresses and so on, which may be any
_LONGEST: Final = 65_536  # bytes
_PATIENCE: Final = 1.0  # seconds


class NoPort(SpielwerkError):
    """No port is free for a program to listen on."""


@contextmanager
def reserved_port(host: str) -> Iterator[int]:
    """A port that nobody listens on, and that no other worker of ours takes in the block."""
    chance = SystemRandom()
    for _ in range(TRIES):
        port = chance.choice(PORTS)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as name:
            if _reserve(name, port) and _is_free(host, port):
                yield port
                return
    raise NoPort(f"no free port was found in {TRIES} tries from {PORTS[0]} to {PORTS[-1]}")


def _reserve(name: socket.socket, port: int) -> bool:
    """Whether the port's name is ours, until this socket is closed or our process ends."""
    if sys.platform != "linux":  # only there such names are no files
        return True
    try:
        name.bind(f"\0spielwerk-port-{port}")
    except OSError:
        return False
    return True


def _is_free(host: str, port: int) -> bool:
    with socket.socket() as probe, suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        return True
    return False


# who listens


def is_listening(host: str, port: int) -> bool:
    """Whether somebody accepts connections there; who does is not disturbed where that shows."""
    try:
        return any(_told(family, port) for family in (socket.AF_INET, socket.AF_INET6))
    except (AttributeError, OSError):  # the system has nobody to ask
        return _accepts(host, port)


def _told(family: int, port: int) -> bool:
    """Ask Linux for the listening sockets of a port: sock_diag(7).

    The table in /proc would have all sockets; where many games are played, these are thousands.
    """
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
        kernel.settimeout(_PATIENCE)
        wanted = struct.pack("=BBxxI", family, socket.IPPROTO_TCP, 1 << _LISTEN)
        body = wanted + struct.pack(">H", port) + bytes(_REST_OF_IDENTITY)
        kernel.send(struct.pack("=IHHII", _HEAD + len(body), _BY_FAMILY, _DUMP, 0, 0) + body)
        _, kind = struct.unpack_from("=IH", kernel.recv(_LONGEST))
    return bool(kind == _BY_FAMILY)  # else there is none: the first message is the end


def _accepts(host: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((host, port), timeout=1.0):
        return True
    return False
