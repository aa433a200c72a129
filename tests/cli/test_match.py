"""`spielwerk match` with tests that stop by themselves, and with programs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import count
from typing import Any

import pytest

from spielwerk.contests.match import play_out, score_of
from spielwerk.games import Outcome
from tests.cli.command import refused, spielwerk
from tests.cli.contests import PLAYERS
from tests.cli.test_cli import SPIELWERK

NUMBER = r"[+-](?:\d+\.\d|inf)"
STANDING = (
    rf"\d+\.\d %  Elo {NUMBER} \({NUMBER} to {NUMBER}\)  "
    r"LLR [+-]\d+\.\d\d \(-2\.94 to \+2\.94\)"
)
PAIRS = r"pairs 0 to 2: \d+ \d+ \d+ \d+ \d+"


def test_it_stops_when_it_is_decided() -> None:
    command = ["match", "connect4", "level=1", "random", "--sprt", "0,200", "--seed", "1"]
    done = spielwerk(*command)
    assert done.returncode == 0
    score, standing, verdict = done.stdout.splitlines()
    assert re.fullmatch(r"level=1 against random, (\d+) games: \+\d+ =\d+ -\d+ .*", score)
    assert re.fullmatch(f"{STANDING}  {PAIRS}", standing)
    assert verdict == "H1 accepted: level=1 against random is +200 Elo rather than +0"
    shares = re.search(r"  [\d.]+ % \(([\d.]+) to ([\d.]+) %\)$", score)
    elo = re.search(r"Elo \S+ \((\S+) to (\S+)\)", standing)
    assert shares
    assert elo
    for share, end in zip(shares.groups(), elo.groups(), strict=True):  # say the same
        assert float(share) == pytest.approx(100 * score_of(float(end)), abs=0.06)
    other = spielwerk("match", "connect4", "random", "level=1", "--sprt", "-0,200")
    assert other.returncode == 0
    assert other.stdout.splitlines()[-1] == (
        "H0 accepted: random against level=1 is +0 Elo rather than +200"
    )


def test_undecided_is_exit_code_1_and_no_error() -> None:
    done = spielwerk("match", "quarto", "random", "random", "--sprt", "-5,5", "--games", "4")
    assert done.returncode == 1
    assert done.stderr == ""
    score, _, verdict = done.stdout.splitlines()
    assert score.startswith("random against random, 4 games: ")
    assert verdict == "undecided: random against random may be -5 or +5 Elo"


def test_without_a_terminal_it_tells_from_time_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielwerk.terminal.commands.EVERY", 0.0)
    done = spielwerk("match", "quarto", "random", "random", "--sprt", "0,5", "--games", "6")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [line.split()[0] for line in lines] == ["2", "4", "6"]
    assert all(re.fullmatch(rf"\d+ games  {STANDING}", line) for line in lines)


def test_on_a_terminal_it_is_one_line_written_anew() -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    arguments = ["match", "quarto", "random", "random", "--sprt", "0,5", "--games", "6"]
    command = [str(SPIELWERK), *arguments]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "60"}
    subprocess.run(command, stderr=theirs, stdout=subprocess.DEVNULL, check=False, env=environment)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    os.close(theirs)
    assert re.search(r"6 games  \d+\.\d %  Elo .*…", shown)
    assert shown.count("\n") == 1
    assert shown.endswith("\x1b[1A\x1b[2K")  # and then it is gone


@pytest.mark.parametrize("test", [[], ["--sprt", "0,1"]])
def test_ctrl_c_prints_where_it_stands(test: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    played = count()

    def play_four(*arguments: Any) -> Outcome:
        if next(played) == 4:
            raise KeyboardInterrupt
        return play_out(*arguments)

    monkeypatch.setattr("spielwerk.contests.match.play_out", play_four)
    done = spielwerk("match", "quarto", "random", "random", *test)
    assert (done.returncode, done.stderr) == (1, "spielwerk: interrupted\n")
    first, *rest = done.stdout.splitlines()
    assert first.startswith("random against random, 4 games: ")
    assert [line.split()[0] for line in rest[1:]] == ["undecided:"] * bool(test)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sprt", "10,0"], "sprt 10,0: the first must be less than the second"),
        (["--sprt", "x"], "--sprt 'x': expected two numbers"),
        (["--sprt", "0,5,10"], "--sprt '0,5,10': expected two numbers"),
        (["--sprt", "nan,5"], "sprt nan,5"),
        (["--sprt", "0,9e99"], "from -1000 to 1000"),
        (["--sprt", "0,5", "--alpha", "0"], "alpha 0: must be more than 0"),
        (["--sprt", "0,5", "--beta", "0.6"], "beta 0.6: must be"),
        (["--sprt", "0,5", "--beta", "often"], "'often' is not a number"),
        (["--sprt", "0,5", "--games", "0"], "--games 0"),
        (["--alpha", "0.1"], "add --sprt"),
    ],
)
def test_wrong_use_is_one_clear_line(arguments: list[str], message: str) -> None:
    assert message in refused("match", "oware", "random", "random", *arguments)


def test_dice_have_no_pairs() -> None:
    assert refused("match", "dice", "random", "random", "--sprt", "0,10") == (
        "spielwerk: --sprt 0,10: it tests pairs of games between two players, "
        "but dice is for 3 players; use --games alone"
    )


PLAYER = f"{sys.executable} -S {PLAYERS / 'mnm.py'} -g {{game}} -h {{host}} -P {{port}}"


def test_programs_are_tested_like_engines() -> None:
    crashing = f"{PLAYER} --fault crash-on-move --fault-at 2"
    done = spielwerk("match", "quarto", PLAYER, crashing, "--sprt", "0,300", "--games", "20")
    assert done.returncode == 0, done.stderr
    score, standing, verdict, faults = done.stdout.splitlines()
    assert score.startswith("A against B, ")
    assert re.fullmatch(f"{STANDING}  {PAIRS}", standing)
    assert verdict == "H1 accepted: A against B is +300 Elo rather than +0"
    assert re.fullmatch(r"B lost \d+ through its own fault: crash", faults)


def test_a_program_that_does_not_start_is_one_line_with_its_last_words() -> None:
    done = spielwerk("match", "quarto", f"{PLAYER} --fault crash-at-start", "random")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("spielwerk: A does not play: ")
    assert "it printed: " in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["./nothing {game}", "random"], "nothing': there is no such file"),
        (["./nothing {gmae}", "random"], "game"),
        ([PLAYER, "levl=3"], "levl=3"),
        ([PLAYER, "random", "--jobs", "0"], "--jobs 0: at least one pair"),
        ([PLAYER, "random", "--move-time", "nan"], "--move-time nan: from 0.01 to 86400"),
        (["random", "random", "--jobs", "2"], "--jobs and --move-time are for programs"),
    ],
)
def test_wrong_programs_are_one_clear_line(arguments: list[str], message: str) -> None:
    assert message in refused("match", "quarto", *arguments)


CHANGED = "are, with the seats changed\n"


@pytest.mark.parametrize(
    ("game", "games", "told"),
    [
        ("quarto", "3", f"note: 4 games are played, not 3: from each opening 2 {CHANGED}"),
        ("quarto", "4", ""),
        ("dice", "7", f"note: 12 games are played, not 7: from each opening 6 {CHANGED}"),
    ],
)
def test_games_come_in_groups_and_that_is_said(game: str, games: str, told: str) -> None:
    assert spielwerk("match", game, "random", "random", "--games", games).stderr == told
