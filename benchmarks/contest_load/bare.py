"""The same work with nothing around it: games over the rules alone, programs that only start."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from benchmarks.contest_load.descriptions import FOLDER
from spielwerk.engines.players import EnginePlayer, make_player
from spielwerk.games import NOBODY, find_game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.contest_load.descriptions import Bots
    from benchmarks.contest_load.runs import Contest
    from spielwerk.engines.players import Player
    from spielwerk.games import Game
    from spielwerk.store.records import Pairing

HERE: Final = "127.0.0.1"
SECONDS: Final = 3.0
STARTS: Final = 5
PAUSE: Final = 0.002  # seconds between two looks whether a server listens
WITHIN: Final = 8.0  # seconds for a move, as in a contest


# games


@dataclass(frozen=True)
class Loop:
    """What one process and one thread do, with the rules and engines alone."""

    rate: float  # games a second
    same: float  # part of the games that have the same winner as in the contest


def loop(text: str, contest: Contest) -> Loop:
    """Play games of a contest anew, whose entrants are all the same engine."""
    game = find_game("connect4").from_text(())
    player = make_player(text, game)
    if isinstance(player, EnginePlayer):
        player.engine.warm_up()
    names = [entrant.name for entrant in contest.entrants]
    count, same, began = 0, 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < SECONDS:
        pairing = contest.games[count % len(contest.games)]
        winner = _winner(game, make_player(text, game), pairing, names)
        same += pairing.ending is not None and winner == pairing.ending.winner
        count += 1
    return Loop(count / passed, same / count)


def _winner(game: Game[Any], player: Player, pairing: Pairing, names: Sequence[str]) -> int | None:
    state, number = game.start(), len(pairing.opening)
    for text in pairing.opening:
        state = state.play(game.parse_move(text))
    while state.turn != NOBODY:
        name = names[pairing.seats[state.turn]]
        chance = Random(f"{pairing.seed}/{name}/{state.turn}/{number}")
        state = state.play(player.choose(state, chance, WITHIN))
        number += 1
    return state.outcome.winner if state.outcome else None


# programs


@dataclass(frozen=True)
class Start:
    """What the programs of a game take to start, to meet somebody, and to end."""

    wall: float  # seconds, all of them at once
    cpu: float  # seconds, all of them together


def starts(folder: Path, bots: Bots) -> list[Start]:
    """Start the programs as a game does, but to meet somebody who hangs up; a few times."""
    meet = _visited if bots.serves else _received
    return [meet(folder / FOLDER, bots) for _ in range(STARTS)]


def usual(found: Sequence[Start]) -> Start:
    """The median."""
    return Start(median(one.wall for one in found), median(one.cpu for one in found))


def _received(folder: Path, bots: Bots) -> Start:
    """Programs that connect."""
    with socket.create_server((HERE, 0)) as server:
        began = time.perf_counter()
        port = server.getsockname()[1]
        programs = [_popen(folder, bots, number, port) for number in range(bots.players)]
        for _ in programs:
            server.accept()[0].close()
        return _ended(began, programs)


def _visited(folder: Path, bots: Bots) -> Start:
    """Programs that are connected to, and must be told to end."""
    ports = [_free_port() for _ in range(bots.players)]
    began = time.perf_counter()
    programs = [_popen(folder, bots, number, port) for number, port in enumerate(ports)]
    for program, port in zip(programs, ports, strict=True):
        _visit(port)
        program.send_signal(signal.SIGTERM)
    return _ended(began, programs)


def _visit(port: int) -> None:
    while True:
        with suppress(ConnectionRefusedError):
            socket.create_connection((HERE, port)).close()
            return
        time.sleep(PAUSE)


def _free_port() -> int:
    with socket.create_server((HERE, 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _popen(folder: Path, bots: Bots, number: int, port: int) -> subprocess.Popen[bytes]:
    places = {"host": HERE, "port": port, "index_host": HERE, "index_port": port}
    words = bots.command.format(**places, game="game", player=number, name=f"bot{number}")
    silent = subprocess.DEVNULL
    return subprocess.Popen(
        words.split(), cwd=folder, env={"PATH": os.defpath}, stdin=silent, stdout=silent,
        stderr=silent,
    )  # fmt: skip


def _ended(began: float, programs: Sequence[subprocess.Popen[bytes]]) -> Start:
    cpu = 0.0
    for program in programs:
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        cpu += used.ru_utime + used.ru_stime
    return Start(time.perf_counter() - began, cpu)
