"""A game to be played, and the game as it was played: what workers get, and what they give back.

Both travel to other processes and machines, so they are plain values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spielwerk.store.contest_records import End, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.contest import Resources
    from spielwerk.store.contest_records import Kind, SeatReport
    from spielwerk.store.records import GameRecord, MoveRecord, WireRecord

    Tell = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Terms:
    """How a game is played, the same in the whole contest."""

    move_time: int  # milliseconds
    start: float  # seconds for a program to come to its seat
    total: float  # seconds for a game
    dialect: int  # of the MNM server
    pace: str
    spelling: str  # of Connect Four
    version: str
    resources: Resources
    sandbox: bool


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat."""

    name: str
    kind: Kind
    text: str = ""  # engine: `level=7`; command: the command line; remote: HOST:PORT[,OPTIONS]
    base: str = ""  # the folder of the description: relative paths begin here
    folder: str = ""  # whose files a program finds in its working folder; empty: none
    options: tuple[str, ...] = ()  # `strategy=0`, `depth=5` of an Oware server; `role=host`,
    # `spelling=variant` and `version=V1` of a program that plays Connect Four


@dataclass(frozen=True, slots=True)
class Assignment:
    """One game for a worker."""

    contest: str
    number: int
    attempt: int
    name: str  # the table's
    game: str
    options: tuple[str, ...]
    opening: tuple[str, ...]
    seed: str
    seats: tuple[Player, ...]
    terms: Terms


@dataclass(frozen=True, slots=True)
class Progress:
    """What a worker tells while a game is played: its setting at first, then the moves."""

    number: int
    attempt: int
    record: GameRecord | None = None  # as the game begins, the opening's moves included
    moves: tuple[MoveRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played, or could not be."""

    number: int
    attempt: int
    outcome: Outcome
    record: GameRecord | None = None  # whole, with its result
    wires: tuple[WireRecord, ...] = ()
    reports: tuple[SeatReport, ...] = ()
    broken: bool = False  # an error of ours, in the program or the machine, kept it from its end


def our_fault(error: Exception) -> Outcome:
    """How a game ends that an error of ours has broken off."""
    return Outcome(End.SERVER_ERROR, detail=f"{type(error).__name__}: {error}")
