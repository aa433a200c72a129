"""The README and the pages in docs run: their commands, their output, and their Python."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielwerk.contests import description
from spielwerk.contests.drafts import as_toml
from spielwerk.contests.keys import paths
from spielwerk.store.records import Kind
from tests.servers.live import Live, live, settings_for

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = README + "".join(
    (ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("engines.md", "serving.md")
)
CONTESTS = (ROOT / "docs" / "contests.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent


def blocks(language: str, text: str = PAGES) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def run(command: str) -> subprocess.CompletedProcess[str]:
    arguments = shlex.split(command.replace(".venv/bin/", f"{BIN}/"), comments=True)
    return subprocess.run(arguments, input="quit\n", capture_output=True, text=True, check=False)


def run_script(script: str, folder: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        ["/usr/bin/env", "bash", "-euc", script.replace(".venv/bin/", f"{BIN}/")],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# What needs a running server; in the tests it has other ports than a reader's.
SCRIPTS = [script for script in blocks("bash") if "contest" not in script]
CONTEST = next(script for script in blocks("bash") if "contest" in script)

COMMANDS = [
    line for block in blocks("sh") for line in block.splitlines() if line.startswith(".venv/bin/")
]
SESSIONS = [
    part.partition("\n")
    for block in blocks("console")
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)
    if part
]


def test_there_is_something_to_run() -> None:
    assert len(COMMANDS) >= 4
    assert len(SESSIONS) >= 2


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works_as_printed(command: str) -> None:
    """Except that a match is short."""
    done = run(re.sub(r"--games \d+", "--games 6", command))
    said = [line for line in done.stderr.splitlines() if not line.startswith("Compiling")]
    assert (done.returncode, said) == (0, [])


@pytest.mark.parametrize(("command", "_", "output"), SESSIONS)
def test_a_session_prints_what_the_readme_shows(command: str, _: str, output: str) -> None:
    assert run(command).stdout == output


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(settings_for(tmp_path_factory.mktemp("data"))) as running:
        yield running


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_works_against_a_running_server(script: str, server: Live) -> None:
    host, port = server.mnm
    script = script.replace("spielwerk client", f"spielwerk client -H {host} -P {port} -e level=1")
    assert r"+ GAMEOVER" in run_script(script, SPIELWERK_SERVER=server.url)


def test_the_contest_of_the_readme_is_played(tmp_path: Path) -> None:
    assert "3.  random" in run_script(CONTEST, tmp_path)
    assert (tmp_path / "cup.html").read_text(encoding="utf-8").startswith("<!doctype html>")


# the page about contests

GAMES = (
    "morris",
    "quarto",
    "dice",
    "oware",
    "connect4",
    "connect4",
    "oware",
)  # of the page's entrants
ENTRANTS = [block for block in blocks("toml", CONTESTS) if block.startswith("[[entrant]]")]


def executable(path: Path, text: str = "#!/bin/sh\n") -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def test_the_contest_in_five_minutes_is_played(tmp_path: Path) -> None:
    executable(tmp_path / "hold20.py", blocks("python", CONTESTS)[0])
    toml = blocks("toml", CONTESTS)[0].replace("rounds = 2", "rounds = 1")
    three = toml.rpartition("[[entrant]]")[0]  # so there are six games, not 48
    (tmp_path / "dice.toml").write_text(three, encoding="utf-8")
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    printed = run_script(blocks("bash", CONTESTS)[0], tmp_path, PATH=path)
    assert "3 entrants, 6 games" in printed
    assert "game 5: perfect - bert - anna" in printed
    assert (tmp_path / "dice.html").exists()


@pytest.mark.parametrize(("game", "block"), [*zip(GAMES, ENTRANTS, strict=True)])
def test_an_entrant_of_the_page_can_take_part(game: str, block: str, tmp_path: Path) -> None:
    for program in ("anna/client", "dicebot", "oware-server", "connectfour", "mybot.py"):
        executable(tmp_path / program)
    others = "".join(f'[[entrant]]\nname = "{name}"\nengine = "random"\n' for name in "xy")
    file = tmp_path / "contest.toml"
    file.write_text(f'name = "Cup"\ngame = "{game}"\n{block}{others}', encoding="utf-8")
    assert len(description.read(file).entrants) == 3


def test_the_ladder_of_the_page_is_one(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    file.write_text(blocks("toml", CONTESTS)[-1], encoding="utf-8")
    assert description.read(file).newcomers


def test_the_page_names_every_key_with_what_it_is_if_not_given(tmp_path: Path) -> None:
    rows = dict(re.findall(r"^\| `([a-z0-9.]+)` \| ([^|]*) \|", CONTESTS, re.MULTILINE))
    keys = {f"{section}.{name}".lstrip("."): name for section, name, _ in paths()}
    assert keys.keys() <= rows.keys()
    assert {*Kind, "folder", "role", "reference"} <= rows.keys()
    entrants = ["engine:random", "two=engine:random"]
    written: dict[str, str] = {}
    for game in ("connect4", "morris"):
        usual = as_toml(description.new({"name": "Cup", "game": game}, entrants, tmp_path))
        written |= dict(line.split(" = ") for line in usual.split("\n") if line[:1].isalpha())
    for path, name in keys.items():
        assert name in ("name", "game") or f"`{written[name]}`" in rows[path]


# and all the rest


def test_the_python_examples_hold() -> None:
    examples = "\n".join(blocks("python"))
    parser = doctest.DocTestParser()
    test = parser.get_doctest(examples, {}, "README", "README.md", 0)
    runner = doctest.DocTestRunner()
    assert test.examples
    assert runner.run(test).failed == 0


@pytest.mark.parametrize("target", ["run", "test"])
def test_the_two_commands_are_targets_of_the_makefile(target: str) -> None:
    assert f"make {target}" in README
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_ci_runs_the_test_command_of_the_readme_and_nothing_else() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert script[-1] == "make test"
    assert len([line for line in script if "make" in line]) == 1
