"""The processes of one program: found, measured, held to limits, and killed.

A process belongs to a program if it descends from it or is in its session. In a worker, which
becomes the parent of orphans, those that hide from that are found in the end (`sweep`). Memory is
watched, not restricted: a limit of the address space would forbid what Java, Go and Node reserve
and never touch. The kernel only keeps a process from taking all of the machine between two looks.
macOS has no such limits.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import math
import os
import resource
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from spielwerk.contests.contest import Resources

log = logging.getLogger(__name__)

_LINUX: Final = sys.platform == "linux"
_PR_SET_CHILD_SUBREAPER: Final = 36
_PATIENCE: Final = 10.0  # seconds for processes to end that were killed
_PAUSE: Final = 0.005  # seconds between two looks at them
_ROUNDS: Final = 100  # in which no orphan may be left
_SHELL_SIGNAL: Final = 128  # what shells and bubblewrap add to a signal in an exit code

_MEMORY_FACTOR: Final = 4  # how often a process may have the allowed memory ready for writing
_MEMORY_MARGIN: Final = 4 * 1024**3  # bytes more, for stacks, arenas and buffers of threads
_THREADS: Final = 32  # of a process on average, before the kernel refuses more
_CPU_MARGIN: Final = 2  # seconds, so that the watch comes first and can say what was wrong
_FIRST_TO_GO: Final = "1000"  # if the machine's memory runs out, it is a program that is killed

_adopting = False


# orphans


def adopt_orphans(adopt: bool = True) -> None:
    """Become the parent of all processes below us that lose theirs, for workers.

    Besides programs, such a process must not start anything in a new session.
    """
    global _adopting
    if _LINUX:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0)
        _adopting = adopt


def sweep() -> None:
    """Kill the orphans that have come to a worker, when it runs no program any more."""
    for _ in range(_ROUNDS if _adopting else 0):
        orphans = [pid for pid in _children(os.getpid()) if _session(pid) != os.getsid(0)]
        if not orphans:
            return
        for pid in orphans:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            _reap(pid)
        time.sleep(_PAUSE)


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return os.getsid(0)


def _reap(pid: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _children(pid: int) -> list[int]:
    """The direct children; psutil would read the whole process table for them."""
    if not _LINUX:
        with suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
        return []
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


# the processes of a program


class ProcessTree:
    """A process and all that come from it; the first few generations may be `wrappers` of ours.

    `claims` knows those of our adopted children that belong to it in spite of another session.
    """

    def __init__(
        self, root: int, wrappers: int = 0, claims: Callable[[int], bool] | None = None
    ) -> None:
        self.root = root
        self._claims = claims
        self.members: list[psutil.Process] = []  # as seen last, without the wrappers
        self.spent = 0  # nanoseconds of CPU time, at least
        self._wrappers = wrappers
        self._all: list[psutil.Process] = []
        self.find()

    def find(self) -> list[psutil.Process]:
        """All processes that are there now."""
        found: dict[int, psutil.Process] = {}
        members: list[psutil.Process] = []
        generation, depth = self._roots(), 0
        while generation:
            fresh = {pid: one for pid in generation if pid not in found and (one := _process(pid))}
            found |= fresh
            if depth >= self._wrappers:
                members += fresh.values()
            generation = [child for pid in fresh for child in _children(pid)]
            depth += 1
        self._all, self.members = list(found.values()), members
        return self._all

    def _roots(self) -> list[int]:
        """Where to begin: in a sandbox no process can lose its parents to us."""
        if self._wrappers:
            return [self.root]
        return [self.root, *(pid for pid in _children(os.getpid()) if self._owns(pid))]

    def _owns(self, pid: int) -> bool:
        return _session(pid) == self.root or (self._claims is not None and self._claims(pid))

    # what they use

    def memory(self) -> int:
        """The resident bytes of all; what they share counts for each of them."""
        return sum(_memory(one) for one in self.members)

    def exact_memory(self) -> int:
        """The same, but what they share counts once, which is slow to find out."""
        return sum(_exact_memory(one) for one in self.members)

    def cpu(self) -> int:
        """Milliseconds of CPU time of all since the start; never less than before.

        A process's own time is exact. That of children that ended comes in steps of the kernel's
        clock (10 ms), when their parent takes notice of them.
        """
        inherited = sum(_times(one)[1] for one in self._all)
        self.spent = max(self.spent, inherited + sum(_times(one)[0] for one in self.members))
        return self.spent // 1_000_000

    # the end

    def signal(self, number: int) -> None:
        """Send a signal to all processes of the program."""
        self.find()
        for one in self.members:
            _send(one, number)

    def kill(self) -> bool:
        """Kill all, however fast they multiply; False if one does not end. It may take seconds."""
        deadline = time.monotonic() + _PATIENCE
        struck: set[psutil.Process] = set()
        while living := self._strike(struck):
            if time.monotonic() > deadline:
                log.error("processes do not die: %s", living)
                return False
            time.sleep(_PAUSE)
        return True

    def _strike(self, struck: set[psutil.Process]) -> list[psutil.Process]:
        """Stop all, so that they start no others, and then kill them; those that still live."""
        while fresh := {one for one in self.find() if _lives(one)} - struck:
            for one in fresh:
                _send(one, signal.SIGSTOP)
            struck |= fresh
        for one in struck:
            _send(one, signal.SIGKILL)
        for one in self._all:
            if one.pid != self.root:
                _reap(one.pid)
        return [one for one in struck if _lives(one)]


def _process(pid: int) -> psutil.Process | None:
    with suppress(psutil.Error):
        return psutil.Process(pid)
    return None


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def _send(process: psutil.Process, number: int) -> None:
    with suppress(psutil.Error):
        process.send_signal(number)


def _memory(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def _exact_memory(process: psutil.Process) -> int:
    with suppress(psutil.Error, AttributeError):  # there is no such figure on macOS
        return int(process.memory_full_info().pss)
    return _memory(process)


def _times(process: psutil.Process) -> tuple[int, int]:
    """Nanoseconds of CPU time: its own, and of its children that have ended."""
    with suppress(psutil.Error):
        times = process.cpu_times()
        own, inherited = times.user + times.system, times.children_user + times.children_system
        with suppress(OSError):
            # Linux has a clock for every process: clock_getcpuclockid(3) makes its number so.
            own = time.clock_gettime((~process.pid << 3) | 2) if _LINUX else own
        return round(1e9 * own), round(1e9 * inherited)
    return 0, 0


# limits


def restrain(pid: int, limits: Resources) -> None:
    """Set the kernel's limits; everything that the process starts inherits them."""
    if not _LINUX:
        return
    with suppress(OSError):  # it has ended already
        _lower(pid, resource.RLIMIT_CORE, 0)
        _lower(pid, resource.RLIMIT_CPU, math.ceil(limits.cpu) + _CPU_MARGIN)
        _lower(pid, resource.RLIMIT_FSIZE, limits.files)
        _lower(pid, resource.RLIMIT_DATA, _MEMORY_FACTOR * limits.memory + _MEMORY_MARGIN)
        _lower(pid, resource.RLIMIT_NPROC, _all_threads() + _THREADS * limits.processes)
        Path(f"/proc/{pid}/oom_score_adj").write_text(_FIRST_TO_GO)


def _lower(pid: int, kind: int, value: int) -> None:
    _, hard = resource.prlimit(pid, kind)
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.prlimit(pid, kind, (allowed, allowed))


def _all_threads() -> int:
    """How many threads the machine has: `0.10 0.20 0.30 1/234 5678`."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])


def excess(tree: ProcessTree, limits: Resources) -> str:
    """Which limit the processes of a program are beyond, in a sentence; empty if none."""
    if len(tree.members) > limits.processes:
        return f"had more than {limits.processes:,} processes"
    if (cpu := tree.cpu()) > 1000 * limits.cpu:
        return f"used {cpu / 1000:,.1f} s of CPU time, more than the {limits.cpu:,g} s allowed"
    if tree.memory() > limits.memory and (exact := tree.exact_memory()) > limits.memory:
        allowed = f"{limits.memory / 1e6:,.0f} MB allowed"
        return f"used {exact / 1e6:,.0f} MB of memory, more than the {allowed}"
    return ""


def enforced(code: int, limits: Resources) -> str:
    """The limit that the kernel held a process to by killing it, if it has."""
    if code == -signal.SIGXCPU:
        return f"used more than {limits.cpu:,g} s of CPU time"
    if code == -signal.SIGXFSZ:
        return f"wrote more than {limits.files:,} bytes into a file"
    return ""


# the end of a process


def when_ended(process: subprocess.Popen[bytes], told: Callable[[int, int], None]) -> None:
    """Have the end of a child told once: its exit code, and its CPU time in nanoseconds.

    The code is negative for a signal. What the child left in its group is killed at once, as long
    as no other process can have its number.
    """
    loop = asyncio.get_running_loop()

    def wait() -> None:
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except ChildProcessError:  # it was given up, and swept away
            return
        process.returncode = os.waitstatus_to_exitcode(status)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        spent = round(1e9 * (usage.ru_utime + usage.ru_stime))
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(told, process.returncode, spent)

    threading.Thread(target=wait, daemon=True).start()


def told_by_shell(code: int) -> int:
    """The exit code of a program that bubblewrap passed on, as shells do."""
    return _SHELL_SIGNAL - code if _is_signal(code - _SHELL_SIGNAL) else code


def in_words(code: int) -> str:
    """An exit code as people read it: `exit 1`, `killed by SIGSEGV`."""
    if code >= 0:
        return f"exit {code}"
    return f"killed by {signal.Signals(-code).name if _is_signal(-code) else f'signal {-code}'}"


def _is_signal(number: int) -> bool:
    return number in set(signal.Signals)
