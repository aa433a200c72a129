from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Timer

import psycopg
import pytest

from spielwerk.store.journal import Writer
from spielwerk.store.opening import open_reader, open_store
from spielwerk.store.problems import StoreError, StoreUnavailable
from spielwerk.store.reading import unfinished
from spielwerk.store.sqlite import APPLICATION_ID, try_to_lock
from tests.postgres import PASSWORD, PROTECTED, Postgres
from tests.store.samples import created

HOLD = """
import sys
from spielwerk.store.opening import open_store
store = open_store(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


def refusal(url: str | Path) -> str:
    """Why the store cannot be opened, in one line."""
    with pytest.raises(StoreError) as caught:
        open_store(url)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@contextmanager
def another_server(url: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLD, url]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


# both kinds


def test_what_was_written_is_there_when_it_is_opened_again(store_url: str) -> None:
    entry = created()
    with open_store(store_url) as store:
        assert unfinished(store) == []
        assert Writer(store).write([entry]) == [None]
    with open_store(store_url) as store:
        assert unfinished(store) == [entry.record]


def test_a_closed_store_is_neither_read_nor_written(store_url: str) -> None:
    store = open_store(store_url)
    writer = Writer(store)
    store.close()
    store.close()
    with pytest.raises(StoreUnavailable, match="it has been closed"):
        unfinished(store)
    (outcome,) = writer.write([created()])
    assert isinstance(outcome, StoreUnavailable)


def test_a_store_in_the_middle_of_a_transaction_stays_ours(store_url: str) -> None:
    store = open_store(store_url)
    with store.writing():
        store.close()
        assert "another Spielwerk server" in refusal(store_url)
    store.close()
    open_store(store_url).close()


def test_a_killed_server_leaves_the_store_free(store_url: str) -> None:
    with another_server(store_url) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        problem = refusal(store_url)
        assert "another Spielwerk server" in problem
        assert "postgresql" in store_url or f"(process {process.pid})" in problem
        process.send_signal(signal.SIGKILL)
        process.wait()
        open_store(store_url).close()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://user:secret@host/games", "sqlite and postgresql"),
        ("postgresql://user:secret@host:port/games", "the URL cannot be read"),
        ("://secret", "the URL cannot be read"),
        ("sqlite:// secret", "must name a file"),
        ("sqlite://", "must name a file"),
        ("sqlite://x.db", "must name a file"),
        ("sqlite:///x.db?mode=ro", "must name a file"),
        (":memory:", "name a file"),
    ],
)
def test_what_is_no_place_for_a_store_is_refused_and_not_repeated(url: str, said: str) -> None:
    problem = refusal(url)
    assert said in problem
    assert "secret" not in problem


# files


@pytest.mark.parametrize("name", ["games.db", "50% & more?#ü.db", "new folder/deep/games.db"])
def test_a_path_is_a_file(tmp_path: Path, name: str) -> None:
    with open_store(str(tmp_path / name)) as store:
        assert store.label == str(tmp_path / name)
    assert (tmp_path / name).is_file()


def test_other_users_may_not_read_the_games(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        Writer(store).write([created()])
        files = [*tmp_path.iterdir()]
        assert len(files) == 4  # the log, its index, and the lock
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_a_commit_is_on_the_disk_and_references_are_checked(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        for way in (store.reading, store.writing):
            with way() as connection:
                settings = ["journal_mode", "synchronous", "foreign_keys", "application_id"]
                values = [
                    connection.exec_driver_sql(f"PRAGMA {setting}").scalar() for setting in settings
                ]
                assert values == ["wal", 2, 1, APPLICATION_ID]


def test_a_link_does_not_make_it_another_store(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    with open_store(tmp_path / "games.db"):
        assert "another Spielwerk server" in refusal(tmp_path / "link.db")


def test_a_file_that_is_gone_is_neither_read_nor_written_until_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        for doing in (store.reading, store.writing):
            path.rename(tmp_path / "elsewhere.db")
            with pytest.raises(StoreUnavailable, match="deleted or replaced"), doing():
                pass
            assert not path.exists()  # SQLite would have made an empty one
            (tmp_path / "elsewhere.db").rename(path)
            with doing():
                pass
        path.unlink()
        path.touch()
        with pytest.raises(StoreUnavailable, match="deleted or replaced"), store.writing():
            pass


def test_a_check_of_the_lock_does_not_block_opening(tmp_path: Path) -> None:
    open_store(tmp_path / "games.db").close()
    asking = (tmp_path / "games.db.lock").open("r+", encoding="utf-8")
    assert try_to_lock(asking)
    Timer(0.1, asking.close).start()
    open_store(tmp_path / "games.db").close()


def test_an_empty_file_or_database_will_do(tmp_path: Path) -> None:
    (tmp_path / "games.db").touch()
    with closing(sqlite3.connect(tmp_path / "empty.db")) as file:
        file.execute("VACUUM")
    for name in ("games.db", "empty.db"):
        open_store(tmp_path / name).close()


@pytest.mark.parametrize("content", [b"no database" * 100, b"SQLite format 3\0" + b"\xff" * 4096])
def test_what_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(content)
    assert str(path) in refusal(path)
    assert path.read_bytes() == content
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("sign", [0, 4711])
def test_another_programs_database_is_left_alone(tmp_path: Path, sign: int) -> None:
    path = tmp_path / "browser.db"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE games (visited)")
        file.execute(f"PRAGMA application_id = {sign}")
    content = path.read_bytes()
    assert "another program's database" in refusal(path)
    assert path.read_bytes() == content
    assert [*tmp_path.iterdir()] == [path]


def test_a_damaged_store_is_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_store(path).close()
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 4000)
    assert "damaged" in refusal(path)


def test_files_and_folders_are_told_apart(tmp_path: Path) -> None:
    assert "it is no file" in refusal(tmp_path)
    (tmp_path / "file").touch()
    assert "file is no folder" in refusal(tmp_path / "file" / "games.db")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("locking", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_locked_store_is_called_locked(tmp_path: Path, locking: str) -> None:
    open_store(tmp_path / "games.db").close()
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as file:
        file.execute(locking)
        with pytest.raises(StoreUnavailable, match="another process has locked it"):
            open_store(tmp_path / "games.db")
    open_store(tmp_path / "games.db").close()


@pytest.fixture
def guarded(tmp_path: Path) -> Path:
    """A store that only root may touch."""
    path = tmp_path / "games.db"
    open_store(path).close()
    path.chmod(0o000)
    folder = tmp_path
    while folder != Path(tempfile.gettempdir()):
        folder.chmod(0o755)
        folder = folder.parent
    return path


@pytest.fixture
def unprivileged(guarded: Path) -> Iterator[None]:
    """Run the test without root's privileges."""
    del guarded  # has to be set up before
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.usefixtures("unprivileged")
def test_a_store_of_another_user(guarded: Path) -> None:
    assert "Permission denied" in refusal(guarded)
    with pytest.raises(StoreError, match="Permission denied"):
        open_reader(guarded)


@pytest.mark.usefixtures("unprivileged")
def test_a_folder_of_another_user(guarded: Path) -> None:
    folder = guarded.parent
    if folder.stat().st_uid == os.geteuid():
        folder.chmod(0o555)
    assert "Permission denied" in refusal(folder / "new.db")


# PostgreSQL


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_usual_scheme_is_understood(postgres_url: str, scheme: str) -> None:
    with open_store(f"{scheme}://{postgres_url.partition('://')[2]}") as store:
        assert store.label == f"postgresql://{postgres_url.partition('://')[2]}"


def test_a_server_that_is_not_there(postgres: Postgres) -> None:
    url = postgres.url("games").replace(str(postgres.port), "1")
    problem = refusal(url.replace("postgres@", "postgres:secret@"))
    assert "no connection" in problem
    assert "127.0.0.1" in problem
    assert "secret" not in problem


def test_a_database_that_is_not_there(postgres: Postgres) -> None:
    assert 'database "nirgends" does not exist' in refusal(postgres.url("nirgends"))


@pytest.fixture
def protected_url(postgres: Postgres) -> Iterator[str]:
    """A database of the user who needs a password, without it."""
    postgres.execute(f"CREATE USER {PROTECTED} PASSWORD '{PASSWORD}'")
    with postgres.database() as name:
        yield postgres.url(name, PROTECTED)
    postgres.execute(f"DROP USER {PROTECTED}")


def with_password(url: str, password: str) -> str:
    return url.replace(f"{PROTECTED}@", f"{PROTECTED}:{password}@")


def test_a_wrong_password_is_not_shown(protected_url: str) -> None:
    problem = refusal(with_password(protected_url, "Frische-Fische"))
    assert "password authentication failed" in problem
    assert "Frische" not in problem


@pytest.mark.parametrize("place", ["{}?password=x-geheim-y"])
def test_nothing_after_the_question_mark_is_shown(protected_url: str, place: str) -> None:
    assert "x-geheim-y" not in refusal(place.format(protected_url))


def test_a_user_without_rights(protected_url: str) -> None:
    assert "has not the rights" in refusal(with_password(protected_url, PASSWORD))


def test_an_at_sign_in_a_password_has_to_be_escaped(protected_url: str) -> None:
    problem = refusal(with_password(protected_url, "geh@eim"))
    assert "%40" in problem
    assert "eim" not in problem


def test_another_programs_tables_are_left_alone(postgres: Postgres, postgres_url: str) -> None:
    with postgres.connect(postgres_url.rpartition("/")[2]) as connection:
        connection.execute("CREATE TABLE invoices (number int)")
        assert "another program (tables invoices)" in refusal(postgres_url)
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        assert connection.execute(tables).fetchall() == [("invoices",)]


def test_commits_are_kept_where_the_server_would_not(postgres: Postgres, postgres_url: str) -> None:
    database = postgres_url.rpartition("/")[2]
    postgres.execute(f"ALTER DATABASE {database} SET synchronous_commit = off")
    with open_store(postgres_url) as store, store.writing() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_the_driver_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, psycopg.__name__, None)
    monkeypatch.delitem(sys.modules, "spielwerk.store.postgres", raising=False)
    assert "pip install 'spielwerk[postgres]'" in refusal("postgresql://host/games")
