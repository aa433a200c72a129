from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielwerk.errors import SpielwerkError, UsageError
from spielwerk.games.oware.rules import Oware
from spielwerk.games.record import Record
from spielwerk.terminal.files import LARGEST, FileError, check_spared, load, save, write

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
    with pytest.raises(FileError, match="not be overwritten"):
        save(RECORD, tmp_path / "pipe")


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


# what a command is asked to write: nothing is lost that was there, whatever happens


def broken(error: BaseException) -> Iterator[str]:
    yield "half"
    raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError(), OSError(28, "No space")])
def test_what_was_there_stays_until_the_new_one_is_complete(
    tmp_path: Path, error: BaseException
) -> None:
    target = tmp_path / "report"
    target.write_text("old")
    with pytest.raises(UsageError if isinstance(error, OSError) else type(error)):
        write(target, broken(error))
    assert target.read_text() == "old"
    assert [*tmp_path.iterdir()] == [target]


def test_a_file_is_replaced_with_its_rights_and_a_new_one_has_the_usual(tmp_path: Path) -> None:
    old, new, other = (tmp_path / name for name in ("old", "n" * 255, "other"))
    old.touch(mode=0o600)
    other.touch()
    for target in (old, new):
        write(target, ["a\r\n", "ä"])
        assert target.read_bytes() == "a\r\nä".encode()
    assert old.stat().st_mode & 0o777 == 0o600
    assert new.stat().st_mode == other.stat().st_mode


def test_a_link_stays_one(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "elsewhere" / "report"
    target.parent.mkdir()
    link.symlink_to(target)
    for text in ("first", "second"):  # made, and replaced
        write(link, [text])
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    write(pipe, ["a", "b"])
    reader.join(20)
    assert read == ["ab"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(("name", "why"), [("a/b", "No such file"), ("", "Is a directory")])
def test_what_cannot_be_written_is_one_clear_line(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(UsageError, match=f"cannot write '{tmp_path / name}': {why}"):
        write(tmp_path / name, ["a"])


def test_a_file_that_is_to_be_kept_is_known_by_any_name(tmp_path: Path) -> None:
    kept, hard, soft, log = (tmp_path / name for name in ("kept", "hard", "soft", "log"))
    kept.touch()
    hard.hardlink_to(kept)
    soft.symlink_to(kept)
    for path in (kept, hard, soft, tmp_path / ".." / tmp_path.name / "log"):
        with pytest.raises(UsageError, match="the contest itself is kept there"):
            check_spared(path, kept, log)
    check_spared(tmp_path / "other", kept, log)
