"""The bot's side of a connection to a dice server, as a state machine without I/O.

Bytes go in (`receive`), events come out (`next_event`) one at a time. The verbs (`auth`, `roll`,
`save`, `bye`) give the bytes that have to be written; each may be used when the event before it has
come. What a server says is not trusted: a line that does not belong where it comes is a
ProtocolError, which quotes it and says what was expected. Free text may be anything, or missing.

A `TURN O`, as the document misprints it, is no number of points and is refused like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from spielwerk.errors import ProtocolError
from spielwerk.wire.dice import words
from spielwerk.wire.dice.words import OWN
from spielwerk.wire.lines import LineSplitter, LineTooLong

if TYPE_CHECKING:
    from collections.abc import Callable

LINE: Final = 4096
"""The longest line, in bytes, that is taken from a server; the document allows 100."""

OPPONENTS: Final = (0, 1)

_HELO: Final = re.compile(r"HELO(?: .*)?")
_TURN: Final = re.compile(r"TURN +([0-9]{1,9})(?: .*)?")
_THROW: Final = re.compile(r"THRW +([012]) +([1-6]) +([1-6])(?: .*)?")
_WIN: Final = re.compile(r"WIN(?: .*)?")
_DEFEAT: Final = re.compile(r"DEF(?: .*)?")
_BYE: Final = re.compile(r"BYE(?: .*)?")
_ERROR: Final = re.compile(r"ERR(?: +(.*))?")


class RacePosition(NamedTuple):
    """Saved points in the order of play, the own first, and the points of this turn."""

    own: int
    following: int
    last: int
    points: int


@dataclass(frozen=True, slots=True)
class Greeted:
    """The server wants to know who we are; answer with `auth`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """It is our turn; answer with `roll` or `save`."""

    position: RacePosition


@dataclass(frozen=True, slots=True)
class RaceEnded:
    """The game is over; answer with `bye`. The points are our own, identifier 0's and 1's."""

    won: bool
    points: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ServerParted:
    """All three scores were right; the server has said its last word."""


@dataclass(frozen=True, slots=True)
class BotRefused:
    """The game cannot go on, and why."""

    text: str


Event = Greeted | Asked | RaceEnded | ServerParted | BotRefused
Reader: TypeAlias = "Callable[[str], Event | None]"

_OTHERS: Final = "TURN or an opponent's THRW"
_OTHERS_OR_END: Final = "TURN, an opponent's THRW or DEF"


class RaceScore:
    """The points of all three, from nothing but the throws and our own turns.

    An opponent that saves does not tell the others; yet all is known in the end. Our own turn,
    which we are always told of, lies between any two turns of the same opponent. So whatever an
    opponent throws between two of our turns belongs to one turn, also if the others pass without a
    throw. It has ended with a double, which loses its points, or with SAVE at the latest when
    another player throws or our turn comes; only who has just thrown can still lose what is open.
    A second turn of an opponent without ours between them, or a throw after a double, contradicts
    the rules, and is the one thing that makes the score unknowable.

    None of this needs to know who of the opponents comes first. That is identifier 0, but a server
    that counts the other way round is seen through when both have thrown between two of our turns.
    """

    def __init__(self) -> None:
        self._saved = [0, 0, 0]  # by identifier
        self._heard: list[int] = []  # the opponents who have thrown since our last turn
        self._following = 0
        self.player: int | None = None  # whose turn is open as far as one can see
        self.points = 0  # of that turn

    def begin(self) -> None:
        """Our own turn begins."""
        self.settle()
        self._heard.clear()
        self.player = OWN

    def settle(self) -> None:
        """The open turn has ended, and not with a double."""
        if self.player is not None:
            self._saved[self.player] += self.points
        self.player, self.points = None, 0

    def can_throw(self, identifier: int) -> bool:
        """Whether this can be that player's throw now."""
        return identifier == self.player or identifier in set(OPPONENTS) - set(self._heard)

    def threw(self, identifier: int, first: int, second: int) -> None:
        """Count a throw."""
        if identifier != self.player:
            self.settle()
            self._heard.append(identifier)
            if len(self._heard) == len(OPPONENTS):
                self._following = self._heard[0]
        double = first == second
        self.points = 0 if double else self.points + first + second
        self.player = None if double else identifier

    @property
    def own(self) -> int:
        """What TURN has to say: our saved points and those of our turn."""
        return self._saved[OWN] + (self.points if self.player == OWN else 0)

    @property
    def told(self) -> tuple[int, int, int]:
        """The saved points as BYE gives them."""
        return self._saved[OWN], self._saved[0], self._saved[1]

    @property
    def position(self) -> RacePosition:
        """What there is to decide about, while it is our turn."""
        following, last = self._following, 1 - self._following
        return RacePosition(
            self._saved[OWN], self._saved[following], self._saved[last], self.points
        )


class DiceClientSide:
    """One connection to a dice server, from HELO to BYE or ERR."""

    def __init__(self, line: int = LINE) -> None:
        self._lines = LineSplitter(line, padding=b"\0")  # C programs send the ends of their strings
        self._read: Reader = self._greeting
        self._due: str | None = None  # what we have to say next
        self.expected = "HELO"  # what the server has to say next
        self.score = RaceScore()
        self.finished = False  # nothing more will be read

    # what comes in

    def receive(self, data: bytes) -> None:
        """Take bytes from the server."""
        if not self.finished:
            self._lines.feed(data, 0.0)

    def next_event(self) -> Event | None:
        """What the server says next, None while there is nothing, or ProtocolError."""
        event = None
        while event is None and not self.finished:
            try:
                line = self._lines.take()
            except LineTooLong as error:
                raise self._wrong(f"a line of more than {error.limit} bytes") from None
            if line is None:
                return None
            event = self._understood(line.content)
        return event

    def _understood(self, content: bytes) -> Event | None:
        text = content.decode("utf-8", "backslashreplace").rstrip(" \0\r")
        refused = _ERROR.fullmatch(text)
        if refused:
            self._finish()
            return BotRefused(refused[1] or "")
        if self._due:
            raise self._wrong(text)
        return self._read(text)

    def _greeting(self, text: str) -> Event:
        if not _HELO.fullmatch(text):
            raise self._wrong(text)
        self._answer_is_due(words.AUTH)
        return Greeted()

    def _others_turn(self, text: str) -> Event | None:
        throw = _THROW.fullmatch(text)
        if throw and int(throw[1]) != OWN:
            self._threw(text, *map(int, throw.groups()))
            return None
        if _DEFEAT.fullmatch(text) and self.score.player is not None:
            return self._ended(won=False)
        if _TURN.fullmatch(text):
            self.score.begin()
            return self._asked(text)
        raise self._wrong(text)

    def _own_throw(self, text: str) -> None:
        throw = _THROW.fullmatch(text)
        if not throw or int(throw[1]) != OWN:
            raise self._wrong(text)
        self._threw(text, *map(int, throw.groups()))

    def _own_turn(self, text: str) -> Event:
        if _WIN.fullmatch(text):
            return self._ended(won=True)
        return self._asked(text)

    def _parting(self, text: str) -> Event:
        if not _BYE.fullmatch(text):
            raise self._wrong(text)
        self._finish()
        return ServerParted()

    def _asked(self, text: str) -> Event:
        match = _TURN.fullmatch(text)
        if not match:
            raise self._wrong(text)
        if int(match[1]) != self.score.own:
            self.expected = f"TURN {self.score.own}, as we count"
            raise self._wrong(text)
        self._answer_is_due(words.DECISION)
        return Asked(self.score.position)

    def _threw(self, text: str, identifier: int, first: int, second: int) -> None:
        if not self.score.can_throw(identifier):
            self.expected = f"no throw of player {identifier}, whose turn is over"
            raise self._wrong(text)
        self.score.threw(identifier, first, second)
        if self.score.player == OWN:
            self._expect("TURN or WIN", self._own_turn)
        elif self.score.player is None:
            self._expect(_OTHERS, self._others_turn)
        else:
            self._expect(_OTHERS_OR_END, self._others_turn)

    def _ended(self, *, won: bool) -> Event:
        self.score.settle()
        self._answer_is_due(words.BYE)
        return RaceEnded(won, self.score.told)

    # what goes out

    def auth(self, name: str) -> bytes:
        """Say who we are."""
        if not words.NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name: 1 to 80 letters or digits")
        return self._say(words.AUTH, f"{words.AUTH} {name}", _OTHERS, self._others_turn)

    def roll(self) -> bytes:
        """Throw the dice."""
        return self._say(words.DECISION, words.ROLL, f"THRW {OWN}", self._own_throw)

    def save(self) -> bytes:
        """Keep the points of this turn, and let the next player go on."""
        said = self._say(words.DECISION, words.SAVE, _OTHERS, self._others_turn)
        self.score.settle()
        return said

    def bye(self) -> bytes:
        """Say how many points each player has."""
        points = " ".join(map(str, self.score.told))
        return self._say(words.BYE, f"{words.BYE} {points}", words.BYE, self._parting)

    def _say(self, due: str, line: str, then: str, read: Reader) -> bytes:
        if self._due != due:
            raise RuntimeError(f"{line} was said where {self._due or 'nothing'} is due")
        self._due = None
        self._expect(then, read)
        return f"{line}\n".encode()

    def _expect(self, what: str, read: Reader) -> None:
        self.expected, self._read = what, read

    def _answer_is_due(self, what: str) -> None:
        self._due, self.expected = what, f"nothing before our {what}"

    def _wrong(self, got: str) -> ProtocolError:
        self._finish()
        return ProtocolError(self.expected, got)

    def _finish(self) -> None:
        self.finished, self._due = True, None
        self._lines.discard()
