from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text, update

from spielwerk.store.contests import pairings
from spielwerk.store.migrating import VERSIONS, configuration
from spielwerk.store.opening import open_store
from spielwerk.store.problems import StoreError
from spielwerk.store.reading import game, unfinished
from spielwerk.store.records import Created, Reason
from spielwerk.store.rows import rows_of
from spielwerk.store.schema import REVISION, VERSION_TABLE, metadata
from spielwerk.store.writing import Writer
from tests.store.contest_samples import CONTEST, begun, played, scheduled, settled
from tests.store.samples import created, move

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from spielwerk.store.owned import Store
    from spielwerk.store.records import Entry

TABLES = {
    "contests",
    "entrants",
    "games",
    "index_games",
    "index_steps",
    "keys",
    "moves",
    "names",
    "pairings",
    "attempts",
    "reports",
    "results",
    "seats",
    "wires",
}


OF_CONTESTS = {"contests", "entrants", "pairings", "attempts", "reports"}


def differences(connection: Connection) -> list[object]:
    options = {"version_table": VERSION_TABLE, "compare_server_default": True}
    context = MigrationContext.configure(connection, opts=options)
    found: list[object] = compare_metadata(context, metadata)
    return found


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def test_migrations_lead_to_the_schema(store: Store) -> None:
    with store.writing() as connection:
        assert tables(connection) == TABLES | {VERSION_TABLE}
        assert differences(connection) == []


def test_a_difference_would_be_seen(store: Store) -> None:
    with store.writing() as connection:
        connection.execute(text("ALTER TABLE moves DROP COLUMN took"))
        connection.execute(text("DROP INDEX ix_wires_game"))
        assert len(differences(connection)) == 2


def test_there_is_a_way_back_and_forth(store: Store) -> None:
    with store.writing() as connection:
        config = configuration(connection)
        command.downgrade(config, "base")
        assert tables(connection) == {VERSION_TABLE}
        command.upgrade(config, "head")
        assert differences(connection) == []


def test_the_newest_revision_is_the_one_that_is_checked_for(store: Store) -> None:
    with store.reading() as connection:
        scripts = ScriptDirectory.from_config(configuration(connection))
        assert scripts.get_heads() == [REVISION]


def test_the_scripts_are_part_of_the_package() -> None:
    folder = files("spielwerk.store") / "migrations"
    assert (folder / "env.py").is_file()
    assert (folder / "versions" / "v0001_games.py").is_file()


def test_a_downgraded_store_is_brought_up_to_date(store_url: str) -> None:
    with open_store(store_url) as store, store.writing() as connection:
        command.downgrade(configuration(connection), "base")
    with open_store(store_url) as store, store.reading() as connection:
        assert differences(connection) == []


def test_a_newer_schema_is_refused_and_left_alone(store_url: str) -> None:
    with open_store(store_url) as store, store.writing() as connection:
        connection.execute(update(VERSIONS).values(version_num="0815"))
    with pytest.raises(StoreError, match=rf"newer Spielwerk .*0815.*{REVISION}.*update Spielwerk"):
        open_store(store_url)
    with pytest.raises(StoreError, match="newer Spielwerk"):  # and not: it is locked
        open_store(store_url)


def test_a_failing_migration_changes_nothing(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", fail)  # after the first table
        with pytest.raises(RuntimeError, match="in the middle"):
            open_store(store_url)
    with open_store(store_url) as store, store.reading() as connection:
        assert differences(connection) == []


def test_every_reason_can_be_kept(store: Store) -> None:
    with store.writing() as connection:
        for reason in Reason:
            insert_result(connection, reason)


def test_no_other_reason_can_be_kept(store: Store) -> None:
    for reason in ("bad luck", "WIN", ""):
        with pytest.raises(StoreError, match="ck_results_reason"), store.writing() as connection:
            insert_result(connection, reason)


def insert_result(connection: Connection, reason: str) -> None:
    new = created()
    for table, row in rows_of(new, 0):
        connection.execute(table.insert(), row)
    connection.execute(
        text("INSERT INTO results (game, reason, detail, at) VALUES (:game, :reason, '', 0)"),
        {"game": new.record.id, "reason": reason},
    )


def test_games_of_the_first_version_are_there_afterwards(store_url: str) -> None:
    with open_store(store_url) as store, store.writing() as connection:
        command.downgrade(configuration(connection), "0001")
        for statement in FIRST_VERSION:
            connection.execute(text(statement))
    with open_store(store_url) as store:
        (record,) = unfinished(store)
        with store.reading() as connection:
            assert differences(connection) == []
    assert record.pause == 0
    assert [(seat.name, seat.owner) for seat in record.seats] == [("Anna", ""), ("Bert", "")]
    assert [move.move for move in record.moves] == ["A1"]


def test_games_of_the_second_version_are_there_afterwards(store_url: str) -> None:
    entry = Created(replace(created("abc").record, moves=(move(0), move(1)), pause=500))
    with open_store(store_url) as store:
        with store.writing() as connection:
            command.downgrade(configuration(connection), "0002")
            for statement in SECOND_VERSION:
                connection.execute(text(statement))
        assert "cpu" not in columns(store, "moves")
    with open_store(store_url) as store:
        with store.reading() as connection:
            assert differences(connection) == []
        assert unfinished(store) == [entry.record]
        batch: list[Entry] = [scheduled(2), begun(0), settled(0)]
        assert Writer(store).write(batch) == [None] * 3


def test_a_step_back_leaves_the_games_of_contests(store_url: str) -> None:
    with open_store(store_url) as store:
        batch: list[Entry] = [scheduled(2), begun(0), settled(0)]
        assert Writer(store).write(batch) == [None] * 3
        with store.writing() as connection:
            command.downgrade(configuration(connection), "0002")
            assert tables(connection) == TABLES - OF_CONTESTS | {VERSION_TABLE}
    with open_store(store_url) as store:
        kept = game(store, played(0).id)
        assert pairings(store, CONTEST) == []
    assert kept
    assert [move.cpu for move in kept.moves] == [None] * len(played(0).moves)
    assert kept.result == played(0).result


def columns(store: Store, table: str) -> set[str]:
    with store.reading() as connection:
        return {column["name"] for column in inspect(connection).get_columns(table)}


SECOND_VERSION = (
    "INSERT INTO games (id, game, options, name, move_time, tournament, created, pause)"
    " VALUES ('abc', 'quarto', '[\"n=4\"]', 'Finale', 3000, FALSE, 1000, 500)",
    "INSERT INTO seats (game, seat, kind, name, player) VALUES ('abc', 0, 'client', 'Uli', '')",
    "INSERT INTO seats (game, seat, kind, name, player)"
    " VALUES ('abc', 1, 'engine', 'Spielwerk', 'level=7')",
    'INSERT INTO moves (game, number, seat, move, "at", took)'
    " VALUES ('abc', 0, 0, 'A1,3', 1000, 0), ('abc', 1, 1, 'A1,3', 1001, 1)",
)

FIRST_VERSION = (
    "INSERT INTO games (id, game, options, name, move_time, tournament, created)"
    " VALUES ('abc', 'morris', '[]', 'old', 3000, FALSE, 1)",
    "INSERT INTO seats (game, seat, kind, name, player) VALUES ('abc', 0, 'client', 'x', '')",
    "INSERT INTO seats (game, seat, kind, name, player) VALUES ('abc', 1, 'person', 'Bert', '')",
    "INSERT INTO names (number, game, seat, name) VALUES (1, 'abc', 0, 'Anna')",
    "INSERT INTO moves (game, number, seat, move, \"at\", took) VALUES ('abc', 0, 0, 'A1', 1, 1)",
)
