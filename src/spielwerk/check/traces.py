"""What a program has used that can outlive it, and what of it is still there in the end.

A program is not blamed for what could be another's: only that counts which its own processes were
seen to have, and which was not there before. Linux alone tells so much; elsewhere nothing is seen.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SHARED: Final = Path("/dev/shm")  # noqa: S108 - where POSIX shared memory and semaphores are
TEMPORARY: Final = (Path("/tmp"), Path("/var/tmp"))  # noqa: S108 - looked at, not written to
SEMAPHORE: Final = "sem."  # how the files of named semaphores begin

_IPC: Final = Path("/proc/sysvipc")
_IDS: Final = {"shm": "shmid", "sem": "semid", "msg": "msqid"}
_OPTIONS: Final = {"shm": "-m", "sem": "-s", "msg": "-q"}  # of ipcrm
_SEGMENT: Final = "/SYSV"  # and its key: how the address space of a process names a segment
_PRIVATE: Final = f"{_SEGMENT}00000000"
_GETPID: Final = 11
_RMID: Final = 0
_MOST: Final = 250  # semaphores of a set that are looked at


class Remnant(NamedTuple):
    """A thing that is still there, and what removes it: a call in a program, or a command."""

    kind: str  # shm, sem or msg
    name: str
    call: str
    command: str
    remove: Callable[[], object]


class Traces:
    """All that the processes of one program were seen to use; made before it is started."""

    def __init__(self) -> None:
        self._pids: set[int] = set()
        self._mapped: set[int] = set()  # System V segments
        self._files: set[Path] = set()
        self.named: set[str] = set()  # what a second run at the same time would find as well
        self._ipc_before = {(kind, row["id"]) for kind in _IDS for row in _ipc(kind)}
        self._files_before = {path for place in (SHARED, *TEMPORARY) for path in _entries(place)}

    def look(self, pids: Iterable[int]) -> None:
        """See what these processes have now."""
        for pid in pids:
            self._pids.add(pid)
            for inode, path in _mapped(pid):
                if path.startswith(_SEGMENT):
                    self._mapped.add(inode)
                    self.named |= {path[: len(_PRIVATE)]} - {_PRIVATE}
                else:
                    self._notice(path)
            for path in _opened(pid):
                self._notice(path)

    def _notice(self, path: str) -> None:
        for place in (SHARED, *TEMPORARY):
            if path.startswith(f"{place}/") and not path.endswith(" (deleted)"):
                first = place / Path(path).relative_to(place).parts[0]
                if first not in self._files_before:
                    self._files.add(Path(path))
                if place == SHARED:
                    self.named.add(path)

    # what is left

    def shared(self) -> list[Remnant]:
        """Shared memory, semaphores and message queues that no process uses any more."""
        found = [
            _remnant(kind, row) for kind in _IDS for row in _ipc(kind) if self._left(kind, row)
        ]
        for path in sorted(self._files):
            if path.parent == SHARED and path.exists() and not _in_use(path):
                kind = "sem" if path.name.startswith(SEMAPHORE) else "shm"
                found.append(Remnant(kind, str(path), f"{kind}_unlink", f"rm {path}", path.unlink))
        return found

    def _left(self, kind: str, row: dict[str, int]) -> bool:
        return self._has(kind, row) and not row.get("nattch")

    def _has(self, kind: str, row: dict[str, int]) -> bool:
        if (kind, row["id"]) in self._ipc_before:
            return False
        if kind == "sem":
            return not self._pids.isdisjoint(_users(row["id"], row["nsems"]))
        if kind == "msg":
            return not self._pids.isdisjoint((row["lspid"], row["lrpid"]))
        return row["cpid"] in self._pids or row["id"] in self._mapped

    def files(self) -> list[Path]:
        """Files in the machine's temporary folders that no process has open any more."""
        return sorted(
            path
            for path in self._files
            if path.parent != SHARED and path.exists() and not _in_use(path)
        )


# System V


def _ipc(kind: str) -> list[dict[str, int]]:
    """The machine's table of segments, sets of semaphores or queues."""
    try:
        head, *rows = (_IPC / kind).read_text().splitlines()
    except (OSError, ValueError):
        return []
    names = ["id" if name == _IDS[kind] else name for name in head.split()]
    return [dict(zip(names, map(int, row.split()), strict=False)) for row in rows]


def _users(number: int, count: int) -> Iterator[int]:
    """The processes that used the semaphores of a set last."""
    call = ctypes.CDLL(None).semctl
    for one in range(min(count, _MOST)):
        yield int(call(number, one, _GETPID))


def _remnant(kind: str, row: dict[str, int]) -> Remnant:
    key = f"key 0x{row['key'] & 0xFFFFFFFF:08x}"
    command = f"ipcrm {_OPTIONS[kind]} {row['id']}"

    def remove() -> None:
        call = getattr(ctypes.CDLL(None), f"{kind}ctl")
        words = (row["id"], 0, _RMID) if kind == "sem" else (row["id"], _RMID, None)
        call(*words)

    name = f"{_IDS[kind]} {row['id']} ({key})"
    return Remnant(kind, name, f"{kind}ctl(..., IPC_RMID, ...)", command, remove)


# files


def _entries(place: Path) -> list[Path]:
    with suppress(OSError):
        return [place / name for name in os.listdir(place)]  # noqa: PTH208 - names are enough
    return []


def _mapped(pid: int) -> Iterator[tuple[int, str]]:
    """The inodes and names of what a process has in its address space and could share."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines():
            _, rights, _, _, inode, *path = line.split(maxsplit=5)
            if path and rights.endswith("s"):
                yield int(inode), path[0]


def _opened(pid: int) -> Iterator[str]:
    with suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208
            with suppress(OSError):
                yield os.readlink(f"/proc/{pid}/fd/{name}")  # noqa: PTH115


def _in_use(path: Path) -> bool:
    """Whether any process has it open or mapped."""
    name = str(path)
    return any(
        name in _opened(pid) or any(name == mapped for _, mapped in _mapped(pid))
        for pid in psutil.pids()
    )
