"""Bots: what a move costs beyond the bot's own time, and a hundred of them side by side.

The bot reads its line, chooses any move, and writes down how long that took itself; what is left
of the time of a decision is ours. A line that goes through `cat` and back stands beside it. Then
all play at the same time: first in one process, a thread a game, then each as `spielwerk bot` on a
dice server, as students start them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from shlex import join
from tempfile import TemporaryDirectory
from threading import Timer

from benchmarks.load.processes import server
from spielwerk.clients.bots import BotPlayer, BotProcess
from spielwerk.games import CHANCE, find_game, kits
from spielwerk.games.record import Record

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))
BOT = """
import json, random, sys, time
own, line = [], sys.stdin.readline()
while line:
    start = time.perf_counter()
    move = random.choice(json.loads(line)["moves"])
    own.append(time.perf_counter() - start)
    print(move, flush=True)
    line = sys.stdin.readline()
if sys.argv[1:]:
    open(sys.argv[1], "w").write(json.dumps(own))
"""
DECISIONS = 1000
SIDE_BY_SIDE = 100
LINES = 2000
LIMIT = 300.0  # seconds for all games on the server


def rows() -> Iterator[tuple[str, str]]:
    """A bare line, a decision in every game, and a hundred bots."""
    yield "bare line of 1,000 bytes to cat and back", _shown(_bare_lines())
    for name in kits():
        yield f"{name}, beyond the bot's own time", f"{_shown(_beyond(name))}  asked: 2 ms"
    yield f"{SIDE_BY_SIDE} bots in one process", _threads()
    yield f"{SIDE_BY_SIDE + 2} times spielwerk bot dice", _commands()


def _shown(seconds: list[float]) -> str:
    ordered = sorted(1000 * second for second in seconds)
    marks = [(percent, ordered[len(ordered) * percent // 100]) for percent in (50, 99)]
    return "  ".join(f"{p} % {ms:.2f}" for p, ms in marks) + f"  max {ordered[-1]:.2f} ms"


def _bare_lines() -> list[float]:
    cat, line = BotProcess(["cat"]), b"x" * 999 + b"\n"
    times = []
    for _ in range(LINES):
        start = time.perf_counter()
        cat.ask(line, None)
        times.append(time.perf_counter() - start)
    cat.close()
    return times


def _beyond(name: str) -> list[float]:
    """Seconds of each decision but the first, less what the bot needed itself."""
    with TemporaryDirectory() as folder:
        noted = Path(folder) / "own"
        player = BotPlayer(join([sys.executable, "-c", BOT, str(noted)]))
        times: list[float] = []
        while len(times) < DECISIONS:
            times += _played(name, [player] * 3, Random(len(times)))
        del player  # which ends the bot
        own = [float(word) for word in noted.read_text().strip("[]").split(",")]
    return [whole - part for whole, part in zip(times[1:], own[1:], strict=True)]


def _played(name: str, players: list[BotPlayer], rng: Random) -> list[float]:
    """Seconds of each decision of a game."""
    record, times = Record((find_game(name)().start(),)), []
    while not record.state.outcome:
        if record.state.turn == CHANCE:
            move = rng.choice(record.state.legal_moves())
        else:
            start = time.perf_counter()
            move = players[record.state.turn].decide(record, rng)
            times.append(time.perf_counter() - start)
        record = record.play(move)
    return times


def _threads() -> str:
    """Games of two bots each, all at once; every bot is a process."""
    command = join([sys.executable, "-c", BOT])
    pairs = [[BotPlayer(command), BotPlayer(command)] for _ in range(SIDE_BY_SIDE // 2)]
    start = time.perf_counter()
    with ThreadPoolExecutor(len(pairs)) as pool:
        games = list(pool.map(lambda pair: _played("quarto", pair, Random(1)), pairs))
    wall = time.perf_counter() - start
    later = [seconds for game in games for seconds in game[2:]]  # the bots have started
    return f"{len(games)} games in {wall:.1f} s  a decision: {_shown(later)}"


def _commands() -> str:
    """Whole games on a dice server; how many ended well, and the memory of a command."""
    with TemporaryDirectory() as folder:
        serve = [SPIELWERK, "serve", "--only", "dice", "--data", folder, "--port", "dice=0"]
        serve += ["--set", "dice.answer=60"]  # they all start at the same time
        with server(*serve, log=Path(folder) / "log") as serving:
            (port,) = serving.ports(1)
            start = time.perf_counter()
            bots = [_started(port, f"bot{number}") for number in range(SIDE_BY_SIDE + 2)]
            late = Timer(LIMIT, _end, [bots])
            late.start()
            ended = [_ended(bot) for bot in bots]
            late.cancel()
            wall = time.perf_counter() - start
    well = sum(code == 0 for code, _ in ended)
    memory = max(kilobytes for _, kilobytes in ended) / 1024
    return f"{well} ended well in {wall:.1f} s  memory of each: {memory:.0f} MB at most"


def _started(port: int, name: str) -> subprocess.Popen[bytes]:
    where = ["--server", f"127.0.0.1:{port}", "--name", name]
    command = [SPIELWERK, "bot", "dice", *where, "--", sys.executable, "-c", BOT]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _end(bots: list[subprocess.Popen[bytes]]) -> None:
    for bot in bots:
        bot.terminate()


def _ended(bot: subprocess.Popen[bytes]) -> tuple[int, int]:
    """The exit code and the kilobytes of a command."""
    _, status, used = os.wait4(bot.pid, 0)
    bot.returncode = os.waitstatus_to_exitcode(status)
    return bot.returncode, used.ru_maxrss
