"""Ports for programs that listen themselves: ours as long as the game is played, and nobody else's.

A program binds its port only after it was told which, and in between another worker on this machine
could choose the same. So a port is reserved under a name that only one process at a time can have,
and it lies where the system takes none for outgoing connections. Such names can be read by whoever
shares our network. In a sandbox that is only the game itself, where nobody else could choose the
same, and where a program learns nothing about the others: there are no names then.
"""

from __future__ import annotations

import socket
import sys
from contextlib import contextmanager, suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from spielwerk.contests.programs.sockets import are_told, listening
from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from collections.abc import Iterator

PORTS: Final = range(16_384, 32_768)
TRIES: Final = 200

_ours: Final[set[int]] = set()  # that are reserved by this process


class NoPort(SpielwerkError):
    """No port is free for a program to listen on."""


@contextmanager
def reserved_port(host: str, *, secretly: bool = False) -> Iterator[int]:
    """A port that nobody listens on, and that no other worker of ours takes in the block.

    It is a secret for those who have a network of their own with their programs.
    """
    chance = SystemRandom()
    for _ in range(TRIES):
        port = chance.choice(PORTS)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as name:
            reserved = port not in _ours and (secretly or _reserve(name, port))
            if reserved and _is_free(host, port):
                _ours.add(port)
                try:
                    yield port
                finally:
                    _ours.discard(port)
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
    return bool(listening(port)) if are_told() else _accepts(host, port)


def _accepts(host: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((host, port), timeout=1.0):
        return True
    return False
