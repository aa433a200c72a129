"""The server's side of one connection, as a state machine without I/O.

Bytes and the time go in (`receive`), messages come out (`next_message`) one at a time, each when
the protocol has a place for it; the owner answers with one of the verbs (`playing`, `move`, ...).
What has to be written is in `segments`, the moment to look again in `due`. A client's line is
taken only when everything before it has been written, so the answers do not depend on how the
client's bytes were cut.

Many clients take one `recv` for one message, so it matters where a segment ends: a `Pacer` cuts a
block of lines, from one client line to the next, into segments. MOVEOK never shares a segment with
what follows it, whatever the pace.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, Final

from spielwerk.wire.lines import LineSplitter, LineTooLong, ReceivedLine
from spielwerk.wire.mnm import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GAP: Final = 0.04  # seconds between the first line and the rest


class Pace(StrEnum):
    """The ways to write a block."""

    FIRST_THEN_REST = "first-then-rest"
    BLOCK = "block"
    LINE = "line"


class Pacer:
    """Takes lines, gives segments when their time has come."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace  # another one holds for the lines to come
        self._ready: list[str] = []
        self._rest: list[str] = []
        self._release: float | None = None  # when the rest of the running block may leave
        self.pending = False  # something is still to be written

    @property
    def due(self) -> float | None:
        """When the rest has to be written."""
        return self._release if self._rest else None

    def begin(self) -> None:
        """A client's line has been taken: what follows is a new block."""
        self._release = None

    def add(self, lines: list[str], now: float, *, alone: bool = False) -> float:
        """Add lines to the running block, and say when the last of them will leave.

        The first line of a block leaves `alone` at every pace if it is told to.
        """
        self.pending = True
        if self.pace is Pace.LINE:
            self._ready += lines
            return now
        if self._release is None:
            self._release = now
            if alone or self.pace is Pace.FIRST_THEN_REST:
                first, *lines = lines
                self._ready.append(first)
                self._release += GAP
        self._rest += lines
        return max(now, self._release) if self._rest else now

    def take(self, now: float) -> list[bytes]:
        """The segments whose time has come."""
        if not self.pending:
            return []
        segments, self._ready = self._ready, []
        if self._rest and self._release is not None and now >= self._release:
            segments.append("\n".join(self._rest))
            self._rest = []
        self.pending = bool(self._rest)
        return [f"{segment}\n".encode() for segment in segments]

    def hurry(self) -> None:
        """Let everything leave at once: the connection is about to be closed."""
        self._release = 0.0


NEVER: Final = float("inf")
TICK: Final = 0.001  # a limit has passed a moment after it


@dataclass(frozen=True, slots=True)
class Timing:
    """What a client may take its time for, in seconds, and how much it may say at once."""

    prolog: float = 30.0
    okwait: float = 5.0
    thinking: float = 1.0
    grace: float = 0.1
    line: int = 1024
    backlog: int = 65536


class ClientFault(Enum):
    """What a client can do wrong."""

    PROTOCOL = auto()
    SLOW_ANSWER = auto()
    SLOW_MOVE = auto()


@dataclass(frozen=True, slots=True)
class Join:
    """The client wants to join this game; answer with `playing` or `refuse`."""

    game: str


@dataclass(frozen=True, slots=True)
class Choose:
    """The client wants this seat, or any; answer with `seated` or `refuse`."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Waited:
    """The client is still there."""


@dataclass(frozen=True, slots=True)
class Play:
    """The client's move, and when it came; answer with `move_ok` or `refuse`."""

    move: str
    arrived: float


@dataclass(frozen=True, slots=True)
class ClientBreach:
    """The client did something wrong; answer with `refuse`, or with `excuse` if it is over."""

    fault: ClientFault
    text: str
    detail: str = ""  # for the record, where the text says less


Message = Join | Choose | Waited | Play | ClientBreach


class MnmServerSide:
    """One client's connection, from the banner to QUIT or a refusal."""

    def __init__(self, dialect: words.Dialect, pace: Pace, timing: Timing, now: float) -> None:
        self.dialect = dialect
        self._timing = timing
        self._pacer = Pacer(pace)
        self._lines = LineSplitter(timing.line, padding=b"\0")
        self._wanted: str | None = None
        self.lines_taken = 0
        self._late = NEVER  # from then on it is too late for what is wanted
        self._lateness = ClientFault.SLOW_ANSWER  # and that is what it is
        self._patience = NEVER  # seconds for an answer other than a move
        self._move_due = NEVER
        self.closing = False  # nothing more will be read; close when all is written
        self.idle = False  # seated, and nothing asked
        self._say([dialect.banner, *dialect.greetings], now)
        self._expect(words.VERSION, now, timing.prolog)

    # what comes in

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the client."""
        if not self.closing:
            self._lines.feed(data, now)

    def next_message(self, now: float) -> Message | None:
        """What the client says next, or None while there is nothing to answer."""
        while not self.closing and not self._pacer.pending:
            if self._lines.waiting > self._timing.backlog:
                return ClientBreach(ClientFault.PROTOCOL, words.MISMATCH, words.TOO_MUCH)
            if self._wanted is None:
                return None
            try:
                line = self._lines.take()
            except LineTooLong as error:
                return ClientBreach(
                    ClientFault.PROTOCOL, words.MISMATCH, words.too_long(error.limit)
                )
            self.lines_taken += line is not None
            if (now if line is None else line.arrived) > self._late:
                return self._too_late()
            if line is None:
                return None
            message = self._read(line, now)
            if message:
                return message
        return None

    def _read(self, line: ReceivedLine, now: float) -> Message | None:
        """What a line in time means; the ones that the machine answers itself mean nothing."""
        word, _, rest = line.content.decode("utf-8", "replace").rstrip(" \0\r").partition(" ")
        wanted = self._wanted
        if word not in words.CLIENT_WORDS:
            return ClientBreach(ClientFault.PROTOCOL, words.MISMATCH)
        if word != wanted or (rest and word in (words.OKWAIT, words.THINKING)):
            return ClientBreach(ClientFault.PROTOCOL, words.unexpected(wanted or ""))
        self._expect(None)
        self._pacer.begin()
        return self._understood(word, rest.strip(), line.arrived, now)

    def _understood(self, word: str, rest: str, arrived: float, now: float) -> Message | None:
        match word:
            case words.VERSION:
                return self._read_version(rest, now)
            case words.ID:
                known = words.GAME_ID.fullmatch(rest)
                return Join(rest) if known else ClientBreach(ClientFault.PROTOCOL, words.BAD_ID)
            case words.PLAYER:
                return self._read_player(rest)
            case words.OKWAIT:
                self.idle = True
                return Waited()
            case words.THINKING:
                self._say(["OKTHINK"], now)
                self._wanted = words.PLAY
                self._late, self._lateness = self._move_due, ClientFault.SLOW_MOVE
                return None
            case _:
                return Play(rest, arrived)

    def _read_version(self, version: str, now: float) -> ClientBreach | None:
        if not self.dialect.accepts(version):
            return ClientBreach(ClientFault.PROTOCOL, self.dialect.wrong_version)
        self._say([words.VERSION_ACCEPTED], now)
        self._expect(words.ID, now, self._timing.prolog)
        return None

    def _read_player(self, seat: str) -> Message:
        if not seat:
            return Choose(None)
        if not (seat.isascii() and seat.isdigit() and len(seat) < 10):
            return ClientBreach(ClientFault.PROTOCOL, self.dialect.no_seat)
        return Choose(int(seat))

    # what goes out

    def playing(self, kind: str, name: str, now: float, pace: Pace | None = None) -> None:
        """Answer to Join: the game exists, and may have a pace of its own."""
        if pace:
            self._pacer.pace = pace
        self._say([f"PLAYING {kind}", name], now)
        self._expect(words.PLAYER, now, self._timing.prolog)

    def seated(
        self, you: tuple[int, str], others: Sequence[tuple[int, str, bool]], now: float
    ) -> None:
        """Answer to Choose: the seat is yours; the others and whether they are ready."""
        players = [f"{number} {name} {int(ready)}" for number, name, ready in others]
        total = f"TOTAL {len(others) + 1}"
        self._say([f"YOU {you[0]} {you[1]}", total, *players, "ENDPLAYERS"], now)
        self.idle = True

    def wait(self, now: float) -> None:
        """Ask whether the client is still there."""
        self.idle = False
        self._expect(words.OKWAIT, self._say(["WAIT"], now), self._timing.okwait)

    def move(self, milliseconds: int, position: Iterable[str], now: float) -> float:
        """Ask for a move; the time that is told runs from the moment that is returned."""
        self.idle = False
        asked = self._say([f"MOVE {milliseconds}"], now)
        self._move_due = asked + milliseconds / 1000 + self._timing.grace
        shown = self._say(position, now)
        self._expect(words.THINKING, shown, self._timing.thinking)
        if self._move_due < self._late:
            self._late, self._lateness = self._move_due, ClientFault.SLOW_MOVE
        return asked

    def move_ok(self, now: float) -> None:
        """Answer to Play: the move is on the board and in the journal."""
        self._pacer.add(["+ MOVEOK"], now, alone=True)
        self.idle = True

    def game_over(
        self, winner: int | None, names: Sequence[str], position: Iterable[str], now: float
    ) -> None:
        """Tell the end, and close."""
        won = [winner in (None, number) for number in range(len(names))]
        named = winner is not None and self.dialect.names_winner
        results = [f"PLAYER{p}WON {'Yes' if yes else 'No'}" for p, yes in enumerate(won)]
        self._say(
            [
                f"GAMEOVER {winner} {names[winner]}"
                if named and winner is not None
                else "GAMEOVER",
                *position,
                *([] if self.dialect.names_winner else results),
                "QUIT",
            ],
            now,
        )
        self._close()

    def refuse(self, text: str, now: float) -> None:
        """Say what is wrong, and close."""
        self._pacer.hurry()
        self._pacer.add([f"- {text}"], now)
        self._close()

    def excuse(self) -> None:
        """Overlook what was wrong: the game is over, and that is all there is to tell."""
        self._lines.discard()
        self._expect(None)
        self._pacer.begin()
        self.idle = True

    def segments(self, now: float) -> list[bytes]:
        """What has to be written now, each in a segment of its own."""
        return self._pacer.take(now)

    @property
    def wanted(self) -> str:
        """The word that the client has to send; empty if none."""
        return self._wanted or ""

    @property
    def writing(self) -> bool:
        """Whether something is still to be written."""
        return self._pacer.pending

    @property
    def finished(self) -> bool:
        """Whether everything has been said and written."""
        return self.closing and not self._pacer.pending

    @property
    def due(self) -> float:
        """When to look again, though nothing may have come."""
        release = self._pacer.due
        if release is not None:
            return release
        return NEVER if self.closing or self._wanted is None else self._late + TICK

    def _say(self, lines: Iterable[str], now: float) -> float:
        return self._pacer.add([f"+ {line}" for line in lines], now)

    def _expect(self, word: str | None, since: float = NEVER, seconds: float = NEVER) -> None:
        self._wanted, self._patience = word, seconds
        self._late, self._lateness = since + seconds, ClientFault.SLOW_ANSWER

    def _too_late(self) -> ClientBreach:
        slow = words.late(self._wanted or "", self._patience)
        text = words.TOO_SLOW if self._lateness is ClientFault.SLOW_MOVE else slow
        return ClientBreach(self._lateness, text)

    def _close(self) -> None:
        self.closing, self.idle, self._wanted = True, False, None
        self._lines.discard()
