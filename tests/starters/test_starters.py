"""The starters: they build without a warning, play whole games, and pass the checks.

In every run each is built and tried in a few cases; all cases and many games are slow. What is left
open in a skeleton builds, too, and fails; in every run that is tried where it is quick.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spielwerk.starters import LANGUAGES, protocols, write_starter

SPIELWERK = (sys.executable, "-m", "spielwerk")
BUILD = {"c": "make", "java": "javac -Xlint:all -Werror *.java", "python": "true"}
START = {
    "c": {
        "mnm": "./client",
        "dice": "./dicebot",
        "oware": "./server",
        "connect4-join": "./join",
        "connect4-host": "./host",
    },
    "java": {
        "mnm": "java -cp . Client",
        "dice": "sh ./dicebot",
        "oware": "java -cp . Server",
        "connect4-join": "java -cp . Join",
        "connect4-host": "java -cp . Host",
    },
    "python": {
        "mnm": f"{sys.executable} client.py",
        "dice": f"{sys.executable} dicebot.py",
        "oware": f"{sys.executable} server.py",
        "connect4-join": f"{sys.executable} connect4.py join",
        "connect4-host": f"{sys.executable} connect4.py host",
    },
}
OPTIONS = {
    "mnm": "-g {game} -p {player} -s {host}:{port}",
    "dice": "-n {name} -p {port} {host}",
    "oware": "--port 0",
    "connect4-join": "{index_host} {index_port}",
    "connect4-host": "{index_host} {index_port} {port} {game}",
}
FEW = {  # cases that need all of a program
    "mnm": ("pieces/byte-by-byte", "game/first-seat"),
    "dice": ("lines/bytes", "score/everything"),
    "oware": ("sowing", "precedence"),
    "connect4-join": ("move/bytes",),
    "connect4-host": ("seal",),
}
OPEN = {  # what a skeleton cannot pass
    "mnm": "prolog/first-seat",
    "dice": "turn/first",
    "oware": "sowing/every-house",
    "connect4-join": "move/bytes",
}
EVERY = [(language, check) for language in LANGUAGES for check in OPTIONS]
SKELETONS = [  # all are cut out alike, so that those to be compiled are rarely tried
    pytest.param(*one, marks=() if "python" in one or "mnm" in one else pytest.mark.slow)
    for one in EVERY
    if one[1] in OPEN
]


def command(language: str, check: str) -> list[str]:
    """How a starter is started; placeholders are the checks' own."""
    return f"{START[language][check]} {OPTIONS[check]}".split()


def built(language: str, check: str, folder: Path, *, skeleton: bool = False) -> Path:
    """A starter, written to a folder of its own and built without a warning."""
    place = folder / "starter"
    write_starter(check.partition("-")[0], language, place, skeleton=skeleton)
    done = subprocess.run(
        ["sh", "-c", BUILD[language]],  # noqa: S607
        env={name: text for name, text in os.environ.items() if not name.startswith("MAKE")},
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return place


@contextmanager
def serving(language: str, place: Path) -> Iterator[str]:
    """Run a move server; its port."""
    words = command(language, "oware")
    with subprocess.Popen(words, cwd=place, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def failed(language: str, check: str, place: Path, *options: str) -> set[str]:
    """The cases that a starter fails."""
    if check == "oware":
        with serving(language, place) as port:
            return judged(place, check, "localhost", port, *options)
    return judged(place, check, *options, "--", *command(language, check))


def judged(place: Path, *words: str) -> set[str]:
    report = place / "report.json"
    check, *rest = words
    line = [*SPIELWERK, "check", check, "--json", str(report), *rest]
    done = subprocess.run(line, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    verdicts = json.loads(report.read_text())["verdicts"]
    return {one["name"] for one in verdicts if not one["passed"]}


def cases(*names: str) -> list[str]:
    """Options that name cases."""
    return [word for name in names for word in ("--case", name)]


def test_every_language_has_every_protocol() -> None:
    wanted = {check.partition("-")[0] for check in OPTIONS}
    assert {language: {*protocols(language)} for language in LANGUAGES} == dict.fromkeys(
        LANGUAGES, wanted
    )


@pytest.mark.parametrize(("language", "check"), EVERY)
def test_a_starter_builds_and_passes(tmp_path: Path, language: str, check: str) -> None:
    place = built(language, check, tmp_path)
    assert failed(language, check, place, *cases(*FEW[check])) == set()


@pytest.mark.parametrize(("language", "check"), SKELETONS)
def test_a_skeleton_builds_and_fails_where_it_is_open(
    tmp_path: Path, language: str, check: str
) -> None:
    place = built(language, check, tmp_path, skeleton=True)
    assert failed(language, check, place, *cases(OPEN[check])) == {OPEN[check]}


@pytest.mark.slow
@pytest.mark.parametrize(("language", "check"), EVERY)
def test_a_starter_passes_all_cases(tmp_path: Path, language: str, check: str) -> None:
    place = built(language, check, tmp_path)
    assert failed(language, check, place) == set()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["quarto", "morris", "dice"])
def test_a_starter_plays_twenty_games(tmp_path: Path, language: str, game: str) -> None:
    check = "dice" if game == "dice" else "mnm"
    place = built(language, check, tmp_path)
    line = " ".join(command(language, check))
    words = [*SPIELWERK, "match", game, line, "random", "--games", "24"]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "24 games" in done.stdout
    assert "fault" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("check", ["mnm", "dice"])
def test_whole_games_in_c_are_without_errors_of_memory(tmp_path: Path, check: str) -> None:
    place = built("c", check, tmp_path)
    watched = f"valgrind --leak-check=full --log-file={place}/%p.log {place}/"
    line = watched + " ".join(command("c", check)).removeprefix("./")
    game = "dice" if check == "dice" else "morris"
    words = [*SPIELWERK, "match", game, line, "random", "--games", "6"]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    logs = [path.read_text() for path in place.glob("*.log")]
    assert logs
    assert all("ERROR SUMMARY: 0 errors" in log for log in logs)
    assert all("no leaks are possible" in log for log in logs)
