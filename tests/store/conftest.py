import pytest

from tests.stores import file_store, postgres, postgres_store, postgres_url, store, store_url

__all__ = [
    "file_store",
    "impatient",
    "postgres",
    "postgres_store",
    "postgres_url",
    "store",
    "store_url",
]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks of other processes are not waited for long."""
    monkeypatch.setattr("spielwerk.store.sqlite.PATIENCE", 0.2)
    monkeypatch.setattr("spielwerk.store.postgres.LOCK_TIMEOUT", "0.2s")
