"""Our own client passes everything; it moves at random, so that no engine must be compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from spielwerk.wire.mnm.words import game_kinds

SPIELWERK = Path(sys.executable).with_name("spielwerk")
CLIENT = (SPIELWERK, "client", "-g", "{game}", "-p", "{player}", "--engine", "random")
PLACE = ("--host", "{host}", "--port", "{port}")


@pytest.mark.slow
@pytest.mark.parametrize("game", game_kinds())
def test_our_client_passes(game: str) -> None:
    checked = subprocess.run(
        [SPIELWERK, "check", "mnm", "--game", game, "--", *CLIENT, *PLACE],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    assert "all passed" in checked.stdout
