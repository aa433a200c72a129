"""Measuring: the CPU time that a program used, and whether the machine had any to give."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.contests.programs.processes import PROC

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.programs.processes import Process
    from spielwerk.contests.programs.trees import Tree

_MILLISECOND: Final = 1_000_000  # nanoseconds
_ROUNDING: Final = 50 * _MILLISECOND  # what may be lost when a child's time becomes its parent's

EVERY: Final = 0.05  # seconds between two samples of the load
KEPT: Final = 6000  # samples: five minutes
SHORTEST: Final = 1.0  # seconds; what happened in less is judged together with what was before

# A quarter of the time that CPUs worked, others waited for them. With as many busy processes as
# there are CPUs it is about 1 %, with one more on two CPUs 55 %, with twice as many 70 %.
OVERLOADED: Final = 0.25
# A thread that wanted to be woken was left asleep: the machine swapped, or stood still altogether.
LATE: Final = 0.25  # seconds

_PRESSURE: Final = Path("/proc/pressure/cpu")
_QUEUE: Final = Path("/proc/loadavg")


class CpuClock:
    """The CPU time of all processes of a program; a reading takes some microseconds.

    A process's own time is exact. That of children that ended comes in steps of the kernel's clock
    (10 ms), when their parent takes notice of them; what nobody takes notice of is counted as far
    as it was seen.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._last = 0
        self._lost = 0  # nanoseconds of those who have gone, and nobody has their time

    def read(self) -> int:
        """Milliseconds since the program began; never less than before."""
        return self._nanoseconds() // _MILLISECOND

    def _nanoseconds(self) -> int:
        total, complete = self._sum()
        if not complete:
            self._tree.look()
            total, _ = self._sum()
        total += self._lost
        if total < self._last - _ROUNDING:
            self._lost += self._last - total
        self._last = max(self._last, total)
        return self._last

    def _sum(self) -> tuple[int, bool]:
        """Of those who were there when the tree was looked at, and whether they all still are."""
        times = [(process, _own_time(process)) for process in self._tree.members]
        complete = None not in (own for _, own in times)
        total = sum(
            (process.cpu if own is None else own) + process.waited for process, own in times
        )
        return total, complete


def _own_time(process: Process) -> int | None:
    """Nanoseconds; None if its clock is gone, as it is with the process."""
    if not PROC:
        return None
    try:
        # Linux has a clock for every process: clock_getcpuclockid(3) makes its number like this.
        return time.clock_gettime_ns((~process.pid << 3) | 2)
    except OSError:
        return None


class Sample(NamedTuple):
    """The load at a moment."""

    time: float  # of the clock
    waited: float  # seconds that somebody has waited for a CPU, since whenever
    late: float  # seconds that the sample came too late


class Load:
    """Whether the machine had more to do than it could, judged afterwards.

    A thread takes samples: how long processes waited for a CPU, and how late it is itself.
    """

    def __init__(
        self,
        waited: Callable[[], float] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._waited = waited or waiting_time()
        self._clock = clock
        self._samples: deque[Sample] = deque(maxlen=KEPT)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="load", daemon=True)

    def start(self) -> None:
        """Begin to take samples."""
        self.sample()
        self._thread.start()

    def stop(self) -> None:
        """Take no more."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        due = self._clock() + EVERY
        while not self._stop.wait(EVERY):
            with suppress(OSError):  # we may have no room to open a file just now
                self.sample(due)
            due = self._clock() + EVERY

    def sample(self, due: float | None = None) -> None:
        """Take a sample that was to be taken at a certain time."""
        now = self._clock()
        late = 0.0 if due is None else max(0.0, now - due)
        self._samples.append(Sample(now, self._waited(), late))

    def during(self, start: float, end: float) -> bool:
        """Whether the machine was overloaded between these moments of the clock."""
        start = min(start, end - SHORTEST)
        samples = list(self._samples)
        before = [sample for sample in samples if sample.time <= start][-1:]
        after = [sample for sample in samples if sample.time >= end][:1]
        meant = [*before, *(sample for sample in samples if start < sample.time < end), *after]
        return _share(meant) > OVERLOADED or any(sample.late > LATE for sample in meant[1:])


def _share(samples: list[Sample]) -> float:
    """The share of the time between the first and the last in which somebody waited."""
    if len(samples) < 2 or samples[-1].time <= samples[0].time:
        return 0.0
    return (samples[-1].waited - samples[0].waited) / (samples[-1].time - samples[0].time)


def waiting_time() -> Callable[[], float]:
    """What tells how many seconds somebody has waited for a CPU, as well as this system can."""
    return _pressure if _PRESSURE.exists() and _readable(_PRESSURE) else Queue()


def _readable(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:  # it is there, but switched off
        return False


def _pressure() -> float:
    """As the kernel counts it: `some avg10=0.00 avg60=0.00 avg300=0.00 total=123456`."""
    total = _PRESSURE.read_bytes().partition(b"total=")[2].split()[0]
    return int(total) / 1_000_000


class Queue:
    """The same from the number of processes that want a CPU, asked from time to time."""

    def __init__(
        self,
        wanting: Callable[[], float] | None = None,
        clock: Callable[[], float] = time.monotonic,
        cores: int | None = None,
    ) -> None:
        self._wanting = wanting or _wanting
        self._clock = clock
        self._cores = cores or os.cpu_count() or 1
        self._then = clock()
        self._total = 0.0

    def __call__(self) -> float:
        """Seconds; whoever has no CPU waits, and shares it with one who has."""
        now = self._clock()
        share = (self._wanting() - self._cores) / self._cores
        self._total += (now - self._then) * min(1.0, max(0.0, share))
        self._then = now
        return self._total


def _wanting() -> float:
    """How many processes run or want to, besides ourselves; macOS tells only the last minute's."""
    with suppress(OSError):
        return int(_QUEUE.read_text().split()[3].partition("/")[0]) - 1
    return os.getloadavg()[0]
