"""The starters in Java: they build without a warning, play whole games, and pass the checks."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from spielwerk.starters import write_starter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SPIELWERK = (sys.executable, "-m", "spielwerk")
JAVA = ("java", "-cp", "{folder}")
MNM = (*JAVA, "Client", "-g", "{game}", "-p", "{player}", "-s", "{host}:{port}")
DICE = ("sh", "./dicebot", "-n", "{name}", "-p", "{port}", "{host}")
OWARE = (*JAVA, "Server", "--port", "{port}")
JOIN = (*JAVA, "Join", "{index_host}", "{index_port}")
HOST = (*JAVA, "Host", "{index_host}", "{index_port}", "{port}", "{game}")

pytestmark = pytest.mark.skipif(not shutil.which("javac"), reason="needs a JDK")


def built(protocol: str, folder: Path, *, skeleton: bool = False) -> Path:
    """A starter, written to a folder of its own and built without a warning."""
    place = folder / protocol
    write_starter(protocol, "java", place, skeleton=skeleton)
    sources = [path.name for path in place.glob("*.java")]
    build = ["javac", "-Xlint:all", *sources]
    done = subprocess.run(build, cwd=place, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return place


def failed(place: Path, check: str, *words: str) -> set[str]:
    """The cases that a program fails."""
    report = place / "report.json"
    command = [*SPIELWERK, "check", check, "--jobs", "3", "--json", str(report), *words]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    verdicts = json.loads(report.read_text())["verdicts"]
    return {one["name"] for one in verdicts if not one["passed"]}


def play(place: Path, game: str, words: tuple[str, ...], games: int, *options: str) -> None:
    """Play whole games on our server, in every seat, without a fault."""
    command = [*SPIELWERK, "match", game, " ".join(words), "random", "--games", str(games)]
    done = subprocess.run(
        [*command, *options], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{games} games" in done.stdout
    assert "fault" not in done.stdout


def host(place: Path, rounds: int) -> None:
    """Play whole games of which the program is the host, twice in a round, without a fault."""
    description = place / "contest.toml"
    description.write_text(
        f'name = "hosts"\ngame = "connect4"\nrounds = {rounds}\n'
        f'[[entrant]]\nname = "host"\nrole = "host"\ncommand = "{" ".join(HOST)}"\n'
        '[[entrant]]\nname = "random"\nengine = "random"\n'
    )
    contest = [*SPIELWERK, "contest"]
    subprocess.run([*contest, "run", str(description)], capture_output=True, check=True)
    export = [*contest, "export", str(description), "--format", "csv"]
    done = subprocess.run(export, capture_output=True, text=True, check=True)
    games = list(csv.DictReader(done.stdout.splitlines()))
    assert [game["culprits"] for game in games] == [""] * 2 * rounds
    assert {game["state"] for game in games} == {"done"}


def cases(*names: str) -> list[str]:
    """Options that name cases."""
    return [word for name in names for word in ("--case", name)]


@contextmanager
def serving(place: Path) -> Iterator[str]:
    """The Oware server at a free port, which is given."""
    command = ["java", "-cp", str(place), "Server", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().split()[-1]  # listening on port 34567
        finally:
            server.kill()


@pytest.mark.parametrize("game", ["quarto", "morris"])
def test_the_client_plays_and_passes(tmp_path: Path, game: str) -> None:
    place = built("mnm", tmp_path)
    play(place, game, MNM, 2)
    few = cases("pieces/byte-by-byte", "game/first-seat", "end/draw", "behaviour/processes")
    assert failed(place, "mnm", "--game", game, *few, "--", *MNM) == set()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["quarto", "morris"])
def test_the_client_plays_many_games_and_passes_all_cases(tmp_path: Path, game: str) -> None:
    place = built("mnm", tmp_path)
    play(place, game, MNM, 20)
    for dialect in "123":
        options = ("--game", game, "--dialect", dialect)
        assert failed(place, "mnm", *options, "--", *MNM) == set()


def test_the_client_left_open_fails_where_it_is_open(tmp_path: Path) -> None:
    place = built("mnm", tmp_path, skeleton=True)
    some = cases("refusal/connected", "lost/no-server", "prolog/first-seat", "game/first-seat")
    assert failed(place, "mnm", *some, "--", *MNM) == {"prolog/first-seat", "game/first-seat"}


def test_the_bot_plays_and_passes(tmp_path: Path) -> None:
    place = built("dice", tmp_path)
    play(place, "dice", DICE, 6)
    few = cases("score/everything", "lines/bytes", "lines/many", "signal/quit-named", "err/status")
    assert failed(place, "dice", *few, "--", *DICE) == set()


@pytest.mark.slow
def test_the_bot_plays_many_games_and_passes_all_cases(tmp_path: Path) -> None:
    place = built("dice", tmp_path)
    play(place, "dice", DICE, 24)
    assert failed(place, "dice", "--", *DICE) == set()


def test_the_bot_left_open_fails_where_it_is_open(tmp_path: Path) -> None:
    place = built("dice", tmp_path, skeleton=True)
    some = cases("call/no-name", "err/connected", "turn/first", "signal/int-connected")
    assert failed(place, "dice", *some, "--", *DICE) == {"turn/first", "signal/int-connected"}


def test_the_server_plays_and_passes(tmp_path: Path) -> None:
    place = built("oware", tmp_path)
    play(place, "oware", OWARE, 2)
    with serving(place) as port:  # all cases: they take seconds
        assert failed(place, "oware", "127.0.0.1", port) == set()


@pytest.mark.slow
def test_the_server_plays_many_games(tmp_path: Path) -> None:
    play(built("oware", tmp_path), "oware", OWARE, 20)


def test_the_server_left_open_fails_where_it_is_open(tmp_path: Path) -> None:
    place = built("oware", tmp_path, skeleton=True)
    some = cases("read-failure/one-line", "strategy/sign", "sowing/twenty-three-stones")
    with serving(place) as port:
        wrong = failed(place, "oware", *some, "127.0.0.1", port)
    assert wrong == {"strategy/sign", "sowing/twenty-three-stones"}


def test_the_opponent_plays_and_passes(tmp_path: Path) -> None:
    place = built("connect4", tmp_path)
    play(place, "connect4", JOIN, 2)
    few = cases("size", "move", "wrong/no-number", "behaviour/processes")
    assert failed(place, "connect4-join", *few, "--", *JOIN) == set()


def test_the_initiator_plays_and_passes(tmp_path: Path) -> None:
    place = built("connect4", tmp_path)
    host(place, 1)
    few = cases("join", "win/rising", "game/v1-won", "illegal/floating", "behaviour/interrupted")
    assert failed(place, "connect4-host", *few, "--", *HOST) == set()


@pytest.mark.slow
def test_the_opponent_plays_many_games_and_passes_all_cases(tmp_path: Path) -> None:
    place = built("connect4", tmp_path)
    play(place, "connect4", JOIN, 20)
    play(place, "connect4", JOIN, 4, "-o", "width=4", "-o", "height=4", "-o", "depth=4")
    assert failed(place, "connect4-join", "--", *JOIN) == set()


@pytest.mark.slow
def test_the_initiator_plays_many_games(tmp_path: Path) -> None:
    host(built("connect4", tmp_path), 10)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(), ("4", "4", "4")], ids=["flat", "solid"])
def test_the_initiator_passes_all_cases(tmp_path: Path, size: tuple[str, ...]) -> None:
    place = built("connect4", tmp_path)
    assert failed(place, "connect4-host", "--", *HOST, *size) == set()


def test_connect_four_left_open_fails_where_it_is_open(tmp_path: Path) -> None:
    place = built("connect4", tmp_path, skeleton=True)
    some = cases("list/empty", "game/v2-won")
    wrong = failed(place, "connect4-join", *some, "--", *JOIN)
    assert wrong == {"game/v2-won"}
    some = cases("register/parameters", "join/v1", "win/rising")
    wrong = failed(place, "connect4-host", *some, "--", *HOST)
    assert wrong == {"join/v1", "win/rising"}
