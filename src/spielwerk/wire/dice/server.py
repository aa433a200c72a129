"""The server's side of one bot's connection, as a state machine without I/O.

It is used like the game server's (`wire.mnm.server`): bytes and the time in, messages out, each
when the protocol has a place for it. Lines that come before they are asked for wait.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from spielwerk.wire.dice import words
from spielwerk.wire.lines import LineSplitter, LineTooLong

if TYPE_CHECKING:
    from spielwerk.wire.dice.words import Mode, Violation

NEVER: Final = float("inf")
TICK: Final = 0.001  # a limit has passed a moment after it


@dataclass(frozen=True, slots=True)
class DiceLimits:
    """How long a bot may take to answer, in seconds, and how much it may say at once."""

    answer: float = 2.0
    line: int = words.LONGEST
    backlog: int = 4096


class BotFault(Enum):
    """The kinds of violation."""

    LATE = auto()
    PROTOCOL = auto()


@dataclass(frozen=True, slots=True)
class Named:
    """The bot has said who it is."""

    name: str


@dataclass(frozen=True, slots=True)
class Decided:
    """The bot's decision, ROLL or SAVE, and when it came."""

    choice: str
    arrived: float


@dataclass(frozen=True, slots=True)
class BotParted:
    """The bot has said BYE; the points as it wrote them."""

    points: str


@dataclass(frozen=True, slots=True)
class BotBreach:
    """The bot has broken the protocol; it has not been told yet."""

    fault: BotFault
    violation: Violation


Message = Named | Decided | BotParted | BotBreach


class DiceServerSide:
    """One bot's connection, from HELO to BYE or ERR."""

    def __init__(self, mode: Mode, limits: DiceLimits, now: float) -> None:
        self._limits = limits
        self._lines = LineSplitter(limits.line, padding=b"\0")
        self._out: list[str] = []
        self._wanted: str | None = None
        self._due = NEVER
        self._parted = False  # BYE has come; whatever follows it does not matter
        self.closing = False  # everything is said
        self._ask(words.greeting(mode), words.AUTH, now)

    # what comes in

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the bot."""
        if not (self.closing or self._parted):
            self._lines.feed(data, now)

    def next_message(self, now: float) -> Message | None:
        """What the bot says next, or None while there is nothing to answer."""
        if self.closing:
            return None
        if self._wanted != words.BYE and self._lines.waiting > self._limits.backlog:
            return BotBreach(BotFault.PROTOCOL, words.too_much(self._limits.backlog))
        if self._wanted is None:
            return None
        try:
            line = self._lines.take()
        except LineTooLong:
            return BotBreach(BotFault.PROTOCOL, words.too_long(self._limits.line))
        if (now if line is None else line.arrived) > self._due:
            return BotBreach(BotFault.LATE, words.too_late(self._wanted, self._limits.answer))
        if line is None:
            return None
        text = line.content.decode("utf-8", "replace").rstrip(" \0\r")
        return self._read(text, line.arrived)

    def _read(self, text: str, arrived: float) -> Message:
        wanted, self._wanted, self._due = self._wanted, None, NEVER
        word, _, rest = text.partition(" ")
        if wanted == words.AUTH and word == words.AUTH:
            named = words.NAME.fullmatch(rest)
            return Named(rest) if named else BotBreach(BotFault.PROTOCOL, words.bad_name(rest))
        if wanted == words.DECISION and text in (words.ROLL, words.SAVE):
            return Decided(text, arrived)
        if wanted == words.BYE and word == words.BYE:
            self._parted = True
            self._lines.discard()
            return BotParted(rest)
        return BotBreach(BotFault.PROTOCOL, words.unexpected(wanted or "nothing", text))

    @property
    def silent(self) -> bool:
        """Whether no whole line has come that is still to be read."""
        return not self._lines.ready

    # what goes out

    def allow(self, answer: float) -> None:
        """Give the bot so many seconds for every answer from now on: its table says so."""
        self._limits = replace(self._limits, answer=answer)

    def turn(self, points: int, now: float) -> None:
        """Ask for a decision; saved plus this turn's points are told."""
        self._ask(f"TURN {points} {words.YOUR_TURN}", words.DECISION, now)

    def threw(self, identifier: int, throw: str, name: str) -> None:
        """Tell what a player threw."""
        self._out.append(f"THRW {identifier} {throw} {name}")

    def ended(self, message: str, now: float) -> None:
        """Tell WIN or DEF, and ask for the score."""
        self._ask(message, words.BYE, now)

    def bye(self) -> None:
        """All scores were right: the last message."""
        self._close(words.BYE)

    def error(self, text: str) -> None:
        """The game cannot go on."""
        self._close(words.error(text))

    def segment(self) -> bytes:
        """What has to be written now."""
        if not self._out:
            return b""
        out, self._out = self._out, []
        return "".join(f"{line}\n" for line in out).encode("ascii", "replace")

    @property
    def due(self) -> float:
        """When to look again, though nothing may have come."""
        return self._due + TICK

    def _ask(self, message: str, wanted: str, now: float) -> None:
        self._out.append(message)
        self._wanted, self._due = wanted, now + self._limits.answer

    def _close(self, message: str) -> None:
        self._out.append(message)
        self.closing, self._wanted, self._due = True, None, NEVER
        self._lines.discard()
