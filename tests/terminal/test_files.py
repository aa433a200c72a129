from __future__ import annotations

import os
from pathlib import Path

import pytest

from spielwerk.errors import SpielwerkError
from spielwerk.games.oware.rules import Oware
from spielwerk.games.record import Record
from spielwerk.terminal import files
from spielwerk.terminal.files import LARGEST, FileError, load, save

RECORD = Record((Oware().start(),)).play(3)


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game"
    save(RECORD, path)
    assert load(path) == RECORD
    save(RECORD.play(3), path)
    assert load(path) == RECORD.play(3)
    assert [*tmp_path.iterdir()] == [path]


def test_only_a_saved_game_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "thesis.tex"
    path.write_text("years of work")
    with pytest.raises(FileError, match="is not a saved game and will not be overwritten"):
        save(RECORD, path)
    assert path.read_text() == "years of work"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="not overwritten"):
        save(RECORD, tmp_path / "pipe")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    save(RECORD, tmp_path / "game")
    (tmp_path / "link").symlink_to(tmp_path / "game")
    save(RECORD.play(3), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert load(tmp_path / "game") == RECORD.play(3)


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game"
    save(RECORD, path)

    def full_disk(path: Path, *_: object) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "_fill", full_disk)
    with pytest.raises(FileError, match="No space left on device"):
        save(RECORD.play(3), path)
    assert load(path) == RECORD
    assert [*tmp_path.iterdir()] == [path]


def test_unreadable_files_say_why(tmp_path: Path) -> None:
    (tmp_path / "latin1").write_bytes("Mühle".encode("latin-1"))
    (tmp_path / "large").write_bytes(b"x" * (LARGEST + 1))
    (tmp_path / "other").write_text("something else")
    os.mkfifo(tmp_path / "pipe")
    for name, reason in [
        ("missing", "No such file"),
        ("latin1", "it is not UTF-8 text"),
        ("large", f"more than {LARGEST} bytes"),
        ("other", "the first line must be"),
        (".", "it is not a regular file"),
        ("pipe", "it is not a regular file"),
        ("a\0b", "null byte"),
    ]:
        with pytest.raises(SpielwerkError) as caught:
            load(tmp_path / name)
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)
