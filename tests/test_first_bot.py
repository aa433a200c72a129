"""The page about a first bot: its files are written, and its commands run as they are printed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from spielwerk.clients.bots import decision
from spielwerk.games import find_game
from tests.servers.live import live, settings_for
from tests.test_readme import BIN, ROOT, blocks, run_script

PAGE = (ROOT / "docs" / "first-bot.md").read_text(encoding="utf-8")
GERMAN = (ROOT / "docs" / "de" / "erster-bot.md").read_text(encoding="utf-8")
ENGLISH_PAGES = ("first-bot.md", "serving.md", "checking.md")
GERMAN_PAGES = ("erster-bot.md", "anschliessen.md", "pruefen.md")

FILES = dict(re.findall(r"file `(\S+)`:\n\n```\w+\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
INSTALL, PLAY, MATCH, ELSEWHERE, CONTEST, STARTER = blocks("sh", PAGE)
PATH = f"{BIN}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all files of the page."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def said(script: str, folder: Path) -> str:
    return run_script(script, folder, PATH=PATH)


def test_the_path_leads_to_spielwerk_and_to_a_python_that_knows_it(tmp_path: Path) -> None:
    script = INSTALL.replace("$PWD/.venv/bin", str(BIN))
    look = 'spielwerk --help > help; python3 -c "import spielwerk"; pwd'
    assert run_script(f"{script}{look}", HOME=str(tmp_path)).strip() == str(tmp_path / "bots")


def test_the_first_bot_is_played_against_in_the_terminal(folder: Path) -> None:
    assert len(FILES["mybot.py"].splitlines()) <= 12
    assert "opponent: " in said(f"(echo 3; echo quit) | {PLAY}", folder)


@pytest.mark.slow
def test_the_matches_are_played(folder: Path) -> None:
    printed = said(MATCH, folder).splitlines()
    shown = re.findall(r"^(A against B, 10 games): .*", PAGE, re.MULTILINE)
    assert [line.partition(":")[0] for line in printed] == shown


def test_the_decision_on_the_page_is_a_real_one() -> None:
    shown = json.loads(blocks("json", PAGE)[0])
    assert shown == decision(find_game("connect4")().start(), [], 9.5)


@pytest.mark.parametrize("command", ["sh first.sh", "./first"])
def test_bots_in_other_languages_play_the_first_move(command: str, folder: Path) -> None:
    if command == "./first":
        if not shutil.which("cc"):
            pytest.skip("there is no C compiler here")
        said(ELSEWHERE.splitlines()[0], folder)
    told = json.dumps(decision(find_game("morris")().start(), [], 9.5))
    assert said(f"echo '{told}' | {command}", folder) == "A0\n"


@pytest.mark.slow
def test_bots_in_other_languages_meet(folder: Path) -> None:
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler here")
    printed = said(ELSEWHERE, folder)
    assert "2 games" in printed
    assert "fault" not in printed


@pytest.mark.slow
def test_the_contest_is_played(folder: Path) -> None:
    printed = said(CONTEST, folder)
    assert "crash" not in printed
    assert {"winner", "mine", "shell", "chance"} <= {*printed.split()}
    assert (folder / "cup.html").exists()


def test_the_bots_play_on_a_server(folder: Path) -> None:
    with live(settings_for(folder / "data")) as server:
        host, port = server.mnm
        script = "".join(blocks("bash", PAGE)).replace("127.0.0.1:1357", f"{host}:{port}")
        printed = run_script(script, folder, PATH=PATH, SPIELWERK_SERVER=server.url)
    *ends, game_id = printed.split()
    assert len(ends) == 2
    assert {*ends} <= {"won", "lost", "drawn"}
    assert len(game_id) == 13


def test_the_fault_is_told_as_the_page_shows_it(folder: Path) -> None:
    command, _, shown = blocks("console", PAGE)[0].removeprefix("$ ").partition("\n")
    done = subprocess.run(
        ["/usr/bin/env", "bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": PATH},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == shown


def test_the_starter_is_written_and_checked(folder: Path) -> None:
    said(STARTER, folder)
    assert (folder / "client" / "client.py").exists()


# the German pages


FENCES = re.compile(r"^```\w+\n.*?^```", re.DOTALL | re.MULTILINE)


def test_the_german_page_has_the_same_files_and_commands() -> None:
    assert FENCES.findall(GERMAN) == FENCES.findall(PAGE)


def test_what_the_german_pages_show_the_english_ones_show_too() -> None:
    english, german = (ROOT / "docs" / name for name in ("serving.md", "de/anschliessen.md"))
    shown = FENCES.findall(german.read_text(encoding="utf-8"))
    assert {*shown} <= {*FENCES.findall(english.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(("english", "german"), [*zip(ENGLISH_PAGES, GERMAN_PAGES, strict=True)])
def test_the_pages_link_to_each_other_at_the_top(english: str, german: str) -> None:
    docs = ROOT / "docs"
    head = (docs / english).read_text(encoding="utf-8").splitlines()[:4]
    assert f"Auf Deutsch: [de/{german}](de/{german})" in head
    head = (docs / "de" / german).read_text(encoding="utf-8").splitlines()[:4]
    assert f"In English: [{english}](../{english})" in head


@pytest.mark.parametrize("name", GERMAN_PAGES)
def test_every_link_of_a_german_page_leads_somewhere(name: str) -> None:
    page = ROOT / "docs" / "de" / name
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
