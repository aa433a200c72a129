"""Working folders: made for one program and one game, and removed with whatever is in them."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
import signal
import stat
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

log = logging.getLogger(__name__)

PREFIX: Final = "spielwerk-program-"
_PROCESS: Final = "process"  # the file that names the program's process
_TROUBLE: Final = (
    errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EROFS, errno.ENOMEM,
    errno.EAGAIN,
)  # fmt: skip


def is_trouble(error: OSError) -> bool:
    """Whether the machine is in trouble, which is no fault of the entrant's."""
    # An error that lists many has no number, only words.
    return error.errno in _TROUBLE or any(os.strerror(one) in str(error) for one in _TROUBLE)


class Folder:
    """A program's place in the file system.

    `home` is what it calls the place where it runs, and `work` what we call it: in a sandbox that
    is on the program's own disk. A lock on the whole tells that it is in use; it goes with our
    process, however that ends.
    """

    def __init__(self, disk: Path | None = None) -> None:
        self.root, self._lock = _made()
        self.home = self.root / "work"
        self.work = disk / "work" if disk else self.home
        try:
            self.home.mkdir()
        except BaseException:
            self.remove()
            raise

    def fill(self, source: str) -> str:
        """Copy these files to where the program runs; what is wrong with them, if anything is.

        Links stay what they are. OSError if the machine is in trouble.
        """
        try:
            shutil.copytree(source, self.work, symlinks=True, ignore=_special, dirs_exist_ok=True)
        except OSError as error:
            if is_trouble(error):
                raise
            # A copy of many files lists a triple for every one that failed.
            problem = error.args[0][0][2] if isinstance(error, shutil.Error) else error
            return f"the folder cannot be copied: {problem}"
        self.work.chmod(0o700)  # the original may be read-only
        return ""

    def belongs_to(self, pid: int) -> None:
        """Note the program's process, which is killed if we cannot do that ourselves any more."""
        with suppress(psutil.Error):
            (self.root / _PROCESS).write_text(f"{pid} {_began(pid)}")

    def remove(self) -> None:
        """Remove it; what cannot be removed is logged."""
        if self._lock != -1:
            remove(self.root)
            os.close(self._lock)
            self._lock = -1


def _made() -> tuple[Path, int]:
    """A new folder and the lock on it; another worker may take it for abandoned before that."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        with suppress(FileNotFoundError, BlockingIOError):
            return folder, _locked(folder)


def _locked(folder: Path) -> int:
    """A lock on a folder that is there; BlockingIOError if another process has it."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.stat()
    except BaseException:
        os.close(lock)
        raise
    return lock


def _special(folder: str, names: list[str]) -> list[str]:
    """What is not copied: pipes, sockets and devices, which might block, and our own folders.

    Those are there if temporary files are kept below the folder; they would copy themselves.
    """
    kinds = {name: stat.S_IFMT(os.lstat(Path(folder, name)).st_mode) for name in names}
    plain = (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)
    return [name for name, kind in kinds.items() if name.startswith(PREFIX) or kind not in plain]


def remove(folder: Path) -> None:
    """Remove a folder and all that is in it, however deep and whatever its permissions are."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, "--", folder], check=False, capture_output=True)  # noqa: S603
        if folder.exists():
            log.warning("cannot remove all of the working folder %s", folder)


def clear_abandoned() -> None:
    """Kill programs and remove folders of workers that were killed before they could do it.

    It may take seconds, so it is nothing for an event loop.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            lock = _locked(folder)
            try:
                _kill_program(folder)
                remove(folder)
            finally:
                os.close(lock)


def _kill_program(folder: Path) -> None:
    """Kill what is left of the program that the folder names, unless its number is another's."""
    with suppress(OSError, ValueError, psutil.Error):
        pid, started = (folder / _PROCESS).read_text().split()
        if not psutil.pid_exists(int(pid)) or _began(int(pid)) == float(started):
            os.killpg(int(pid), signal.SIGKILL)


def _began(pid: int) -> float:
    return psutil.Process(pid).create_time()
