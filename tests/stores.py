"""Fixtures: an empty database of each kind, and stores in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from spielwerk.store.opening import Store, open_store
from spielwerk.store.schema import metadata
from tests.postgres import Postgres, throw_away_postgres

DATABASES = ["sqlite", "postgresql"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The PostgreSQL server of all tests."""
    with throw_away_postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """An empty database on the PostgreSQL server."""
    with postgres.database() as name:
        yield postgres.url(name)


@pytest.fixture(params=DATABASES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, one of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture(scope="session")
def postgres_store(postgres: Postgres) -> Iterator[Store]:
    """A store on the PostgreSQL server that tests share; `store` empties it."""
    with postgres.database() as name, open_store(postgres.url(name)) as opened:
        yield opened


@pytest.fixture(params=DATABASES)
def store(request: pytest.FixtureRequest) -> Store:
    """An empty store, one of each kind; a test must leave its schema as it is."""
    if request.param == "sqlite":
        opened: Store = request.getfixturevalue("file_store")
        return opened
    shared: Store = request.getfixturevalue("postgres_store")
    with shared.writing() as connection:
        connection.execute(text(f"TRUNCATE {', '.join(metadata.tables)} CASCADE"))
    return shared


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    """An empty store in a file, for what is the same in every database."""
    with open_store(tmp_path / "games.db") as opened:
        yield opened
