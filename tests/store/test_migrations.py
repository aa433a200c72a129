from __future__ import annotations

from dataclasses import replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text, update

from spielwerk.store import opening
from spielwerk.store.journal import rows_of
from spielwerk.store.opening import VERSIONS, Store, open_reader, open_store
from spielwerk.store.problems import StoreError
from spielwerk.store.reading import unfinished
from spielwerk.store.records import Created, Reason
from spielwerk.store.schema import OLDER, REVISION, metadata
from tests.store.contest_samples import AnyEntry as Entry
from tests.store.contest_samples import BothWriters as Writer
from tests.store.contest_samples import begun, scheduled, settled
from tests.store.samples import created, move

# What each revision added, and how that is taken away again.
ADDED = {
    "0006": ("ALTER TABLE reviews DROP COLUMN regret",),
    "0005": (
        "DROP TABLE reviews",
        "ALTER TABLE moves DROP COLUMN hints",
        *(
            f"ALTER TABLE games DROP COLUMN {name}"
            for name in ("start", "game_time", "increment", "training")
        ),
    ),
    "0004": ("ALTER TABLE games DROP COLUMN wire_options",),
    "0003": (
        *(f"DROP TABLE {name}" for name in ("reports", "attempts", "pairings")),
        *(f"DROP TABLE {name}" for name in ("entrants", "contests")),
        "ALTER TABLE moves DROP COLUMN cpu",
    ),
    "0002": (
        "DROP TABLE keys",
        "ALTER TABLE games DROP COLUMN pause",
        "ALTER TABLE seats DROP COLUMN owner",
        "ALTER TABLE names DROP COLUMN owner",
    ),
}


def downgrade(store_url: str, revision: str) -> None:
    """Make the store one of that older revision."""
    with open_store(store_url) as store, store.writing() as connection:
        for newer in (newer for newer in ADDED if newer > revision):
            for statement in ADDED[newer]:
                connection.execute(text(statement))
        connection.execute(update(VERSIONS).values(version_num=revision))


def differences(connection: Connection) -> list[object]:
    options = {"version_table": VERSIONS.name, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    found: list[object] = compare_metadata(context, metadata)
    return found


def test_a_new_store_has_the_schema_and_a_difference_would_be_seen(store_url: str) -> None:
    with open_store(store_url) as store, store.writing() as connection:
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, VERSIONS.name}
        assert differences(connection) == []
        connection.execute(text("ALTER TABLE moves DROP COLUMN took"))
        connection.execute(text("DROP INDEX ix_wires_game"))
        assert len(differences(connection)) == 2


@pytest.mark.parametrize("revision", OLDER)
def test_older_stores_are_brought_up_to_date(store_url: str, revision: str) -> None:
    entry = Created(replace(created("abc").record, moves=(move(0), move(1))))
    with open_store(store_url) as store:
        assert Writer(store).write([entry]) == [None]
    downgrade(store_url, revision)
    with pytest.raises(StoreError, match=f"older Spielwerk .*{revision}.*brought up to date"):
        open_reader(store_url)
    with open_store(store_url) as store:
        with store.reading() as connection:
            assert differences(connection) == []
        assert unfinished(store) == [entry.record]
        batch: list[Entry] = [scheduled(2), begun(0), settled(0)]
        assert Writer(store).write(batch) == [None] * 3
    open_reader(store_url).close()


def test_a_newer_schema_is_refused_and_left_alone(store_url: str) -> None:
    with open_store(store_url) as store, store.writing() as connection:
        connection.execute(update(VERSIONS).values(version_num="0815"))
    newer = rf"newer Spielwerk .*0815.*{REVISION}.*update Spielwerk"
    for opened in (open_store, open_store, open_reader):  # the second not: it is locked
        with pytest.raises(StoreError, match=newer):
            opened(store_url)


def test_a_migration_that_fails_changes_nothing(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(store_url).close()
    downgrade(store_url, "0001")
    with monkeypatch.context() as patch:
        patch.setattr(opening, "REVISION", None)  # columns and tables are there by then
        with pytest.raises(StoreError, match="version_num"):
            open_store(store_url)
    with pytest.raises(StoreError, match="schema 0001"):
        open_reader(store_url)
    with open_store(store_url) as store, store.reading() as connection:
        assert differences(connection) == []


def test_every_reason_can_be_kept_and_no_other(store: Store) -> None:
    with store.writing() as connection:
        for reason in {*Reason} - {Reason.NO_START}:
            insert_result(connection, reason)
    for bad in ("bad luck", "WIN"):
        with pytest.raises(StoreError, match="ck_results_reason"), store.writing() as connection:
            insert_result(connection, bad)


def insert_result(connection: Connection, reason: str) -> None:
    new = created()
    for table, row in rows_of(new, 0):
        connection.execute(table.insert(), row)
    connection.execute(
        text("INSERT INTO results (game, reason, detail, at) VALUES (:game, :reason, '', 0)"),
        {"game": new.record.id, "reason": reason},
    )
