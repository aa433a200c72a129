"""`spielwerk contest`: from a description to a ranking, and everything in between."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest

from spielwerk.store.opening import open_store
from spielwerk.store.records import PairingState
from tests.cli.contests import (
    A_CONTEST,
    DICE,
    RANDOM,
    ContestFolder,
    all_gone,
    children,
    command_here,
    description,
    interrupt,
    program,
    workers,
)
from tests.faults.contest_books import check_books
from tests.waiting import wait_until

QUICK = description("connect4", RANDOM, RANDOM, RANDOM, rounds=2)
ENDLESS = description("connect4", RANDOM, RANDOM, RANDOM, rounds=200)
SLOW = description("dice", DICE, DICE, DICE, rounds=2, move=20.0)


@pytest.fixture
def quick(tmp_path: Path) -> ContestFolder:
    return ContestFolder(tmp_path, QUICK)


# from start to end


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    """A contest that was drawn up and played."""
    folder = ContestFolder(tmp_path_factory.mktemp("played"), QUICK)
    made = folder.command("new")
    assert made.returncode == 0
    assert "Spring: connect4, 3 entrants, 12 games" in made.stdout
    assert f"start it with: spielwerk contest run {folder.file}" in made.stdout
    assert all(one.state is PairingState.NEW for one in folder.pairings())
    done = folder.run()
    assert done.returncode == 0, done.stderr
    assert re.search(r"^web http://127.0.0.1:\d+/contests/spring$", done.stdout, re.MULTILINE)
    assert re.search(r"^operator token \S+$", done.stdout, re.MULTILINE)
    assert re.search(r"^1\. +(anna|bert|cora)", done.stdout, re.MULTILINE)
    return folder


def test_every_game_is_played_and_kept_once(played: ContestFolder) -> None:
    check_books(played, 12)
    again = played.run("--quiet", "--no-web")
    assert again.returncode == 0
    assert played.kept() == 12


def test_a_game_is_shown_with_everything_about_it(played: ContestFolder) -> None:
    shown = played.command("status", "--game", "3").stdout
    for part in ("game 3: ", "state: done", "end: win", "winner: ", "moves: ", "Game-ID: "):
        assert part in shown
    missing = played.command("status", "--game", "12")
    assert missing.returncode == 2
    assert "0 to 11" in missing.stderr


def test_a_contest_is_exported(played: ContestFolder, tmp_path: Path) -> None:
    lines = played.command("export", "--format", "jsonl").stdout.splitlines()
    assert json.loads(lines[0])["contest"] == "Spring"
    assert [json.loads(line)["number"] for line in lines[1:]] == [*range(12)]
    for form, first in (("csv", "number,"), ("standings", "rank,"), ("crosstable", "name,")):
        assert played.command("export", "--format", form).stdout.startswith(first)
    target = tmp_path / "out.csv"
    played.command("export", "--format", "csv", "--output", str(target))
    assert target.read_bytes().count(b"\r\n") == 13
    nowhere = played.command("export", "--format", "csv", "--output", str(tmp_path / "a" / "b"))
    assert nowhere.returncode == 2
    assert "cannot write" in nowhere.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        description("connect4", 'engine = "level=2"', RANDOM, RANDOM),
        description("quarto", RANDOM, 'engine = "depth=1"'),
        description("dice", RANDOM, RANDOM, 'engine = "hold=20"'),
        description("oware", RANDOM, 'engine = "strategy=1,depth=2"'),
    ],
    ids=["connect4", "quarto", "dice", "oware"],
)
def test_one_seed_is_one_contest(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = []
    for jobs, seed in (("1", "0"), ("3", "4321")):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        (tmp_path / jobs).mkdir()
        folders.append(ContestFolder(tmp_path / jobs, text))
        assert folders[-1].run("--no-web", "--jobs", jobs).returncode == 0
    assert folders[0].moves() == folders[1].moves()
    assert len(folders[0].moves()) == len(folders[0].pairings())


@pytest.mark.slow
def test_a_race_that_was_spoilt_costs_the_competition(tmp_path: Path) -> None:
    bad = program("dice.py", "--fault", "wrong-bye", "-n", "{name}", "-p", "{port}", "{host}")
    text = description("dice", DICE, DICE, bad, RANDOM, top='phase = "competition"')
    folder = ContestFolder(tmp_path, text)
    played = folder.run("--jobs", "1")
    assert played.returncode == 0, played.stderr
    out = [one for one in folder.entrants() if one.disqualified]
    assert [one.name for one in out] == ["cora"]
    number = out[0].disqualified_in
    assert number is not None
    done = [one for one in folder.pairings() if one.state is PairingState.DONE]
    assert [one.number for one in done if 2 in one.seats] == [number]
    assert f"disqualified in game {number}" in played.stdout
    status = folder.command("status", "--game", str(number)).stdout
    assert "end: protocol error" in status
    assert "by the fault of: cora" in status
    assert "BYE" in status


@pytest.mark.slow
def test_a_crash_is_shown_with_its_last_words(tmp_path: Path) -> None:
    bad = program("dice.py", "--fault", "crash-on-move", "-n", "{name}", "-p", "{port}", "{host}")
    folder = ContestFolder(tmp_path, description("dice", DICE, DICE, bad))
    assert folder.run("--jobs", "2").returncode == 0
    shown = folder.command("status", "--game", "0").stdout
    assert "end: crash" in shown
    assert "wrote: IndexError: list index out of range" in shown
    assert "> HELO" in shown
    assert "crash" in folder.command("status").stdout


# while it runs, and going on


def test_a_running_contest_is_looked_at_told_stopped_and_resumed(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, ENDLESS)
    with folder.running("--jobs", "1") as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        assert re.search(r"Spring: \d+ of 1200 games done", folder.command("status").stdout)
        second = folder.run()
        assert second.returncode == 2
        assert "another Spielwerk server" in second.stderr
        assert second.stderr.count("\n") == 1
        assert folder.command("jobs", "0").stdout == "Spring: held: 0 games at once\n"
        wait_until(lambda: not folder.count(PairingState.RUNNING), A_CONTEST)
        held = folder.done()
        assert "\nheld: 0 games at once\n" in folder.command("status").stdout
        assert folder.command("jobs", "2").stdout == "Spring: 2 games at once\n"
        wait_until(lambda: folder.done() > held, A_CONTEST)
        interrupt(process)
        output, errors = process.communicate(timeout=A_CONTEST)
        assert process.returncode == 1
    assert f"continue with: spielwerk contest resume {folder.file}" in errors
    assert re.search(r"stopped: \d+ of 1200 games are done", errors)
    assert "1. " in output
    assert {one.state for one in folder.pairings()} == {PairingState.DONE, PairingState.NEW}
    assert not folder.programs()
    after = folder.command("jobs", "2")
    assert after.returncode == 2
    assert "not running" in after.stderr
    before = folder.done()
    with folder.running("--no-web", verb="resume") as process:
        wait_until(lambda: folder.done() > before, A_CONTEST)
        process.terminate()
        assert process.wait(A_CONTEST) == 1
    assert folder.done() == folder.kept() > before


def test_kill_9_loses_nothing_counts_nothing_twice_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    folder, random = ContestFolder(tmp_path, SLOW), Random(3)
    for kill in range(2):
        with folder.running("--jobs", "2", "--no-web") as process:
            wait_until(lambda: len(children(process)) > len(workers(process)), A_CONTEST)
            if kill:
                wait_until(lambda: folder.done(), A_CONTEST)
            time.sleep(random.uniform(0.0, 0.5))
            began = children(process)
            os.kill(process.pid, signal.SIGKILL)
            process.wait(A_CONTEST)
        wait_until(partial(all_gone, began))
        status = folder.command("status").stdout
        goes_on = f"not running; continue with: spielwerk contest resume {folder.file}"
        assert goes_on in status
        assert "left" not in status.splitlines()[0]
    played = folder.run("--jobs", "2", "--no-web")
    assert played.returncode == 0, played.stderr
    check_books(folder, 12)
    assert not folder.programs()
    assert not [*scratch.iterdir()]


# descriptions


def test_an_example_can_be_drawn_up(tmp_path: Path) -> None:
    printed = command_here("contest", "new", "--example", "dice")
    assert printed.returncode == 0
    assert ContestFolder(tmp_path, printed.stdout).command("new").returncode == 0


def test_a_description_can_be_written_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    words = ("--game", "connect4", "--entrant", "engine:random", "--entrant", "b=engine:level=1")
    made = command_here("contest", "new", file, *words, "--rounds", "2", "--seed", "5")
    assert made.returncode == 0, made.stderr
    assert "cup: connect4, 2 entrants, 4 games" in made.stdout
    assert "seed = 5" in file.read_text()
    again = command_here("contest", "new", file, *words)
    assert again.returncode == 2
    assert "already exists" in again.stderr
    assert command_here("contest", "new", file).returncode == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["new"], "name the description"),
        (["new", "--example", "chess"], "'chess' is no game"),
        (["new", "--example", "dice", "x.toml"], "nothing else"),
        (["new", "x.toml", "--rounds", "2"], "--game GAME"),
        (["new", "x.toml", "--game", "dice", "--rounds", "two"], "is not a whole number"),
        (["run"], "FILE"),
        (["run", "missing.toml"], "missing.toml"),
        (["resume", "missing.toml"], "missing.toml"),
        (["run", "x.toml", "--no-web", "--stay"], "choose one"),
        (["run", "x.toml", "--jobs", "0"], "1 or more"),
        (["run", "x.toml", "--jobs", "1000"], "not between 0 and 256"),
        (["run", "x.toml", "--port", "70000"], "is not a port"),
        (["run", "x.db"], "that is the name of a store"),
        (["status", "missing.toml"], "missing.toml"),
        (["export", "x.toml", "--format", "pdf"], "expected one of jsonl"),
        (["export", "x.toml", "--format", "html", "--language", "fr"], "expected one of de, en"),
        (["jobs", "x.toml"], "N"),
        (["jobs", "x.toml", "-1"], "-1"),
    ],
)
def test_bad_input_is_one_clear_line(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command_here("contest", *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "not TOML"),
        (QUICK.replace("rounds", "round"), "rounds"),
        (QUICK.replace('engine = "random"', 'command = "./no-such-bot {port}"', 1), "no-such-bot"),
    ],
)
def test_a_bad_description_is_one_clear_line_before_anything_starts(
    text: str, told: str, tmp_path: Path
) -> None:
    folder = ContestFolder(tmp_path, text)
    done = folder.command("run", "--port", "0")
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not folder.store.exists()


def test_a_changed_description_is_refused_or_taken_up(quick: ContestFolder) -> None:
    quick.command("new")
    quick.file.write_text(QUICK.replace("seed = 7", "seed = 8"))
    refused = quick.command("run")
    assert refused.returncode == 2
    assert "seed was 7, is 8" in refused.stderr
    quick.file.write_text(QUICK.replace("rounds = 2", "rounds = 3"))
    grown = quick.command("new")
    assert "it was already drawn up, 6 games are new" in grown.stdout


def test_resume_needs_a_contest_that_was_begun(quick: ContestFolder) -> None:
    missing = quick.command("resume")
    assert missing.returncode == 2
    assert "there is no such file" in missing.stderr
    with open_store(quick.store):
        pass
    unknown = quick.command("resume")
    assert unknown.returncode == 2
    assert "the store has no contest spring" in unknown.stderr


def test_a_store_from_a_newer_version_is_refused(quick: ContestFolder) -> None:
    quick.command("new")
    with closing(sqlite3.connect(quick.store)) as store:
        store.execute("UPDATE spielwerk_version SET version_num = '9999'")
        store.commit()
    for verb in ("run", "resume", "new", "status"):
        refused = quick.command(verb)
        assert refused.returncode == 2
        assert "newer" in refused.stderr
        assert len(refused.stderr.splitlines()) == 1
