"""Contests with hostile players, careless lecturers and bad machines.

Whatever happens: every game of the schedule is played and counted once, nobody pays for another
one's fault, a mistake is one clear line, and nothing is left behind.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from spielwerk.contests.programs import sandbox
from spielwerk.store.records import PairingState, Reason
from tests.cli.contests import (
    A_CONTEST,
    DICE,
    PLAYERS,
    RANDOM,
    ContestFolder,
    all_gone,
    children,
    description,
    interrupt,
)
from tests.contests.stage import assigned, played, program
from tests.faults.contest_books import check_books
from tests.waiting import wait_until

linux = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
sandboxed = pytest.mark.skipif(sandbox.available() is not None, reason="there is no bubblewrap")

VILLAIN = Path(__file__).with_name("contest_villain.py")
SHORT = 'options = ["target=20"]'
QUICK = description("connect4", RANDOM, RANDOM, RANDOM, rounds=20)
QUICK_GAMES = 120


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder in which only this contest works."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def villains(folder: Path, crime: str, *others: str, top: str) -> ContestFolder:
    """A contest of a villain, who is called anna, and others; all bots lie in one folder."""
    bots = folder / "bots"
    shutil.copytree(PLAYERS, bots, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(VILLAIN, bots)
    seat = "-n {name} -p {port} {host}"
    once = folder / "bots" / "committed" if "haunt" in crime else "committed"
    command = f"{sys.executable} -S -E contest_villain.py {crime} {once} {seat}"
    entrant = f'command = "{command}"\nfolder = "bots"'
    return ContestFolder(folder, description("dice", entrant, *others, top=top))


# a contest that is killed


@pytest.mark.slow
@sandboxed
def test_nothing_is_left_of_a_contest_that_died_in_a_sandbox(tmp_path: Path, scratch: Path) -> None:
    folder = villains(tmp_path, "haunt", RANDOM, RANDOM, top=SHORT)
    with folder.running("--sandbox", "--no-web") as process:
        wait_until(lambda: folder.done() >= 1, A_CONTEST)
        began = children(process)
        process.kill()
        process.wait(A_CONTEST)
    wait_until(partial(all_gone, began))
    resumed = folder.run("--sandbox", "--no-web")
    assert resumed.returncode == 0, resumed.stderr
    check_books(folder, 6)
    assert not folder.programs()
    assert not [*scratch.iterdir()]


@pytest.mark.slow
def test_who_is_interrupted_three_times_leaves_nothing_behind(
    tmp_path: Path, scratch: Path
) -> None:
    deaf = DICE.replace("{host}", "{host} --fault stubborn")
    folder = ContestFolder(tmp_path, description("dice", deaf, deaf, RANDOM, move=50.0))
    with folder.running("--jobs", "1", "--no-web") as process:
        wait_until(lambda: len(children(process)) >= 3, A_CONTEST)  # a worker and two bots
        began = children(process)
        while process.poll() is None:  # the third time nothing is waited for
            interrupt(process)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.2)
        assert process.returncode == 1
    wait_until(partial(all_gone, began))
    wait_until(lambda: not [*scratch.iterdir()])
    assert folder.count(PairingState.DONE) == 0


# a machine that fails


@pytest.mark.slow
@linux
def test_a_store_that_cannot_grow_for_a_while_costs_nothing(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, QUICK)
    assert folder.command("new").returncode == 0
    enough = folder.store.stat().st_size + 100_000
    with folder.running("--jobs", "1", "--no-web") as process:
        soft, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (enough, hard))
        assert process.stderr is not None
        assert any("cannot write" in line for line in process.stderr)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (soft, hard))
        _, errors = process.communicate(timeout=A_CONTEST)
    assert process.returncode == 0, errors
    check_books(folder, QUICK_GAMES)


# hostile programs


@pytest.mark.slow
@linux
def test_who_kills_a_worker_costs_nothing_but_time(tmp_path: Path, scratch: Path) -> None:
    committed = tmp_path / "committed"
    folder = villains(tmp_path, "murder", DICE, RANDOM, top=SHORT)
    text = folder.file.read_text().replace("murder committed", f"murder {committed}")
    folder.file.write_text(text)
    ran = folder.run("--jobs", "1", "--no-web")
    assert ran.returncode == 0, ran.stderr
    assert committed.exists()
    assert "worker lost game=" in ran.stderr
    assert "Traceback" not in ran.stderr
    check_books(folder, 6)
    assert not [*scratch.iterdir()]


@sandboxed
def test_a_program_in_a_sandbox_finds_no_seats_but_its_own(tmp_path: Path) -> None:
    top = f'{SHORT}\nphase = "competition"'
    command = f"{sys.executable} -S -E dice.py -n {{name}} -p {{port}} {{host}}"
    bot = f'command = "{command}"\nfolder = "bots"'
    folder = villains(tmp_path, "intrude", bot, bot, top=top)
    ran = folder.run("--sandbox", "--jobs", "1", "--no-web")
    assert ran.returncode == 0, ran.stderr
    assert not any(one.disqualified for one in folder.entrants())
    check_books(folder, 6)


def test_who_only_stays_away_is_not_disqualified_for_anothers_nonsense() -> None:
    bad = program("dice", "--fault garbage-at-start", name="bad")
    late = program("dice", "--fault never-connects", name="late")
    for seats in ((bad, late), (late, bad)):
        (one,) = played(assigned("dice", *seats, start=1.0))
        accused = [seats[seat].name for seat in one.ending.culprits]
        assert one.ending.reason is not Reason.PROTOCOL_ERROR or accused == ["bad"]
