"""What is kept of a game: plain values, the same before they are written and after they are read.

Times are milliseconds since 1970 (UTC), durations milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from spielwerk.messages import Message

if TYPE_CHECKING:
    from spielwerk.net.connection import Line


class Reason(StrEnum):
    """Why a game ended; there are no others."""

    WIN = "rule win"
    DRAW = "rule draw"
    RESIGNATION = "resignation"
    TIME_OUT = "time-out"
    ILLEGAL_MOVE = "illegal move"
    PROTOCOL_ERROR = "protocol error"
    CONNECTION_LOST = "connection lost"
    STALLED = "stalled"
    ABORTED = "aborted"
    SERVER_ERROR = "server error"
    NO_START = "no start"  # in contests: a program did not start, or never came to its seat


class SeatKind(StrEnum):
    """What may sit on a seat."""

    CLIENT = "client"
    ENGINE = "engine"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A seat; `player` says which engine (`level=7`), for engines only.

    `owner` is who took a person's seat last, and this time in particular; empty: it is free.
    """

    kind: SeatKind
    name: str
    player: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One decision as the game writes it; `seat` is CHANCE (-1) for a draw or a throw."""

    number: int
    seat: int
    move: str
    at: int
    took: int = 0
    cpu: int | None = None  # of the time that it took; None: not known


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, from the table to the report; seats count from 0."""

    reason: Reason
    winner: int | None = None
    detail: str = ""  # the message in English, as wires and stores have it
    at: int = 0
    culprits: tuple[int, ...] = ()  # the seats whose fault it was

    @property
    def culprit(self) -> int | None:
        """The seat whose fault it was, if there is one; a table never blames two."""
        return next(iter(self.culprits), None)

    @property
    def message(self) -> Message:
        """What is said about the end: a code with values, for any language."""
        return Message.of(self.detail)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game with everything that happened in it."""

    id: str
    game: str
    options: tuple[str, ...]  # as Game.assignments() writes them
    name: str
    seats: tuple[SeatRecord, ...]
    move_time: int
    tournament: bool
    created: int
    moves: tuple[MoveRecord, ...] = ()
    result: Ending | None = None
    pause: int = 0  # least time from a change of the position to an engine's move
    wire_options: tuple[str, ...] = ()  # how it speaks, as wire.options checks them


@dataclass(frozen=True, slots=True)
class WireRecord:
    """The traffic of one connection: what came and went, when, and how much was left out."""

    game: str
    seat: int | None  # None for a client that never got one
    service: str
    peer: str
    opened: int
    traffic: bytes  # as net.connection packs it

    @classmethod
    def of(cls, line: Line) -> WireRecord:
        """What has been said on a connection so far."""
        packed = line.transcript.pack()
        return cls(line.game, line.seat, line.service, line.peer, line.opened, packed)


@dataclass(frozen=True, slots=True)
class Created:
    """Journal entry: a game has been set up, perhaps with draws already made."""

    record: GameRecord


@dataclass(frozen=True, slots=True)
class Seated:
    """Journal entry: the player of this seat has a name of its own, and a person owns the seat.

    A seat that a person gave back has no owner.
    """

    game: str
    seat: int
    name: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """Journal entry: decisions of one turn, and the end of the game if they brought it."""

    game: str
    moves: tuple[MoveRecord, ...]
    result: Ending | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """Journal entry: the game ended otherwise than by a move."""

    game: str
    result: Ending


@dataclass(frozen=True, slots=True)
class Removed:
    """Journal entry: nothing is kept of this game any more, nor of what was said in it."""

    game: str


class IndexStep(StrEnum):
    """What happened to a game in the index server's list."""

    SEALED = "sealed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """A game in the index server's list; as a journal entry: it has been registered."""

    guid: str
    player: str
    name: str
    width: int
    height: int
    depth: int
    address: str
    port: int
    owner: str  # the host that registered it
    registered: int
    sealed: bool = False  # always written apart, as a step


@dataclass(frozen=True, slots=True)
class IndexChanged:
    """Journal entry: the same happened to all these games in the list."""

    guids: tuple[str, ...]
    step: IndexStep


Entry = Created | Seated | Moved | Ended | Removed | WireRecord | IndexRecord | IndexChanged
