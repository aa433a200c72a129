"""Working folders: filled, and removed whatever was made of them."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest

from spielwerk.contests.programs import folders
from spielwerk.contests.programs.folders import Folder, clear_abandoned
from tests.contests.running import handles

pytestmark = pytest.mark.usefixtures("place")  # which is empty again after every test

DEEP = 1500  # folders in each other: more than Python calls, and paths longer than Linux takes


@pytest.fixture
def source(tmp_path: Path) -> Path:
    source = tmp_path / "anna"
    (source / "lib").mkdir(parents=True)
    (source / "bot").write_text("#!/bin/sh\n")
    (source / "bot").chmod(0o755)
    (source / "lib" / "table").write_text("data")
    (source / "link").symlink_to("lib/table")
    return source


def test_a_folder_is_empty_and_only_ours(place: Path) -> None:
    folder = Folder()
    assert list(folder.work.iterdir()) == []
    assert folder.root.parent == place
    assert folder.root.stat().st_mode & 0o777 == 0o700
    folder.remove()


def test_half_a_folder_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Path.mkdir

    def full(path: Path, *more: Any) -> None:
        if path.name == "work":
            raise OSError(errno.ENOSPC, "No space left on device")
        make(path, *more)

    monkeypatch.setattr(Path, "mkdir", full)
    before = handles()
    with pytest.raises(OSError, match="No space"):
        Folder()
    assert handles() == before


def test_it_gets_a_copy_of_the_files(source: Path) -> None:
    source.chmod(0o555)  # the copy can be written to
    folder = Folder()
    folder.fill(str(source))
    assert folder.work.stat().st_mode & 0o777 == 0o700
    assert (folder.work / "lib" / "table").read_text() == "data"
    assert os.access(folder.work / "bot", os.X_OK)
    assert (folder.work / "link").readlink() == Path("lib/table")
    (folder.work / "lib" / "table").write_text("changed")
    folder.remove()
    assert (source / "lib" / "table").read_text() == "data"


def test_pipes_and_sockets_are_not_copied(source: Path) -> None:
    os.mkfifo(source / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(source / "socket"))
        folder = Folder()
        folder.fill(str(source))
    assert sorted(path.name for path in folder.work.iterdir()) == ["bot", "lib", "link"]
    folder.remove()


def test_a_folder_above_the_temporary_one_is_not_copied_into_itself(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("bot")
    folder = Folder()
    folder.fill(str(tmp_path))
    assert (folder.work / "bot").read_text() == "bot"
    assert [*(folder.work / "temporary").iterdir()] == []
    folder.remove()


def test_a_folder_that_does_not_exist_cannot_be_copied(tmp_path: Path) -> None:
    folder = Folder()
    problem = folder.fill(str(tmp_path / "nowhere"))
    assert problem.startswith("the folder cannot be copied: ")
    assert "No such file" in problem
    folder.remove()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
def test_a_machine_in_trouble_is_no_entrants_fault(
    source: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    folder = Folder()
    monkeypatch.setattr(shutil, "copyfile", write)
    with pytest.raises(OSError, match=os.strerror(number)):
        folder.fill(str(source))
    folder.remove()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read_is_named(source: Path) -> None:
    (source / "bot").chmod(0)
    folder = Folder()
    assert "bot" in folder.fill(str(source))
    folder.remove()


# removing


def test_permissions_do_not_matter() -> None:
    folder = Folder()
    inner = folder.work / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").touch(0o000)
    for path in (inner, inner.parent, folder.work):
        path.chmod(0o000)
    folder.remove()


def test_links_are_removed_and_not_followed(source: Path) -> None:
    folder = Folder()
    (folder.work / "outside").symlink_to(source)
    (folder.work / "nowhere").symlink_to("/no/such/file")
    folder.remove()
    assert (source / "lib" / "table").exists()


def test_depth_does_not_matter() -> None:
    folder = Folder()
    here = os.open(folder.work, os.O_RDONLY)
    for _ in range(DEEP):
        os.mkdir("deep", dir_fd=here)
        deeper = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    folder.remove()


# abandoned


def test_an_abandoned_folder_is_removed(place: Path) -> None:
    abandoned = place / f"{folders.PREFIX}x"
    (abandoned / "work").mkdir(parents=True)
    clear_abandoned()


def test_a_folder_in_use_is_left_alone() -> None:
    folder = Folder()
    clear_abandoned()
    assert folder.work.exists()
    folder.remove()


def test_a_folder_that_is_taken_for_abandoned_when_it_is_made_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    make = tempfile.mkdtemp

    def disturbed(prefix: str) -> str:
        made.append(make(prefix=prefix))
        if len(made) < 3:
            clear_abandoned()
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", disturbed)
    folder = Folder()
    assert [Path(one).exists() for one in made] == [False, False, True]
    assert folder.root == Path(made[-1])
    folder.remove()


def test_folders_of_others_are_left_alone(place: Path, source: Path) -> None:
    (place / "other").mkdir()
    link = place / f"{folders.PREFIX}x"
    link.symlink_to(source)
    clear_abandoned()
    assert (source / "bot").exists()
    (place / "other").rmdir()
    link.unlink()
