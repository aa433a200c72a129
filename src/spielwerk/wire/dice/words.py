"""The messages of the dice protocol, and how a violation is told to the one and to the others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

LONGEST: Final = 100  # characters in a message, from either side
VERSION: Final = "0.1"

AUTH: Final = "AUTH"
ROLL: Final = "ROLL"
SAVE: Final = "SAVE"
BYE: Final = "BYE"
DECISION: Final = f"{ROLL} or {SAVE}"
YOUR_TURN: Final = "Your turn!"

NAME: Final = re.compile(r"[A-Za-z0-9]{1,80}")
_POINTS: Final = re.compile(r"([0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5})")

OWN: Final = 2  # what a player is called in its own THRW messages

_SHOWN: Final = 20  # characters of a stranger's text in one of ours


class Mode(Enum):
    """What is played for; the value is how the greeting says it."""

    TRAIN = "train mode"
    CONTEST = "contest mode"


def greeting(mode: Mode) -> str:
    """The document's HELO."""
    return f"HELO This is the SYSPROG dice game server (v{VERSION} [{mode.value}]). Welcome player!"


def won(target: int) -> str:
    """The document's WIN."""
    return f"WIN You win, because you have reached {target} points or more first."


def lost(target: int) -> str:
    """The document's DEF."""
    return f"DEF You lose, because another player has reached {target} points or more first."


def error(text: str) -> str:
    """An ERR that is not longer than a message may be."""
    message = f"ERR {text}"
    return message if len(message) < LONGEST else f"{message[: LONGEST - 4]}..."


def identifier(player: int, seen_by: int) -> int:
    """What a player is called in messages to another: 0 the next in order, 1 the one after."""
    return OWN if player == seen_by else (player - seen_by - 1) % 3


def read_points(text: str) -> tuple[int, int, int] | None:
    """The three numbers of a BYE: one's own, identifier 0's, identifier 1's."""
    match = _POINTS.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def shown(text: str) -> str:
    """A stranger's text, so that it can stand in a message of ours."""
    printable = "".join(c if " " <= c <= "~" else "?" for c in text)
    return f"'{printable if len(printable) <= _SHOWN else printable[:_SHOWN] + '...'}'"


@dataclass(frozen=True, slots=True)
class Violation:
    """What a client did wrong: said to itself, and as the others read it after its name.

    `on_record` says the same to those who were not there, with all that is known.
    """

    to_culprit: str
    to_others: str
    on_record: str


ROUNDS_PASSED: Final = "rounds have passed without a winner, the game is broken off."
LEFT: Final = "lost the connection"
FULL: Final = "The server is full, please come back later."
STOPPING: Final = "The server is shutting down, please come back later."
INTERNAL: Final = "Internal error of the server, nobody's fault."


def too_late(expected: str, seconds: float) -> Violation:
    """An answer that did not come in time."""
    return Violation(
        f"Your answer is too late: {expected} was due within {seconds:g} s.",
        "answered too late",
        f"answered too late: {expected} was due within {seconds:g} s",
    )


def unexpected(expected: str, got: str) -> Violation:
    """A message that has no place here."""
    return Violation(
        f"Expected {expected}, got {shown(got)}.",
        "sent a wrong message",
        f"sent a wrong message: expected {expected}, got {shown(got)}",
    )


def bad_name(name: str) -> Violation:
    """A name with other characters than the document allows, or too many."""
    return Violation(
        f"{shown(name)} is no name: 1 to 80 letters or digits.",
        "has no valid name",
        f"has no valid name: {shown(name)}",
    )


def too_long(limit: int) -> Violation:
    """A line without end."""
    return Violation(
        f"Your line is longer than {limit} characters.",
        "sent a line that is too long",
        f"sent a line that is longer than {limit} characters",
    )


def too_much(limit: int) -> Violation:
    """Lines that were not asked for."""
    return Violation(
        f"You sent more than {limit} characters that nobody asked for.",
        "sent far too much",
        f"sent far too much: more than {limit} characters that nobody asked for",
    )


def wrong_points(got: str, right: tuple[int, int, int]) -> Violation:
    """A BYE with the wrong score."""
    correct = " ".join(map(str, right))
    return Violation(
        f"Wrong points in BYE: you said {shown(got)}, right is '{correct}'.",
        "gave wrong points in BYE",
        f"gave wrong points in BYE: {shown(got)} instead of '{correct}'",
    )


def too_many(name: str, most: int) -> str:
    """What a bot is told while as many of its name play as may."""
    return f"{most} bots named {shown(name)} are here already, the most in training. Try later."


def not_you(name: str, did: str) -> str:
    """What an innocent client is told."""
    return f"The game is broken off, not your fault: {shown(name)} {did}."
