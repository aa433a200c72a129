from __future__ import annotations

from pathlib import Path

import pytest

from spielwerk.engines.tables import TableFileError, data_folder, read_table, write_table

CONTENT = bytes(range(256)) * 4


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "some.table"
    write_table(path, "test", 3, {"target": 150}, CONTENT)
    return path


def test_what_was_written_is_read(table: Path) -> None:
    facts, content = read_table(table, "test", 3)
    assert content == CONTENT
    assert facts["target"] == 150
    assert [*table.parent.iterdir()] == [table]


@pytest.mark.parametrize("place", [0, 9, 20, -1, -500])
def test_a_changed_byte_is_noticed(table: Path, place: int) -> None:
    data = bytearray(table.read_bytes())
    data[place] ^= 1
    table.write_bytes(data)
    with pytest.raises(TableFileError) as caught:
        read_table(table, "test", 3)
    assert str(table) in str(caught.value)


@pytest.mark.parametrize("size", [0, 7, 11, 40, -1])
def test_a_cut_file_is_noticed(table: Path, size: int) -> None:
    table.write_bytes(table.read_bytes()[:size])
    with pytest.raises(TableFileError, match="damaged"):
        read_table(table, "test", 3)


def test_other_kinds_and_versions_are_told_apart(table: Path) -> None:
    with pytest.raises(TableFileError, match="it holds 'test', not 'other'"):
        read_table(table, "other", 3)
    with pytest.raises(TableFileError, match="version 3, not 4; delete it and solve anew"):
        read_table(table, "test", 4)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="No such file"):
        read_table(tmp_path / "none", "test", 1)


def test_the_data_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("SPIELWERK_DATA")
    assert data_folder().name == "spielwerk"
