"""The connection between initiator and opponent: what both ends share, and the initiator's end.

The machines know the order of the messages and the times (Connect Four protocol, 3.2 and 3.3); a
message that has its place is given to the owner as it came. Who may join is for the host to say,
and what move is possible for the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from spielwerk.errors import quote
from spielwerk.wire.connect4.messages import (
    WHOLE_BOARD,
    GameMessage,
    MessageError,
    Version,
    is_blank,
    message,
    plain,
    read_message,
    write_message,
)
from spielwerk.wire.lines import LineSplitter, LineTooLong, ReceivedLine

if TYPE_CHECKING:
    from collections.abc import Sequence

NEVER: Final = float("inf")
LONGEST: Final = 200  # characters of a stranger's explanation that are kept
UNEXPLAINED: Final = "no explanation"
BACKLOG: Final = 65_536  # bytes that may wait, besides a whole line

EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True)
class PeerBreach:
    """The peer has been late or said what it must not; it has been told, and all is over."""

    problem: str
    late: bool = False


class PeerSide(ABC, Generic[EventT]):
    """One end of the connection; every deadline is in the caller's time."""

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

    def next_event(self, now: float) -> EventT | GameMessage | PeerBreach | None:
        """What the peer has said next, that it is late, or None."""
        if self.closing:
            return None
        if self._flooded:
            return self._break("too much said ahead of our answers")
        content = b""
        try:
            line = self._next_line()
            arrived = now if line is None else line.arrived
            if arrived >= self.due:
                return self._break(self._lateness(), late=True)
            if line is None:
                return None
            content = line.content
            return self._heard(read_message(content), arrived)
        except LineTooLong as error:
            return self._break(f"a line has at most {error.limit} bytes")
        except MessageError as error:
            return self._break(str(error), content)

    def _next_line(self) -> ReceivedLine | None:
        line = self._lines.take()
        while line is not None and is_blank(line.content):
            line = self._lines.take()
        return line

    def _heard(self, heard: GameMessage, now: float) -> EventT | GameMessage:
        if heard.header == "abort_game" and self._joined:
            return self._last(heard)
        return self._take(heard, now)

    def _last(self, heard: GameMessage) -> GameMessage:
        """The peer's last word, an explanation, cut to a length that can be kept and shown."""
        self.closing = True
        return message(heard.header, explained(heard.values[0]))

    def _break(self, problem: str, line: bytes = b"", *, late: bool = False) -> PeerBreach:
        self._complain(problem, line)
        self.closing = True
        return PeerBreach(problem, late)

    def _say(self, said: GameMessage) -> None:
        if not self.closing:
            self._out += write_message(said, variant=self._variant)

    @abstractmethod
    def abort(self, why: str) -> None:
        """Tell the peer that the game cannot go on; nothing can be said after that."""

    @property
    @abstractmethod
    def _joined(self) -> bool:
        """Whether the two have come together."""

    @abstractmethod
    def _take(self, heard: GameMessage, now: float) -> EventT | GameMessage:
        """What the message means here, or MessageError."""

    @abstractmethod
    def _complain(self, problem: str, line: bytes) -> None:
        """Tell the peer what is wrong, with this line if it is one."""

    @abstractmethod
    def _lateness(self) -> str:
        """What has not come in time."""


def explained(explanation: str) -> str:
    """An explanation, cut to a length that can be kept and shown, as it can stand on the wire."""
    text = plain(explanation)
    return (text if len(text) <= LONGEST else f"{text[:LONGEST]}...") or UNEXPLAINED


def unexpected(heard: GameMessage, expected: str) -> MessageError:
    """The error that says what should have come instead."""
    return MessageError(f"unexpected {quote(str(heard))}: expected {expected}")


# the initiator


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLimits:
    """What an opponent may take its time for, in seconds, and how long its lines may be."""

    join: float = 10.0
    move: float = 10.0  # 0: as long as it likes
    line: int = 4096


class _HostPhase(Enum):
    JOINING = "join_game"
    JUDGED = "nothing before the answer"
    RESTING = "nothing before the opponent's turn"
    ASKED = "move"


class HostSide(PeerSide[GameMessage]):
    """What the initiator hears and says.

    It hears `join_game`, to be answered with `accept` or `refuse`, and `move` when it is the
    opponent's turn, to be answered with `tell` or `reject`.
    """

    def __init__(
        self,
        now: float,
        limits: HostLimits | None = None,
        best: Version = Version.V2,
        *,
        variant: bool = False,
    ) -> None:
        self._limits = limits or HostLimits()
        super().__init__(self._limits.line, now + self._limits.join, variant=variant)
        self.version = best
        self._asked = Version.V1  # by the opponent
        self._phase = _HostPhase.JOINING

    # what the host says

    def accept(
        self,
        move: float | None = None,
        best: Version | None = None,
        variant: bool | None = None,
    ) -> None:
        """The opponent is welcome; the game may have time, version and words of its own."""
        if move is not None:
            self._limits = replace(self._limits, move=move)
        if variant is not None:
            self._variant = variant
        self.version = min(best or self.version, self._asked)
        self._say(message("join_game_success", self.version))
        self._phase = _HostPhase.RESTING

    def refuse(self, why: str) -> None:
        """The opponent is not welcome."""
        self._say(message("join_game_failed", explained(why)))
        self.closing = True

    def start(self, now: float) -> None:
        """The opponent begins."""
        self._say(message("start_game"))
        self.ask(now)

    def ask(self, now: float) -> None:
        """It is the opponent's turn, and it knows that."""
        self._phase = _HostPhase.ASKED
        self.due = now + self._limits.move if self._limits.move else NEVER

    def tell(self, field: int, state: int, board: Sequence[int]) -> None:
        """A stone has come to lie on a field: 1 is the initiator's, 2 the opponent's."""
        if self.version is Version.V2:
            self._say(message("updated_game_board", field, state))
        else:
            self._say(message(WHOLE_BOARD, tuple(board)))

    def reject(self, why: str) -> None:
        """The opponent's move is not possible; that ends the game."""
        self._say(message("moved_failed", explained(why)))
        self.abort(f"invalid move: {why}")

    def end(self, outcome: int) -> None:
        """The game is over: 0 a draw, 1 the initiator has won, 2 the opponent."""
        self._say(message("end_game", outcome))
        self.closing = True

    def abort(self, why: str) -> None:
        """The game cannot go on; before it there is only the answer to join_game."""
        if self._joined:
            self._say(message("abort_game", explained(why)))
            self.closing = True
        else:
            self.refuse(why)

    # what the opponent says

    @property
    def _joined(self) -> bool:
        return self._phase in (_HostPhase.RESTING, _HostPhase.ASKED)

    def _take(self, heard: GameMessage, now: float) -> GameMessage:  # noqa: ARG002
        if heard.header == self._phase.value == "join_game":
            self._phase, self.due = _HostPhase.JUDGED, NEVER
            self._asked = heard.values[2]
            return heard
        if heard.header == self._phase.value == "move":
            self._phase, self.due = _HostPhase.RESTING, NEVER
            return heard
        if heard.header == "move" and self._joined:
            raise MessageError("It is not your turn")
        raise unexpected(heard, self._phase.value)

    def _complain(self, problem: str, line: bytes) -> None:
        if self._joined and line.split(b";")[0] == b"move":
            self.reject(problem)
        else:
            self.abort(problem)

    def _lateness(self) -> str:
        if self._phase is _HostPhase.JOINING:
            return f"no join_game within {self._limits.join:g} s"
        return f"no move within {self._limits.move:g} s"
