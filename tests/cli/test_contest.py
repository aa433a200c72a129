"""`spielwerk contest` as processes: from a description to a ranking, and everything in between."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import time
from contextlib import closing
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest

from spielwerk.store.contest_records import End, State
from spielwerk.store.opening import open_store
from tests.cli.contests import (
    A_CONTEST,
    DICE,
    RANDOM,
    ContestFolder,
    all_gone,
    children,
    description,
    interrupt,
    program,
    workers,
)
from tests.cli.test_cli import spielwerk
from tests.servers.live import ask
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

QUICK = description("connect4", RANDOM, RANDOM, RANDOM, rounds=2)
LONG = description("connect4", RANDOM, RANDOM, RANDOM, rounds=60)
ENDLESS = description("connect4", RANDOM, RANDOM, RANDOM, rounds=2000)
SLOW = description("dice", DICE, DICE, DICE, rounds=4, move=20.0)


@pytest.fixture
def quick(tmp_path: Path) -> ContestFolder:
    return ContestFolder(tmp_path, QUICK)


# from start to end


def test_a_contest_is_drawn_up_played_and_ranked(quick: ContestFolder) -> None:
    made = quick.command("new")
    assert made.returncode == 0
    assert "Spring: connect4, 3 entrants, 12 games" in made.stdout
    assert f"start it with: spielwerk contest run {quick.file}" in made.stdout
    assert all(one.state is State.NEW for one in quick.pairings())
    played = quick.run()
    assert played.returncode == 0, played.stderr
    assert re.search(r"^web http://127.0.0.1:\d+/contests/spring$", played.stdout, re.MULTILINE)
    assert re.search(r"^operator token \S+$", played.stdout, re.MULTILINE)
    assert re.search(r"^1\. +(anna|bert|cora)", played.stdout, re.MULTILINE)
    assert [one.state for one in quick.pairings()] == [State.DONE] * 12
    assert quick.kept() == 12
    again = quick.run("--quiet")
    assert again.returncode == 0
    assert quick.kept() == 12


@pytest.mark.parametrize(
    "text",
    [
        QUICK,
        description("quarto", RANDOM, 'engine = "depth=1"', rounds=2),
        description("dice", RANDOM, RANDOM, 'engine = "hold=20"'),
        description("oware", RANDOM, 'engine = "strategy=1,depth=2"', rounds=2),
    ],
    ids=["connect4", "quarto", "dice", "oware"],
)
def test_one_seed_is_one_contest(tmp_path: Path, text: str) -> None:
    first, second = (tmp_path / name for name in ("first", "second"))
    folders = []
    for folder, jobs in ((first, "1"), (second, "3")):
        folder.mkdir()
        folders.append(ContestFolder(folder, text))
        assert folders[-1].run("--no-web", "--jobs", jobs).returncode == 0
    assert folders[0].moves() == folders[1].moves()
    assert len(folders[0].moves()) == len(folders[0].pairings())


def test_programs_play_too(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, description("dice", DICE, DICE, RANDOM))
    played = folder.run()
    assert played.returncode == 0, played.stderr
    outcomes = [one.outcome for one in folder.pairings()]
    assert [outcome.end for outcome in outcomes if outcome] == [End.WIN] * 6


def test_a_ladder_runs_until_it_is_stopped(tmp_path: Path) -> None:
    text = description("connect4", RANDOM, RANDOM, RANDOM, rounds=0, top='format = "ladder"')
    folder = ContestFolder(tmp_path, text)
    with folder.running() as process:
        wait_until(lambda: folder.done() > 10, A_CONTEST)
        interrupt(process)
        assert process.wait(A_CONTEST) == 1
    before = folder.done()
    with folder.running(verb="resume") as process:
        wait_until(lambda: folder.done() > before, A_CONTEST)
        interrupt(process)
        assert process.wait(A_CONTEST) == 1
    assert [one.number for one in folder.pairings()] == [*range(len(folder.pairings()))]


@pytest.mark.parametrize("fault", ["wrong-bye", "leave-at-end", "crash-on-wait"])
def test_a_race_that_was_spoilt_costs_the_competition(fault: str, tmp_path: Path) -> None:
    """Whoever sees that it loses must not gain by leaving: nobody wins such a game."""
    bad = program("dice.py", "--fault", fault, "-n", "{name}", "-p", "{port}", "{host}")
    text = description("dice", DICE, DICE, bad, RANDOM, top='phase = "competition"')
    folder = ContestFolder(tmp_path, text)
    played = folder.run("--jobs", "1")
    assert played.returncode == 0, played.stderr
    out = [one for one in folder.entrants() if one.disqualified]
    assert [one.name for one in out] == ["cora"]
    number = out[0].disqualified_in
    assert number is not None
    done = [one for one in folder.pairings() if one.state is State.DONE]
    assert [one.number for one in done if 2 in one.seats] == [number]
    assert f"disqualified in game {number}" in played.stdout
    status = folder.command("status", "--game", str(number)).stdout
    assert f"end: {'crash' if fault == 'crash-on-wait' else 'protocol error'}" in status
    assert "by the fault of: cora" in status
    assert "BYE" in status or fault == "crash-on-wait"


# stopping and going on


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, LONG)
    with folder.running() as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        interrupt(process)
        output, errors = process.communicate(timeout=A_CONTEST)
        assert process.returncode == 1
    assert f"go on with: spielwerk contest resume {folder.file}" in errors
    assert re.search(r"stopped: \d+ of 360 games are done", errors)
    assert "1. " in output
    states = {one.state for one in folder.pairings()}
    assert states == {State.DONE, State.NEW}
    assert not folder.programs()
    resumed = folder.run(verb="resume")
    assert resumed.returncode == 0, resumed.stderr
    assert folder.done() == folder.kept() == 360


def test_ctrl_c_twice_does_not_wait_for_running_games(tmp_path: Path) -> None:
    stalling = program("dice.py", "--fault", "stall", "-n", "{name}", "-p", "{port}", "{host}")
    folder = ContestFolder(tmp_path, description("dice", stalling, DICE, DICE, move=60.0))
    with folder.running("--jobs", "1") as process:
        wait_until(lambda: len(children(process)) > 3, A_CONTEST)
        below = children(process)
        interrupt(process)
        time.sleep(0.2)  # two signals at once would be one
        interrupt(process)
        began = time.monotonic()
        process.communicate(timeout=A_CONTEST)
        assert process.returncode == 1
        assert time.monotonic() - began < 15
    wait_until(lambda: all_gone(below))
    assert all(one.state is State.NEW for one in folder.pairings())
    assert folder.kept() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_stop_too(number: int, tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, ENDLESS)
    with folder.running("--no-web") as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        process.send_signal(number)
        assert process.wait(A_CONTEST) == 1
    assert {one.state for one in folder.pairings()} <= {State.DONE, State.NEW}


def test_a_store_that_is_deleted_leaves_the_standings(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, LONG)
    with folder.running("--no-web") as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        folder.store.unlink()
        assert process.stderr
        while "cannot write" not in process.stderr.readline():
            assert process.poll() is None
        interrupt(process)
        output, errors = process.communicate(timeout=A_CONTEST)
        assert process.returncode == 1
    assert "the file was deleted or replaced" in errors
    assert "1. " in output


def test_kill_9_at_any_moment_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, SLOW)
    random, began = Random(3), []
    for _ in range(6):
        with folder.running("--jobs", "2") as process:
            time.sleep(random.uniform(0.3, 4.0))
            began += children(process)
            os.kill(process.pid, signal.SIGKILL)
            process.wait(A_CONTEST)
        wait_until(partial(all_gone, began))
    played = folder.run("--jobs", "2")
    assert played.returncode == 0, played.stderr
    assert folder.done() == folder.kept() == 24
    assert len({one.game for one in folder.pairings()}) == 24
    assert not folder.programs()


def test_kill_9_of_workers_costs_nothing_but_time(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, SLOW)
    killed = 0
    with folder.running("--jobs", "2") as process:
        while process.poll() is None and killed < 4:
            found = workers(process)
            enough = folder.done() >= 3 * killed  # not the same game again and again
            if enough and found and len(children(process)) > len(found) + 1:  # a program runs
                found[0].kill()
                killed += 1
                wait_until(partial(all_gone, found[:1]))
            time.sleep(0.2)
        _, errors = process.communicate(timeout=A_CONTEST)
        assert process.returncode == 0, errors
    assert killed == 4
    assert folder.done() == folder.kept() == 24
    assert not folder.programs()
    assert "worker lost" in errors


def test_resume_needs_a_contest_that_was_begun(quick: ContestFolder) -> None:
    missing = quick.run(verb="resume")
    assert missing.returncode == 2
    assert "there is no such file" in missing.stderr
    with open_store(quick.store):
        pass
    unknown = quick.run(verb="resume")
    assert unknown.returncode == 2
    assert "the store has no contest spring" in unknown.stderr


# while it runs


def test_the_number_of_games_at_once_can_be_changed(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, ENDLESS)
    with folder.running("--jobs", "1") as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        told = folder.command("jobs", "3")
        assert told.returncode == 0, told.stderr
        assert told.stdout == "Spring: 3 games at once\n"
        wait_until(lambda: len(workers(process)) == 3, A_CONTEST)
        assert folder.command("jobs", "0").stdout == "Spring: held: 0 games at once\n"
        wait_until(lambda: not folder.count(State.RUNNING), A_CONTEST)
        held = folder.done()
        assert "\nheld: 0 games at once\n" in folder.command("status").stdout
        assert folder.done() == held
        assert folder.command("jobs", "2").returncode == 0
        wait_until(lambda: folder.done() > held, A_CONTEST)
        interrupt(process)
        assert process.wait(A_CONTEST) == 1
    after = folder.command("jobs", "2")
    assert after.returncode == 2
    assert "not running" in after.stderr
    assert folder.command("jobs", "x").returncode == 2
    assert folder.command("jobs", "-1").returncode == 2


def test_a_contest_without_pages_cannot_be_told_anything(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, ENDLESS)
    with folder.running("--no-web") as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        assert folder.command("jobs", "2").returncode == 2
        interrupt(process)
        process.wait(A_CONTEST)


def test_status_looks_at_a_running_contest(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, ENDLESS)
    with folder.running() as process:
        wait_until(lambda: folder.done() > 20, A_CONTEST)
        status = folder.command("status")
        assert status.returncode == 0, status.stderr
        assert re.search(r"Spring: \d+ of 12000 games done", status.stdout)
        interrupt(process)
        process.wait(A_CONTEST)


def test_status_knows_when_nobody_plays(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, ENDLESS)
    with folder.running("--no-web") as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        assert "not being played" not in folder.command("status").stdout
        os.kill(process.pid, signal.SIGKILL)
        process.wait(A_CONTEST)
    assert folder.count(State.RUNNING)
    told = folder.command("status").stdout
    goes_on = f"not being played now; go on with: spielwerk contest resume {folder.file}"
    assert goes_on in told
    assert "running" not in told
    assert "left" not in told.splitlines()[0]


@pytest.mark.parametrize("address", ["nonsense..", "x" * 70, "192.0.2.1"])
def test_an_address_that_is_not_ours_is_one_clear_line(quick: ContestFolder, address: str) -> None:
    refused = quick.run("--bind", address)
    assert refused.returncode == 2
    assert "it is no address of this machine" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_the_page_is_served_while_it_runs_and_longer_if_wished(quick: ContestFolder) -> None:
    with quick.running("--stay", "--quiet") as process:
        assert process.stdout
        web = process.stdout.readline().split()[1]
        wait_until(lambda: quick.done() == 12, A_CONTEST)
        answer = ask(web.replace("/contests/", "/api/v1/contests/"))
        assert answer.json["name"] == "Spring"
        assert process.poll() is None
        interrupt(process)
        assert process.wait(A_CONTEST) == 0  # all was played


def test_a_store_has_one_owner(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, ENDLESS)
    with folder.running("--jobs", "1") as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        second = folder.run()
        assert second.returncode == 2
        assert "another Spielwerk server" in second.stderr
        assert second.stderr.count("\n") == 1
        interrupt(process)
        process.wait(A_CONTEST)


def test_a_store_that_is_locked_for_a_while_costs_nothing(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, LONG)
    with folder.running() as process:
        wait_until(lambda: folder.done() > 3, A_CONTEST)
        with closing(sqlite3.connect(folder.store, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(4)
            other.execute("ROLLBACK")
        _, errors = process.communicate(timeout=A_CONTEST)
        assert process.returncode == 0, errors
    assert folder.done() == folder.kept() == 360


# descriptions


@pytest.mark.parametrize("game", ["quarto", "morris", "dice", "oware", "connect4"])
def test_there_is_an_example_for_every_game(game: str, tmp_path: Path) -> None:
    printed = spielwerk("contest", "new", "--example", game)
    assert printed.returncode == 0
    folder = ContestFolder(tmp_path, printed.stdout)
    assert folder.command("new").returncode == 0


def test_a_description_can_be_written_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    words = ("--game", "connect4", "--entrant", "engine:random", "--entrant", "b=engine:level=1")
    made = spielwerk("contest", "new", str(file), *words, "--rounds", "2", "--seed", "5")
    assert made.returncode == 0, made.stderr
    assert "cup: connect4, 2 entrants, 4 games" in made.stdout
    text = file.read_text()
    assert "seed = 5" in text
    again = spielwerk("contest", "new", str(file), *words)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert spielwerk("contest", "new", str(file)).returncode == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["new"], "name the description"),
        (["new", "--example", "chess"], "'chess' is no game"),
        (["new", "--example", "dice", "x.toml"], "nothing else"),
        (["new", "x.toml", "--rounds", "2"], "--game GAME"),
        (["new", "x.toml", "--game", "dice", "--rounds", "two"], "no whole number"),
        (["run"], "FILE"),
        (["run", "missing.toml"], "missing.toml"),
        (["run", "x.toml", "--no-web", "--stay"], "one or the other"),
        (["run", "x.toml", "--jobs", "0"], "1 or more"),
        (["run", "x.toml", "--jobs", "1000"], "not from 0 to 256"),
        (["run", "x.toml", "--port", "70000"], "no port"),
        (["run", "x.db"], "that is the name of a store"),
        (["status", "missing.toml"], "missing.toml"),
        (["export", "x.toml", "--format", "pdf"], "there are jsonl"),
        (["export", "x.toml", "--format", "html", "--language", "fr"], "there are de, en"),
        (["jobs", "x.toml"], "N"),
    ],
)
def test_bad_input_is_one_clear_line(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = spielwerk("contest", *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "not TOML"),
        (QUICK.replace("rounds", "round"), "rounds"),
        (QUICK.replace('"bert"', '"anna"'), "two entrants have the name 'anna'"),
        (QUICK.replace('engine = "random"', 'command = "./no-such-bot {port}"', 1), "no-such-bot"),
        (QUICK.replace('engine = "random"', 'engine = "level=99"', 1), "level"),
        (QUICK.replace('"connect4"', '"chess"'), "chess"),
    ],
)
def test_a_bad_description_is_one_clear_line_before_anything_starts(
    text: str, told: str, tmp_path: Path
) -> None:
    folder = ContestFolder(tmp_path, text)
    done = folder.run()
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not folder.store.exists()


def test_a_changed_description_is_refused_or_taken_up(quick: ContestFolder) -> None:
    quick.run("--no-web", "--quiet")
    quick.file.write_text(QUICK.replace("seed = 7", "seed = 8"))
    refused = quick.run()
    assert refused.returncode == 2
    assert "seed was 7, is 8" in refused.stderr
    quick.file.write_text(QUICK.replace("rounds = 2", "rounds = 3"))
    grown = quick.run("--no-web")
    assert grown.returncode == 0, grown.stderr
    assert quick.done() == 18


def test_a_competition_stays_as_it_was_drawn_up(tmp_path: Path) -> None:
    text = description("connect4", RANDOM, RANDOM, top='phase = "competition"')
    folder = ContestFolder(tmp_path, text)
    assert folder.command("new").returncode == 0
    folder.file.write_text(text.replace("rounds = 1", "rounds = 2"))
    refused = folder.run()
    assert refused.returncode == 2
    assert "rounds was 1, is 2" in refused.stderr


def test_several_contests_share_a_store(quick: ContestFolder, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(QUICK.replace('"Spring"', '"Autumn"'))
    for file in (quick.file, other):
        words = ("--store", str(quick.store), "--no-web", "--quiet")
        assert spielwerk("contest", "run", str(file), *words).returncode == 0
    assert quick.kept() == 24
    status = spielwerk("contest", "status", str(other), "--store", str(quick.store))
    assert "Autumn: 12 of 12 games done" in status.stdout


def test_a_store_from_a_newer_version_is_refused(quick: ContestFolder) -> None:
    quick.command("new")
    with closing(sqlite3.connect(quick.store)) as store:
        store.execute("UPDATE spielwerk_version SET version_num = '9999'")
        store.commit()
    for verb in ("run", "resume", "new", "status"):
        refused = quick.run(verb=verb) if verb in ("run", "resume") else quick.command(verb)
        assert refused.returncode == 2
        assert "newer" in refused.stderr
        assert len(refused.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_told(quick: ContestFolder, tmp_path: Path) -> None:
    with quick.running("--stay", "--quiet") as process:
        assert process.stdout
        port = process.stdout.readline().rpartition(":")[2].partition("/")[0]
        (tmp_path / "other").mkdir()
        other = ContestFolder(tmp_path / "other", QUICK)
        refused = other.command("run", "--port", port)
        assert refused.returncode == 2
        assert "choose another with --port" in refused.stderr
        interrupt(process)
        process.wait(A_CONTEST)


# what comes out


def test_a_game_is_shown_with_everything_about_it(quick: ContestFolder) -> None:
    quick.run("--no-web", "--quiet")
    shown = quick.command("status", "--game", "3").stdout
    for part in ("game 3: ", "state: done", "end: win", "winner: ", "moves: ", "Game-ID: "):
        assert part in shown
    missing = quick.command("status", "--game", "12")
    assert missing.returncode == 2
    assert "0 to 11" in missing.stderr


def test_a_crash_is_shown_with_its_last_words(tmp_path: Path) -> None:
    bad = program("dice.py", "--fault", "crash-on-move", "-n", "{name}", "-p", "{port}", "{host}")
    folder = ContestFolder(tmp_path, description("dice", DICE, DICE, bad))
    assert folder.run("--jobs", "2").returncode == 0
    shown = folder.command("status", "--game", "0").stdout
    assert "end: crash" in shown
    assert "wrote: IndexError: list index out of range" in shown
    assert "> HELO" in shown
    assert "crash" in folder.command("status").stdout


def test_a_contest_is_exported(quick: ContestFolder, tmp_path: Path) -> None:
    quick.run("--no-web", "--quiet")
    lines = quick.command("export", "--format", "jsonl").stdout.splitlines()
    assert json.loads(lines[0])["contest"] == "Spring"
    assert [json.loads(line)["number"] for line in lines[1:]] == [*range(12)]
    for form, first in (("csv", "number,"), ("standings", "rank,"), ("crosstable", "name,")):
        assert quick.command("export", "--format", form).stdout.startswith(first)
    target = tmp_path / "out.csv"
    quick.command("export", "--format", "csv", "--output", str(target))
    assert target.read_bytes().count(b"\r\n") == 13
    nowhere = quick.command("export", "--format", "csv", "--output", str(tmp_path / "a" / "b"))
    assert nowhere.returncode == 2
    assert "cannot write" in nowhere.stderr
