"""Servers and generators as processes on cores of their own, and what they use."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.load.generator import Findings, Orders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORES = {CORES[-1]}
OTHER_CORES = {*CORES[:-1]} or SERVER_CORES

GENERATORS = 2
NEVER = float("inf")
SETTLE = 3.0  # seconds of play before it is measured


@contextmanager
def pinned(cores: set[int]) -> Iterator[None]:
    """What is started here runs on these cores, with all its threads."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class ServerProcess:
    """A server that prints `name address` for each of its ports when it is ready."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._folder = Path(f"/proc/{process.pid}")

    def ports(self, count: int) -> list[int]:
        """The ports it prints."""
        assert self._process.stdout  # noqa: S101 - it was started with a pipe
        lines = [self._process.stdout.readline() for _ in range(count)]
        if not all(lines):
            raise RuntimeError(f"{self._process.args!r} did not start: {self._process.wait()}")
        return [int(re.findall(r":(\d+)", line)[-1]) for line in lines]

    def memory(self, field: str = "VmRSS") -> float:
        """Megabytes of memory, those in use or at their most (VmHWM)."""
        status = (self._folder / "status").read_text()
        return int(status.partition(f"{field}:")[2].split()[0]) / 1024

    def cpu(self) -> float:
        """Seconds of processor time, all threads."""
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busy() -> float:
    """Seconds that anybody has used the server's core for."""
    (core,) = SERVER_CORES
    line = Path("/proc/stat").read_text().partition(f"cpu{core} ")[2].partition("\n")[0]
    fields = [int(field) for field in line.split()]
    return (sum(fields[:3]) + sum(fields[5:8])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def server(*command: str, log: Path | None = None) -> Iterator[ServerProcess]:
    """A server on its core, stopped in the end as an operator would stop it."""
    with ExitStack() as stack:
        errors = stack.enter_context(log.open("w")) if log else None
        with pinned(SERVER_CORES):
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        stack.enter_context(process)
        try:
            yield ServerProcess(process)
        finally:
            process.terminate()


@dataclass(frozen=True)
class Measured:
    """What all generators together found, and the server's processor time meanwhile."""

    seconds: float
    latencies: list[float]  # sorted
    counts: Counter[str]
    late: int
    behind: float  # seconds that the slowest generator itself was late, 99 % of the time at most
    cpu: float
    others: float  # seconds that others took on the server's core
    problem: str = ""  # the first thing that happened and must not

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds

    @property
    def cpu_each(self) -> float:
        """Microseconds of the server's processor time for each answer."""
        return 1e6 * self.cpu / max(1, len(self.latencies))

    def percentile(self, percent: float) -> float:
        """Milliseconds within which so many percent of the answers came."""
        if not self.latencies:
            return NEVER
        place = min(len(self.latencies) - 1, int(len(self.latencies) * percent / 100))
        return 1000 * self.latencies[place]


def measure(
    target: ServerProcess, orders: Orders, seconds: float, generators: int = GENERATORS
) -> Measured:
    """Let so many processes share the orders, and measure for some seconds."""
    shares = [_share(orders, number, generators) for number in range(generators)]
    with ExitStack() as stack:
        processes = [stack.enter_context(_generator(share)) for share in shares]
        for process in processes:
            _read(process)  # ready
        found, cpu, others = _watch(target, processes, seconds, SETTLE)
    return _together(found, seconds, cpu, others)


def measure_each(
    target: ServerProcess,
    orders: Sequence[Orders],
    seconds: float,
    settle: float = SETTLE,
    *,
    beside: AbstractContextManager[None] | None = None,
) -> list[Measured]:
    """The same with a process for each of different orders, who begin one after the other.

    What is beside them begins when all have joined; then what goes wrong is no error, but told.
    """
    with ExitStack() as stack:
        processes: list[subprocess.Popen[str]] = []
        for one in orders:
            processes.append(stack.enter_context(_generator(one)))
            _read(processes[-1])  # ready
        with beside or nullcontext():
            found, cpu, others = _watch(target, processes, seconds, settle)
    return [_together([one], seconds, cpu, others, clean=beside is None) for one in found]


def _watch(
    target: ServerProcess, processes: list[subprocess.Popen[str]], seconds: float, settle: float
) -> tuple[list[Findings], float, float]:
    """What the processes find, and what the server and others use of its core meanwhile."""
    begin = time.monotonic() + settle
    for process in processes:
        _write(process, f"{begin} {begin + seconds}")
    time.sleep(begin - time.monotonic())
    before, busy_before = target.cpu(), busy()
    time.sleep(begin + seconds - time.monotonic())
    cpu = target.cpu() - before
    others = max(0.0, busy() - busy_before - cpu)
    return [Findings(**json.loads(_read(process))) for process in processes], cpu, others


def _share(orders: Orders, number: int, of: int) -> Orders:
    return replace(orders, groups=orders.groups // of, seed=orders.seed + number)


@contextmanager
def _generator(orders: Orders) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "benchmarks.load.generator", json.dumps(asdict(orders))]
    with (
        pinned(OTHER_CORES),
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def _read(process: subprocess.Popen[str]) -> str:
    assert process.stdout  # noqa: S101 - it was started with a pipe
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"a generator failed: {process.wait()}")
    return line


def _write(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin  # noqa: S101 - it was started with a pipe
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _together(
    found: list[Findings], seconds: float, cpu: float, others: float, *, clean: bool = True
) -> Measured:
    for one in found:
        if one.problem and clean:
            raise RuntimeError(f"the load was not clean: {one.problem}")
    return Measured(
        seconds,
        sorted(latency for one in found for latency in one.latencies),
        sum((Counter(one.counts) for one in found), Counter()),
        sum(one.late for one in found),
        max(one.behind for one in found),
        cpu,
        others,
        next((one.problem for one in found if one.problem), ""),
    )
