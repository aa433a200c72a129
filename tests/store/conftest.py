import pytest

from tests.stores import postgres, postgres_url, store, store_url

__all__ = ["impatient", "postgres", "postgres_url", "store", "store_url"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other people's locks are not waited for long."""
    monkeypatch.setattr("spielwerk.store.sqlite.PATIENCE", 0.2)
    monkeypatch.setattr("spielwerk.store.postgres.LOCK_TIMEOUT", "0.2s")
