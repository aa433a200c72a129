"""What the players in this folder can do wrong: `--fault KIND`, at the N-th move `--fault-at N`.

Each player calls these methods at the places that its protocol has; without a fault they do
nothing. Whatever goes wrong has an end: nothing here outlives its game by more than a minute.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import SHUT_RDWR, socket
from typing import Final

Fault = Callable[[socket, float], None]


MINUTE: Final = 60.0  # seconds
MOMENT: Final = 0.1  # seconds: long enough for others to see that somebody has ended
SLOW: Final = 0.9  # of the time for a move
LATE: Final = 0.3  # seconds after the time for a move; the game server forgives a tenth
CHUNK: Final = 65_536  # bytes
OUTPUT: Final = 16_000_000  # bytes on standard output
HOARD: Final = 1024  # mebibytes
CHILDREN: Final = 60
THREADS: Final = 4


def crash(*_: object) -> None:
    """End as programs do that nobody has tested."""
    raise IndexError("list index out of range")


def stall(*_: object) -> None:
    """Do nothing any more."""
    time.sleep(MINUTE)
    leave()


def segfault(*_: object) -> None:
    """End as programs in C do."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


def abort(*_: object) -> None:
    """End as programs do that have noticed it themselves."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.abort()


def leave(*_: object) -> None:
    """End as if all were well."""
    sys.exit(0)


def rubbish(connection: socket, *_: object) -> None:
    """Say what nobody can read."""
    with suppress(OSError):
        for _line in range(8):
            connection.sendall(b"\xff" + os.urandom(60).replace(b"\n", b"\r") + b"\n")


def garbage(connection: socket, *_: object) -> None:
    """Say that in place of an answer, and wait until the other side hangs up."""
    rubbish(connection)
    with suppress(OSError):
        while connection.recv(CHUNK):
            pass
    leave()


def flood(connection: socket, _: float) -> None:
    """Say a line that has no end."""
    _pour(connection, b"x" * CHUNK)


def flood_of_lines(connection: socket, _: float) -> None:
    """Say lines without end."""
    _pour(connection, b"x\n" * (CHUNK // 2))


def slow(_: socket, seconds: float) -> None:
    """Take nearly all of the time: nothing is wrong with that."""
    time.sleep(SLOW * seconds)


def late(_: socket, seconds: float) -> None:
    """Take a little more than the time."""
    time.sleep(seconds + LATE)


def disconnect(connection: socket, _: float) -> None:
    """Hang up, and live on."""
    connection.shutdown(SHUT_RDWR)
    connection.close()
    stall()


def leave_child(*_: object) -> None:
    """End, and leave somebody behind who holds the line and says nothing."""
    if os.fork() == 0:
        stall()
    os._exit(0)


def leave_daemon(*_: object) -> None:
    """The same, but the one left behind has a session of its own, where it is hard to find."""
    if os.fork() == 0:
        os.setsid()
        stall()
    os._exit(0)


def go_into_background(*_: object) -> None:
    """End, and have a child go on as if nothing had happened."""
    if os.fork():
        os._exit(0)
    os.setsid()
    time.sleep(MOMENT)


def fork(*_: object) -> None:
    """Have far too many children, and wait for them."""
    for _child in range(CHILDREN):
        if os.fork() == 0:
            stall()
    stall()


def hoard(*_: object) -> None:
    """Take all the memory that there is, and wait."""
    kept = [bytes([number % 255 + 1]) * 2**20 for number in range(HOARD)]
    stall(kept)


def burn(*_: object) -> None:
    """Think in circles."""
    end = time.monotonic() + MINUTE
    while time.monotonic() < end:
        pass


def ponder(*_: object) -> None:
    """Have some children that think in circles, once, and go on."""
    WAITING.pop("ponder")
    for _child in range(THREADS):
        if os.fork() == 0:
            burn()
            os._exit(0)


def fill_disk(*_: object) -> None:
    """Write a file that has no end, as programs in C do: Python would only be told."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with Path("diary.txt").open("wb", buffering=0) as file:
        file.writelines(b"x" * CHUNK for _page in range(OUTPUT // CHUNK))
    stall()


def refuse_to_go(*_: object) -> None:
    """Do nothing any more, and do not hear when asked to leave."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    stall()


def chatter(*_: object) -> None:
    """Say far too much, but not to the server; then wait."""
    for _line in range(OUTPUT // 1000):
        os.write(
            sys.stdout.fileno(), b"thinking about it again and again ".ljust(999, b".") + b"\n"
        )
    stall()


def _pour(connection: socket, data: bytes) -> None:
    """Write as long as somebody listens."""
    with suppress(OSError):
        while True:
            connection.sendall(data)
    leave()


STARTING: Final[dict[str, Fault]] = {
    "crash-at-start": crash,
    "never-connects": stall,
    "background-at-start": go_into_background,
}
CONNECTED: Final[dict[str, Fault]] = {
    "connects-and-says-nothing": stall,
    "connects-and-leaves": leave,
    "connects-and-crashes": crash,
    "garbage-at-start": garbage,
    "background-connected": go_into_background,
}
WAITING: Final[dict[str, Fault]] = {"crash-on-wait": crash, "ponder": ponder}
DECIDING: Final[dict[str, Fault]] = {
    "crash-on-move": crash,
    "segfault": segfault,
    "abort": abort,
    "leave": leave,
    "stall": stall,
    "stubborn": refuse_to_go,
    "late": late,
    "garbage": garbage,
    "flood": flood,
    "flood-of-lines": flood_of_lines,
    "output-flood": chatter,
    "disconnect": disconnect,
    "leaves-child": leave_child,
    "leaves-daemon": leave_daemon,
    "background": go_into_background,
    "memory": hoard,
    "fork": fork,
    "burn": burn,
    "big-file": fill_disk,
}
PARTING: Final[dict[str, Fault]] = {"wrong-bye": rubbish, "leave-at-end": leave}
SLOWLY: Final = "slow"
ILLEGAL: Final = "illegal-move"
SILENT: Final = ("no-okwait", "no-thinking", "no-bye")  # an answer that does not come
KINDS: Final = (*STARTING, *CONNECTED, *WAITING, *DECIDING, *PARTING, SLOWLY, ILLEGAL, *SILENT)


class Faults:
    """What goes wrong in this game, and when."""

    def __init__(self, options: Namespace) -> None:
        self._kind: str = options.fault
        self._at: int = options.fault_at
        self._seconds: float = options.move_time / 1000
        self._moves = 0

    @staticmethod
    def add_to(parser: ArgumentParser) -> None:
        """What the command line can ask for."""
        parser.add_argument("--fault", choices=KINDS, default="")
        parser.add_argument("--fault-at", type=int, default=1, metavar="MOVE")
        parser.add_argument("--move-time", type=int, default=2000, metavar="MILLISECONDS")

    def starting(self) -> None:
        """Before anything else."""
        if self._kind in STARTING:
            STARTING[self._kind](None, 0.0)  # type: ignore[arg-type]

    def connected(self, connection: socket) -> None:
        """Before the first word."""
        self._do(CONNECTED, connection)

    def waiting(self, connection: socket) -> None:
        """While others are to move."""
        self._do(WAITING, connection)

    def deciding(self, connection: socket, seconds: float | None = None) -> None:
        """Before every move, which has so many seconds where the protocol says so.

        Who is slow is slow up to the N-th move; all else happens at that one.
        """
        self._moves += 1
        seconds = seconds or self._seconds
        if self._kind == SLOWLY and self._moves <= self._at:
            slow(connection, seconds)
        if self._moves == self._at:
            self._do(DECIDING, connection, seconds)

    def answering(self, word: str) -> None:
        """Before any other answer."""
        if self._kind == f"no-{word}":
            stall()

    def move(self, right: str, wrong: str) -> str:
        """The move that is made."""
        spoilt = self._kind == ILLEGAL and self._moves == self._at
        return wrong if spoilt else right

    def bye(self, right: str, wrong: str) -> str:
        """What is said at the end, where something must be said."""
        if self._kind == "leave-at-end":
            leave()
        return wrong if self._kind == "wrong-bye" else right

    def parting(self, connection: socket) -> None:
        """After the end."""
        self._do(PARTING, connection)

    def _do(self, faults: dict[str, Fault], connection: socket, seconds: float = 0.0) -> None:
        if self._kind in faults:
            faults[self._kind](connection, seconds)
