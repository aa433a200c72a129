"""What the checks say about programs that were written from the documents alone is right.

They know nothing of this house; `strangers/README.md` has what their authors knew to be wrong with
them. The careful ones pass, but for a signal that Java keeps to itself; the hasty ones fail exactly
where they are hasty.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STRANGERS = Path(__file__).parent / "strangers"
PYTHON = sys.executable


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The programs, built where that is needed."""
    shutil.copytree(STRANGERS, tmp_path, dirs_exist_ok=True)
    return tmp_path


def failed(folder: Path, check: str, *command: str) -> set[str]:
    """The cases that a program fails."""
    report = folder / "report.json"
    words = [PYTHON, "-m", "spielwerk", "check", check, "--json", str(report)]
    words += ["--folder", str(folder), "--", *command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    verdicts = json.loads(report.read_text())["verdicts"]
    return {one["name"] for one in verdicts if not one["passed"]}


@pytest.mark.slow
def test_a_careful_client_in_c_passes(folder: Path) -> None:
    subprocess.run(["make", "-C", str(folder / "c")], check=True, capture_output=True)  # noqa: S607
    words = ("c/client", "-g", "{game}", "-p", "{player}", "-s", "{host}:{port}")
    assert failed(folder, "mnm", f"./{words[0]}", *words[1:]) == set()


@pytest.mark.slow
def test_a_bot_in_java_fails_where_java_keeps_a_signal(folder: Path) -> None:
    java = folder / "java"
    build = ["javac", "-d", str(java), str(java / "DiceBot.java")]
    subprocess.run(build, check=True, capture_output=True)
    words = ("java", "-cp", "java", "DiceBot", "-n", "{name}", "-p", "{port}", "{host}")
    cases = failed(folder, "dice", *words)
    by_status = {"signal/status-half-greeted", "signal/status-decided"}  # they send it, too
    assert by_status < cases
    assert all(name.startswith("signal/quit") for name in cases - by_status)


HASTY = [
    (
        "mnm",
        ("naive.py", "-g", "{game}", "-p", "{player}", "-s", "{host}:{port}"),
        {"pieces", "prolog", "names"},  # it looks for words anywhere in what has come
    ),
    ("dice", ("dicebot.py", "-n", "{name}", "-p", "{port}", "{host}"), {"lines", "signal"}),
    (
        "connect4-join",
        ("join.py", "{index_host}", "{index_port}"),
        {"list", "move", "gone", "wrong"},
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("check", "words", "groups"), HASTY, ids=[one[0] for one in HASTY])
def test_hasty_programs_fail_where_they_are_hasty(
    folder: Path, check: str, words: tuple[str, ...], groups: set[str]
) -> None:
    cases = failed(folder, check, PYTHON, f"naive/{words[0]}", *words[1:])
    assert {name.partition("/")[0] for name in cases} == groups
