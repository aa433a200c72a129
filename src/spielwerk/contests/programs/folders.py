"""Working folders: made for one program and one game, and removed with whatever is in them."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import secrets
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spielwerk.contests.programs.commands import CannotRun

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

PREFIX: Final = "spielwerk-program-"
_TROUBLE: Final = (
    errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EROFS, errno.ENOMEM,
)  # fmt: skip


class Folder:
    """A program's place in the file system.

    `work` is where it runs, `scratch` what it finds under the name of /tmp if it is in a sandbox.
    A lock on the whole tells that it is in use; it goes with our process, however that ends.
    """

    def __init__(self) -> None:
        self.root, self._lock = _made()
        self.work = self.root / "work"
        self.scratch = self.root / "scratch"
        try:
            self.work.mkdir()
            self.scratch.mkdir()
        except BaseException:
            self.remove()
            raise

    def fill(self, source: str) -> None:
        """Copy these files to where the program runs; links stay what they are."""
        try:
            shutil.copytree(source, self.work, symlinks=True, ignore=_special, dirs_exist_ok=True)
        except OSError as error:
            if _is_ours(error):
                raise
            raise CannotRun(source, f"the folder cannot be copied: {_first(error)}") from None
        self.work.chmod(0o700)  # the original may be read-only

    def remove(self) -> None:
        """Remove it; what cannot be removed is logged."""
        if self._lock == -1:
            return
        remove(self.root)
        os.close(self._lock)
        self._lock = -1


def _made() -> tuple[Path, int]:
    """A new folder and the lock on it.

    Before it is locked somebody may take it for an abandoned one, and then there is another.
    """
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        with suppress(FileNotFoundError, BlockingIOError):
            return folder, _locked(folder)


def _locked(folder: Path) -> int:
    """A lock on a folder that is there; BlockingIOError if somebody else has it."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.stat()
    except BaseException:
        os.close(lock)
        raise
    return lock


def _special(folder: str, names: list[str]) -> list[str]:
    """What is not copied: pipes, sockets and devices, who might have us wait, and our own folders.

    Those are there if temporary files are kept below the folder; they would copy themselves.
    """
    modes = {name: os.lstat(Path(folder, name)).st_mode for name in names}
    return [
        name
        for name, mode in modes.items()
        if name.startswith(PREFIX)
        or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
    ]


def _is_ours(error: OSError) -> bool:
    """Whether the machine is in trouble; that is no fault of whose files they are."""
    if isinstance(error, shutil.Error):  # many, told by their words alone
        return any(os.strerror(number) in str(error) for number in _TROUBLE)
    return error.errno in _TROUBLE


def _first(error: OSError) -> str:
    """One sentence, also of an error that lists many."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        _, _, problem = error.args[0][0]
        return str(problem)
    return str(error)


def remove(folder: Path) -> None:
    """Remove a folder and all that is in it, however deep and whatever its permissions are."""
    places = _cleared(folder)
    while places:
        place = places.pop()
        places += _cleared(place, folder)
        _try_to(place.rmdir)
    _try_to(folder.rmdir)


def _cleared(place: Path, top: Path | None = None) -> list[Path]:
    """Remove the files of a folder; the folders in it come to the top, lest paths get too long."""
    _try_to(lambda: place.chmod(0o700))
    try:
        with os.scandir(place) as entries:
            found = [(Path(entry), entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError as error:
        log.warning("cannot remove %s: %s", place, error)
        return []
    for path, is_folder in found:
        if not is_folder:
            _try_to(path.unlink)
    inner = [path for path, is_folder in found if is_folder]
    return [_moved(path, top) for path in inner] if top else inner


def _moved(path: Path, top: Path) -> Path:
    new = top / secrets.token_hex(8)
    _try_to(lambda: path.chmod(0o700))  # it is written to: its parent is noted in it
    return new if _try_to(lambda: path.rename(new)) else path


def _try_to(do: Callable[[], object]) -> bool:
    try:
        do()
    except OSError as error:
        log.warning("cannot remove all of a working folder: %s", error)
        return False
    return True


def remove_abandoned() -> None:
    """Remove the working folders of those who could not do so themselves any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            _remove_unused(folder)


def _remove_unused(folder: Path) -> None:
    lock = _locked(folder)
    try:
        remove(folder)
    finally:
        os.close(lock)
