"""What is known of a process: read from /proc, or asked from psutil where there is none (macOS)."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

PROC: Final = Path("/proc/self/stat").exists()
LISTS_CHILDREN: Final = Path("/proc/thread-self/children").exists()
_TICK: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")  # nanoseconds
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")  # bytes
_AT_ONCE: Final = 65536  # bytes of a file in /proc
_KERNEL: Final = 2  # the process that all of the kernel's own come from
_FIELDS: Final = 22  # of `stat` that we read, after the name


@dataclass(frozen=True, slots=True)
class Process:
    """What is known of a process at a moment."""

    pid: int
    parent: int
    session: int
    started: int  # in units of its own; a number may be given to another process later
    over: bool  # it has ended, and its parent has not taken notice yet
    memory: int  # bytes that are resident
    cpu: int  # nanoseconds
    waited: int  # nanoseconds of children that ended, and that it took notice of


def read(pid: int) -> Process | None:
    """What is known of a process; None if there is none."""
    return _read_stat(pid) if PROC else _ask_psutil(pid)


def _read_stat(pid: int) -> Process | None:
    data = _content(f"/proc/{pid}/stat")
    fields = data[data.rfind(b")") + 2 :].split()  # a name may hold anything
    if len(fields) < _FIELDS:
        return None
    ended = fields[0] in b"ZX"
    headless = ended and int(fields[17]) > 1  # its first thread has ended, and others go on
    return Process(
        pid,
        parent=int(fields[1]),
        session=int(fields[3]),
        started=int(fields[19]),
        over=ended and not headless,
        memory=_memory_of_threads(pid) if headless else int(fields[21]) * _PAGE,
        cpu=(int(fields[11]) + int(fields[12])) * _TICK,
        waited=(int(fields[13]) + int(fields[14])) * _TICK,
    )


def _memory_of_threads(pid: int) -> int:
    """They share it, but of the first one, which has ended, it is not told."""
    with suppress(OSError):
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - the fastest
        figures = (_content(f"/proc/{pid}/task/{thread}/statm").split() for thread in threads)
        return max((int(each[1]) for each in figures if each), default=0) * _PAGE
    return 0


def _ask_psutil(pid: int) -> Process | None:
    try:
        process = psutil.Process(pid)
        started = int(process.create_time() * 1000)
        over = process.status() == psutil.STATUS_ZOMBIE
        parent, session = process.ppid(), os.getsid(pid)
        if over:
            return Process(pid, parent, session, started, over, 0, 0, 0)
        used = process.cpu_times()
        cpu, waited = used.user + used.system, used.children_user + used.children_system
        memory = process.memory_info().rss
    except (psutil.Error, ProcessLookupError):
        return None
    nanoseconds = int(cpu * 1e9), int(waited * 1e9)
    return Process(pid, parent, session, started, over, memory, *nanoseconds)


def exact_memory(pid: int) -> int | None:
    """The resident bytes, pages shared with others divided among them; None if it is not told."""
    for line in _content(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return None


def children(pid: int) -> list[int]:
    """The processes that this one has started and not taken leave of."""
    if not LISTS_CHILDREN:
        return _children_by_psutil(pid)
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - the fastest
            found += map(int, _content(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _children_by_psutil(pid: int) -> list[int]:
    with suppress(psutil.Error):
        return [child.pid for child in psutil.Process(pid).children()]
    return []


def environment(pid: int) -> list[bytes]:
    """The environment that a process was started with, as far as we may read it."""
    return _content(f"/proc/{pid}/environ").split(b"\0")[:-1]


def name(pid: int) -> str:
    """What a process calls itself, which may be anything."""
    return _content(f"/proc/{pid}/comm").decode(errors="replace").rstrip("\n")


def descriptors(pid: int) -> Iterator[str | None]:
    """What a process has open, as the system names it; None for what we may not see."""
    nothing = True
    for what in _links(f"/proc/{pid}/fd"):
        nothing = False
        yield what
    if nothing:  # if its first thread has ended, only the others have something
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - the fastest
                yield from _links(f"/proc/{pid}/task/{thread}/fd")


def _links(folder: str) -> Iterator[str | None]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # closed in between
                    yield os.readlink(entry.path)  # noqa: PTH115 - the fastest
    except PermissionError:
        yield None
    except OSError:  # the process ended in between
        return


def is_ours(pid: int) -> bool:
    """Whether a process is alive, our user's, and not one of the kernel's own."""
    process = read(pid)
    try:
        owner = Path(f"/proc/{pid}").stat().st_uid
    except OSError:
        return False
    alive = process is not None and not process.over and process.parent != _KERNEL
    return alive and owner == os.geteuid()


def _content(path: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    data = b""
    try:
        while more := os.read(handle, _AT_ONCE):
            data += more
    except OSError:  # the process ended in between
        return b""
    finally:
        os.close(handle)
    return data


def everybody() -> list[int]:
    """All processes that can be seen; none where there is no /proc."""
    if not PROC:
        return []
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def send(pid: int, number: int) -> None:
    """Send a signal, if there is anybody to get it."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
