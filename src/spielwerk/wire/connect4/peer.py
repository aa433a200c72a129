"""What both sides of a game share: lines in, events out, a deadline, and bytes to send."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeVar

from spielwerk.errors import quote
from spielwerk.wire.connect4.messages import (
    AbortGame,
    GameMessage,
    MessageError,
    is_blank,
    plain,
    read_message,
    write_message,
)
from spielwerk.wire.lines import LineSplitter, LineTooLong, ReceivedLine

NEVER: Final = float("inf")
LONGEST: Final = 200  # characters of a stranger's explanation that are kept
UNEXPLAINED: Final = "no explanation"

BACKLOG: Final = 65_536  # bytes that may wait, besides a whole line

EventT = TypeVar("EventT")


class Unexpected(MessageError):
    """A message that is well formed and has no place here, or says what cannot be."""


class PeerFault(Enum):
    """What a peer has done wrong."""

    LATE = "late"
    PROTOCOL = "protocol"


@dataclass(frozen=True, slots=True)
class Left:
    """The peer has aborted the game."""

    why: str


@dataclass(frozen=True, slots=True)
class PeerBreach:
    """The peer has been late or said what it must not; it has been told, and all is over."""

    fault: PeerFault
    problem: str


class PeerSide(ABC, Generic[EventT]):
    """One end of the connection between initiator and opponent."""

    def __init__(self, line_limit: int, due: float, *, variant: bool = False) -> None:
        self.due = due  # when the peer is late
        self.closing = False  # everything is said
        self._lines = LineSplitter(line_limit)
        self._line_limit = line_limit
        self._variant = variant
        self._flooded = False  # more came than a peer may say ahead of our answers
        self._out = b""

    def receive(self, data: bytes, now: float) -> None:
        """Take what has come, and no more than a peer can mean."""
        self._lines.feed(data, now)
        if self._lines.waiting > self._line_limit + BACKLOG:
            self._lines.discard()
            self._flooded = True

    def segment(self) -> bytes:
        """What is to be sent now."""
        data, self._out = self._out, b""
        return data

    def next_event(self, now: float) -> EventT | Left | PeerBreach | None:
        """What the peer has said next, that it is late, or None."""
        if self.closing:
            return None
        if self._flooded:
            return self._break(PeerFault.PROTOCOL, "too much said ahead of our answers", b"")
        content = b""
        try:
            line = self._next_line()
            arrived = now if line is None else line.arrived
            if arrived >= self.due:
                return self._break(PeerFault.LATE, self._lateness(), b"")
            if line is None:
                return None
            content = line.content
            return self._heard(read_message(content), arrived)
        except LineTooLong as error:
            problem = f"a line has at most {error.limit} bytes"
            return self._break(PeerFault.PROTOCOL, problem, content)
        except MessageError as error:
            return self._break(PeerFault.PROTOCOL, str(error), content)

    def _next_line(self) -> ReceivedLine | None:
        line = self._lines.take()
        while line is not None and is_blank(line.content):
            line = self._lines.take()
        return line

    def _heard(self, message: GameMessage, now: float) -> EventT | Left:
        if isinstance(message, AbortGame) and self._joined:
            self.closing = True
            return Left(told(message.explanation))
        return self._take(message, now)

    def _break(self, fault: PeerFault, problem: str, line: bytes) -> PeerBreach:
        self._complain(problem, line)
        self.closing = True
        return PeerBreach(fault, problem)

    def _say(self, message: GameMessage) -> None:
        if not self.closing:
            self._out += write_message(message, variant=self._variant)

    @abstractmethod
    def abort(self, why: str) -> None:
        """Tell the peer that the game cannot go on; nothing can be said after that."""

    @property
    @abstractmethod
    def _joined(self) -> bool:
        """Whether the two have come together."""

    @abstractmethod
    def _take(self, message: GameMessage, now: float) -> EventT:
        """What the message means here, or Unexpected."""

    @abstractmethod
    def _complain(self, problem: str, line: bytes) -> None:
        """Tell the peer what is wrong, with this line if it is one."""

    @abstractmethod
    def _lateness(self) -> str:
        """What has not come in time."""


def told(explanation: str) -> str:
    """A stranger's explanation, cut to a length that can be kept and shown."""
    short = explanation if len(explanation) <= LONGEST else f"{explanation[:LONGEST]}..."
    return short or UNEXPLAINED


def explained(problem: str) -> str:
    """A problem as it can stand on the wire."""
    return told(plain(problem))


def unexpected(message: GameMessage, expected: str) -> Unexpected:
    """The error that says what should have come instead."""
    return Unexpected(f"unexpected {quote(str(message))}: expected {expected}")
