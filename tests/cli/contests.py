"""A contest as processes: a description in a folder, the command that runs it, and its store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from spielwerk.store import contests as reading
from spielwerk.store import reading as games
from spielwerk.store.opening import open_reader
from spielwerk.store.problems import StoreError
from spielwerk.store.records import EntrantRecord, GameRecord, Pairing, PairingState
from tests.cli import command
from tests.cli.test_cli import SPIELWERK, spielwerk
from tests.waiting import PATIENCE

A_CONTEST = 2 * PATIENCE  # seconds for what its processes do: they start slowly and play games
PLAYERS = Path(__file__).parent.parent / "players"

RANDOM = 'engine = "random"'


def program(name: str, *words: str) -> str:
    """An entrant that is one of the players of the tests."""
    line = " ".join((sys.executable, str(PLAYERS / name), *words))
    return f'command = "{line}"'


DICE = program("dice.py", "-n", "{name}", "-p", "{port}", "{host}")


def command_here(*words: object) -> subprocess.CompletedProcess[str]:
    """A command of `spielwerk` in this process: how it ends, and what it prints."""
    return command.spielwerk(*map(str, words))


class ContestFolder:
    """A folder with a description, and what becomes of it."""

    def __init__(self, folder: Path, text: str) -> None:
        self.folder = folder
        self.file = folder / "spring.toml"
        self.store = folder / "spring.db"
        self.file.write_text(text, encoding="utf-8")

    def command(self, verb: str, *words: str) -> subprocess.CompletedProcess[str]:
        """A command that looks at the contest, in this process."""
        return command_here("contest", verb, self.file, *words)

    def run(self, *words: str, verb: str = "run") -> subprocess.CompletedProcess[str]:
        """The contest as a process, to its end."""
        return spielwerk("contest", verb, str(self.file), *_anywhere(words), *words)

    @contextmanager
    def running(self, *words: str, verb: str = "run") -> Iterator[subprocess.Popen[str]]:
        """The contest as a process that goes on; it is ended in the end, with all its children."""
        line = [str(SPIELWERK), "contest", verb, str(self.file), *_anywhere(words), *words]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            line, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    # what is in the store

    def pairings(self) -> list[Pairing]:
        try:
            with open_reader(self.store) as store:
                return reading.pairings(store, "spring")
        except StoreError:
            return []

    def entrants(self) -> list[EntrantRecord]:
        with open_reader(self.store) as store:
            return reading.entrants(store, "spring")

    def count(self, state: PairingState) -> int:
        try:
            with open_reader(self.store) as store:
                return reading.counts(store, "spring")[state]
        except StoreError:
            return 0

    def done(self) -> int:
        return self.count(PairingState.DONE)

    def games(self) -> list[GameRecord]:
        """The games that were played, in the order of the schedule."""
        with open_reader(self.store) as store:
            found = [games.game(store, one.game) for one in self.pairings() if one.game]
        return [game for game in found if game]

    def moves(self) -> list[list[str]]:
        return [[move.move for move in game.moves] for game in self.games()]

    def kept(self) -> int:
        """How many games are kept in all."""
        with open_reader(self.store) as store:
            return len(games.games(store, 100_000))

    # processes

    def programs(self) -> list[psutil.Process]:
        """The processes that were started for this contest, except the first of them."""
        return [one for one in psutil.process_iter() if self._is_ours(one)]

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            entry = str(self.folder) in " ".join(process.cmdline())
            return entry and process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return False


def _anywhere(words: tuple[str, ...]) -> tuple[str, ...]:
    """A free port for the pages, if there are any."""
    return () if "--no-web" in words else ("--port", "0")


def description(
    game: str, *entrants: str, rounds: int = 1, top: str = "", more: str = "", **times: Any
) -> str:
    """A description of a contest called Spring; entrants are anna, bert and so on."""
    names = ("anna", "bert", "cora", "dirk", "edda")
    told = "\n".join(
        f'[[entrant]]\nname = "{name}"\n{entrant}\n'
        for name, entrant in zip(names, entrants, strict=False)
    )
    clock = "\n".join(f"{key} = {value}" for key, value in {"start": 30.0, **times}.items())
    head = f'name = "Spring"\ngame = "{game}"\nrounds = {rounds}\nseed = 7\n{top}\n'
    return f"{head}\n[time]\n{clock}\n{more}\n{told}"


def children(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """All processes below this one."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        return []


def workers(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The worker processes of a contest."""
    found = []
    for child in children(process):
        try:
            if "spielwerk.contests.worker" in child.cmdline():
                found.append(child)
        except psutil.Error:
            continue
    return found


def all_gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=0)
    return not [one for one in alive if one.is_running() and not _is_zombie(one)]


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


def interrupt(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGINT)
