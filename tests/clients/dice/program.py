"""The bot as a program: started, watched, ended."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.clients.peer import Host, Peer, finish

BOT = [sys.executable, "-m", "spielwerk.clients.dice"]
QUICK = ("--strategy", "hold=25")  # needs no NumPy, so it starts at once
SYN_SENT = "02"


def start(
    *arguments: str,
    program: list[str] = BOT,
    stdout: int | IO[str] = subprocess.PIPE,
    stderr: int | IO[str] = subprocess.PIPE,
) -> subprocess.Popen[str]:
    """The running bot with nothing but these arguments."""
    return subprocess.Popen(
        [*program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        text=True,
        env=plain_environment(),
    )


def plain_environment() -> dict[str, str]:
    """The environment, without what makes Python write at once."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def bot(port: int, *options: str, host: str = "127.0.0.1") -> subprocess.Popen[str]:
    """The running bot of a name, with a strategy that starts quickly if none is given."""
    return start("-n", "dice1", "-p", str(port), *(options or QUICK), host)


def run(*arguments: str, program: list[str] = BOT) -> tuple[int, str, str]:
    """The exit code and what was printed."""
    return finish(start(*arguments, program=program))


def against(script: Callable[[Peer], object], *options: str) -> tuple[int, str, str]:
    """Run the bot against a script; the exit code and what was printed."""
    with Host(script) as host:
        result = finish(bot(host.port, *options))
        host.result()
        return result


def with_resolver(resolver: str) -> list[str]:
    """The program with another getaddrinfo, the source of whose body is given."""
    source = f"""
import socket, sys
def getaddrinfo(host, port, family=0, type=0):
    {resolver}
socket.getaddrinfo = getaddrinfo
from spielwerk.clients.dice import main
sys.exit(main())
"""
    return [sys.executable, "-c", source]


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port that answers no client: its queue is full, so that connecting takes for ever."""
    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for client in (first, second):
            client.setblocking(False)
            client.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


def connecting(port: int) -> int:
    """How many are trying to connect to this port."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    fields = [line.split() for line in lines]
    return sum(there.endswith(f":{port:04X}") and s == SYN_SENT for _, _, there, s, *_ in fields)
