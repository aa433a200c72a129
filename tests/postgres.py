"""A throw-away PostgreSQL: on a free port, in a folder of its own, gone when the tests are."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
import pytest

from tests.waiting import PATIENCE

HOW_TO_GET_IT = (
    "PostgreSQL's initdb and postgres are not installed; on Debian: apt-get install postgresql"
)

PROTECTED = "fritz"
"""The only user who needs a password."""

PASSWORD = "Fischers-Fritz"  # noqa: S105

ACCESS = f"""\
host all {PROTECTED} 127.0.0.1/32 scram-sha-256
host all all         127.0.0.1/32 trust
"""

# Whatever happens to the tests, at their end the pipe is closed and nothing is left behind.
GUARD = """\
folder=$1; shift
{ "$@" >"$folder/log" 2>&1; : >"$folder/ended"; } &
read -r _
kill -QUIT "$(head -n 1 "$folder/data/postmaster.pid")"
wait
rm -rf "$folder"
"""

HASTE = ["fsync=off", "full_page_writes=off", "max_wal_size=4GB", "shared_buffers=16MB"]


@dataclass(frozen=True)
class Postgres:
    """A running server."""

    port: int
    numbers: Iterator[int]

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql+psycopg://{user}@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """The name of a new and empty database, which is dropped in the end."""
        name = f"test{next(self.numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        try:
            yield name
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, statement: str, *values: str) -> list[tuple[object, ...]]:
        """Do something as the server's administrator."""
        with self.connect("postgres") as connection:
            cursor = connection.execute(statement.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def connect(self, database: str) -> psycopg.Connection[tuple[object, ...]]:
        return _connect(self.port, database)

    def terminate(self, database: str) -> None:
        """End all sessions of the database, as a restart of the server would."""
        everybody = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        self.execute(f"{everybody} WHERE datname = %s", database)


@contextmanager
def throw_away_postgres() -> Iterator[Postgres]:
    """Start a server, and stop it in the end; without its programs the test fails or is skipped."""
    programs = find_programs()
    if programs is None:
        (pytest.fail if "CI" in os.environ else pytest.skip)(HOW_TO_GET_IT)
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="spielwerk-pg-"))
    if user:
        shutil.chown(folder, user, user)
    try:
        _initialise(programs, folder, user)
        with _running(programs, folder, user) as port:
            yield Postgres(port, count(1))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def find_programs() -> Path | None:
    """The folder of initdb and postgres: the PATH's, or Debian's newest."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((path.parent for path in versions), key=_version, default=None)


def _version(programs: Path) -> float:
    return float(programs.parent.name)


def _user() -> str | None:
    """Whom the server runs as: it refuses root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _initialise(programs: Path, folder: Path, user: str | None) -> None:
    data = folder / "data"
    command: list[str | Path] = [
        programs / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-N",
    ]
    command += ["-E", "UTF8", "--no-locale", "--no-instructions"]
    done = subprocess.run(
        command, cwd=folder, user=user, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.fail(f"initdb failed: {done.stderr}")
    (data / "pg_hba.conf").write_text(ACCESS)


@contextmanager
def _running(programs: Path, folder: Path, user: str | None) -> Iterator[int]:
    port = _free_port()
    settings = ["listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={folder}"]
    command: list[str | Path] = [
        "sh",
        "-c",
        GUARD,
        "guard",
        folder,
        programs / "postgres",
        "-D",
        folder / "data",
    ]
    for setting in settings + HASTE:
        command += ["-c", setting]
    guard = subprocess.Popen(
        command, cwd=folder, user=user, stdin=subprocess.PIPE, start_new_session=True
    )
    try:
        _wait_for(port, folder)
        yield port
    finally:
        assert guard.stdin
        guard.stdin.close()
        guard.wait(30)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _wait_for(port: int, folder: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not _answers(port):
        if time.monotonic() > deadline or (folder / "ended").exists():
            pytest.fail(f"PostgreSQL does not start: {(folder / 'log').read_text()}")
        time.sleep(0.05)


def _answers(port: int) -> bool:
    try:
        _connect(port, "postgres").close()
    except psycopg.OperationalError:
        return False
    return True


def _connect(port: int, database: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host="127.0.0.1", port=port, user="postgres", dbname=database, autocommit=True
    )
