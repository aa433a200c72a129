"""A player that does something to the others first, and then plays as another one would.

python thief.py PORT MOMENT DEED PLAYER ARGUMENTS...

The moment is when PLAYER starts or has to move. The others' ports are those of the process that has
started us, or in a sandbox, where nobody else is, all that there are; our own is PORT, or stands
among the arguments.
"""

from __future__ import annotations

import errno
import os
import runpy
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

HERE = "127.0.0.1"
LISTENING = "0A"
RESERVED = "@spielwerk-port-"
MOMENT, LONGER = 0.2, 0.8  # seconds
PORT = sys.argv[1]
OWN = {word for argument in sys.argv for word in argument.split(":")}
kept: list[socket.socket] = []


def sockets_of(pid: int | str) -> set[str]:
    """The numbers of the sockets that a process has."""
    found = set()
    with suppress(OSError):  # it has ended meanwhile
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                found.add(str(entry.readlink()).removeprefix("socket:[").removesuffix("]"))
    return found


def table(name: str) -> list[list[str]]:
    return [line.split() for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]


def others(ports: dict[int, str], holders: list[int | str]) -> list[int]:
    """The ports whose sockets these have, or everybody, if that is all we can see."""
    alone = os.getppid() == 1
    holding = set().union(*map(sockets_of, [] if alone else holders))
    return [
        port
        for port, number in ports.items()
        if (alone or number in holding) and str(port) not in OWN
    ]


def doors(holders: list[int | str]) -> list[int]:
    listening = [row for row in table("tcp") if row[3] == LISTENING]
    return others({int(row[1].rpartition(":")[2], 16): row[9] for row in listening}, holders)


def reserved() -> list[int]:
    named = [row for row in table("unix") if row[-1].startswith(RESERVED)]
    return others({int(row[-1].removeprefix(RESERVED)): row[6] for row in named}, [os.getppid()])


# deeds


def knock() -> None:
    """Go to the doors of the others, and talk rubbish until they are shut."""
    for port in doors([os.getppid()]):
        with suppress(OSError), socket.create_connection((HERE, port)) as line:
            line.sendall(b"rubbish\n" * 10)
            while line.recv(1000):
                pass


def visit() -> None:
    """Go to the programs that listen, as soon as they do, and keep them waiting."""
    parent = os.getppid()
    while not kept:
        siblings = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        kept.extend(socket.create_connection((HERE, port)) for port in doors([*siblings]))


def bind() -> None:
    """Take the ports that the others will need."""
    for port in reserved():
        kept.append(socket.socket())
        kept[-1].bind((HERE, port))


def listen() -> None:
    """Take them, and wait there."""
    bind()
    for server in kept:
        server.listen()


def borrow() -> None:
    """Take them for a moment."""
    bind()
    time.sleep(MOMENT)
    while kept:
        kept.pop().close()


def hold_up() -> None:
    """Keep the programs that listen waiting, but not for long."""
    visit()
    threading.Timer(LONGER, kept.pop().close).start()


def dawdle() -> None:
    """Come late."""
    time.sleep(LONGER)


def crowd() -> None:
    """Go to our own door as often as we can, and stay there."""
    for _ in range(3):
        if os.fork() == 0:
            with suppress(OSError):
                while True:
                    kept.append(socket.create_connection((HERE, int(PORT)), timeout=1))
            time.sleep(60)
            os._exit(0)


def beat() -> None:
    """Send heartbeats to all index servers, and rubbish."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for port in doors([os.getppid()]):
            for data in (b"heartbeat\n", b"rubbish", b"x" * 2000):
                sender.sendto(data, (HERE, port))


def wait() -> None:
    """Be late: somebody else must have our port first."""
    while True:
        with socket.socket() as probe:
            try:
                probe.bind((HERE, int(PORT)))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    return
        time.sleep(0.005)


DEEDS = {
    deed.__name__: deed
    for deed in (knock, visit, hold_up, bind, borrow, listen, crowd, beat, wait, dawdle)
}


def main() -> None:
    """Have it done when the moment comes."""
    _, _port, moment, deed, player, *arguments = sys.argv
    sys.path.insert(0, str(Path(player).parent))
    import faults  # type: ignore[import-not-found]

    usual = getattr(faults.Faults, moment)

    def now(*things: object) -> object:
        setattr(faults.Faults, moment, usual)  # once is enough
        DEEDS[deed]()
        return usual(*things)

    setattr(faults.Faults, moment, now)
    sys.argv[:] = [player, *arguments]
    runpy.run_path(player, run_name="__main__")


if __name__ == "__main__":
    main()
