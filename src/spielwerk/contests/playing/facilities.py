"""What a process lends its games: engines, a clock, and measures of load and of CPU time."""

from __future__ import annotations

import threading
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.clients.players import make_remote
from spielwerk.tables.arena import Arena
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.parts import SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.records import Entry

EVERY: Final = 0.05  # seconds between two samples of the load
KEPT: Final = 6000  # samples: five minutes
SHORTEST: Final = 1.0  # seconds; what happened in less is judged together with what was before

# A quarter of the time that CPUs worked, others waited for them. With as many busy processes as
# there are CPUs it is about 1 %, with one more on two CPUs 55 %, with twice as many 70 %.
OVERLOADED: Final = 0.25
# A thread that wanted to be woken was left asleep: the machine swapped, or stood still altogether.
LATE: Final = 0.25  # seconds

_PRESSURE: Final = Path("/proc/pressure/cpu")


class Facilities:
    """Engines and a clock for the games that are played in this process.

    `threads` is how many engines may think at once; a worker plays one game at a time, in which
    one of them thinks at a time.
    """

    def __init__(self, threads: int = 1) -> None:
        self.engines = EnginePool(threads, remote=make_remote)
        self.clock = SystemClock()
        self.load = Load()
        self.load.start()
        # The services want an arena; in a contest every game has its table for itself.
        self.arena = Arena(_NoJournal(), self.clock, engines=self.engines)

    async def close(self) -> None:
        """Let the engines go; what they think about is not waited for."""
        self.engines.close()
        self.load.stop()


class _NoJournal:
    """The journal of an arena without tables."""

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        raise AssertionError(f"nothing writes {entry} here, for {done}")


def _pressure() -> float:
    """As the kernel counts it: `some avg10=0.00 avg60=0.00 avg300=0.00 total=123456`."""
    total = _PRESSURE.read_bytes().partition(b"total=")[2].split()[0]
    return int(total) / 1_000_000


class LoadSample(NamedTuple):
    """The load at a moment."""

    time: float  # of the clock
    waited: float  # seconds that processes have waited for a CPU until then
    late: float  # seconds that the sample came too late


class Load:
    """Whether the machine had more to do than it could, judged afterwards.

    A thread takes samples: how long processes waited for a CPU, where the kernel counts that, and
    how late it is itself.
    """

    def __init__(
        self,
        waited: Callable[[], float] = _pressure,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._waited = waited
        self._clock = clock
        self._samples: deque[LoadSample] = deque(maxlen=KEPT)
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
            self.sample(due)
            due = self._clock() + EVERY

    def sample(self, due: float | None = None) -> None:
        """Take a sample that was to be taken at a certain time."""
        now = self._clock()
        late = 0.0 if due is None else max(0.0, now - due)
        try:
            waited = self._waited()
        except OSError:  # the kernel does not count it, or there is no room for an open file
            waited = self._samples[-1].waited if self._samples else 0.0
        self._samples.append(LoadSample(now, waited, late))

    def during(self, start: float, end: float) -> bool:
        """Whether the machine was overloaded between these moments of the clock."""
        start = min(start, end - SHORTEST)
        samples = list(self._samples)
        before = [sample for sample in samples if sample.time <= start][-1:]
        after = [sample for sample in samples if sample.time >= end][:1]
        meant = [*before, *(sample for sample in samples if start < sample.time < end), *after]
        return _share(meant) > OVERLOADED or any(sample.late > LATE for sample in meant[1:])


def _share(samples: list[LoadSample]) -> float:
    """The share of the time between the first and the last in which processes waited."""
    if len(samples) < 2 or samples[-1].time <= samples[0].time:
        return 0.0
    return (samples[-1].waited - samples[0].waited) / (samples[-1].time - samples[0].time)


class CpuMeter:
    """The CPU time of each move; programs have clocks, engines say how long they thought."""

    def __init__(self) -> None:
        self.clocks: dict[int, Callable[[], int]] = {}  # of programs, in milliseconds
        self.engines: dict[int, float] = {}  # seconds in all
        self._before: int | None = None  # the clock of the seat that was asked
        self._thought: float | None = None  # seconds

    def thought(self, seconds: float) -> None:
        """An engine has found a move; called in its thread."""
        self._thought = seconds

    def asked(self, seat: int) -> None:
        """The player begins to think."""
        clock = self.clocks.get(seat)
        self._before = clock() if clock else None

    def spent(self, seat: int) -> int | None:
        """Milliseconds since then, if they are known."""
        clock, before, thought = self.clocks.get(seat), self._before, self._thought
        self._before = self._thought = None
        if thought is not None:
            self.engines[seat] = self.engines.get(seat, 0.0) + thought
            return round(1000 * thought)
        return None if clock is None or before is None else clock() - before
