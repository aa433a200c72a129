"""Limits: those that the kernel holds every process to, and those that a whole tree is watched for.

Memory is watched, not restricted: the kernel's limit of a process's address space would forbid what
Java, Go and Node reserve and never touch. Only what can be written to is restricted, generously, so
that nobody takes all of the machine between two looks. The number of processes is watched as well;
the kernel's own limit counts all threads of a user, and never holds for root, so it is but a
backstop. macOS has none of these, and programs are only watched there.
"""

from __future__ import annotations

import math
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spielwerk.contests.programs.processes import exact_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.contests.contest import Resources
    from spielwerk.contests.programs.processes import Process

_MEMORY_FACTOR: Final = (
    4  # a process may have so many times the allowed memory prepared for writing
)
_MEMORY_MARGIN: Final = 4 * 1024**3  # bytes, and that much more: stacks, arenas, buffers of threads
_THREADS: Final = 32  # that a process may have on average, before the kernel refuses more
_CPU_MARGIN: Final = 2  # seconds, so that the watch comes first and can say what was wrong
_FIRST_TO_GO: Final = "1000"  # if the machine's memory runs out, it is a program that is killed
_MEGABYTE: Final = 1_000_000  # bytes


def restrain(pid: int, limits: Resources) -> None:
    """Set the kernel's limits; everything that the process starts inherits them."""
    if sys.platform != "linux":
        return
    seconds = math.ceil(limits.cpu) + _CPU_MARGIN
    writable = _MEMORY_FACTOR * limits.memory + _MEMORY_MARGIN
    with suppress(OSError):  # it has ended already, or become somebody else's
        _lower(pid, resource.RLIMIT_CORE, 0)
        _lower(pid, resource.RLIMIT_CPU, seconds)
        _lower(pid, resource.RLIMIT_FSIZE, limits.files)
        _lower(pid, resource.RLIMIT_DATA, writable)
        _lower(pid, resource.RLIMIT_NPROC, _all_threads() + _THREADS * limits.processes)
        Path(f"/proc/{pid}/oom_score_adj").write_text(_FIRST_TO_GO)


def _lower(pid: int, kind: int, value: int) -> None:
    _, hard = resource.prlimit(pid, kind)
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.prlimit(pid, kind, (allowed, allowed))


def _all_threads() -> int:
    """How many threads the machine has, whoever's they are: `0.10 0.20 0.30 1/234 5678`."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])


def exceeded(members: Sequence[Process], cpu: int, limits: Resources) -> str | None:
    """Which limit these processes are beyond, in a sentence; their CPU time is in milliseconds.

    How many they are is for those to judge who know what else belongs to them.
    """
    if cpu > 1000 * limits.cpu:
        return f"used {cpu / 1000:,.1f} s of CPU time, allowed are {limits.cpu:,g} s"
    if memory_of(members) > limits.memory and (exact := _exact(members)) > limits.memory:
        return f"used {_megabytes(exact)} of memory, allowed are {_megabytes(limits.memory)}"
    return None


def memory_of(members: Sequence[Process]) -> int:
    """The memory of all in bytes; what they share counts for each of them."""
    return sum(process.memory for process in members)


def _exact(members: Sequence[Process]) -> int:
    """The same, but what they share counts once: that is slow to find out."""
    exact = ((process.memory, exact_memory(process.pid)) for process in members)
    return sum(rough if fine is None else fine for rough, fine in exact)


def _megabytes(number: int) -> str:
    return f"{number / _MEGABYTE:,.0f} MB"


def enforced(number: int, limits: Resources) -> str | None:
    """The limit that the kernel held a process to by killing it with this signal."""
    if number == signal.SIGXCPU:
        return f"used more than {limits.cpu:,g} s of CPU time"
    if number == signal.SIGXFSZ:
        return f"wrote more than {limits.files:,} bytes into a file"
    return None
