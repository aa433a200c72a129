"""The words of the protocol, and what its three dialects say differently."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

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
