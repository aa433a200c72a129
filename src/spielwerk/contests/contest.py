"""A contest as its author describes it; `tournament.describing` reads it from TOML."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from spielwerk.store.contest_records import End, Kind

if TYPE_CHECKING:
    from pathlib import Path

DISQUALIFY: Final = (End.PROTOCOL_ERROR,)
# Where three play, a fault takes the game away from two others, also from one who has won it.
DISQUALIFY_IN: Final = {"dice": (End.PROTOCOL_ERROR, End.TIME_OUT, End.CRASH, End.STALL)}


BONUS_IN: Final = {"dice": (20, 15, 10, 5)}  # by places from the first, by the documents


def usual_bonus(game: str, phase: Phase) -> tuple[int, ...]:
    """What the first places bring if the description does not say it; training brings nothing."""
    return BONUS_IN.get(game, ()) if phase is Phase.COMPETITION else ()


def usual_disqualify(game: str) -> tuple[End, ...]:
    """Which ends cost the contest if its description does not say it."""
    return DISQUALIFY_IN.get(game, DISQUALIFY)


class Format(StrEnum):
    """Who plays whom."""

    ROUND_ROBIN = "round-robin"  # everybody against everybody
    GAUNTLET = "gauntlet"  # everybody against the references
    LADDER = "ladder"  # without end, against neighbours in the ranking


class Phase(StrEnum):
    """What a mistake costs."""

    TRAINING = "training"  # the game
    COMPETITION = "competition"  # the contest: entrants are frozen, violations disqualify


class Order(StrEnum):
    """What the ranking goes by."""

    RATING = "rating"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who takes part."""

    name: str
    kind: Kind
    text: str = ""
    folder: str = ""  # absolute; the files that a program finds where it runs
    options: tuple[str, ...] = ()
    reference: bool = False  # in a gauntlet: one to be measured against
    digest: str = ""  # of a program's files, in a competition: SHA-256


@dataclass(frozen=True, slots=True)
class Resources:
    """What a program may use in one game."""

    memory: int = 2 * 1024**3  # bytes, all its processes together
    processes: int = 64
    cpu: float = 600.0  # seconds, all its processes together
    output: int = 1_000_000  # bytes on standard output and error; more is a flood
    files: int = 100_000_000  # bytes of a file that it writes


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that is fixed before the first game."""

    name: str
    game: str
    entrants: tuple[Entrant, ...]
    options: tuple[str, ...] = ()
    format: Format = Format.ROUND_ROBIN
    phase: Phase = Phase.TRAINING
    order: Order = Order.RATING
    rounds: int = 1  # openings a pair, dice streams a triple; in a ladder 0: without end
    seed: int = 0
    opening: int = 4  # random turns that open a game, where the game allows it
    move_time: int = 3000  # milliseconds
    start: float = 10.0  # seconds for a program to come to its seat
    total: float = 3600.0  # seconds for a game
    dialect: int = 1  # of the MNM server
    pace: str = "first-then-rest"
    spelling: str = "document"  # of Connect Four's words
    version: str = "V2"  # of its protocol, the best that is offered and asked for
    disqualify: tuple[End, ...] = DISQUALIFY  # in the competition phase
    bonus: tuple[int, ...] = ()  # points of the course for the first places
    newcomers: bool = False  # ladder: whoever connects takes part, under the name it gives
    resources: Resources = Resources()
    base: Path | None = None  # the folder of the description

    @property
    def endless(self) -> bool:
        """Whether games are drawn up as long as somebody plays it."""
        return self.format is Format.LADDER and self.rounds == 0

    @property
    def has_open_seats(self) -> bool:
        """Whether somebody may come whom we do not start."""
        return self.newcomers or any(one.kind is Kind.OPEN for one in self.entrants)
