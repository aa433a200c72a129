"""The throw-away PostgreSQL itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests import postgres as module
from tests.waiting import wait_until

HOLD = """
import sys
from tests.postgres import throw_away_postgres
with throw_away_postgres() as server:
    folder, = server.execute("SHOW unix_socket_directories")[0]
    print(server.port, folder, flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_nothing_is_left_behind_even_by_killed_tests() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as tests:
        assert tests.stdout
        port, folder = tests.stdout.readline().split()
        assert Path(folder).is_dir()
        tests.kill()
    wait_until(lambda: not Path(folder).exists())
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(host="127.0.0.1", port=port, user="postgres")


@pytest.mark.parametrize(
    ("environment", "consequence"),
    [({"CI": "true"}, pytest.fail.Exception), ({}, pytest.skip.Exception)],
)
def test_under_ci_it_has_to_be_there(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    consequence: type[BaseException],
) -> None:
    monkeypatch.setattr(module, "find_programs", lambda: None)
    monkeypatch.delenv("CI", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with (
        pytest.raises(consequence, match="apt-get install postgresql"),
        module.throw_away_postgres(),
    ):
        pass
