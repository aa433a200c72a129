"""Fixtures: an empty database of each kind, and stores in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from spielwerk.store.opening import open_store
from tests.postgres import throw_away_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from spielwerk.store.owned import Store
    from tests.postgres import Postgres

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


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty store, one of each kind."""
    with open_store(store_url) as opened:
        yield opened
