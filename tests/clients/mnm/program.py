"""The client as a program: started, watched, killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.clients.peer import finish
from tests.waiting import wait_until

PROGRAM = [str(Path(sys.executable).with_name("spielwerk")), "client"]
ENGLISH = {"LANG": "C.UTF-8"}
GERMAN = {"LANG": "de_DE.UTF-8"}
ID = "mqKgzIfxb5Y"


def start(
    port: int,
    *arguments: str,
    engine: str = "random",
    environment: Mapping[str, str] = ENGLISH,
    new_group: bool = False,
) -> subprocess.Popen[str]:
    """The running client; it joins the game of the recorded session if none is named."""
    server = ["-H", "127.0.0.1", "-P", str(port), "-e", engine]
    command = [*server, *(arguments or ("-g", ID))]
    return start_plainly(*command, environment=environment, new_group=new_group)


def start_plainly(
    *arguments: str, environment: Mapping[str, str] = ENGLISH, new_group: bool = False
) -> subprocess.Popen[str]:
    """The running client with nothing but these arguments."""
    return subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**_plain_environment(), **environment},
        start_new_session=new_group,
    )


def _plain_environment() -> dict[str, str]:
    odd = ("LC_", "LANG", "COLUMNS", "NO_COLOR", "FORCE_COLOR")
    return {name: value for name, value in os.environ.items() if not name.startswith(odd)}


def client(
    port: int,
    *arguments: str,
    engine: str = "random",
    environment: Mapping[str, str] = ENGLISH,
) -> tuple[int, str, str]:
    """Run the client to its end."""
    return finish(start(port, *arguments, engine=engine, environment=environment))


def child_of(pid: int) -> int:
    """The thinker of this connector."""
    (child,) = wait_until(lambda: [process for process in _processes() if _parent(process) == pid])
    return child


def is_alive(pid: int) -> bool:
    """Whether the process exists and has not ended."""
    return _state(pid) not in ("", "Z", "X")


def exists(pid: int) -> bool:
    """Whether there is anything of the process, be it a zombie."""
    return _state(pid) != ""


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _stat(pid: int) -> list[str]:
    """What the kernel says of the process, behind its name."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _state(pid: int) -> str:
    return (_stat(pid) or [""])[0]


def _parent(pid: int) -> int:
    return int((_stat(pid) or ["", "0"])[1])
