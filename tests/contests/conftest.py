"""Where programs of the tests run, and that nothing of them stays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielwerk.contests.programs.processes import adopt_orphans
from tests.contests.running import only
from tests.stores import file_store

__all__ = ["adopting", "file_store", "place"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where working folders are made; none is left after any test."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert only(place) == []


@pytest.fixture
def adopting() -> Iterator[None]:
    """This process is the parent of all whose own has ended, as a worker's is."""
    adopt_orphans()
    yield
    adopt_orphans(False)
