"""Programs that cannot be checked: a clear sentence each, and nothing of them left running."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from spielwerk.check import program as checked
from spielwerk.check.case import CaseVerdict
from spielwerk.check.mnm import CHECK
from spielwerk.check.program import LIMITS, CheckedProgram
from spielwerk.cli.app import checks as app
from spielwerk.contests.contest import Resources
from spielwerk.contests.programs.processes import adopt_orphans
from spielwerk.errors import UsageError
from tests.check import planting
from tests.waiting import until, wait_until

HONEST = planting.small_player("plain")
CASE = "prolog/any-seat"


@pytest.fixture(autouse=True)
def parents() -> Iterator[None]:
    """Orphans of programs come to us, as they come to the command."""
    adopt_orphans()
    yield
    adopt_orphans(False)


def refused(folder: Path, *arguments: str) -> str:
    """What the command says that does not even begin; its exit status is 2 then."""
    with pytest.raises(UsageError) as caught:
        app(
            ["mnm", "--folder", str(folder), "--case", CASE, *arguments],
            standalone_mode=False,
        )
    return str(caught.value)


def script(folder: Path, text: str, *, executable: bool = True) -> str:
    path = folder / "client"
    path.write_text(text, newline="")
    path.chmod(0o755 if executable else 0o644)
    return "./client"


@pytest.mark.parametrize(
    ("text", "executable", "problem"),
    [
        ("#!/bin/sh\n", False, "it is not executable; try: chmod +x ./client"),
        ("#!/no/such/shell\n", True, "asks for '/no/such/shell', which does not exist"),
        ("#!/bin/sh\r\nexit\r\n", True, "its first line has a Windows line ending"),
        ("exit\n", True, "neither an executable nor a script"),
    ],
)
def test_files_that_cannot_be_run(
    tmp_path: Path, text: str, executable: bool, problem: str
) -> None:
    client = script(tmp_path, text, executable=executable)
    assert problem in refused(tmp_path, "--", client, "{port}")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--", "./nothing", "{port}"], "'./nothing': there is no such file"),
        (["--", "no-such-program", "{port}"], "there is no such program on the PATH"),
        (["--", ".", "{port}"], "no such program"),
        (["--", "./", "{port}"], "it is a folder"),
        (["--", "sh", "{prot}", "{port}"], "no placeholder '{prot}'; did you mean port?"),
        (["--", "sh", "{port"], "a brace in '{port' has no counterpart"),
        (["--", "sh", "-c", "exit"], "how shall the program know the port?"),
        ([], "which program?"),
        (["--html", "/no/such/folder/page.html", "--", "sh", "{port}"], "cannot write"),
    ],
)
def test_commands_that_cannot_be_run(tmp_path: Path, arguments: list[str], problem: str) -> None:
    assert problem in refused(tmp_path, *arguments)


def test_a_folder_that_is_not_there_and_a_port_that_is_taken(tmp_path: Path) -> None:
    assert "there is no such folder" in refused(tmp_path / "no", "--", "sh", "{port}")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert "address already in use" in refused(tmp_path, "--port", port, "--", "sh")


# programs that misbehave


def verdict_on(*command: str, patience: float = 60.0, port: int = 0) -> CaseVerdict:
    """What the first case says about a program."""
    return planting.checked(CHECK, command, [CASE], patience=patience, port=port)[CASE]


def python(text: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", text, "{port}")


@contextmanager
def nothing_stays() -> Iterator[None]:
    before = {*psutil.Process().children(recursive=True)}
    yield
    left = {*psutil.Process().children(recursive=True)} - before
    assert not [one for one in left if one.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("print('x' * 100, end='')\nwhile 1: print('x' * 99)", "over-limit", "100,000 bytes"),
        ("import os, time\nwhile 1: os.fork() or time.sleep(60)", "over-limit", "8 processes"),
        ("input('Your name? ')", "ended-before-connecting", "seems to ask for input"),
        ("open('/dev/tty')", "ended-before-connecting", "seems to ask for input"),
        ("import os\nos.abort()", "crashed", "SIGABRT"),
        ("import sys\nsys.exit('no idea')", "ended-before-connecting", "no idea"),
    ],
)
def test_programs_that_fail_at_the_start(
    monkeypatch: pytest.MonkeyPatch, text: str, kind: str, words: str
) -> None:
    monkeypatch.setattr(checked, "LIMITS", Resources(processes=8, output=100_000))
    with nothing_stays():
        (fault,) = verdict_on(*python(text)).faults
    assert fault.kind == kind
    assert words in f"{fault.problem} {fault.hint}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import signal, time\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(60)", "not connect"),
        (
            "import os, time\nif not os.fork():\n os.setsid()\n os.fork() or time.sleep(60)",
            "did not connect",
        ),
    ],
)
def test_programs_that_never_connect(text: str, words: str) -> None:
    with nothing_stays():
        (fault,) = verdict_on(*python(text), patience=0.5).faults
    assert fault.kind == "never-connected"
    assert words in f"{fault.problem} {fault.hint}"


def test_a_program_that_never_connects_is_given_up() -> None:
    assert len(planting.checked(CHECK, python("pass"))) == 3


@pytest.mark.parametrize("count", [1, 499])
def test_programs_that_connect_again(count: int) -> None:
    with nothing_stays():
        verdict = verdict_on(*planting.small_player(f"again-{count}"))
    assert [fault.kind for fault in verdict.faults] == ["connected-again"]
    assert f"connected {count} more times" in verdict.faults[0].problem
    assert verdict.advised


# time and ports


def test_starting_and_stopping_waste_no_time() -> None:
    async def run() -> float:
        began = time.monotonic()
        program = CheckedProgram(["/bin/true"], Path.cwd())
        program.start()
        assert await program.gone(60.0)
        await program.stop()
        return time.monotonic() - began

    assert min(asyncio.run(run()) for _ in range(5)) < checked.GRACE


def test_a_port_serves_one_case_after_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(3):
        assert verdict_on(*HONEST, port=port).faults == ()


def test_a_limit_holds_for_processes_that_leave_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checked, "LIMITS", Resources(processes=4, output=LIMITS.output))
    text = "import os, time\nwhile 1:\n if not os.fork(): os.setsid(); os.fork(); time.sleep(60)"

    async def run() -> str:
        program = CheckedProgram(python(text), Path.cwd())
        program.start()
        await until(lambda: program.over_limit)
        await program.stop()
        return program.over_limit

    with nothing_stays():
        assert "more than 4 processes" in asyncio.run(run())


# the command itself


@contextmanager
def command(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`spielwerk check mnm` as a process of its own."""
    words = [str(Path(sys.executable).parent / "spielwerk"), "check", "mnm", *arguments]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        try:
            yield run
        finally:
            run.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_check_leaves_nothing(number: int) -> None:
    text = "import os, signal, time\nsignal.signal(15, signal.SIG_IGN)\nos.fork()\ntime.sleep(99)"
    with command("--", *python(text)) as run:
        checker = psutil.Process(run.pid)
        wait_until(lambda: len(checker.children(recursive=True)) > 1)
        started = checker.children(recursive=True)
        os.kill(run.pid, number)
        assert run.wait(60) == 130
        _, said = run.communicate()
        assert said.endswith("interrupted\n")
        assert not [one for one in started if one.is_running()]


def started_as_told(run: subprocess.Popen[str], times: int) -> list[str]:
    """Start the program as often as that is asked for, and no more; all that is said."""
    assert run.stderr
    said: list[str] = []
    for line in run.stderr:
        said.append(line)
        if "start now: " in line and times:
            words = line.partition("start now: ")[2].split()
            subprocess.run(words, check=False, capture_output=True)
            times -= 1
        elif "start now: " in line:
            run.send_signal(signal.SIGINT)
    return said


def test_authors_start_the_program_when_they_are_told() -> None:
    with command("--wait", "--case", CASE, "--case", "end/draw", "--", *HONEST) as run:
        said = started_as_told(run, 2)
        assert run.wait(60) == 0, said
    assert said[0].startswith(f"1 of 2, {CASE}: ")
    assert said[2::3] == ["  passed\n", "  passed\n"]


def test_authors_who_have_enough_get_their_report(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    cases = ("--case", CASE, "--case", "end/draw", "--json", str(results))
    with command("--wait", *cases, "--", *HONEST) as run:
        said = started_as_told(run, 1)
        assert run.wait(60) == 130, said
    assert [one["name"] for one in json.loads(results.read_text())["verdicts"]] == [CASE]
