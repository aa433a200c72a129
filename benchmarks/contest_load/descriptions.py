"""Contests as files: of engines, and of the programs that the tests play with."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

PLAYERS: Final = Path(__file__).parents[2] / "tests" / "players"
FOLDER: Final = "players"  # their copy beside the descriptions
MNM: Final = "-g {game} -p {player} -h {host} -P {port}"
CONNECT4: Final = "--index {index_host}:{index_port} --name {name} --game {game}"


@dataclass(frozen=True)
class Bots:
    """A program, and the games that it plays against itself."""

    title: str
    game: str
    arguments: str
    script: str
    rounds: int
    players: int = 2
    serves: bool = False  # it is connected to, and does not connect
    settings: str = ""

    @property
    def command(self) -> str:
        """Without byte code: it would be written in some runs and not in others."""
        return f"{sys.executable} -B {self.script} {self.arguments}"


BOTS: Final = (
    Bots("quarto, pace=block", "quarto", MNM, "mnm.py", 6, settings='[mnm]\npace = "block"'),
    Bots("quarto, default pace", "quarto", MNM, "mnm.py", 6),
    Bots("dice", "dice", "-n {name} -p {port} {host}", "dice.py", 2, players=3),
    Bots("oware", "oware", "-a {host} -p {port}", "oware.py", 6, serves=True),
    Bots("connect4", "connect4", CONNECT4, "connect4.py", 6),
)


def of_engines(folder: Path, name: str, engines: Iterable[str], rounds: int) -> Path:
    """A contest of Connect Four engines."""
    entrants = [f'engine = "{engine}"' for engine in engines]
    return _written(folder, name, "connect4", entrants, rounds)


def of_programs(folder: Path, bots: Bots) -> Path:
    """A contest of a program with itself; each game gets its own copy of the program's folder."""
    shutil.copytree(
        PLAYERS, folder / FOLDER, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*_*")
    )
    entrant = f"command = '{bots.command}'\nfolder = '{FOLDER}'"
    entrants = [entrant] * bots.players
    return _written(folder, bots.title, bots.game, entrants, bots.rounds, bots.settings)


def _written(
    folder: Path, name: str, game: str, entrants: list[str], rounds: int, settings: str = ""
) -> Path:
    head = f'name = "{name}"\ngame = "{game}"\nrounds = {rounds}\nseed = 1\n{settings}\n'
    tables = [f'[[entrant]]\nname = "bot{n}"\n{text}\n' for n, text in enumerate(entrants)]
    file = folder / f"{''.join(filter(str.isalnum, name))}.toml"
    file.write_text(head + "".join(tables), encoding="utf-8")
    return file
