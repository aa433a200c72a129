"""Ports for programs that listen themselves: ours as long as the game is played, and nobody else's.

A program binds its port only after it was told which, and in between another worker on this machine
could choose the same. So a port is reserved under a name that only one process at a time can have,
and it lies where the system takes none for outgoing connections.
"""

from __future__ import annotations

import socket
import sys
from contextlib import contextmanager, suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError
from spielwerk.runners.programs.sockets import are_told, listening

if TYPE_CHECKING:
    from collections.abc import Iterator

PORTS: Final = range(16_384, 32_768)
TRIES: Final = 200


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
    return bool(listening(port)) if are_told() else _accepts(host, port)


def _accepts(host: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((host, port), timeout=1.0):
        return True
    return False
