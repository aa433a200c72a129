"""The commands that think: real processes, with the compiled kernels."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spielwerk.games.dice import analysis, engine
from spielwerk.games.dice.engine import policy
from tests.cli.command import refused, spielwerk
from tests.cli.test_cli import SPIELWERK
from tests.waiting import wait_until

TABLES = Path(__file__).parents[2] / "docs" / "morris-tables.txt"
LOST = "1 2 4 11 5 8 6 3 9 10 18 0 12 15 25 16 7 19 22 23 32 30 17"  # with four mistakes


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["connect4", "......./......./......./1.....2/1.....2/1.....2"],
            ["21", "win in 1", "proven"],
        ),
        (["oware", "13 21 1 0 0 0 0 4 2 2 2 2 0 1", "--depth", "1"], ["5", "win in 1", "proven"]),
        (["quarto", "* * * * / * * * * / * * * * / 1 3 5 * next 7"], ["win in 1", "proven"]),
    ],
)
def test_analyse_prints_the_best_move_first(arguments: list[str], lines: list[str]) -> None:
    done = spielwerk("analyse", *arguments, "--time", "1")
    assert done.returncode == 0
    first = done.stdout.splitlines()[0]
    assert all(word in first for word in lines)


def test_analyse_dice_takes_four_numbers_and_prints_the_chances() -> None:
    done = spielwerk("analyse", "dice", "140", "0", "0", "9")
    assert done.returncode == 0
    chances, *moves = done.stdout.splitlines()
    assert chances.startswith("chances to win: player 0 9")
    assert [line.split()[0] for line in moves] == ["ROLL", "SAVE"]
    assert all(line.endswith("proven") for line in moves)


def test_perft_counts_with_the_kernel() -> None:
    assert spielwerk("perft", "oware", "6", "--engine").stdout == "27332\n"
    divided = spielwerk("perft", "connect4", "3", "--engine", "--divide").stdout.splitlines()
    assert divided[-1] == "343"


def test_rate_tells_what_every_move_cost(tmp_path: Path) -> None:
    moves = LOST.split()
    game = tmp_path / "record.txt"
    game.write_text("\r\n".join(moves))
    done = spielwerk("rate", "connect4", str(game), "-", keyboard="\n".join(moves[:12]))
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["12", "opponent", "0", "win", "loss", "100.0", "%", "??", "12"] in lines
    assert ["opponent", "11", "9", "2", "0", "75.0", "%", "-"] in lines
    assert "stdin: Connect Four, 12 decisions" in done.stdout
    told = json.loads(spielwerk("rate", "connect4", str(game), "--json").stdout)
    assert {"ply": 11, "seat": 1, "move": "0", "loss": 1.0, "exact": True} in told["moves"]
    assert told["players"][1]["regret"]["wins"] == 2


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "there are no moves in it"),
        (b"Spielwerk game, version 1\ngame: connect4\n", "there are no moves in it"),
        (b"3\n\xff\n", "no text, byte 2 is not UTF-8"),
        (b"Spielwerk game, version 2\n", "the first line must be 'Spielwerk game, version 1'"),
        (b"Spielwerk game, version 1\ngame: oware\n", "'game: oware' is no game of connect4"),
        (b"3\n99\n", "99"),
        (b"3\n" * 8_000_001, "more than 16000000 bytes"),
        (None, "No such file"),
    ],
)
def test_rate_says_what_is_wrong_with_a_file(
    content: bytes | None, problem: str, tmp_path: Path
) -> None:
    game = tmp_path / "game.txt"
    if content is not None:
        game.write_bytes(content)
    line = refused("rate", "connect4", str(game))
    assert "game.txt': " in line
    assert problem in line


def test_solve_keeps_a_policy_that_analyse_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if only shorter races came with the package."""
    for module in (engine, policy, analysis):
        monkeypatch.setattr(module, "DEFAULT_TARGET", 20)
    folder = str(tmp_path)
    position = ["saved 20 0 0 points 0 turns 0 choose", "-o", "target=30"]
    missing = refused("analyse", "dice", *position, SPIELWERK_DATA=folder)
    assert "spielwerk solve dice --target 30" in missing
    solved = spielwerk("solve", "dice", "--target", "30", SPIELWERK_DATA=folder)
    assert solved.stdout.startswith(f"Solved: {folder}")
    assert spielwerk("analyse", "dice", *position, SPIELWERK_DATA=folder).returncode == 0


@pytest.mark.parametrize(
    "command",
    [
        ["play", "dice", "target=200", "--against", "level=5"],
        ["match", "dice", "level=10", "random", "--option", "target=200", "--games", "6"],
        ["match", "dice", "level=10", "./bot {name}", "--option", "target=200", "--games", "6"],
    ],
)
def test_a_race_that_is_not_solved_is_not_even_begun(command: list[str], tmp_path: Path) -> None:
    line = refused(*command, SPIELWERK_DATA=str(tmp_path))
    assert "run: spielwerk solve dice --target 200" in line


def test_a_solved_game_of_morris_is_printed_checked_packed_and_exact(tmp_path: Path) -> None:
    """The game with three stones each, which White wins wherever the first one is placed."""
    folder = str(tmp_path)
    first = "......../......../........ hand 3 3 player 0 capture 0 quiet 0"
    unknown = spielwerk("analyse", "morris", first, "--depth", "1", SPIELWERK_DATA=folder)
    assert unknown.stdout.count("~") == 24
    solved = spielwerk("solve", "morris", "3-3", "--gpu", SPIELWERK_DATA=folder)
    assert "The game with 3 stones each: White wins" in solved.stdout
    assert "after B1: White wins" in solved.stdout
    assert "No GPU is used: CuPy is not installed: pip install 'spielwerk[gpu]'" in solved.stderr
    verified = spielwerk("solve", "morris", "--verify", "100", SPIELWERK_DATA=folder)
    assert "fewer than 0.03 of all boards are wrong" in verified.stdout
    known = spielwerk("solve", "morris", "--stats", SPIELWERK_DATA=folder)
    assert len(known.stdout.splitlines()) == 1 + 4 + 6
    assert set(known.stdout.splitlines()) <= set(TABLES.read_text("utf-8").splitlines())
    assert spielwerk("solve", "morris", "--pack", SPIELWERK_DATA=folder).returncode == 0
    assert spielwerk("solve", "morris", "--stats", SPIELWERK_DATA=folder).stdout == known.stdout
    exact = spielwerk("analyse", "morris", first, "--depth", "1", SPIELWERK_DATA=folder)
    assert exact.stdout.count("win") == 24


def test_solve_oware_prints_what_the_tables_hold() -> None:
    done = spielwerk("solve", "oware", "--stats")
    assert done.stdout.splitlines()[7].split() == ["6", "12,376", "10,194", "0.376", "3", "3.158"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["analyse", "chess"], "'chess' is no game"),
        (["analyse", "oware", "nonsense"], "'nonsense' is no Oware position"),
        (["analyse", "oware", "25 0 4 4 4 4 4 3 0 0 0 0 0 0"], "the game is over"),
        (["analyse", "quarto"], "chance decides here"),
        (["analyse", "oware", "--depth", "0"], "depth=0: a limit must be greater than zero"),
        (["match", "oware", "level=11", "random"], "level goes from 1 to 10"),
        (["match", "oware", "strategy=7", "random"], "strategy goes from 0 to 1"),
        (["match", "oware", "kasparov", "random"], "'kasparov' is no player"),
        (["match", "oware", "random", "random", "--games", "0"], "--games"),
        (["play", "oware", "--against", "level=0"], "level goes from 1 to 10"),
        (["match", "oware", "nodes=99999999999999999999999", "random"], "at most 10"),
        (
            ["match", "morris", "table_bits=0,depth=2", "random"],
            "'table_bits=0,depth=2' is no player",
        ),
        (["analyse", "oware", "--time", "inf"], "time=inf: a limit must be greater than zero"),
        (["solve", "morris", "2-2"], "'2-2' is no number of stones"),
        (["solve", "morris", "--verify", "-1"], "'--verify'"),
        (["solve", "oware", "21"], "'21' is no number of stones"),
        (["solve", "dice", "--target", "0"], "0"),
        (["perft", "dice", "2", "--engine"], "dice has chance decisions"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    assert message in refused(*arguments)


def test_the_first_use_says_that_it_compiles_and_the_second_does_not(tmp_path: Path) -> None:
    """What a process has left that was interrupted does not count."""
    environment = os.environ | {"SPIELWERK_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "spielwerk.engines.warm", "connect4"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as process:
        wait_until(lambda: any(tmp_path.rglob("*.nbi")))
        process.kill()
    command = [str(SPIELWERK), "perft", "connect4", "3", "--engine"]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert first.stderr.startswith("Compiling the connect4 engine")
    assert (first.stdout, second.stdout, second.stderr) == ("343\n", "343\n", "")


@pytest.mark.parametrize(
    "command",
    [
        ["perft", "oware", "30", "--engine"],
        ["analyse", "quarto", "-o", "first=0", "-o", "n=6", "--time", "500"],
    ],
)
def test_ctrl_c_ends_a_kernel_that_is_running(command: list[str]) -> None:
    process = subprocess.Popen([SPIELWERK, *command], stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors.splitlines()[-1] == "spielwerk: interrupted"
