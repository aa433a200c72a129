"""A bot for the dice server that commits a crime first, and then plays as another one would.

python contest_villain.py CRIME ONCE -n NAME -p PORT HOST

ONCE is a file: the crime is committed if it is not there, and then it is. The players of the tests
lie beside this file.
"""

from __future__ import annotations

import os
import runpy
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

CRIME, ONCE, *ARGUMENTS = sys.argv[1:]
HOST, PORT = ARGUMENTS[-1], int(ARGUMENTS[-2])


def murder() -> None:
    """Kill the process that has started us."""
    os.kill(os.getppid(), signal.SIGKILL)


def haunt() -> None:
    """Leave a process behind that has a session of its own, no environment, and no ears."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ghost = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"
            os.execve(sys.executable, [sys.executable, "-c", ghost, ONCE], {})  # noqa: S606
        os._exit(0)
    os.wait()


def intrude() -> None:
    """Sit down wherever there is another seat, under another name."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ports = {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A"} - {PORT}
    lines = [socket.create_connection((HOST, port)) for port in ports]
    for line in lines:
        with suppress(OSError):
            line.sendall(b"AUTH intruder\nnonsense\n")
    time.sleep(0.5)


if not Path(ONCE).exists():
    Path(ONCE).touch()
    {"murder": murder, "haunt": haunt, "intrude": intrude}[CRIME]()
sys.argv = ["dice.py", *ARGUMENTS]
sys.path.insert(0, str(Path(__file__).parent))
runpy.run_path(str(Path(__file__).with_name("dice.py")), run_name="__main__")
