"""The load of the machine: whether it had more to do than it could, judged afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spielwerk.contests.playing import facilities
from spielwerk.contests.playing.facilities import EVERY, Load
from tests.waiting import wait_until


@contextmanager
def loaded(waited: Callable[[], float]) -> Iterator[Load]:
    """A load that takes samples."""
    load = Load(waited)
    load.start()
    try:
        yield load
    finally:
        load.stop()


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


@pytest.mark.parametrize(("share", "overloaded"), [(0.0, False), (0.2, False), (0.5, True)])
def test_a_machine_where_many_have_to_wait_is_overloaded(share: float, overloaded: bool) -> None:
    machine = FakeMachine()
    machine.pass_by(10, share)
    assert machine.load.during(1002, 1005) == overloaded


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


def test_of_what_was_not_seen_nothing_is_said() -> None:
    machine = FakeMachine()
    assert not machine.load.during(0, 5)
    machine.pass_by(1, share=1.0)
    assert not machine.load.during(0, 500)


def test_a_moment_without_room_for_a_file_does_not_end_the_samples() -> None:
    taken: list[float] = []

    def tell() -> float:
        taken.append(0.0)
        if len(taken) == 2:
            raise OSError("too many open files")
        return 100.0

    with loaded(tell) as load:
        wait_until(lambda: len(taken) >= 4)
        assert {sample.waited for sample in [*load._samples]} == {100.0}


def test_a_kernel_that_keeps_no_such_account_leaves_the_lateness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(facilities, "_PRESSURE", Path("/no/such/file"))
    load = Load()
    load.sample()
    assert [sample.waited for sample in load._samples] == [0.0]
