"""A game to be played, and the game as it was played: what workers get, and what they return.

Both travel to other processes and machines, so they are plain values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spielwerk.errors import SpielwerkError
from spielwerk.store.records import Ending, Reason

if TYPE_CHECKING:
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
    spelling: str  # of the protocol's words, and
    version: str  # its version, where there are several
    resources: Resources
    sandbox: bool


@dataclass(frozen=True, slots=True)
class AssignedPlayer:
    """The player at a seat."""

    name: str
    kind: Kind
    text: str = ""  # engine: `level=7`; command: the command line; remote: HOST:PORT[,OPTIONS]
    base: str = ""  # the folder of the description: relative paths begin here
    folder: str = ""  # whose files a program finds in its working folder; empty: none
    options: tuple[str, ...] = ()  # of a remote server, or of a program's protocol: `depth=5`


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
    seats: tuple[AssignedPlayer, ...]
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
    ending: Ending
    record: GameRecord | None = None  # whole, with its result
    wires: tuple[WireRecord, ...] = ()
    reports: tuple[SeatReport, ...] = ()
    broken: bool = False  # an error of ours, in the program or the machine, kept it from its end
    started: int = 0
    overloaded: bool = False  # the machine was, when a time-out fell


class WorkerLost(SpielwerkError):
    """A worker ended in the middle of a game; what was last heard of it."""


def our_fault(error: Exception) -> Ending:
    """How a game ends that an error of ours has broken off."""
    return Ending(Reason.SERVER_ERROR, detail=f"{type(error).__name__}: {error}")
