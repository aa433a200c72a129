"""Our own move server passes the check that others' servers are put to, also from the shell."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.test_cli import SPIELWERK
from tests.servers.live import live, settings_for


@pytest.mark.slow
def test_our_server_passes_every_case(tmp_path: Path) -> None:
    with live(settings_for(tmp_path)) as server:
        host, port = server.server.addresses["oware"][0]
        command = [str(SPIELWERK), "check", "oware", host, str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
