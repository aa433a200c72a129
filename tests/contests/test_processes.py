"""The processes of a program: found, measured, held to limits, and told about when they end."""

from __future__ import annotations

import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from spielwerk.contests.contest import Resources
from spielwerk.contests.programs import processes
from spielwerk.contests.programs.processes import (
    ProcessTree,
    enforced,
    excess,
    in_words,
    restrain,
    told_by_shell,
    when_ended,
)
from tests.contests.contests import in_loop
from tests.contests.running import exists, lives, python
from tests.waiting import until, wait_until

FEW = Resources(memory=100_000_000, processes=3, cpu=1.5, output=10, files=1000)


@contextmanager
def started(code: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(python(code), start_new_session=True, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


# who belongs to it

FAMILY = "import os, time\nfor _ in range(2): os.fork()\ntime.sleep(100)"


@pytest.mark.parametrize("wrappers", [0, 1])
def test_children_and_their_children_belong_to_a_tree_and_wrappers_do_not(wrappers: int) -> None:
    with started(FAMILY) as process:
        tree = ProcessTree(process.pid, wrappers)
        wait_until(lambda: len(tree.find()) == 4)
        assert len(tree.members) == 4 - wrappers
        assert (process.pid in [one.pid for one in tree.members]) == (wrappers == 0)
        assert tree.kill()
        assert not any(lives(one.pid) for one in tree.members)


# what they use


def test_what_is_beyond_a_limit_is_told() -> None:
    tree: Any = SimpleNamespace(
        members=[1], cpu=lambda: 1500, memory=lambda: 120_000_000, exact_memory=lambda: 100_000_000
    )
    assert excess(tree, FEW) == ""
    tree.exact_memory = lambda: 120_000_000
    assert excess(tree, FEW) == "used 120 MB of memory, more than the 100 MB allowed"
    tree.cpu = lambda: 3_700_000
    assert excess(tree, FEW) == "used 3,700.0 s of CPU time, more than the 1.5 s allowed"
    tree.members = [1, 2, 3, 4]
    assert excess(tree, FEW) == "had more than 3 processes"


# limits of the kernel


def test_a_process_is_held_to_its_limits_and_none_is_raised() -> None:
    with started("import time; time.sleep(100)") as process:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (10, 10))
        restrain(process.pid, FEW)
        assert resource.prlimit(process.pid, resource.RLIMIT_FSIZE) == (10, 10)
        assert resource.prlimit(process.pid, resource.RLIMIT_CORE) == (0, 0)
        assert resource.prlimit(process.pid, resource.RLIMIT_CPU)[0] > FEW.cpu
        assert resource.prlimit(process.pid, resource.RLIMIT_NPROC)[0] > FEW.processes
        assert resource.prlimit(process.pid, resource.RLIMIT_DATA)[0] > 4 * FEW.memory
        unlimited = resource.RLIM_INFINITY
        assert resource.prlimit(process.pid, resource.RLIMIT_AS) == (unlimited, unlimited)
    restrain(2**30, FEW)  # a number that no process has


def test_signals_by_which_the_kernel_enforces_limits() -> None:
    assert enforced(-signal.SIGXCPU, FEW) == "used more than 1.5 s of CPU time"
    assert enforced(-signal.SIGXFSZ, FEW) == "wrote more than 1,000 bytes into a file"
    assert enforced(-signal.SIGKILL, FEW) == enforced(0, FEW) == ""


# the end


@pytest.mark.parametrize(
    ("code", "words"),
    [(0, "exit 0"), (255, "exit 255"), (-11, "killed by SIGSEGV"), (-50, "killed by signal 50")],
)
def test_an_exit_code_in_words(code: int, words: str) -> None:
    assert in_words(code) == words


@pytest.mark.parametrize(
    ("code", "meant"), [(1, 1), (127, 127), (128, 128), (137, -9), (139, -11), (255, 255)]
)
def test_an_exit_code_that_bubblewrap_passes_on(code: int, meant: int) -> None:
    assert told_by_shell(code) == meant


@pytest.mark.parametrize(("end", "code"), [("exit 7", 7), ("kill -SEGV $$", -11)])
@in_loop
async def test_the_end_is_told_and_takes_the_group_along(end: str, code: int) -> None:
    burn = f"{python('i = 0')[0]} -S -c 'for i in range(3_000_000): pass'"
    told: list[tuple[int, int]] = []
    process = subprocess.Popen(
        ["/bin/sh", "-c", f"sleep 100 & echo $!; {burn}; {end}"],
        start_new_session=True,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    child = int(process.stdout.readline())
    when_ended(process, lambda *what: told.append(what))
    await until(lambda: told)
    ((found, spent),) = told
    assert found == code
    assert 10_000_000 < spent < 60 * 10**9
    assert not exists(process.pid)
    await until(lambda: not lives(child))
    process.stdout.close()


def test_only_a_worker_sweeps_orphans() -> None:
    with started("import time; time.sleep(100)") as process:
        processes.sweep()
        time.sleep(0.05)
        assert lives(process.pid)
