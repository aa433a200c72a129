"""Measuring: CPU time by the microsecond, and machines that have too much to do."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.programs import measuring
from spielwerk.contests.programs.measuring import EVERY, KEPT, CpuClock, Load, Queue, waiting_time
from spielwerk.contests.programs.processes import Process
from spielwerk.contests.programs.trees import Tree
from tests.contests.running import python
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MILLISECOND = 1_000_000  # nanoseconds

# Burns as much CPU time as it is told, line by line, and tells when it has.
BURNER = """
import os, time
for line in iter(input, ''):
    end = time.process_time() + float(line)
    while time.process_time() < end: pass
    print(flush=True)
"""


@contextmanager
def loaded(waited: Callable[[], float]) -> Iterator[Load]:
    """A load that takes samples."""
    load = Load(waited)
    load.start()
    try:
        yield load
    finally:
        load.stop()


class Burner:
    """A process that uses CPU time on demand."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.pid = process.pid
        self._stdin = process.stdin
        self._stdout = process.stdout

    def burn(self, seconds: float) -> None:
        self._stdin.write(f"{seconds}\n".encode())
        self._stdin.flush()
        self._stdout.readline()


@contextmanager
def running(code: str = BURNER) -> Iterator[tuple[Burner, Tree]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(python(code), stdin=pipe, stdout=pipe, start_new_session=True) as process:
        tree = Tree(process.pid)
        try:
            yield Burner(process), tree
        finally:
            process.kill()
            tree.close()


# CPU time


def test_a_process_is_measured_finely() -> None:
    with running() as (burner, tree):
        burner.burn(0)
        clock = CpuClock(tree)
        before = clock.read()
        burner.burn(0.025)
        assert 25 <= clock.read() - before < 100


def test_who_only_waits_uses_no_time() -> None:
    with running() as (burner, tree):
        burner.burn(0)
        clock = CpuClock(tree)
        clock.read()
        burner.burn(0)
        before = clock.read()
        for _ in range(100):
            clock.read()
        assert clock.read() - before <= 1


def test_a_reading_is_cheap() -> None:
    with running() as (burner, tree):
        burner.burn(0)
        clock = CpuClock(tree)
        took = []
        for _ in range(200):
            start = time.perf_counter()
            clock.read()
            took.append(time.perf_counter() - start)
        assert sorted(took)[100] < 0.0005


FORKING = """
import os, time
def burn():
    while time.process_time() < 0.1: pass
for line in iter(input, ''):
    if os.fork() == 0:
        burn()
        os._exit(0)
    os.wait()
    print(flush=True)
"""


def test_children_that_ended_count() -> None:
    with running(FORKING) as (burner, tree):
        clock = CpuClock(tree)
        for number in range(1, 4):
            burner.burn(0)
            tree.look()
            assert clock.read() >= 90 * number


class FakeTree:
    """As much of a tree as a clock sees; what is looked at next is known before."""

    def __init__(self, *looks: tuple[Process, ...]) -> None:
        self.members, *self._looks = looks

    def look(self) -> None:
        if self._looks:
            self.members = self._looks.pop(0)


def process(pid: int, cpu: int = 0, waited: int = 0) -> Process:
    return Process(pid, 1, 1, 1, False, 0, cpu * MILLISECOND, waited * MILLISECOND)


def clock(monkeypatch: pytest.MonkeyPatch, *looks: tuple[Process, ...]) -> CpuClock:
    """A clock that can only go by what was seen."""
    monkeypatch.setattr(measuring, "_own_time", lambda _: None)
    tree: Tree = FakeTree(looks[0], *looks)  # type: ignore[assignment]
    return CpuClock(tree)


def test_the_time_of_one_who_vanished_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [(process(1, 100), process(2, 500)), (process(1, 200),), (process(1, 300),)]
    counter = clock(monkeypatch, *seen)
    assert [counter.read() for _ in seen] == [600, 600, 700]


def test_time_that_a_parent_takes_over_is_not_counted_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counter = clock(
        monkeypatch,
        (process(1, 100), process(2, 505)),
        (process(1, 100, waited=500),),
        (process(1, 110, waited=500),),
    )
    assert [counter.read() for _ in range(3)] == [605, 605, 610]


def test_after_the_end_the_time_stays_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = clock(monkeypatch, (process(1, 100),), ())
    assert [counter.read() for _ in range(3)] == [100, 100, 100]


# load


class FakeMachine:
    """A machine with a clock, where somebody waits for a CPU some share of the time."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.total = 0.0
        self.load = Load(lambda: self.total, lambda: self.now)
        self.load.sample()

    def pass_by(self, seconds: float, share: float = 0.0, late: float = 0.0) -> None:
        """Let time pass, with samples as they come, each as late as that."""
        for _ in range(round(seconds / EVERY)):
            due = self.now + EVERY
            self.now = due + late
            self.total += (EVERY + late) * share
            self.load.sample(due)


def test_an_idle_machine_is_not_overloaded() -> None:
    machine = FakeMachine()
    machine.pass_by(10)
    assert not machine.load.during(1002, 1005)


def test_a_busy_machine_where_few_have_to_wait_is_not_overloaded() -> None:
    machine = FakeMachine()
    machine.pass_by(10, share=0.2)
    assert not machine.load.during(1002, 1005)


def test_a_machine_where_many_have_to_wait_is_overloaded() -> None:
    machine = FakeMachine()
    machine.pass_by(10, share=0.5)
    assert machine.load.during(1002, 1005)


def test_only_the_time_in_question_counts() -> None:
    machine = FakeMachine()
    machine.pass_by(10)
    machine.pass_by(3, share=1.0)
    machine.pass_by(10)
    assert not machine.load.during(1002, 1009)
    assert machine.load.during(1009, 1014)
    assert not machine.load.during(1015, 1020)


def test_a_moment_is_judged_by_the_second_before_it() -> None:
    machine = FakeMachine()
    machine.pass_by(5, share=1.0)
    assert machine.load.during(1004.99, 1005)
    machine.pass_by(5)
    assert not machine.load.during(1009.99, 1010)


def test_a_machine_that_stood_still_was_overloaded() -> None:
    machine = FakeMachine()
    machine.pass_by(5)
    machine.pass_by(EVERY, late=1.0)
    machine.pass_by(5)
    assert machine.load.during(1004, 1007)
    assert not machine.load.during(1001, 1003)
    assert not machine.load.during(1008, 1010)


def test_a_little_late_is_not_too_late() -> None:
    machine = FakeMachine()
    machine.pass_by(5, late=0.02)
    assert not machine.load.during(1001, 1004)


def test_of_what_was_not_seen_nothing_is_said() -> None:
    machine = FakeMachine()
    assert not machine.load.during(0, 5)
    machine.pass_by(1, share=1.0)
    assert not machine.load.during(0, 500)


def test_samples_are_kept_for_some_minutes() -> None:
    machine = FakeMachine()
    machine.pass_by(5, share=1.0)
    machine.pass_by(KEPT * EVERY)
    assert not machine.load.during(1001, 1004)


def test_without_the_kernels_word_the_queue_tells() -> None:
    now, wanting = [0.0], [0.0]
    queue = Queue(lambda: wanting[0], lambda: now[0], cores=4)
    told = []
    for length in (0, 4, 5, 6, 8, 100):
        wanting[0] = length
        now[0] += 1
        told.append(queue())
    shares = [after - before for before, after in zip([0.0, *told], told, strict=False)]
    assert shares == [0, 0, 0.25, 0.5, 1, 1]


def test_a_system_without_such_files_still_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_PRESSURE", Path("/no/such/file"))
    monkeypatch.setattr(measuring, "_QUEUE", Path("/no/such/file"))
    tells = waiting_time()
    assert isinstance(tells, Queue)
    assert tells() >= 0


def test_a_kernel_that_keeps_no_such_account_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "empty").touch()
    monkeypatch.setattr(measuring, "_PRESSURE", tmp_path / "empty")
    assert isinstance(waiting_time(), Queue)


@pytest.mark.parametrize("source", ["pressure", "queue"])
def test_a_machine_that_is_really_overloaded_is_found_so(source: str) -> None:
    tells = waiting_time() if source == "pressure" else Queue()
    burners = [
        subprocess.Popen(python("while True: pass")) for _ in range(3 * (os.cpu_count() or 1))
    ]
    try:
        with loaded(tells) as load:
            wait_until(lambda: load.during(time.monotonic() - 1, time.monotonic()))
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def test_a_load_that_is_stopped_takes_no_more_samples() -> None:
    taken: list[float] = []

    def count() -> float:
        taken.append(0.0)
        return 0.0

    with loaded(count) as load:
        wait_until(lambda: len(taken) >= 3)
    after = len(taken)
    assert not load.during(time.monotonic() - 1, time.monotonic())
    assert len(taken) == after


def test_a_moment_without_room_for_a_file_does_not_end_the_samples() -> None:
    taken: list[float] = []

    def tell() -> float:
        taken.append(0.0)
        if len(taken) == 2:
            raise OSError("too many open files")
        return 0.0

    with loaded(tell):
        wait_until(lambda: len(taken) >= 4)
