"""The client's side of the connection, as a state machine without I/O.

Bytes and the time go in (`receive`), events come out (`next_event`) one at a time. The verbs
(`version`, `join`, ...) give the bytes that have to be written; each may be used when the event
before it has come. What a server says is not trusted: a line that does not belong where it comes
is a ProtocolError, which quotes it and says what was expected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import ProtocolError
from spielwerk.wire.lines import LineSplitter, LineTooLong
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.words import BoardError, game_kinds, reader_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.games import State
    from spielwerk.wire.mnm.words import Reader

LINE: Final = 4096
"""The longest line, in bytes, that is taken from a server."""

BLOCK: Final = 32
"""More lines than any position has."""

PLAYERS: Final = 2
"""The documents know no game for more or less."""

_BANNER: Final = re.compile(r"MNM Gameserver v((0|[1-9][0-9]{0,3})(?:\.\S{1,20})?) .*")
_PLAYING: Final = re.compile(r"PLAYING (.+)")
_YOU: Final = re.compile(r"YOU ([01])(?: (.*))?")
_OTHER: Final = re.compile(r"(0|[1-9][0-9]?) (?:(.*) )?([01])")
_MOVE: Final = re.compile(r"MOVE (0|[1-9][0-9]{0,8})")
_OVER: Final = re.compile(r"GAMEOVER(?: (0|[1-9][0-9]?)(?: .*)?)?")
_WON: Final = re.compile(r"PLAYER(0|[1-9][0-9]?)WON (Yes|No)")


class Cue(Enum):
    """What a server says in a word."""

    ACCEPTED = "our version is accepted"  # answer with `join`
    WAIT = "are you there?"  # answer with `ok_wait`
    THINK = "it knows that we think"  # answer with `play`
    MOVED = "our move is on the board"
    QUIT = "goodbye after the game"


@dataclass(frozen=True, slots=True)
class Banner:
    """The server's version; answer with `version`, if the major one will do."""

    version: str
    major: int


@dataclass(frozen=True, slots=True)
class Playing:
    """What is played, and the game's name; answer with `choose`, if the kind will do."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Other:
    """Another player at the table."""

    number: int
    name: str
    ready: bool


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """The seat we got, and the others."""

    number: int
    name: str
    others: tuple[Other, ...]


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """A move is wanted, so many milliseconds after it was asked; answer with `thinking`."""

    milliseconds: int
    position: State[Any]
    asked: float


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; without a winner it is a draw."""

    winner: int | None
    position: State[Any]


@dataclass(frozen=True, slots=True)
class ServerRefused:
    """The server says what is wrong, and closes."""

    text: str


Event = Banner | Playing | SeatTaken | MoveAsked | GameOver | ServerRefused | Cue


class MnmClientSide:
    """One connection to a server, from its banner to QUIT or a refusal."""

    def __init__(self, line: int = LINE) -> None:
        self._lines = LineSplitter(line)
        self._read: Callable[[str, float], Event | None] = self._banner
        self._due: str | None = None  # the word that we have to say next
        self._greeted = False
        self._major = 0
        self._kind = ""
        self._seat = (0, "")
        self._others: tuple[Other, ...] = ()
        self._reader: Reader | None = None
        self._block: list[str] = []
        self._asked = (0, 0.0)
        self._won: dict[int, bool] = {}
        self._last: Any = None  # the position at the end
        self._told = False  # whether the end was told
        self.finished = False  # nothing more will be read

    # what comes in

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the server."""
        if not self.finished:
            self._lines.feed(data, now)

    def next_event(self) -> Event | None:
        """What the server says next, None while there is nothing, or ProtocolError."""
        while not self.finished:
            try:
                line = self._lines.take()
            except LineTooLong as error:
                self._finish()
                got = f"a line of more than {error.limit} bytes"
                raise ProtocolError("a line of the protocol", got) from None
            if line is None:
                return None
            event = self._understood(line.content, line.arrived)
            if event:
                return event
        return None

    def _understood(self, content: bytes, arrived: float) -> Event | None:
        line = content.decode("utf-8", "backslashreplace").removesuffix("\r")
        sign, text = line[:2], line[2:]
        if sign in ("- ", "-"):
            self._finish()
            return ServerRefused(text)
        if sign not in ("+ ", "+"):
            raise self._wrong("a line that begins with + or -", line)
        if self._due:
            raise self._wrong(f"nothing before our {self._due}", line)
        return self._read(text, arrived)

    def _banner(self, text: str, _: float) -> Event:
        match = self._matched(_BANNER, text, "MNM Gameserver v<version> accepting connections")
        self._major = int(match[2])
        self._due = words.VERSION
        return Banner(match[1], self._major)

    def _accepted(self, text: str, _: float) -> Event | None:
        if text == words.HAPPY and not self._greeted:
            self._greeted = True
            return None
        if not text.startswith("Client version accepted"):
            raise self._wrong(f"+ {words.VERSION_ACCEPTED}", f"+ {text}")
        self._due = words.ID
        return Cue.ACCEPTED

    def _playing(self, text: str, _: float) -> None:
        self._kind = self._matched(_PLAYING, text, "PLAYING <kind of game>")[1]
        self._read = self._game_name

    def _game_name(self, text: str, _: float) -> Event:
        self._due = words.PLAYER
        return Playing(self._kind, text)

    def _you(self, text: str, _: float) -> None:
        match = self._matched(_YOU, text, "YOU <number> <name>")
        self._seat, self._read = (int(match[1]), match[2] or ""), self._players

    def _players(self, text: str, _: float) -> None:
        self._require(text, f"TOTAL {PLAYERS}")
        self._read = self._other

    def _other(self, text: str, _: float) -> None:
        match = _OTHER.fullmatch(text)
        number = PLAYERS - 1 - self._seat[0]
        if not match or int(match[1]) != number:
            raise self._wrong(f"+ {number} <name> <ready>", f"+ {text}")
        self._others = (Other(number, match[2] or "", match[3] == "1"),)
        self._read = self._players_end

    def _players_end(self, text: str, _: float) -> Event:
        self._require(text, "ENDPLAYERS")
        self._read = self._idle
        self._reader = reader_for(self._kind, self._seat[0])
        return SeatTaken(*self._seat, self._others)

    def _idle(self, text: str, arrived: float) -> Event | None:
        if text == "WAIT":
            self._due = words.OKWAIT
            return Cue.WAIT
        move, over = _MOVE.fullmatch(text), _OVER.fullmatch(text)
        if move:
            self._asked, self._read = (int(move[1]), arrived), self._position_asked
        elif over:
            self._won = {} if over[1] is None else {self._player(over[1], text): True}
            self._read = self._position_ended
        else:
            raise self._wrong("+ WAIT, + MOVE <milliseconds> or + GAMEOVER", f"+ {text}")
        self._block = []
        return None

    def _position_asked(self, text: str, _: float) -> Event | None:
        reader = self._collected(text)
        if reader is None:
            return None
        position = self._position(reader.asked)
        self._due = words.THINKING
        return MoveAsked(self._asked[0], position, self._asked[1])

    def _position_ended(self, text: str, _: float) -> Event | None:
        reader = self._collected(text)
        if reader is None:
            return None
        self._last, self._read = self._position(reader.ended), self._results
        return self._game_over() if self._won or self._major == 1 else None

    def _results(self, text: str, _: float) -> Event | None:
        """The lines of the later dialects, and the last one of all."""
        won = _WON.fullmatch(text)
        if won and self._major > 1:
            self._won[self._player(won[1], text)] = won[2] == "Yes"
            return self._game_over() if len(self._won) == PLAYERS else None
        if text != "QUIT" or not self._told:
            expected = "+ QUIT" if self._told else "+ PLAYER<number>WON Yes or No"
            raise self._wrong(expected, f"+ {text}")
        self._finish()
        return Cue.QUIT

    def _game_over(self) -> Event | None:
        """The end and its only winner, once."""
        if self._told:
            return None
        self._told = True
        winners = [player for player, won in self._won.items() if won]
        return GameOver(winners[0] if len(winners) == 1 else None, self._last)

    def _collected(self, text: str) -> Reader | None:
        """Add a line to the position; the reader, when it is the last."""
        reader = self._reader
        if reader is None:
            known = " or ".join(game_kinds().values())
            raise self._wrong(f"+ PLAYING {known}", f"+ PLAYING {self._kind}")
        if not reader.line.match(text) or len(self._block) >= BLOCK:
            raise self._wrong(f"a line of a position of {self._kind}", f"+ {text}")
        self._block.append(text)
        return reader if text == reader.end else None

    def _position(self, read: Callable[[list[str]], State[Any]]) -> State[Any]:
        try:
            return read(self._block)
        except BoardError as error:
            self._finish()
            raise ProtocolError(f"a position of {self._kind}", str(error)) from error

    def _player(self, digits: str, text: str) -> int:
        player = int(digits)
        if player >= PLAYERS:
            raise self._wrong(f"a player from 0 to {PLAYERS - 1}", f"+ {text}")
        return player

    # what goes out

    def version(self) -> bytes:
        """Say the version that the server wants to hear."""
        return self._say(words.VERSION, f"{self._major}.0", self._accepted)

    def join(self, game: str) -> bytes:
        """Say which game to join."""
        return self._say(words.ID, game, self._playing)

    def choose(self, seat: int | None = None) -> bytes:
        """Say which seat we want, or take any."""
        return self._say(words.PLAYER, "" if seat is None else str(seat), self._you)

    def ok_wait(self) -> bytes:
        """Say that we are there."""
        return self._say(words.OKWAIT, "", self._idle)

    def thinking(self) -> bytes:
        """Say that we begin to think."""
        return self._say(words.THINKING, "", self._think_allowed)

    def play(self, turn: str) -> bytes:
        """Say the move, or all decisions of the turn at once."""
        said = self._say(words.PLAY, turn, self._move_accepted)
        if self._reader:
            self._reader.played(turn)
        return said

    def _think_allowed(self, text: str, _: float) -> Event:
        self._require(text, "OKTHINK")
        self._due = words.PLAY
        return Cue.THINK

    def _move_accepted(self, text: str, _: float) -> Event:
        self._require(text, "MOVEOK")
        self._read = self._idle
        return Cue.MOVED

    def _say(self, word: str, rest: str, then: Callable[[str, float], Event | None]) -> bytes:
        if self._due != word:
            raise RuntimeError(f"{word} was said where {self._due or 'nothing'} is due")
        line = f"{word} {rest}" if rest else word
        if not line.isprintable():
            raise ValueError(f"{line!r} is no line of the protocol")
        self._due, self._read = None, then
        return f"{line}\n".encode()

    def _matched(self, pattern: re.Pattern[str], text: str, expected: str) -> re.Match[str]:
        match = pattern.fullmatch(text)
        if not match:
            raise self._wrong(f"+ {expected}", f"+ {text}")
        return match

    def _require(self, text: str, expected: str) -> None:
        if text != expected:
            raise self._wrong(f"+ {expected}", f"+ {text}")

    def _wrong(self, expected: str, got: str) -> ProtocolError:
        self._finish()
        return ProtocolError(expected, got)

    def _finish(self) -> None:
        self.finished, self._due = True, None
        self._lines.discard()
