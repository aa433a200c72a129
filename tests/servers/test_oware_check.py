"""Our own move server passes the check that others' servers are put to, also from the shell."""

from __future__ import annotations

import socket
import subprocess
from typing import TYPE_CHECKING

from tests.cli.test_cli import SPIELWERK
from tests.servers.live import live, settings_for

if TYPE_CHECKING:
    from pathlib import Path


def checked(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SPIELWERK, "check", "oware", *arguments], capture_output=True, text=True, check=False
    )


def test_our_server_passes_every_case(tmp_path: Path) -> None:
    with live(settings_for(tmp_path)) as server:
        host, port = server.server.addresses["oware"][0]
        done = checked(host, str(port))
    assert done.returncode == 0, done.stdout


def test_another_server_fails(tmp_path: Path) -> None:
    with live(settings_for(tmp_path)) as server:
        done = checked(*map(str, server.mnm), "--only", "answer/move")
    assert done.returncode == 1


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    assert checked("127.0.0.1", str(port)).returncode == 2
