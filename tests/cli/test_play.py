"""`spielwerk play` with all kinds of players: real processes, servers on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
from itertools import product

import pytest

from tests.cli.command import refused, spielwerk
from tests.cli.test_cli import SPIELWERK
from tests.clients.oware.host import Host, hanging_up, silent
from tests.waiting import wait_until

EVERY_HOUSE = "0\n1\n2\n3\n4\n5\n" * 150  # a player who tries whatever there is


@pytest.mark.parametrize(("a", "b"), [*product(["human", "local", "remote"], repeat=2)])
def test_all_nine_pairings(a: str, b: str) -> None:
    """Oware task, section 3.2."""
    with Host() as host:
        text = {"human": "human", "local": "engine:strategy=1,depth=1", "remote": host.text}
        done = spielwerk("play", "oware", "--a", text[a], "--b", text[b], keyboard=EVERY_HOUSE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Game over: " in done.stdout
    for kind, emblem in ((a, "● A"), (b, "◆ B")):
        assert (f"{emblem}> " in done.stdout) is (kind == "human")
        assert (f"{emblem}: " in done.stdout) is (kind != "human")
    asked = {len(lines[3]) % 2 for lines in host.requests}
    assert asked == {seat for seat, kind in enumerate((a, b)) if kind == "remote"}


def test_a_server_that_fails_breaks_the_game_off() -> None:
    with Host(hanging_up()) as host:
        done = spielwerk("play", "oware", "--a", host.text, "--b", "random")
    problem = f"127.0.0.1:{host.port} closed the connection without an answer"
    said = " ".join(done.stdout.split())  # long lines are broken
    assert f"The game was aborted: {problem}." in said
    assert done.stderr == f"spielwerk: the game was aborted: {problem}\n"
    assert done.returncode == 1


def test_ctrl_c_does_not_wait_for_a_silent_server() -> None:
    with Host(silent) as host:
        process = subprocess.Popen(
            [SPIELWERK, "play", "oware", "--a", f"{host.text},timeout=3600"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        wait_until(lambda: host.requests)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert output.endswith(b"Bye.\n")
    assert errors == b""


def test_steps_are_shown_also_where_there_is_no_terminal_if_they_are_wanted() -> None:
    last = ["--from", "13 21 1 0 0 0 0 4 2 2 2 2 0 1"]
    done = spielwerk("play", "oware", *last, "--pause", "0.001", keyboard="5\n")
    assert done.stdout.count("collects 3 from B") == 4
    assert "Game over: A wins (26:22): E-1" in done.stdout
    plain = spielwerk("play", "oware", *last, keyboard="5\n")
    assert "collects" not in plain.stdout


def test_hints_have_settings_of_their_own() -> None:
    start = ["--from", "13 21 1 0 0 0 0 4 2 2 2 2 0 1"]
    for hint in ([], ["--hint", "strategy=1,depth=2"]):
        done = spielwerk("play", "oware", *start, *hint, keyboard="hint\n")
        assert "Hint: 5\n" in done.stdout
        assert "[ 4]" in done.stdout
        assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["oware", "--a", "kasparov"], "'kasparov' is no player"),
        (["oware", "--a", "engine:level=11"], "level goes from 1 to 10"),
        (["oware", "--b", "remote:"], "expected remote:HOST:PORT"),
        (["oware", "--b", "remote:localhost:70000"], "'70000' is no port: they go from 0 to 65535"),
        (["oware", "--b", "remote:localhost,depth=10"], "depth goes from 1 to 9, not '10'"),
        (["oware", "--a", "random", "--against", "random"], "leave out --against and --seat"),
        (["oware", "--a", "random", "--seat", "0"], "leave out --against and --seat"),
        (["oware", "--show", "-1"], "'-1' is not a time between 0 and 60 seconds"),
        (["oware", "--pause", "soon"], "'soon' is not a time between 0 and 60 seconds"),
        (["oware", "--pause", "nan"], "'nan' is not a time between 0 and 60 seconds"),
        (["oware", "--hint", "remote:localhost"], "'remote:localhost' is no player"),
        (["oware", "--hint", "strategy=5"], "strategy goes from 0 to 1"),
        (["dice", "--a", "random"], "dice has 3 seats: say who plays with --against"),
        (["morris", "--a", "remote:localhost"], "there are remote players for Oware, not morris"),
        (["--show", "1"], "name the game these options are for"),
    ],
)
def test_wrong_use_is_one_clear_line(arguments: list[str], message: str) -> None:
    assert message in refused("play", *arguments)
