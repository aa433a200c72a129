"""The command line from outside: real processes, what they print and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spielwerk import __version__
from spielwerk.games import kits
from tests.cli import command

SPIELWERK = Path(sys.executable).with_name("spielwerk")


def spielwerk(
    *arguments: str, keyboard: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SPIELWERK, *arguments],
        input=keyboard,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | environment,
    )


def test_help_and_version() -> None:
    assert "play" in spielwerk("--help").stdout
    assert spielwerk("--version").stdout == f"spielwerk {__version__}\n"
    assert spielwerk("play", "--help").returncode == 0


def test_no_summary_is_cut_at_80_columns() -> None:
    cut = []
    for group in ([], ["games"], ["connect4"], ["check"], ["contest"], ["solve"]):
        shown = command.spielwerk(*group, "--help", COLUMNS="80").stdout.partition("Commands:")[2]
        assert shown
        cut += [line for line in shown.splitlines() if line.endswith("...")]
    assert cut == []


def test_help_does_not_import_what_it_does_not_need() -> None:
    code = "import sys, spielwerk.cli.app; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "typer" in modules
    assert not {"rich", "numpy", "spielwerk.games.oware.rules", "asyncio", "hypothesis"} & {
        *modules
    }


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["oware", "4"], "1014"),
        (["quarto", "2"], "50400"),
        (["quarto", "1", "--option", "n=3", "--option", "first=8"], "72"),
        (["connect4", "2", "width=4", "height=4", "depth=4"], "256"),
        (["morris", "0"], "1"),
        (["oware", "13", "--from", "23 23 1 0 0 0 0 0 1 0 0 0 0 0"], "0"),
    ],
)
def test_perft_prints_the_number(arguments: list[str], count: str) -> None:
    done = command.spielwerk("perft", *arguments)
    assert (done.stdout, done.stderr, done.returncode) == (f"{count}\n", "", 0)


def test_perft_divide_prints_the_count_under_each_move_and_the_sum() -> None:
    lines = command.spielwerk("perft", "oware", "3", "--divide").stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == ["0", "1", "2", "3", "4", "5"]
    assert sum(int(line.split(": ")[1]) for line in lines[:-1]) == int(lines[-1]) == 190


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["perft", "chess", "2"], "'chess' is no game; there are quarto, morris"),
        (["perft", "quarto", "2", "--option", "n=17"], "'n=17': must be from 2 to 16"),
        (["perft", "quarto", "2", "--option", "n"], "expected NAME=VALUE"),
        (["perft", "quarto", "2", "--option", "m=4"], "quarto has no such option"),
        (["perft", "quarto", "2", "--from", "x"], "'x' is no Quarto position"),
        (["perft", "dice", "2"], "dice has chance decisions"),
        (["perft", "oware", "--", "-1"], "DEPTH -1"),
        (["perft", "oware", "two"], "'two' is not a whole number"),
        (["play", "oware", "--seat", "1"], "say who sits at the other seats"),
        (["perft", "oware"], "Missing argument"),
        (["perft", "oware", "2", "--nonsense"], "--nonsense"),
        (["perft", "oware", "2", "nonsense"], "'nonsense' is no choice of an option"),
        (["nonsense"], "nonsense"),
        ([], "command"),
        (["play", "quarto", "--against", "kasparov"], "'kasparov' is no player"),
        (["play", "quarto", "--against", "random", "--seat", "2"], "the seats of this game are 0"),
        (["play", "--load", "/does/not/exist"], "No such file"),
        (["play", "--load", __file__], "the first line must be"),
        (["play", "--option", "n=4"], "name the game"),
        (["play", "--load", "x", "--option", "n=4"], "a saved game has its own options"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    assert message in command.refused(*arguments)


@pytest.mark.parametrize("game", kits())
def test_every_game_can_be_played(game: str) -> None:
    done = command.spielwerk(
        "play", game, "--against", "random", "--seed", "1", keyboard="?\nquit\n"
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert kits()[game].game.title in done.stdout
    assert done.stdout.endswith("Bye.\n")


def test_a_game_is_saved_and_played_on(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    command.spielwerk("play", "quarto", "--option", "first=3", keyboard=f"A1,5\nsave {path}\n")
    done = command.spielwerk("play", "--load", str(path), keyboard="B2,7\n")
    assert "ABcd" in done.stdout
    assert done.returncode == 0
    assert command.spielwerk("play", "morris", "--load", str(path)).returncode == 2


def test_without_a_game_there_is_a_menu() -> None:
    done = command.spielwerk("play", keyboard="oware\n\n4\nquit\nquit\n")
    assert done.returncode == 0
    assert "Oware. Moves:" in done.stdout


def test_bytes_that_are_no_text_are_quoted() -> None:
    done = subprocess.run(
        [SPIELWERK, "play", "oware"],
        input=b"\xff\n4\n",
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0
    assert b"xff' is no Oware move" in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize("redirection", ["<&-", "</dev/null >&-", "</dev/null >/dev/full"])
def test_closed_and_full_streams_are_no_traceback(redirection: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{SPIELWERK} play oware {redirection}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    full = "full" in redirection
    assert done.returncode == (1 if full else 0)
    assert done.stderr == ("spielwerk: cannot write: No space left on device\n" if full else "")


def test_an_ascii_terminal_gets_ascii() -> None:
    done = spielwerk("play", "morris", keyboard="A0\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "OA0" in done.stdout


def test_ctrl_c_is_no_traceback_while_the_commands_are_loaded(tmp_path: Path) -> None:
    early = "import os, signal; os.kill(os.getpid(), signal.SIGINT)\n"
    (tmp_path / "typer.py").write_text(early)  # what is imported first
    done = spielwerk("--version", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "spielwerk: interrupted\n")


def test_ctrl_c_leaves_cleanly() -> None:
    process = subprocess.Popen(
        [SPIELWERK, "play", "oware"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    seen = b""
    while b"A> " not in seen:
        piece = process.stdout.read(1)
        assert piece, seen
        seen += piece
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 0
    assert output.endswith(b"Bye.\n")
    assert errors == b""
