"""The starters in C: they build without a warning, play whole games, and pass the checks."""

from __future__ import annotations

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
MNM = ("./client", "-g", "{game}", "-p", "{player}", "-s", "{host}:{port}")
DICE = ("./dicebot", "-n", "{name}", "-p", "{port}", "{host}")
JOIN = ("./join", "{index_host}", "{index_port}")
HOST = ("./host", "{index_host}", "{index_port}")

pytestmark = pytest.mark.skipif(
    not (shutil.which("make") and shutil.which("gcc")), reason="needs make and gcc"
)


def built(protocol: str, folder: Path, *, skeleton: bool = False) -> Path:
    """A starter, written to a folder of its own and built; the Makefile lets no warning pass."""
    place = folder / protocol
    write_starter(protocol, "c", place, skeleton=skeleton)
    done = subprocess.run(
        ["make"],  # noqa: S607
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return place


def verdicts(place: Path, check: str, *words: str) -> dict[str, bool]:
    """Which cases a program passes."""
    report = place / "report.json"
    command = [*SPIELWERK, "check", check, "--json", str(report), *words]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return {one["name"]: one["passed"] for one in json.loads(report.read_text())["verdicts"]}


def failed(place: Path, check: str, *words: str) -> set[str]:
    """The cases that a program fails."""
    return {name for name, passed in verdicts(place, check, *words).items() if not passed}


def play(place: Path, game: str, words: tuple[str, ...], games: int) -> None:
    """Play whole games on our server, half of them in each seat, without a fault."""
    command = [*SPIELWERK, "match", game, " ".join(words), "random", "--games", str(games)]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{games} games" in done.stdout
    assert "fault" not in done.stdout


def cases(*names: str) -> list[str]:
    """Options that name cases."""
    return [word for name in names for word in ("--case", name)]


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
    wrong = failed(place, "mnm", *some, "--", *MNM)
    assert wrong == {"prolog/first-seat", "game/first-seat"}


def test_the_bot_plays_and_passes(tmp_path: Path) -> None:
    place = built("dice", tmp_path)
    play(place, "dice", DICE, 6)
    few = cases("score/everything", "lines/bytes", "lines/many", "signal/quit-named", "err/status")
    assert failed(place, "dice", *few, "--", *DICE) == set()


@pytest.mark.slow
def test_the_bot_plays_many_games_and_passes_all_cases(tmp_path: Path) -> None:
    place = built("dice", tmp_path)
    play(place, "dice", DICE, 18)
    assert failed(place, "dice", "--", *DICE) == set()


def test_the_bot_left_open_fails_where_it_is_open(tmp_path: Path) -> None:
    place = built("dice", tmp_path, skeleton=True)
    some = cases("call/no-name", "err/connected", "turn/first", "signal/int-connected")
    assert failed(place, "dice", *some, "--", *DICE) == {"turn/first", "signal/int-connected"}


@contextmanager
def serving(place: Path) -> Iterator[str]:
    """Run a move server; its port."""
    command = ["./server", "--port", "0"]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()
        assert server.wait(10) == 0


def play_oware(port: str, games: int) -> None:
    """Play whole games against a move server, half of them in each seat."""
    for number in range(games):
        seats = (f"remote:localhost:{port}", "random")
        a, b = seats if number % 2 else seats[::-1]
        command = [*SPIELWERK, "play", "oware", "--a", a, "--b", b]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        assert "Game over" in done.stdout, done.stdout + done.stderr


def test_the_move_server_plays_and_passes(tmp_path: Path) -> None:
    place = built("oware", tmp_path)
    with serving(place) as port:
        play_oware(port, 2)
        few = cases("sowing", "grand-slam", "cycle", "precedence", "read-failure")
        assert failed(place, "oware", "localhost", port, *few) == set()


@pytest.mark.slow
def test_the_move_server_plays_many_games_and_passes_all_cases(tmp_path: Path) -> None:
    place = built("oware", tmp_path)
    with serving(place) as port:
        play_oware(port, 20)
        assert failed(place, "oware", "localhost", port, "--silence", "31") == set()


def test_the_move_server_left_open_fails_where_it_is_open(tmp_path: Path) -> None:
    place = built("oware", tmp_path, skeleton=True)
    with serving(place) as port:
        some = cases("read-failure", "strategy/text", "sowing/every-house")
        wrong = failed(place, "oware", "localhost", port, *some)
    assert wrong == {"strategy/text", "sowing/every-house"}


def test_the_programs_for_connect_four_play_and_pass(tmp_path: Path) -> None:
    place = built("connect4", tmp_path)
    play(place, "connect4", JOIN, 2)
    few = cases("game/v1-draw", "game/v2-lost", "size/deep", "move/bytes", "list/long")
    assert failed(place, "connect4-join", *few, "--", *JOIN) == set()
    few = cases("game/v1-won", "game/v2-draw", "join/second", "illegal/floating", "gone/closed")
    assert failed(place, "connect4-host", *few, "--", *HOST) == set()


@pytest.mark.slow
@pytest.mark.parametrize("spelling", ["document", "variant"])
def test_the_programs_for_connect_four_pass_all_cases(tmp_path: Path, spelling: str) -> None:
    place = built("connect4", tmp_path)
    play(place, "connect4", JOIN, 20)
    words = ("--spelling", spelling, "--")
    assert failed(place, "connect4-join", *words, *JOIN) == set()
    assert failed(place, "connect4-host", *words, *HOST) == set()
    assert failed(place, "connect4-host", *words, *HOST, "{port}", "{game}", *"444") == set()


def test_the_programs_for_connect_four_left_open_fail_where_they_are_open(tmp_path: Path) -> None:
    place = built("connect4", tmp_path, skeleton=True)
    some = cases("list/empty", "list/unreachable", "join/v2", "game/v2-won")
    assert failed(place, "connect4-join", *some, "--", *JOIN) == {"join/v2", "game/v2-won"}
    some = cases("register/parameters", "heartbeat/in-time", "join/v2", "win/vertical")
    assert failed(place, "connect4-host", *some, "--", *HOST) == {"join/v2", "win/vertical"}


@pytest.mark.skipif(not shutil.which("valgrind"), reason="needs valgrind")
@pytest.mark.slow
def test_whole_games_are_without_errors_of_memory(tmp_path: Path) -> None:
    for protocol, game, words in (
        ("mnm", "quarto", MNM),
        ("mnm", "morris", MNM),
        ("dice", "dice", DICE),
        ("connect4", "connect4", JOIN),
    ):
        place = built(protocol, tmp_path / game)
        watched = ("valgrind", "--leak-check=full", f"--log-file={place}/%p.log")
        play(place, game, (*watched, *words), 6 if game == "dice" else 2)
        logs = [path.read_text() for path in place.glob("*.log")]
        assert logs
        assert all("ERROR SUMMARY: 0 errors" in log for log in logs)
        assert all("no leaks are possible" in log for log in logs)
