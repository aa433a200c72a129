"""Tests are coroutines that do not wait long for a peer that does not close."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.connect4.index import ScriptedIndex


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _short_linger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielwerk.net.connection.LINGER", 0.1)


@pytest.fixture
def index() -> Iterator[ScriptedIndex]:
    with ScriptedIndex() as server:
        yield server
