"""Bots without a protocol: their lines, their faults, and their end."""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from spielwerk.clients.bots import BotPlayer
from spielwerk.clients.oware import make_remote
from spielwerk.engines.players import Fault, PlayerFailed
from spielwerk.games import find_game
from spielwerk.games.playing import random_move
from spielwerk.games.record import Record
from tests.clients.peer import unused_port
from tests.waiting import wait_until

RNG = random.Random(1)
ECHO = """\
import json, sys
for line in sys.stdin:
    decision = json.loads(line)
    print(decision["moves"][-1], flush=True)
"""


def bot(folder: Path, source: str) -> BotPlayer:
    """A bot that is this Python program."""
    program = folder / "bot.py"
    program.write_text(source)
    return BotPlayer(f"bot:{sys.executable} {program}")


def fault(player: BotPlayer, within: float | None = 30.0) -> tuple[Fault, str]:
    """What the bot does wrong at the start of a game."""
    state = find_game("morris")().start()
    with pytest.raises(PlayerFailed) as failed:
        player.choose(state, RNG, within)
    return failed.value.fault, str(failed.value)


@pytest.mark.parametrize("name", ["quarto", "morris", "dice", "oware", "connect4"])
def test_a_bot_plays_any_game_to_its_end(tmp_path: Path, name: str) -> None:
    player = bot(tmp_path, ECHO)
    record = Record((find_game(name)().start(),))
    for _ in range(2000):
        state = record.state
        if state.outcome:
            break
        mine = state.turn == 0
        move = player.decide(record, RNG, 30.0) if mine else random_move(state, RNG)
        record = record.play(move)
    assert record.state.outcome


def test_a_bot_is_told_all_it_needs(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    player = bot(tmp_path, f"import sys\nopen({str(seen)!r}, 'w').write(sys.stdin.readline())\n")
    game = find_game("connect4").from_text(["width=5"])
    record = Record((game.start(),))
    while len(record.moves) < 4:
        record = record.play(record.state.legal_moves()[0])
    with pytest.raises(PlayerFailed):
        player.decide(record, RNG, 7.5)
    told = json.loads(seen.read_text())
    assert told["game"] == "connect4"
    assert told["options"]["width"] == "5"
    assert told["position"] == str(record.state)
    assert told["seat"] == record.state.turn
    assert told["moves"] == [game.format_move(move) for move in record.state.legal_moves()]
    assert told["history"] == [game.format_move(move) for move in record.moves]
    assert told["time"] == 7.5


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("print('Z9')", Fault.PROTOCOL, "'Z9', which is not a move"),
        ("print('A0:A1')", Fault.ILLEGAL, "'A0:A1', an illegal move"),
        ("raise SystemExit(3)", Fault.LOST, "the bot ended (exit 3)"),
        ("import os; os.kill(os.getpid(), 11)", Fault.LOST, "killed by SIGSEGV"),
        ("print('A0', end='')", Fault.LOST, "after 'A0' without a newline"),
        ("print('x' * 100_000, end='', flush=True)", Fault.PROTOCOL, "more than 65,536 bytes"),
        (
            "sys.stdout.buffer.write(b'A\\xe4\\n')",
            Fault.PROTOCOL,
            "'Aä', not UTF-8",
        ),
    ],
)
def test_what_a_bot_does_wrong_is_told_with_its_line_and_the_position(
    tmp_path: Path, source: str, kind: Fault, words: str
) -> None:
    player = bot(tmp_path, f"import sys\nsys.stdin.readline()\n{source}\n")
    found, told = fault(player)
    assert found is kind
    assert words in told
    assert "Seat 0, position '......../" in told
    assert "legal: A0 A1" in told


def test_a_silent_bot_is_late_and_does_not_hang(tmp_path: Path) -> None:
    began = time.monotonic()
    found, told = fault(bot(tmp_path, "import time\ntime.sleep(60)\n"), within=0.3)
    assert found is Fault.LATE
    assert "in time" in told
    assert time.monotonic() - began < 20


def test_notes_on_standard_output_are_told(tmp_path: Path) -> None:
    noisy = ECHO.replace("for line", "print('hello', flush=True)\nfor line")
    player = bot(tmp_path, noisy)
    state = find_game("morris")().start()
    said = ""
    for _ in range(2):  # whether it comes before the first question or after it is chance
        try:
            player.choose(state, RNG, 30.0)
        except PlayerFailed as failed:
            said = str(failed)
            break
    assert "'hello'" in said


def test_a_bot_that_cannot_be_started(tmp_path: Path) -> None:
    found, told = fault(BotPlayer(f"bot:{tmp_path}/nothing"))
    assert found is Fault.LOST
    assert "No such file" in told


def test_nothing_of_a_bot_outlives_its_player(tmp_path: Path) -> None:
    stubborn = ECHO + "import time\ntime.sleep(600)\n"  # it goes on after the end of its input
    player = bot(tmp_path, stubborn)
    player.choose(find_game("morris")().start(), RNG, 30.0)
    children = psutil.Process(os.getpid()).children()
    alive = [one for one in children if one.status() != psutil.STATUS_ZOMBIE]  # of other tests
    (own,) = [one for one in alive if str(tmp_path / "bot.py") in one.cmdline()]
    del player
    assert not own.is_running()


def test_a_bot_answers_requests_for_moves_of_oware(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(ECHO)
    own = shlex.join([sys.executable, str(tmp_path / "bot.py")])
    place = f"127.0.0.1:{unused_port()}"
    command = [sys.executable, "-m", "spielwerk", "bot", "oware", own, "--server", place]
    remote = make_remote(f"remote:{place}", find_game("oware")())

    def answer() -> int | None:
        with suppress(PlayerFailed):  # as long as it does not listen
            return int(remote.choose(find_game("oware")().start(), RNG))
        return None

    with subprocess.Popen(command) as serving:
        try:
            assert wait_until(answer) == 5  # the last of all houses
        finally:
            serving.terminate()
