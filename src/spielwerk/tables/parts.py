"""What a table is made of: seats, the course of its game, chance, and what the server lends it.

A Game-ID is the only key to a game. Clients of the documents' years insist on 11 characters and
later ones on 13, so the first 11 of an ID are enough to find its game. Stores of older versions
have games whose whole ID is that long.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import string
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, overload

from spielwerk.errors import SpielwerkError
from spielwerk.games import CHANCE, find_game
from spielwerk.games.playing import random_move
from spielwerk.games.record import Record
from spielwerk.store.records import Ending, MoveRecord, Reason, SeatKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from spielwerk.games import Game, State
    from spielwerk.store.records import Entry, GameRecord, SeatRecord

    Done = Callable[[BaseException | None], None]
    Step = tuple[State[Any], Any]

SUPPLY: Final = 4096  # bytes asked for at once
LENGTH: Final = 13  # characters of a Game-ID
SHORT: Final = 11
SEPARATOR: Final = ":"  # in what is kept as a seat's owner

# Later servers' IDs had no capitals, and scripts of that time look for exactly that.
_SIGNS: Final = string.ascii_lowercase + string.digits


class NoFreeSeat(SpielwerkError):
    """The wanted seat is taken, reserved, owned, or does not exist."""


class NotNow(SpielwerkError):
    """A move from a seat that is not to move, or while the last one is still being written."""


class Journal(Protocol):
    """What a table needs of the store."""

    def add(self, entry: Entry, done: Done) -> None:
        """Write the entry, then call done with None, or with what went wrong."""


class Clock(Protocol):
    """The server's time."""

    def monotonic(self) -> float:
        """Seconds that only go forward, for limits."""

    def wall(self) -> int:
        """Milliseconds since 1970, for the record."""


class SystemClock:
    """The machine's time."""

    def monotonic(self) -> float:
        """The time of asyncio's loops: limits and timers must agree.

        Asking the running loop would cost more than everything else that is done with the time.
        """
        return time.monotonic()

    def wall(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000


class Timer(Protocol):
    """A pending call that can be cancelled."""

    def cancel(self) -> None:
        """Drop the call."""


class SetTimer(Protocol):
    """How timers are set: for a moment by the table's clock."""

    def __call__(self, when: float, call: Callable[[], None], /) -> Timer:
        """Call this then."""


def real_timer(when: float, call: Callable[[], None], /) -> Timer:
    """Call this then, by the event loop's time."""
    return asyncio.get_running_loop().call_at(when, call)


@dataclass(frozen=True, slots=True)
class Rules:
    """How a table treats players who leave, how it begins, and how it sets timers."""

    reservation: float = 5.0  # seconds that a lost client's seat stays closed
    timer: SetTimer = real_timer
    together: bool = False  # no player is asked before all have come, whatever the game


class Creator(NamedTuple):
    """Who has set up a table; empty for the operator and the server itself."""

    address: str = ""  # of IPv6 a household's part
    browser: str = ""  # behind that address, if it has a cookie of ours


UNKNOWN: Final = Creator()
RESTORED: Final = Creator("restored")  # of the games of an earlier run, who is not kept


class TurnClock(NamedTuple):
    """Who has been asked to move, for how long, and how long it may take; in milliseconds."""

    seat: int
    elapsed: int
    limit: int  # 0: no limit


class Occupant(Protocol):
    """Who sits on a seat: a connection, an engine, a person at a browser."""

    def look(self) -> None:
        """Something at the table has changed: perhaps it is your turn, perhaps it is over."""

    def dismiss(self, why: str) -> None:
        """The table has to do without you; the server says why."""


@dataclass(slots=True)
class Seat:
    """One player's place, taken or free."""

    number: int
    record: SeatRecord
    occupant: Occupant | None = None
    reserved_until: float = 0.0  # by the table's clock, after a client was lost
    changing: bool = False  # a new owner is being written to the journal
    watching: int = 0  # pages of the owner that are open; see `tables.persons`

    @property
    def name(self) -> str:
        """The player's name."""
        return self.record.name

    @property
    def ready(self) -> bool:
        """Whether a player sits here who could play at once."""
        return self.occupant is not None

    @property
    def preparing(self) -> int | None:
        """How far an engine's preparation is, in percent; None if none is being prepared."""
        return getattr(self.occupant, "preparing", None)

    @property
    def owner(self) -> str:
        """The browser that owns the seat; empty if none does."""
        return browser_in(self.record.owner)

    @property
    def present(self) -> bool:
        """Whether a client or a person is really there; an owner may have gone away for good."""
        here = self.ready and self.record.kind is not SeatKind.ENGINE
        return here and (not self.owner or self.watching > 0)

    @property
    def open_to_persons(self) -> bool:
        """Whether a person may take it."""
        free = self.occupant is None and not self.owner and not self.changing
        return free and self.record.kind is SeatKind.PERSON

    def open_to_clients(self, now: float) -> bool:
        """Whether a client that asks may have it."""
        free = self.occupant is None and now >= self.reserved_until
        return free and self.record.kind is SeatKind.CLIENT


def tenure(browser: str) -> str:
    """What is kept as a seat's owner: the browser, and a mark of its own for every taking.

    So whatever was signed for an owner is worth nothing when the seat has changed hands, even if
    it has come back.
    """
    return f"{browser}{SEPARATOR}{secrets.token_hex(8)}" if browser else ""


def browser_in(owner: str) -> str:
    """The browser, of what is kept as a seat's owner."""
    return owner.partition(SEPARATOR)[0]


class History(Sequence["Step"]):
    """Each position with the move played in it; `start` is the first one, `state` the last."""

    def __init__(self, game: Game[Any], moves: Iterable[MoveRecord] = (), start: str = "") -> None:
        self.game = game
        self.start = self.state = game.parse_state(start) if start else game.start()
        self._steps: list[Step] = []
        self._facts = array("q")  # of each step: when it was made, how long it took, hints
        self._begun = array("q")  # of each step: how many turns of players there were
        self.cuts: list[int] = []  # to how many moves it was taken back, each time
        for move in moves:
            self.add(game.parse_move(move.move), move)

    @classmethod
    def of(cls, record: GameRecord) -> History:
        """The course of a game from the store; IllegalMove if these rules cannot replay it."""
        game = find_game(record.game).from_text(record.options)
        return cls(game, record.moves, record.start)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        return self._steps[index]

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def moment(self) -> tuple[int, int]:
        """Another one after every change: how many moves there are, and how often it was cut."""
        return len(self._steps), len(self.cuts)

    def records(self, first: int = 0, end: int | None = None) -> list[MoveRecord]:
        """The decisions as the store keeps them, from number `first` to before `end`."""
        return [
            self._record(number, state.turn, self.game.format_move(move))
            for number, (state, move) in enumerate(self._steps[first:end], first)
        ]

    def numbered(self, decisions: Iterable[tuple[int, Any]], at: int) -> list[MoveRecord]:
        """Decisions of these seats as the store keeps them if they come next."""
        return [
            MoveRecord(number, seat, self.game.format_move(move), at)
            for number, (seat, move) in enumerate(decisions, len(self))
        ]

    def _record(self, number: int, seat: int, move: str) -> MoveRecord:
        at, took, hints = self._facts[3 * number : 3 * number + 3]
        return MoveRecord(number, seat, move, at, took, hints=hints)

    def record(self) -> Record:
        """All positions and moves, as players and files take them."""
        states = [state for state, _ in self._steps]
        return Record((*states, self.state), tuple(move for _, move in self._steps))

    def add(self, move: Any, kept: MoveRecord) -> None:
        """Play a move; for the owner only."""
        after = self.state.play(move)
        self._begun.append(self.turns + self._begins())
        self._steps.append((self.state, move))
        self._facts.extend((kept.at, kept.took, kept.hints))
        self.state = after

    @property
    def turns(self) -> int:
        """How many turns players have begun: what is decided in a row by one of them is one."""
        return self._begun[-1] if self._begun else 0

    def _begins(self) -> bool:
        """Whether the next decision begins a turn; chance decides within those of players."""
        before = (state.turn for state, _ in reversed(self._steps) if state.turn != CHANCE)
        return self.state.turn != CHANCE and self.state.turn != next(before, None)

    def spent(self, seat: int) -> tuple[int, int]:
        """How many turns the seat has finished, and how many milliseconds its decisions took."""
        decided = [(n, state.turn) for n, (state, _) in enumerate(self._steps)]
        decided = [(n, turn) for n, turn in decided if turn != CHANCE]
        following = [turn for _, turn in decided[1:]] + [self.state.turn]
        own = [
            (n, after) for (n, turn), after in zip(decided, following, strict=False) if turn == seat
        ]
        return sum(after != seat for _, after in own), sum(self._facts[3 * n + 1] for n, _ in own)

    def take_back(self, kept: int) -> list[MoveRecord]:
        """Forget all but the first so many moves, and say which; for the owner only."""
        forgotten = self.records(kept)
        if forgotten:
            self.state = self._steps[kept][0]
            del self._steps[kept:]
            del self._facts[3 * kept :]
            del self._begun[kept:]
            self.cuts.append(kept)
        return forgotten


class FairDice(SystemRandom):
    """The system's random numbers, fetched in advance to save system calls; for one thread."""

    def __init__(self) -> None:
        super().__init__()
        self._supply = b""
        self._used = 0

    def getrandbits(self, k: int, /) -> int:
        """A number of so many bits, from bytes that are used once."""
        if k < 0:
            raise ValueError("the number of bits must not be negative")
        count = (k + 7) // 8
        if self._used + count > len(self._supply):
            self._supply, self._used = os.urandom(max(SUPPLY, count)), 0
        start, self._used = self._used, self._used + count
        return int.from_bytes(self._supply[start : self._used], "big") >> (count * 8 - k)


def draw(state: State[Any], rng: Random) -> tuple[Any, ...]:
    """What chance decides before the next player can."""
    moves = []
    while state.turn == CHANCE:
        moves.append(random_move(state, rng))
        state = state.play(moves[-1])
    return tuple(moves)


def ending_in(state: State[Any], at: int) -> Ending | None:
    """How the game has ended at that moment, if the rules end it in this state."""
    outcome = state.outcome
    if outcome is None:
        return None
    reason = Reason.DRAW if outcome.winner is None else Reason.WIN
    reason = Reason.ABORTED if outcome.void else reason
    return Ending(reason, outcome.winner, outcome.reason, at)


def new_id() -> str:
    """A fresh Game-ID."""
    return "".join(secrets.choice(_SIGNS) for _ in range(LENGTH))


def short(game_id: str) -> str:
    """The part of a Game-ID by which every client can name the game."""
    return game_id[:SHORT]


def shown(game_id: str) -> str:
    """The part of a Game-ID that may stand in a log: enough to find it, too little to use it."""
    return f"{game_id[:4]}..."
