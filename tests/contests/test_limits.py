"""Limits: what the kernel is told, and what is said of those who are beyond one."""

from __future__ import annotations

import resource
import signal
import subprocess
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from spielwerk.contests.contest import Resources
from spielwerk.contests.programs import limits as module
from spielwerk.contests.programs.limits import enforced, exceeded, memory_of, restrain
from spielwerk.contests.programs.processes import Process

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

NOBODY = 2**30  # a number that no process has
ONE = Process(NOBODY, 1, 1, 1, over=False, memory=60_000_000, cpu=0, waited=0)
FEW = Resources(memory=100_000_000, processes=3, cpu=1.5, output=10, files=1000)


@contextmanager
def sleeping() -> Iterator[int]:
    process = subprocess.Popen(["/bin/sleep", "100"])
    yield process.pid
    process.kill()
    process.wait()


def test_a_process_is_held_to_its_limits() -> None:
    with sleeping() as pid:
        restrain(pid, FEW)
        assert resource.prlimit(pid, resource.RLIMIT_CORE) == (0, 0)
        assert resource.prlimit(pid, resource.RLIMIT_FSIZE) == (1000, 1000)
        seconds, _ = resource.prlimit(pid, resource.RLIMIT_CPU)
        assert seconds > FEW.cpu
        threads, _ = resource.prlimit(pid, resource.RLIMIT_NPROC)
        assert threads > FEW.processes


def test_what_can_be_written_to_is_limited_generously_and_what_is_reserved_is_not() -> None:
    with sleeping() as pid:
        restrain(pid, FEW)
        writable, _ = resource.prlimit(pid, resource.RLIMIT_DATA)
        assert writable > 4 * FEW.memory
        unlimited = resource.RLIM_INFINITY
        assert resource.prlimit(pid, resource.RLIMIT_AS) == (unlimited, unlimited)


def test_a_limit_is_never_raised() -> None:
    with sleeping() as pid:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (10, 10))
        restrain(pid, FEW)
        assert resource.prlimit(pid, resource.RLIMIT_FSIZE) == (10, 10)


def test_one_who_is_gone_cannot_be_restrained_and_that_is_all_right() -> None:
    restrain(NOBODY, FEW)


def test_who_is_within_the_limits_is_not_mentioned() -> None:
    assert exceeded([ONE], 1500, FEW) is None
    assert exceeded([], 0, FEW) is None


def test_cpu_time_beyond_the_limit() -> None:
    assert exceeded([ONE], 1501, FEW) == "used 1.5 s of CPU time, allowed are 1.5 s"
    large = replace(FEW, cpu=3600.0)
    assert exceeded([ONE], 3_700_000, large) == "used 3,700.0 s of CPU time, allowed are 3,600 s"


def test_memory_beyond_the_limit() -> None:
    assert memory_of([ONE, ONE]) == 120_000_000
    assert exceeded([ONE, ONE], 0, FEW) == "used 120 MB of memory, allowed are 100 MB"


def test_memory_that_is_shared_is_looked_at_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "exact_memory", lambda _: 40_000_000)
    assert exceeded([ONE, ONE], 0, FEW) is None
    assert exceeded([ONE, ONE, ONE], 0, FEW) == "used 120 MB of memory, allowed are 100 MB"


def test_signals_by_which_the_kernel_enforces_limits() -> None:
    assert enforced(signal.SIGXCPU, FEW) == "used more than 1.5 s of CPU time"
    assert enforced(signal.SIGXFSZ, FEW) == "wrote more than 1,000 bytes into a file"
    assert enforced(signal.SIGKILL, FEW) is None
    assert enforced(0, FEW) is None
