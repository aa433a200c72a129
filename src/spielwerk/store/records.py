"""What is kept of games and contests: plain values, the same before and after they are stored.

A contest's schedule is the one thing in the store that changes in place: every game in it is a row
with a state. Times are milliseconds since 1970 (UTC), durations milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

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
    hints: int = 0  # that the player asked for before it


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
    wire_options: tuple[str, ...] = ()  # how it speaks, as `wire` checks them
    start: str = ""  # the first position, if it is not where the rules begin
    game_time: int = 0  # that each player has for all moves; 0: no limit
    increment: int = 0  # that each move adds to it
    training: bool = False  # seated players may see the analysis during the game


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
class TakenBack:
    """Journal entry: only the first so many decisions of the game count, the others never were."""

    game: str
    kept: int


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Journal entry: a finished game was analysed; the review with the most effort counts."""

    game: str
    effort: int
    found: dict[str, Any]  # as `engines.review` tells it
    at: int
    regret: list[Any]  # of it, what each player's decisions cost in each phase


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


Entry = (
    Created
    | Seated
    | Moved
    | TakenBack
    | Ended
    | Reviewed
    | Removed
    | WireRecord
    | IndexRecord
    | IndexChanged
)


# contests


class Kind(StrEnum):
    """Where an entrant's moves come from."""

    ENGINE = "engine"  # thinks in our own process
    COMMAND = "command"  # a program that we start
    REMOTE = "remote"  # a server somewhere else that is asked for moves
    OPEN = "open"  # a program that its author starts somewhere else, and that connects to us


class PairingState(StrEnum):
    """How far a game of the schedule is."""

    NEW = "new"
    RUNNING = "running"
    DONE = "done"
    REPEAT = "repeat"  # to be played once more
    FAILED = "failed"  # given up: it will have no result


WAITING: Final = (PairingState.NEW, PairingState.REPEAT)
"""The states of games that are still to be begun."""

ENDS: Final = {
    Reason.WIN: "win",
    Reason.DRAW: "draw",
    Reason.TIME_OUT: "time-out",  # a move came too late, or had not come when its time was over
    Reason.ILLEGAL_MOVE: "illegal move",
    Reason.PROTOCOL_ERROR: "protocol error",
    Reason.CONNECTION_LOST: "crash",  # the program ended, cut the line, or went beyond a limit
    Reason.STALLED: "stall",  # an answer other than a move did not come
    Reason.NO_START: "no start",
    Reason.SERVER_ERROR: "server error",  # ours; never rated
}
"""How a game of a contest can end, and the words that stores, descriptions and reports have."""

FORFEITS: Final = tuple(ENDS.values())[2:-1]  # by a player's fault


@dataclass(frozen=True, slots=True)
class ContestRecord:
    """A contest as it was described; `description` is packed by `contests.contest`."""

    id: str  # letters, digits and hyphens, made from the name: it stands in addresses
    name: str
    game: str
    options: tuple[str, ...]
    description: dict[str, Any]
    created: int


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """One who takes part; `number` counts from 0 in the order of the description."""

    contest: str
    number: int
    name: str
    kind: Kind
    text: str  # the engine, the command line or the address
    disqualified: str = ""  # why, in a sentence
    disqualified_in: int | None = None  # in which game of the schedule


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game of the schedule, before and after it is played."""

    contest: str
    number: int
    round: int
    bundle: int  # games that belong together: one opening or stream of chance, all orders of seats
    seats: tuple[int, ...]  # the numbers of the entrants
    opening: tuple[str, ...]  # decisions that are made before a player is asked
    seed: str  # of chance, of draws, and of engines
    state: PairingState = PairingState.NEW
    attempt: int = 0  # how often it was begun
    repeated: bool = False  # once more because the machine was overloaded
    game: str | None = None  # its Game-ID
    ending: Ending | None = None  # of the last attempt, as are the next two
    started: int = 0
    overloaded: bool = False  # the machine was, when a time-out fell
    begins: int = 0  # the seat that began: another one than the first if a player decided that

    def cleared(self, state: PairingState, ending: Ending | None = None) -> Pairing:
        """The same in this state, without a game: it came to nothing, or is yet to be played."""
        return replace(
            self, state=state, ending=ending, game=None, started=0, overloaded=False, begins=0
        )


@dataclass(frozen=True, slots=True)
class SeatReport:
    """What is known of a player after a game."""

    seat: int
    moves: int = 0
    took: int = 0  # milliseconds of all its moves together
    cpu: int | None = None  # milliseconds of its processes; None: not known
    memory: int | None = None  # bytes at most; None: not known
    status: str = ""  # how the program ended: `exit 0`, `killed by SIGSEGV`
    output: str = ""  # the last lines of what it wrote


# a contest's journal entries


@dataclass(frozen=True, slots=True)
class Scheduled:
    """Journal entry: a contest, or more entrants and games of one that is there."""

    contest: str
    record: ContestRecord | None = None
    entrants: tuple[EntrantRecord, ...] = ()
    pairings: tuple[Pairing, ...] = ()


@dataclass(frozen=True, slots=True)
class Begun:
    """Journal entry: a game of the schedule is being played, for the attempt-th time."""

    contest: str
    number: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Settled:
    """Journal entry: what became of an attempt; written only while that attempt is running.

    The pairing is DONE, REPEAT, FAILED, or NEW if it is as if it had never begun. With the first
    three the game itself may come along, whole, and what was said in it.
    """

    pairing: Pairing
    record: GameRecord | None = None
    wires: tuple[WireRecord, ...] = ()
    reports: tuple[SeatReport, ...] = ()


@dataclass(frozen=True, slots=True)
class Disqualified:
    """Journal entry: the entrant is out; its games that are not done will not be played."""

    contest: str
    entrant: int
    why: str
    number: int  # the game that it happened in


ContestEntry = Scheduled | Begun | Settled | Disqualified
