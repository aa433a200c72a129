"""Programs of entrants: what they find, what is known of them, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

import psutil
import pytest

from spielwerk.contests.contest import Resources
from spielwerk.contests.programs import program as module
from spielwerk.contests.programs.folders import clear_abandoned
from spielwerk.contests.programs.processes import ProcessTree
from spielwerk.contests.programs.program import CannotRun
from tests.contests.contests import in_loop
from tests.contests.running import (
    SLEEP,
    WHEREVER,
    Program,
    exists,
    handles,
    killed_worker,
    lives,
    offspring,
    only,
    outcome,
    python,
    said,
)
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("place")

MEGABYTE = 1_000_000


# what it finds


@in_loop
async def test_a_program_finds_nothing_but_its_own_environment(place: Path) -> None:
    program = await outcome("env")
    found = dict(line.split("=", 1) for line in program.output.splitlines())
    assert sorted(found) == ["HOME", "LANG", "PATH", "TMPDIR"]
    assert found["HOME"] == found["TMPDIR"]
    assert found["HOME"].startswith(str(place))
    assert found["LANG"] == "C.UTF-8"
    assert found["PATH"] == os.environ["PATH"]


@in_loop
async def test_its_input_is_at_its_end() -> None:
    program = await outcome(*python("import sys; print(repr(sys.stdin.read()))"))
    assert program.output == "''"


@in_loop
async def test_it_gets_no_files_of_ours(tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        program = await outcome(*python("import os; print(os.listdir('/proc/self/fd'))"))
    assert program.output == "['0', '1', '2', '3']"  # the last one is that folder itself


@WHEREVER
@in_loop
async def test_it_runs_in_a_copy_of_its_folder(tmp_path: Path, sandboxed: bool) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    (folder / "bot").write_text("#!/bin/sh\ncat data\necho changed > data\n")
    (folder / "bot").chmod(0o755)
    (folder / "data").write_text("data\n")
    for _ in range(2):
        program = await outcome("./bot", folder=str(folder), sandboxed=sandboxed)
        assert program.output == "data"


# what is known of it


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("", "exit 0"),
        ("raise SystemExit(3)", "exit 3"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
        ("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    ],
)
@WHEREVER
@in_loop
async def test_how_it_ended(code: str, status: str, sandboxed: bool) -> None:
    async with Program(python(code), sandboxed=sandboxed) as program:
        assert await program.ended == status
    assert program.status == status
    assert program.over_limit == ""


@in_loop
async def test_its_status_from_start_to_stop_which_may_come_twice_and_at_once() -> None:
    program = Program(python(SLEEP))
    assert program.status == "not started"
    await program.start()
    assert program.status == "running"
    assert not program.ended.done()
    await asyncio.gather(program.stop(), program.stop())
    await program.stop()
    assert program.status == await program.ended == "stopped"


@in_loop
async def test_all_that_it_wrote_is_there_when_it_ends() -> None:
    async with Program(["sh", "-c", "echo first; echo last"]) as program:
        await program.ended
        assert program.output == "first\nlast"


@in_loop
async def test_writing_much_does_not_block_it() -> None:
    program = await outcome(*python("print(('x' * 89 + '\\n') * 10000)"))
    assert program.status == "exit 0"
    assert 8000 < len(program.output) <= 8192


@in_loop
async def test_its_cpu_time_counts_its_children_living_and_ended() -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass\n"
    code = f"""
import os, time
for _ in range(2):
    if os.fork() == 0:
        exec({burn!r})
        os._exit(0)
    os.wait()
if os.fork() == 0:
    exec({burn!r})
    print('ready', flush=True)
time.sleep(100)
"""
    async with Program(python(code)) as program:
        before = program.cpu()
        await said(program, "ready")
        assert program.cpu() >= before
        await until(lambda: program.cpu() >= 550)
        last = program.cpu()
    assert last <= program.cpu() < 5000


# stopping


@WHEREVER
@in_loop
async def test_a_program_is_asked_to_end(sandboxed: bool) -> None:
    code = f"""
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: (print('bye'), sys.exit(0)))
{SLEEP}
"""
    async with Program(python(code), sandboxed=sandboxed, grace=30) as program:
        await said(program, "ready")
    assert program.output == "ready\nbye"
    assert program.status == "stopped"


@in_loop
async def test_a_program_that_cannot_be_watched_does_not_stay(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def failing(process: subprocess.Popen[bytes], _told: object) -> None:
        started.append(process)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(module, "when_ended", failing)
    with pytest.raises(RuntimeError, match="new thread"):
        await Program(python(SLEEP)).start()
    assert not exists(started[0].pid)
    assert only(place) == []


@pytest.mark.usefixtures("adopting")
@in_loop
async def test_a_child_of_ours_that_is_no_program_is_left_alone() -> None:
    other = await asyncio.create_subprocess_exec("sleep", "100")
    await outcome("true")
    assert other.returncode is None
    other.kill()
    await other.wait()


@in_loop
async def test_stopping_what_was_never_started_does_nothing() -> None:
    program = Program(["true"])
    await program.stop()
    assert program.status == "not started"
    assert (program.output, program.cpu(), program.memory) == ("", 0, 0)


@in_loop
async def test_who_is_cancelled_while_stopping_has_stopped_it(place: Path) -> None:
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"
    program = Program(python(code), grace=0.2)
    await program.start()
    await said(program, "ready")
    stopping = asyncio.create_task(program.stop())
    await asyncio.sleep(0)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert program.status == "stopped"
    assert only(place) == []


@in_loop
async def test_who_is_cancelled_while_starting_leaves_nothing(tmp_path: Path, place: Path) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    for number in range(300):
        (folder / str(number)).touch()
    program = Program(["true"], folder=str(folder))
    starting = asyncio.create_task(program.start())
    await until(lambda: only(place))
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert only(place) == []
    assert program.status == "not started"


@in_loop
async def test_one_that_does_not_die_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"
    program = Program(python(code), grace=0.01)
    await program.start()
    await said(program, "ready")
    assert program._tree
    with monkeypatch.context() as patched:
        patched.setattr(ProcessTree, "kill", lambda _: False)
        patched.setattr(module, "_LAST_NOTICE", 0.01)
        await program.stop()
    assert await program.ended == "stopped"
    os.kill(program._tree.root, signal.SIGKILL)


# beyond its limits


@in_loop
async def test_the_memory_of_all_its_processes_counts() -> None:
    code = f"""
import os
if os.fork() and os.fork():
    x = b'x'
else:
    x = bytearray(60_000_000)
{SLEEP}
"""
    program = await outcome(*python(code), limits=Resources(memory=100 * MEGABYTE))
    assert "of memory, more than the 100 MB allowed" in program.status


@in_loop
async def test_memory_that_processes_share_counts_once() -> None:
    code = f"""
import os
x = bytearray(60_000_000)
os.fork(), os.fork()
{SLEEP}
"""
    limit = 150 * MEGABYTE
    async with Program(python(code), limits=Resources(memory=limit)) as program:
        await until(lambda: program.memory > limit)
        assert program.status == "running"


@in_loop
async def test_the_kernel_holds_children_to_the_limits_too(place: Path) -> None:
    code = """
import os, resource, time
while not os.path.exists('go'):
    time.sleep(0.001)
if os.fork() == 0:
    print(*(resource.getrlimit(kind)[1] for kind in (
        resource.RLIMIT_CORE, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)))
else:
    os.wait()  # what is left of a program is killed when its first process ends
"""
    async with Program(python(code), limits=Resources(cpu=7.5, files=1234)) as program:
        (folder,) = place.iterdir()
        (folder / "work" / "go").touch()
        await until(lambda: program.output)
    assert program.output == "0 10 1234"


@in_loop
async def test_a_fork_bomb_is_stopped_with_every_splinter() -> None:
    # Seven times twice as many: 127 processes, and no more if nobody stops them.
    code = """
import os, time
for _ in range(7):
    if os.fork() == 0:
        os.setsid()
    time.sleep(0.02)
time.sleep(100)
"""
    program = await outcome(*python(code), limits=Resources(processes=20))
    assert program.status == "stopped: had more than 20 processes"
    left = [one for one in psutil.process_iter() if _has(one, code)]
    assert left == []


def _has(process: psutil.Process, code: str) -> bool:
    try:
        return code in process.cmdline()
    except psutil.Error:
        return False


# what cannot be run


@in_loop
async def test_a_program_that_cannot_be_run_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("just text")
    (tmp_path / "bot").chmod(0o755)
    problems = {
        "no-such-program": "there is no such program on the PATH",
        "/etc": "it is a folder",
        "/etc/passwd": "it is not executable",
        f"{tmp_path}/bot": "it is neither an executable nor a script",
    }
    before = handles()
    for command, problem in problems.items():
        program = Program([command])
        with pytest.raises(CannotRun, match=problem):
            await program.start()
        assert program.status == "not started"
    assert handles() == before


# nothing stays


@in_loop
async def test_what_a_killed_process_left_is_cleared_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "abandoned"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    left = killed_worker("Network", processes=3)
    assert all(map(lives, left))
    clear_abandoned()
    await until(lambda: not any(map(lives, left)))
    assert only(place) == []


# A child that leaves: it has a session of its own, its parent ends, and so does that one's child.
DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print('daemon', flush=True)
        time.sleep(100)
    os._exit(0)
os.wait()
time.sleep(100)
"""


@pytest.mark.usefixtures("adopting")
@in_loop
async def test_many_programs_leave_nothing_behind(place: Path) -> None:
    async def one(command: list[str]) -> None:
        async with Program(command, grace=0.05) as program:
            if len(command) > 1:
                await said(program, "daemon")

    await one(["true"])
    before = handles(), offspring(), threading.active_count()
    for _ in range(4):
        await asyncio.gather(*(one(["true"]) for _ in range(4)), one(python(DAEMON)))
    gc.collect()
    assert (handles(), offspring()) == before[:2]
    assert threading.active_count() <= before[2] + 12  # the loop's own, for waiting
    assert only(place) == []
    assert signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL
