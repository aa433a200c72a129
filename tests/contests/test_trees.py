"""Trees of processes: who belongs to them, seen with /proc and without it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.programs import processes, trees
from spielwerk.contests.programs.processes import (
    children,
    descriptors,
    everybody,
    exact_memory,
    name,
    read,
)
from spielwerk.contests.programs.trees import Tree, kill_abandoned, mark_of, marked, new_mark
from tests.contests.running import DAEMON, lives, python, run
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FAMILY = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        break
else:
    print('ready', flush=True)
time.sleep(100)
"""


@contextmanager
def started(code: str, mark: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """A process in a session of its own, when it has written something."""
    command, surroundings = python(code), marked(mark) if mark else {}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=surroundings, stdout=pipe, start_new_session=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def tree(root: int, mark: str = "") -> Iterator[Tree]:
    made = Tree(root, mark)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(params=["proc", "psutil"])
def source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where it is read what is known of processes."""
    if request.param == "psutil":
        for module in (processes, trees):
            monkeypatch.setattr(module, "PROC", False)
            monkeypatch.setattr(module, "LISTS_CHILDREN", False)
    assert isinstance(request.param, str)
    return request.param


@pytest.mark.usefixtures("source")
def test_what_is_known_of_ourselves() -> None:
    own = read(os.getpid())
    assert own
    assert (own.pid, own.parent, own.session) == (os.getpid(), os.getppid(), os.getsid(0))
    assert own.memory > 10_000_000
    assert own.cpu > 0
    assert not own.over
    again = read(os.getpid())
    assert again
    assert again.started == own.started


@pytest.mark.usefixtures("source")
def test_of_nobody_nothing_is_known() -> None:
    with started("print()") as process:
        pass
    process.wait()
    assert read(process.pid) is None
    assert children(process.pid) == []


@pytest.mark.usefixtures("source")
def test_one_who_has_ended_is_over_until_somebody_takes_notice() -> None:
    process = subprocess.Popen(["/bin/true"])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    found = read(process.pid)
    assert found
    assert found.over
    process.wait()


# Its first thread ends, and the other one goes on.
HEADLESS = """
import ctypes, threading, time
def go_on():
    kept = b'x' * 20_000_000
    while open('/proc/self/stat').read().split()[2] != 'Z':
        time.sleep(0.001)
    print('ready', flush=True)
    time.sleep(100)
threading.Thread(target=go_on).start()
ctypes.CDLL(None).pthread_exit(None)
"""


def test_one_whose_first_thread_has_ended_is_not_over() -> None:
    with started(HEADLESS) as process, tree(process.pid) as family:
        found = read(process.pid)
        assert found
        assert not found.over
        assert found.memory > 20_000_000
        assert any((what or "").startswith("pipe:") for what in descriptors(process.pid))
        assert family.kill()
        assert process.wait() == -signal.SIGKILL


def test_what_a_process_has_open_and_calls_itself(tmp_path: Path) -> None:
    code = (
        f"import time; f = open({str(tmp_path / 'x')!r}, 'w'); print(flush=True); time.sleep(100)"
    )
    with started(code) as process:
        assert str(tmp_path / "x") in descriptors(process.pid)
        assert name(process.pid).startswith("python")
    process.wait()
    assert list(descriptors(process.pid)) == []
    assert name(process.pid) == ""


def test_what_may_not_be_seen_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "scandir", refuse)
    assert list(descriptors(os.getpid())) == [None]


def test_a_name_may_hold_anything(tmp_path_factory: pytest.TempPathFactory) -> None:
    strange = tmp_path_factory.mktemp("x") / ") R 1 (x"
    strange.symlink_to("/bin/sleep")
    process = subprocess.Popen([strange, "100"])
    found = read(process.pid)
    process.kill()
    process.wait()
    assert found
    assert found.parent == os.getpid()


def test_memory_can_be_read_exactly() -> None:
    exact = exact_memory(os.getpid())
    own = read(os.getpid())
    assert exact
    assert own
    assert 0 < exact < 2 * own.memory
    assert exact_memory(2**30) is None


@pytest.mark.usefixtures("source")
def test_children_and_their_children_belong_to_a_tree() -> None:
    with started(FAMILY) as process, tree(process.pid) as family:
        assert len(family.look()) == 3
        assert {one.parent for one in family.members} == {os.getpid(), process.pid}
        assert family.kill()
        assert not any(lives(one.pid) for one in family.members)


@pytest.mark.usefixtures("source")
def test_beyond_the_most_that_matter_nobody_is_counted() -> None:
    with started(FAMILY) as process, tree(process.pid) as family:
        assert len(family.look(most=1)) == 2
        assert len(family.look()) == 3
        assert family.kill()


def test_who_was_seen_once_is_not_lost() -> None:
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    print('ready', flush=True)
    os.execve('/bin/sleep', ['sleep', '100'], {})
time.sleep(100)
"""
    with started(code) as process, tree(process.pid) as family:
        assert len(family.look()) == 2
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        (left,) = family.search()
        assert left.session == left.pid
        assert family.kill()
        assert not lives(left.pid)


def test_who_left_is_found_by_its_mark() -> None:
    mark = new_mark()
    code = DAEMON.format(then="time.sleep(100)", seconds=100)

    async def main() -> None:
        with started(code, mark) as process, tree(process.pid, mark) as family:
            await until(lambda: len(family.search()) == 2)
            assert len([one for one in family.look() if not one.over]) == 2
            assert family.kill()

    run(main())


def test_who_has_another_mark_belongs_to_another() -> None:
    code = DAEMON.format(then="time.sleep(100)", seconds=100)
    with (
        started(code, "mine") as process,
        started(code, "its") as other,
        tree(process.pid, "mine") as family,
        tree(other.pid, "its") as others,
    ):
        assert family.kill()
        assert len(others.search()) >= 2
        assert others.kill()


def test_a_tree_without_anybody_is_killed_at_once() -> None:
    with started("print()") as process, tree(process.pid) as family:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert family.kill()


def test_everybody_includes_ourselves() -> None:
    assert os.getpid() in everybody()


def test_marks_are_read_and_never_the_same() -> None:
    assert new_mark() != new_mark()
    with started("import time; print(flush=True); time.sleep(100)", "some mark") as process:
        assert mark_of(process.pid) == "some mark"
    assert mark_of(os.getpid()) == ""


# those who outlived their worker

WORKER = """
import asyncio, os, signal
from spielwerk.runners.programs import trees
from spielwerk.runners.programs.program import Program

trees.MARK = 'SPIELWERK_TEST'

async def main():
    program = Program(['sleep', '100'])
    await program.start()
    print(program.tree.root, flush=True)
    os.kill(os.getpid(), signal.{signal})

asyncio.run(main())
"""


@pytest.fixture
def mark_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nobody else's programs are killed, and no folder is left anywhere else."""
    monkeypatch.setattr(trees, "MARK", "SPIELWERK_TEST")
    monkeypatch.setenv("TMPDIR", str(tmp_path))


@contextmanager
def worker(ends_by: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A worker, and the program that it has started."""
    command = [sys.executable, "-c", WORKER.format(signal=ends_by)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        program = int(process.stdout.readline())
        yield process, program
        process.kill()


@pytest.mark.usefixtures("mark_of_its_own")
def test_programs_of_a_worker_that_was_killed_are_killed() -> None:
    async def main() -> None:
        with worker("SIGKILL") as (process, program):
            process.wait()
            assert lives(program)
            kill_abandoned()
            await until(lambda: not lives(program))

    run(main())


@pytest.mark.usefixtures("mark_of_its_own")
def test_programs_of_a_worker_that_lives_are_left_alone() -> None:
    async def main() -> None:
        with worker("SIGSTOP") as (process, program):
            kill_abandoned()
            assert lives(program)
            process.kill()
            process.wait()
            kill_abandoned()
            await until(lambda: not lives(program))

    run(main())


def test_a_tree_may_be_closed_while_another_one_is_searched() -> None:
    class Closing(Tree):
        def knows(self, pid: int) -> bool:
            other.close()
            return super().knows(pid)

    other, closing = Tree(os.getpid()), Closing(os.getpid())
    try:
        closing.gather(anywhere=True)
    finally:
        closing.close()
