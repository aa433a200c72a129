"""A contest as its author describes it and the store keeps it; its games as workers get them.

What goes to workers and comes back travels to other processes and machines: plain values.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path  # noqa: TC003 (pydantic reads the annotations)
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import SpielwerkError
from spielwerk.games import contest_facts, find_game
from spielwerk.store.records import Ending, Kind, Reason

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from spielwerk.games import Game
    from spielwerk.store.records import GameRecord, MoveRecord, Pairing, SeatReport, WireRecord

ID_LIMIT: Final = 60  # characters
NAME_LIMIT: Final = 80  # characters, as at any table
LONGEST: Final = 60  # characters of a contest's name in the name of a table

Tell = Callable[["Progress"], None]

_SPELT_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"}
)
_OTHERS: Final = re.compile(r"[^a-z0-9]+")


class ContestError(SpielwerkError):
    """A contest, or a game of it, that cannot be drawn up or played, and why."""


class Format(StrEnum):
    """Who plays whom."""

    ROUND_ROBIN = "round-robin"  # all against all
    GAUNTLET = "gauntlet"  # all against the references
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
    disk: int = 500_000_000  # bytes of its folder and all its files, in the sandbox


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
    rounds: int = 1  # bundles of every meeting; in a ladder 0: without end
    seed: int = 0
    opening: int = 4  # random turns that open a game, where the game allows it
    move_time: int = 3000  # milliseconds
    start: float = 10.0  # seconds for a program to come to its seat
    total: float = 3600.0  # seconds for a game
    dialect: int = 1  # of the MNM server
    pace: str = "first-then-rest"
    spelling: str = "document"  # of the words of a protocol that has two,
    version: str = "V2"  # and the best of its versions that is offered and asked for
    disqualify: tuple[str, ...] = ("protocol error",)  # of FORFEITS, in the competition phase
    bonus: tuple[int, ...] = ()  # points of the course for the first places
    newcomers: bool = False  # ladder: programs that connect take part, under the names they give
    resources: Resources = Resources()
    base: Path | None = None  # the folder of the description

    @property
    def endless(self) -> bool:
        """Whether games are drawn up as long as it is played."""
        return self.format is Format.LADDER and self.rounds == 0

    @property
    def has_open_seats(self) -> bool:
        """Whether programs may come that we do not start."""
        return self.newcomers or any(one.kind is Kind.OPEN for one in self.entrants)


def usual_bonus(game: str, phase: Phase) -> tuple[int, ...]:
    """What the first places bring if the description does not say it; training brings nothing."""
    return contest_facts(game).bonus if phase is Phase.COMPETITION else ()


def usual_disqualify(game: str) -> tuple[str, ...]:
    """Which ends cost the contest if its description does not say it."""
    return contest_facts(game).disqualify


def allows_openings(contest: Contest) -> bool:
    """Whether games can begin with random turns: the rules allow it, and all players hear of it."""
    if find_game(contest.game).throws_dice:
        return False
    engines = all(entrant.kind is Kind.ENGINE for entrant in contest.entrants)
    return engines or not contest_facts(contest.game).why_no_opening


def options(contest: Contest) -> tuple[str, ...]:
    """The game's options with nothing left out: those that every game is played with."""
    return tuple(game_of(contest).assignments())


def game_of(contest: Contest) -> Game[Any]:
    """The game as it is played in the contest."""
    return _game(contest.game, contest.options)


@lru_cache(maxsize=64)
def _game(name: str, chosen: tuple[str, ...]) -> Game[Any]:
    return find_game(name).from_text(chosen)


# names in addresses


def contest_ids(name: str) -> tuple[str, str]:
    """What the contest is called in addresses, and what if another one is called so already."""
    first = _plain(name) or f"contest-{_digest(name)}"
    return first, f"{first}-{_digest(name)}"


def _plain(name: str) -> str:
    """The letters and digits of the name, with hyphens between them; there may be none."""
    spelt = unicodedata.normalize("NFC", name).lower().translate(_SPELT_OUT)
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return _OTHERS.sub("-", plain)[:ID_LIMIT].strip("-")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]


# as the store keeps it


def pack(contest: Contest) -> dict[str, Any]:
    """The contest as plain values, for JSON."""
    packed: dict[str, Any] = _adapter().dump_python(contest, mode="json")
    return packed


def unpack(packed: dict[str, Any]) -> Contest:
    """The contest that was packed; what an older version did not pack is as usual."""
    bonus = usual_bonus(packed["game"], Phase(packed["phase"]))
    return _adapter().validate_python({"bonus": bonus, **packed})


@cache
def _adapter() -> TypeAdapter[Contest]:
    from pydantic import TypeAdapter  # which games, and most commands, do without

    return TypeAdapter(Contest)


# a game for a worker, and what comes back


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


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over, for a worker to review; its first decisions were drawn by lot."""

    record: GameRecord
    opening: int


WorkOrder = Assignment | Finished
"""What a worker may be asked to do."""


def ignore(_news: Progress) -> None:
    """Tell no one how a game goes."""


class WorkerLost(SpielwerkError):
    """A worker ended in the middle of a game; what was last heard of it."""


def our_fault(error: Exception) -> Ending:
    """How a game ends that an error of ours has broken off."""
    return Ending(Reason.SERVER_ERROR, detail=f"{type(error).__name__}: {error}")


def assign(contest: Contest, pairing: Pairing, *, sandbox: bool = False) -> Assignment:
    """The game of the schedule with everything that is needed to play it anywhere."""
    return Assignment(
        contest=pairing.contest,
        number=pairing.number,
        attempt=pairing.attempt,
        name=f"{contest.name[:LONGEST]} {pairing.number}",
        game=contest.game,
        options=options(contest),
        opening=pairing.opening,
        seed=pairing.seed,
        seats=tuple(_player(contest, contest.entrants[number]) for number in pairing.seats),
        terms=terms(contest, sandbox=sandbox),
    )


def terms(contest: Contest, *, sandbox: bool = False) -> Terms:
    """How all games of a contest are played."""
    names = {field.name for field in fields(Terms)} - {"sandbox"}
    return Terms(**{name: getattr(contest, name) for name in names}, sandbox=sandbox)


def _player(contest: Contest, entrant: Entrant) -> AssignedPlayer:
    base = str(contest.base) if contest.base else ""
    return AssignedPlayer(
        entrant.name, entrant.kind, entrant.text, base, entrant.folder, entrant.options
    )
