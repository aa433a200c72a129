"""Programs of entrants: what they find, what is known of them, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import psutil
import pytest

from spielwerk.contests.assignment import AssignedPlayer
from spielwerk.contests.programs import program as module
from spielwerk.contests.programs.folders import clear_abandoned
from spielwerk.contests.programs.network import Network
from spielwerk.contests.programs.processes import ProcessTree
from spielwerk.contests.programs.program import CannotRun
from spielwerk.store.contest_records import Kind
from tests.contests.running import (
    DAEMON,
    SLEEP,
    Program,
    exists,
    lives,
    numbers,
    only,
    outcome,
    python,
    run,
    said,
)
from tests.contests.terms import usual_terms
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("place")

MEGABYTE = 1_000_000


# what it finds


def test_a_program_finds_nothing_but_its_own_environment(place: Path) -> None:
    async def main() -> None:
        program = await outcome("env")
        found = dict(line.split("=", 1) for line in program.output.splitlines())
        assert sorted(found) == ["HOME", "LANG", "PATH", "TMPDIR"]
        assert found["HOME"] == found["TMPDIR"]
        assert found["HOME"].startswith(str(place))
        assert found["LANG"] == "C.UTF-8"
        assert found["PATH"] == os.environ["PATH"]

    run(main())


def test_its_input_is_at_its_end() -> None:
    async def main() -> None:
        program = await outcome(*python("import sys; print(repr(sys.stdin.read()))"))
        assert program.output == "''"

    run(main())


def test_it_gets_no_files_of_ours(tmp_path: Path) -> None:
    async def main() -> None:
        with (tmp_path / "secret").open("w") as secret:
            os.set_inheritable(secret.fileno(), True)
            program = await outcome(*python("import os; print(os.listdir('/proc/self/fd'))"))
        assert program.output == "['0', '1', '2', '3']"  # the last one is that folder itself

    run(main())


def test_it_runs_in_a_copy_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    (folder / "bot").write_text("#!/bin/sh\ncat data\necho changed > data\n")
    (folder / "bot").chmod(0o755)
    (folder / "data").write_text("data\n")

    async def main() -> None:
        for _ in range(2):
            program = await outcome("./bot", folder=str(folder))
            assert program.output == "data"

    run(main())


def test_a_player_becomes_a_program(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import sys; print(sys.argv[1:])")
    text = f"{sys.executable} bot.py -n {{name}} {{port}}"
    player = AssignedPlayer("anna", Kind.COMMAND, text, base=str(tmp_path))

    async def main() -> None:
        async with Program.of(player, {"port": "7"}, usual_terms(), Network()) as program:
            await program.ended
        assert program.output == "['-n', 'anna', '7']"

    run(main())


# what is known of it


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("", "exit 0"),
        ("raise SystemExit(3)", "exit 3"),
        ("import os; os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
        ("import os; os.kill(os.getpid(), 40)", "killed by signal 40"),
        ("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    ],
)
def test_how_it_ended(code: str, status: str) -> None:
    async def main() -> None:
        async with Program(python(code)) as program:
            assert await program.ended == status
        assert program.status == status
        assert program.over_limit == ""

    run(main())


def test_its_status_from_start_to_stop() -> None:
    async def main() -> None:
        program = Program(python(SLEEP))
        assert program.status == "not started"
        await program.start()
        assert program.status == "running"
        assert not program.ended.done()
        await program.stop()
        assert program.status == "stopped"
        assert await program.ended == "stopped"

    run(main())


def test_all_that_it_wrote_is_there_when_it_ends() -> None:
    async def main() -> None:
        async with Program(["sh", "-c", "echo first; echo last"]) as program:
            await program.ended
            assert program.output == "first\nlast"

    run(main())


def test_writing_much_does_not_block_it() -> None:
    async def main() -> None:
        program = await outcome(*python("print(('x' * 89 + '\\n') * 10000)"))
        assert program.status == "exit 0"
        assert 8000 < len(program.output) <= 8192

    run(main())


def test_its_cpu_time_counts_its_children_living_and_ended() -> None:
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

    async def main() -> None:
        async with Program(python(code)) as program:
            before = program.cpu()
            await said(program, "ready")
            assert program.cpu() >= before
            await until(lambda: program.cpu() >= 550)
            last = program.cpu()
        assert last <= program.cpu() < 5000

    run(main())


# stopping


def test_a_program_is_asked_to_end() -> None:
    code = f"""
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: (print('bye'), sys.exit(0)))
{SLEEP}
"""

    async def main() -> None:
        async with Program(python(code), grace=30) as program:
            await said(program, "ready")
        assert program.output == "ready\nbye"
        assert program.status == "stopped"

    run(main())


def test_who_does_not_listen_is_killed() -> None:
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"

    async def main() -> None:
        async with Program(python(code), grace=0.1) as program:
            await said(program, "ready")
        assert program.status == "stopped"

    run(main())


@pytest.mark.usefixtures("adopting")
def test_children_go_with_it_even_if_it_has_ended_long_before() -> None:
    async def main() -> None:
        async with Program(["sh", "-c", "sleep 100 & echo child $!"]) as program:
            assert await program.ended == "exit 0"
        assert program.status == "exit 0"
        (child,) = numbers(program, "child")
        assert not lives(child)

    run(main())


@pytest.mark.usefixtures("adopting")
@pytest.mark.parametrize(
    "then",
    [
        "time.sleep(100)",
        "os._exit(0)",
    ],
)
def test_a_daemon_is_adopted_and_leaves_nothing(then: str) -> None:
    code = DAEMON.format(then=then, seconds=0)

    async def main() -> None:
        async with Program(python(code)) as program:
            await said(program, "daemon")
            await program.ended
        (daemon,) = numbers(program, "daemon")
        assert not exists(daemon)

    run(main())


def test_a_program_that_cannot_be_watched_does_not_stay(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def failing(process: subprocess.Popen[bytes], _told: object) -> None:
        started.append(process)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(module, "when_ended", failing)

    async def main() -> None:
        with pytest.raises(RuntimeError, match="new thread"):
            await Program(python(SLEEP)).start()
        assert not exists(started[0].pid)
        assert only(place) == []

    run(main())


@pytest.mark.usefixtures("adopting")
def test_a_child_of_ours_that_is_no_program_is_left_alone() -> None:
    async def main() -> None:
        other = await asyncio.create_subprocess_exec("sleep", "100")
        await outcome("true")
        assert other.returncode is None
        other.kill()
        await other.wait()

    run(main())


def test_stopping_twice_and_at_once_is_stopping() -> None:
    async def main() -> None:
        program = Program(python(SLEEP))
        await program.start()
        await asyncio.gather(program.stop(), program.stop())
        await program.stop()
        assert program.status == "stopped"

    run(main())


def test_stopping_what_was_never_started_does_nothing() -> None:
    async def main() -> None:
        program = Program(["true"])
        await program.stop()
        assert program.status == "not started"
        assert (program.output, program.cpu(), program.memory) == ("", 0, 0)

    run(main())


def test_who_is_cancelled_while_stopping_has_stopped_it(place: Path) -> None:
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"

    async def main() -> None:
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

    run(main())


def test_a_loop_that_ends_takes_its_programs_along() -> None:
    pids: list[int] = []

    async def main() -> None:
        async def play() -> None:
            code = f"import os; print('pid', os.getpid()); {SLEEP}"
            async with Program(python(code), grace=30) as program:
                await said(program, "ready")
                pids.extend(numbers(program, "pid"))
                await program.ended

        playing = asyncio.create_task(play())
        await until(lambda: pids or playing.done())

    run(main())
    assert len(pids) == 1
    assert not exists(pids[0])


def test_who_is_cancelled_while_starting_leaves_nothing(tmp_path: Path, place: Path) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    for number in range(300):
        (folder / str(number)).touch()

    async def main() -> None:
        program = Program(["true"], folder=str(folder))
        starting = asyncio.create_task(program.start())
        await until(lambda: only(place))
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert only(place) == []
        assert program.status == "not started"

    run(main())


def test_one_that_does_not_die_is_not_waited_for_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
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

    run(main())


# what cannot be run


def test_a_program_that_cannot_be_run_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("just text")
    (tmp_path / "bot").chmod(0o755)

    async def main() -> None:
        problems = {
            "no-such-program": "there is no such program in the PATH",
            "/etc": "it is a folder",
            "/etc/passwd": "it is not executable",
            f"{tmp_path}/bot": "it is neither a program nor a script",
        }
        before = handles()
        for command, problem in problems.items():
            program = Program([command])
            with pytest.raises(CannotRun, match=problem):
                await program.start()
            assert program.status == "not started"
        assert handles() == before

    run(main())


# nothing stays

KILLED = """
import asyncio, os, signal
from spielwerk.contests.programs.program import Program

async def main():
    program = Program(['sh', '-c', 'sleep 100 & sleep 100'])
    await program.start()
    while len(program._tree.find()) < 3:
        await asyncio.sleep(0.01)
    print(*(one.pid for one in program._tree.members), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_what_a_killed_process_left_is_cleared_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "abandoned"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", str(place))

    async def main() -> None:
        ran = subprocess.run([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, check=False)
        left = [int(word) for word in ran.stdout.split()]
        assert [lives(pid) for pid in left] == [True] * 3
        clear_abandoned()
        await until(lambda: not any(map(lives, left)))
        assert only(place) == []

    run(main())


def handles() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


@pytest.mark.usefixtures("adopting")
def test_many_programs_leave_nothing_behind(place: Path) -> None:
    code = DAEMON.format(then="time.sleep(100)", seconds=100)

    async def one(command: list[str]) -> None:
        async with Program(command, grace=0.05) as program:
            if len(command) > 1:
                await said(program, "daemon")

    async def main() -> None:
        await one(["true"])
        before = handles(), children(), threading.active_count()
        for _ in range(4):
            await asyncio.gather(*(one(["true"]) for _ in range(4)), one(python(code)))
        gc.collect()
        assert (handles(), children()) == before[:2]
        assert threading.active_count() <= before[2] + 12  # the loop's own, for waiting
        assert only(place) == []

    run(main())
    assert signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL
