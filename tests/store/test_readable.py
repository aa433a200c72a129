"""Looking at a store that another process owns: it is in nobody's way and changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from spielwerk.store import contests as contest_reading
from spielwerk.store import reading, schema
from spielwerk.store.opening import open_reader, open_store
from spielwerk.store.problems import StoreError
from spielwerk.store.records import PairingState
from tests.postgres import Postgres
from tests.store.contest_samples import CONTEST, begun, contest, scheduled, settled
from tests.store.contest_samples import BothWriters as Writer
from tests.store.samples import created

TAKE_THE_LOG = """
import sqlite3, sys
sqlite3.connect(sys.argv[1], timeout=0).execute("PRAGMA journal_mode = DELETE")
"""


def refusal(url: str | Path) -> str:
    """Why the store cannot be read, in one line."""
    with pytest.raises(StoreError) as caught:
        open_reader(url)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# both kinds


def test_a_store_is_read_beside_its_owner(store_url: str) -> None:
    with open_store(store_url) as store:
        writer = Writer(store)
        with open_reader(store_url) as reader:
            assert contest_reading.contests(reader) == []
            assert writer.write([scheduled(4), begun(0), settled(0), created("abc")]) == [None] * 4
            assert contest_reading.contests(reader) == [contest()]
            assert contest_reading.counts(reader, CONTEST)[PairingState.DONE] == 1
            assert reading.unfinished(reader) == reading.unfinished(store)
        assert writer.write([begun(1)]) == [None]


def test_a_reader_does_not_block_opening_the_store(store_url: str) -> None:
    open_store(store_url).close()
    with open_reader(store_url) as reader, reader.reading() as connection:
        connection.execute(select(schema.contests)).all()
        with open_store(store_url) as store, open_reader(store_url) as another:
            assert Writer(store).write([scheduled(1)]) == [None]
            assert len(contest_reading.contests(another)) == 1
        assert connection.execute(select(schema.contests)).all() == []
    open_store(store_url).close()


def test_a_reader_cannot_write(store_url: str) -> None:
    with open_store(store_url) as store:
        Writer(store).write([created("abc")])
    with open_reader(store_url) as reader:
        with pytest.raises(StoreError), reader.reading() as connection:
            connection.execute(delete(schema.games))
        assert reading.game(reader, "abc") == created("abc").record


# files


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "games.db"
    assert f"store {path}: there is no such file" in refusal(path)
    assert [*tmp_path.iterdir()] == []


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.touch()
    assert "it is empty" in refusal(path)
    path.write_bytes(b"no database" * 100)
    assert "it is no SQLite database" in refusal(path)
    assert "it is no file" in refusal(tmp_path)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("name", ["games.db", "50% & more?#ü.db"])
def test_reading_a_file_does_not_change_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with open_store(path) as store:
        Writer(store).write([scheduled(1)])
    content = path.read_bytes()
    with open_reader(str(path)) as reader:
        assert reader.label == str(path)
        assert contest_reading.contests(reader) == [contest()]
    assert path.read_bytes() == content


def test_in_a_folder_that_cannot_be_written_to_nothing_is_put_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        Writer(store).write([scheduled(4)])
    before = sorted(tmp_path.iterdir())
    access = os.access
    refused = lambda place, rights, **more: (  # noqa: E731
        False if (place, rights) == (tmp_path, os.W_OK) else access(place, rights, **more)
    )
    monkeypatch.setattr(os, "access", refused)
    with open_reader(path) as reader:
        assert contest_reading.contests(reader) == [contest()]
        assert sorted(tmp_path.iterdir()) == before
        with open_store(path) as store:  # a writer that comes later is not overlooked
            Writer(store).write([begun(0), settled(0)])
            with open_reader(path) as other:
                assert contest_reading.counts(other, CONTEST)[PairingState.DONE] == 1


def test_looking_does_not_cost_the_owner_its_locks(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        assert Writer(store).write([scheduled(1)]) == [None]
        open_reader(path).close()
        with pytest.raises(StoreError, match="another Spielwerk server"):
            open_store(path)
        # A process that finds no locks may take the write-ahead log away.
        other = subprocess.run(
            [sys.executable, "-c", TAKE_THE_LOG, path], capture_output=True, text=True, check=False
        )
        assert "database is locked" in other.stderr


@pytest.mark.slow
def test_what_a_killed_owner_left_is_read_without_an_owner(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    program = [sys.executable, "-m", "tests.store.contest_scribe", str(path)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as scribe:
        assert scribe.stdout
        lines = [scribe.stdout.readline() for _ in range(50)]
        scribe.kill()
        lines += [line for line in scribe.stdout if line.endswith("\n")]
    settled = {int(line.split()[1]) for line in lines if line.startswith("settled")}
    with open_reader(path) as reader:
        kept = contest_reading.pairings(reader, CONTEST)
    assert settled
    assert not settled.intersection(one.number for one in kept if one.state is PairingState.NEW)


# PostgreSQL


def test_an_empty_database_is_refused_and_left_empty(postgres: Postgres, postgres_url: str) -> None:
    assert "it is empty" in refusal(postgres_url)
    with postgres.connect(postgres_url.rpartition("/")[2]) as connection:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        assert connection.execute(tables).fetchall() == []
