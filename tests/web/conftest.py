"""One server for all tests of the web."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.live import Live, live, settings_for
from tests.web.people import Browser


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("web")
    with live(settings_for(folder, body_limit=4096)) as one:
        yield one


@pytest.fixture(scope="package")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that waits only a moment for requests to arrive."""
    with live(settings_for(tmp_path_factory.mktemp("impatient"), patience=0.3)) as one:
        yield one


@pytest.fixture
def anna(server: Live) -> Browser:
    return Browser(server)


@pytest.fixture
def bert(server: Live) -> Browser:
    return Browser(server)


@pytest.fixture
def eve(server: Live) -> Browser:
    return Browser(server)
