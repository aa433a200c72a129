"""The README and the pages in docs run: their commands, their output, and their Python."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.servers.live import Live, live, settings_for

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = README + "".join(
    (ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("engines.md", "serving.md")
)
BIN = Path(sys.executable).parent


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGES, re.DOTALL | re.MULTILINE)


def run(command: str) -> subprocess.CompletedProcess[str]:
    arguments = shlex.split(command, comments=True)
    program = str(BIN / Path(arguments[0]).name)
    return subprocess.run(
        [program, *arguments[1:]], input="quit\n", capture_output=True, text=True, check=False
    )


# What needs a running server; in the tests it has other ports than a reader's.
SCRIPTS = re.findall(r"^```bash\n(.*?)^```", PAGES, re.DOTALL | re.MULTILINE)

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
    done = run(command)
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
    environment = {**os.environ, "SPIELWERK_SERVER": server.url}
    done = subprocess.run(
        ["/usr/bin/env", "bash", "-euc", script.replace(".venv/bin/", f"{BIN}/")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert r"+ GAMEOVER" in done.stdout


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
