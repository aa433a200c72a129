"""The words of the protocol, what its three dialects say differently, and positions as lines.

How positions are written in a MOVE or a GAMEOVER, a game's folder says in `mnm.py`.
There `BOARD` is a Board, which writes positions, and `READER` a Reader, which reads them without
trusting them: a position in which a move is asked must be one in which the rules let this player
decide. A last position is only looked at, because a game may end in the middle of a turn.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import SpielwerkError, quote
from spielwerk.games import find_kit, kits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

    from spielwerk.games import Game, State

VERSION: Final = "VERSION"
ID: Final = "ID"
PLAYER: Final = "PLAYER"
OKWAIT: Final = "OKWAIT"
THINKING: Final = "THINKING"
PLAY: Final = "PLAY"
CLIENT_WORDS: Final = frozenset({VERSION, ID, PLAYER, OKWAIT, THINKING, PLAY})

GAME_ID: Final = re.compile(r"[A-Za-z0-9]{11}|[A-Za-z0-9]{13}")

VERSION_ACCEPTED: Final = "Client version accepted - please send Game-ID to join"
HAPPY: Final = "Already happy with your AI?"

TOO_SLOW: Final = "TIMEOUT Be faster next time"
BAD_ID: Final = "Not a valid game ID"
NO_GAME: Final = "Game does not exist"
MISMATCH: Final = "Protocol mismatch - you probably didn't want to talk to the fabulous gameserver"
TOO_MUCH: Final = "too much said ahead of our answers"  # for the record alone
THINK: Final = "We expected you to THINK!"
INTERNAL: Final = "Internal error. Sorry & Bye"
FULL: Final = "The server is full - please come back later"
STOPPING: Final = "The server is shutting down - please come back later"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One year's way to speak: 1 is the documents', 2 and 3 are later servers'."""

    number: int
    version: str
    no_seat: str
    wrong_version: str
    greetings: tuple[str, ...] = ()
    id_length: int = 11
    names_winner: bool = True  # behind GAMEOVER; else a line for each player after the field
    captures_at_end: bool = True  # whether the last position tells that no capture is due

    @property
    def major(self) -> str:
        """The part of the version that a client must share."""
        return self.version.partition(".")[0]

    @property
    def banner(self) -> str:
        """What the server says first."""
        return f"MNM Gameserver v{self.version} accepting connections"

    def game_id(self, full: str) -> str:
        """The ID of a game as clients of this dialect know it: all of it, or its beginning."""
        return full[: self.id_length]

    def accepts(self, version: str) -> bool:
        """Whether a client with this version may talk to us."""
        return version.partition(".")[0] == self.major


def _later(number: int, version: str, *greetings: str) -> Dialect:
    """What the later servers have in common."""
    return Dialect(
        number,
        version,
        "No free player",
        "Client Version does not match server Version",
        greetings,
        id_length=13,
        names_winner=False,
        captures_at_end=False,
    )


DIALECTS: Final = {
    1: Dialect(
        1,
        "1.0",
        "No free computer player found for that game - exiting",
        "We implement protocol version 1.0",
    ),
    2: _later(2, "2.3"),
    3: _later(3, "3.1", HAPPY),
}


def unexpected(wanted: str) -> str:
    """The refusal for a word of the protocol that came in the wrong place."""
    return THINK if wanted == THINKING else f"Did not get the expected {wanted} command"


def late(wanted: str, seconds: float) -> str:
    """The refusal for an answer other than the move that did not come in time."""
    return f"TIMEOUT No {wanted} within {seconds:g} s"


def too_long(limit: int) -> str:
    """What is kept of a line that is too long; the client itself is told that it is a mismatch."""
    return f"a line has at most {limit} bytes"


def invalid_move(reason: str) -> str:
    """The refusal for a move that breaks a rule."""
    return f"Invalid Move: {reason}"


# positions as lines


class BoardError(SpielwerkError, ValueError):
    """Lines that are no position of the game."""


class Board(ABC):
    """A game's position in the protocol's words; it is told of every move."""

    def set_up(self, state: State[Any]) -> None:  # noqa: B027
        """Begin in the middle of a game; most games can be read off the position alone."""

    def played(self, before: State[Any], move: Any) -> None:  # noqa: B027
        """Follow a move, where the position alone does not say everything."""

    @abstractmethod
    def asked(self, state: State[Any]) -> list[str]:
        """The lines between MOVE and THINKING."""

    @abstractmethod
    def ended(self, state: State[Any], dialect: Dialect) -> list[str]:
        """The lines that show the last position."""


class Reader(ABC):
    """Reads one game's positions, for the player `me`."""

    end: str  # the last line of a position
    line: re.Pattern[str]  # what every line of a position looks like at first sight

    def __init__(self, me: int) -> None:
        if me not in (0, 1):
            raise ValueError(f"{me}: there are players 0 and 1")
        self.me = me

    @abstractmethod
    def asked(self, lines: Sequence[str]) -> State[Any]:
        """The position in which `me` has to decide, from the lines after MOVE."""

    @abstractmethod
    def ended(self, lines: Sequence[str]) -> State[Any]:
        """The last position, from the lines after GAMEOVER; its outcome is told elsewhere."""

    def played(self, turn: str) -> None:  # noqa: B027
        """Hear what `me` answered to the last question; most positions say all by themselves."""

    def require_decision(self, state: State[Any]) -> State[Any]:
        """The state, or BoardError if `me` has nothing to decide in it."""
        if state.turn != self.me:
            raise BoardError(f"player {self.me} has nothing to decide in {quote(str(state))}")
        return state


def game_kinds() -> dict[str, str]:
    """The games that the protocol is spoken for, and what it calls them."""
    return {name: kit.mnm_kind for name, kit in kits().items() if kit.mnm_kind}


def board_for(game: Game[Any], moves: Iterable[Any] = ()) -> Board:
    """The board of a game at its start, or after these moves."""
    board: Board = _part(game.name).BOARD()
    state = game.start()
    for move in moves:
        board.played(state, move)
        state = state.play(move)
    return board


def board_at(state: State[Any]) -> Board:
    """The board of a game in the middle of it, when the moves that led there are not known."""
    board: Board = _part(state.game.name).BOARD()
    board.set_up(state)
    return board


def reader_for(kind: str, me: int) -> Reader | None:
    """What reads the positions of this kind of game; None if the kind is not known."""
    for name, known in game_kinds().items():
        if kind == known:
            reader: Reader = _part(name).READER(me)
            return reader
    return None


def _part(game: str) -> ModuleType:
    part = find_kit(game).part("mnm")
    if part is None:
        raise LookupError(f"{game} has no module mnm, though its kit has a kind for it")
    return part


def first_line(lines: Sequence[str]) -> str:
    """The first line; empty if there is none."""
    return lines[0] if lines else ""


def matched(pattern: re.Pattern[str], line: str, expected: str) -> re.Match[str]:
    """What the line says, or BoardError with what was expected."""
    match = pattern.fullmatch(line)
    if not match:
        raise BoardError(f"{quote(line)} is not {expected}")
    return match


def require_lines(lines: Sequence[str], count: int, end: str) -> None:
    """Raise BoardError unless there are so many lines between the first and the last."""
    if len(lines) != count + 2 or lines[-1] != end:
        raise BoardError(f"{quote(lines[0])} needs {count} lines and {end}, not {len(lines) - 1}")
