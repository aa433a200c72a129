"""Contests with hostile players, careless lecturers and bad machines.

Whatever happens: every game of the schedule is played and counted once, nobody pays for another
one's fault, a mistake is one clear line, and nothing is left behind.
"""

from __future__ import annotations

import csv
import io
import resource
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.description import read
from spielwerk.contests.programs import sandbox
from spielwerk.contests.stored import ContestChanged, take_up
from spielwerk.errors import SpielwerkError
from spielwerk.store.contest_records import PairingState
from spielwerk.store.opening import open_store
from spielwerk.store.records import Reason
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
from tests.faults.contest_books import check_books, exported
from tests.faults.contest_descriptions import spoilt, torn
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterable

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
@pytest.mark.parametrize("crime", ["babble", "murder"])
def test_who_harms_a_worker_costs_nothing_but_time(
    crime: str, tmp_path: Path, scratch: Path
) -> None:
    committed = tmp_path / "committed"
    folder = villains(tmp_path, crime, DICE, RANDOM, top=SHORT)
    text = folder.file.read_text().replace(f"{crime} committed", f"{crime} {committed}")
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


# hostile words

NAMES = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://example.org","x")',
    "\"><img src=x onerror='alert(2)'>",
    "-2+3 & {{ 7 * 7 }}",
)
HOSTILE = """
name = "</title><script>alert(0)</script>"
game = "connect4"
options = ["width=4", "height=4"]
"""


class Tags(HTMLParser):
    """Everything that a browser would take for an element, with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag, *(name for name, _ in attrs)]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> ContestFolder:
    """A contest of entrants with hostile names, and a program with hostile last words."""
    folder = tmp_path_factory.mktemp("hostile")
    raving = f"{sys.executable} -S -E {VILLAIN} rave always"
    names = [name.replace('"', '\\"') for name in NAMES]
    engines = "".join(f'[[entrant]]\nname = "{name}"\nengine = "random"\n' for name in names)
    bot = f'[[entrant]]\nname = "@raving"\ncommand = "{raving} -p {{port}} {{host}}"\n'
    contest = ContestFolder(folder, HOSTILE + bot + engines)
    ran = contest.run("--no-web")
    assert ran.returncode == 0, ran.stderr
    return contest


def test_names_are_no_formulas_in_a_spreadsheet(hostile: ContestFolder) -> None:
    for form in ("csv", "standings", "crosstable"):
        text = hostile.command("export", "--format", form).stdout
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert any("HYPERLINK" in cell for cell in cells)
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "-2+"))]


def test_a_report_believes_nobody(hostile: ContestFolder) -> None:
    text = hostile.command("export", "--format", "html").stdout
    found = Tags(text).found
    assert "table" in found
    assert not {"script", "img", "iframe", "onerror", "src"} & {*found}
    assert "title" in found
    assert "49" not in text.partition("7 * 7")[2][:5]
    assert "\x1b" not in text


def test_a_terminal_obeys_nobody(hostile: ContestFolder) -> None:
    lost = next(line for line in exported(hostile)[1:] if line["culprits"] == ["@raving"])
    shown = hostile.command("status", "--game", str(lost["number"])).stdout
    assert "alert(2)" in shown
    assert all(line.isprintable() for line in shown.splitlines())
    whole = hostile.command("status").stdout
    assert all(line.isprintable() for line in whole.splitlines())


# careless descriptions


@pytest.mark.parametrize("kind", [spoilt, torn])
def test_a_spoilt_description_is_one_clear_line(kind: object, tmp_path: Path) -> None:
    file = tmp_path / "spoilt.toml"
    assert callable(kind)
    texts: Iterable[bytes] = kind(200, Random(9))
    for text in texts:
        file.write_bytes(text)
        try:
            read(file)
        except SpielwerkError as error:
            told = str(error)
            assert told.isprintable(), text[:200]
            assert len(told) < 1500, text[:200]


# a description that is changed between run and resume

WHOLE = """
name = "Spring"
game = "oware"
format = "gauntlet"
phase = "{phase}"
rounds = 2
seed = 3
opening = 2
order = "rating"
disqualify = ["protocol error"]
[time]
move = 2.0
start = 5.0
game = 100.0
[limits]
memory = "512 MB"
processes = 10
cpu = 10.0
output = "1 MB"
files = "3 MB"
[[entrant]]
name = "anna"
engine = "level=1"
reference = true
[[entrant]]
name = "bert"
engine = "level=2"
[[entrant]]
name = "cora"
remote = "localhost:7889"
strategy = 0
depth = 5
"""
ONE_MORE = 'depth = 5\n[[entrant]]\nname = "dirk"\nengine = "level=3"\n'
REFUSED = [
    ("rounds = 2", "rounds = 1"),
    ("seed = 3", "seed = 4"),
    ("opening = 2", "opening = 3"),
    ('"rating"', '"points"'),
    ('["protocol error"]', '["crash"]'),
    ("move = 2.0", "move = 2.1"),
    ("start = 5.0", "start = 6.0"),
    ("game = 100.0", "game = 101.0"),
    ("512 MB", "513 MB"),
    ("processes = 10", "processes = 11"),
    ("cpu = 10.0", "cpu = 11.0"),
    ('"1 MB"', '"2 MB"'),
    ('"3 MB"', '"4 MB"'),
    ("level=2", "level=3"),
    (":7889", ":7890"),
    ("depth = 5", "depth = 6"),
    ("strategy = 0", "strategy = 1"),
    ('name = "bert"', 'name = "BERT"'),
    ('engine = "level=2"', 'engine = "level=2"\nreference = true'),
    ('[[entrant]]\nname = "bert"\nengine = "level=2"\n', ""),
]
ADDED = [("rounds = 2", "rounds = 3"), ("depth = 5\n", ONE_MORE)]


@pytest.mark.parametrize("phase", ["training", "competition"])
def test_whatever_changes_is_refused_but_more_of_the_same_in_training(
    phase: str, tmp_path: Path
) -> None:
    file, text = tmp_path / "spring.toml", WHOLE.replace("{phase}", phase)
    other = {"training": "competition", "competition": "training"}[phase]
    refused = [*REFUSED, (f'"{phase}"', f'"{other}"')]
    refused += ADDED if phase == "competition" else []
    file.write_text(text)
    with open_store(tmp_path / "spring.db") as store:
        drawn_up = take_up(store, read(file))
        for old, new in refused:
            assert old in text
            file.write_text(text.replace(old, new, 1))
            with pytest.raises(ContestChanged) as told:
                take_up(store, read(file))
            assert str(told.value).isprintable()
        file.write_text(text.replace("move = 2.0", "move = 2"))  # that is the same
        assert take_up(store, read(file)).games == drawn_up.games
        for old, new in ADDED if phase == "training" else ():
            text = text.replace(old, new)
            file.write_text(text)
            assert take_up(store, read(file)).added > 0
