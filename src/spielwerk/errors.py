"""The errors that are part of the interface: a small tree under one base."""

from __future__ import annotations

from dataclasses import dataclass

QUOTE_LIMIT = 200


def quote(text: str) -> str:
    """The text as it can stand in a one-line message: escaped, and cut when it is very long."""
    if len(text) <= QUOTE_LIMIT:
        return repr(text)
    return f"{text[:QUOTE_LIMIT]!r}... ({len(text)} characters)"


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would obey or a line would break at."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def cause(error: BaseException) -> str:
    """What the system says about an error, in its words."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class SpielwerkError(Exception):
    """The base of all errors that are part of the interface: catch it to catch them all."""


@dataclass(eq=False)
class IllegalMove(SpielwerkError, ValueError):
    """A move that the rules forbid in this position."""

    move: str  # as the game writes it
    state: str  # the position, as text
    rule: str  # which it breaks, as a plain sentence

    def __str__(self) -> str:
        return f"{self.move}: {self.rule}"


@dataclass(eq=False)
class NotationError(SpielwerkError, ValueError):
    """A text that does not say what it should: a move, a position, a saved game.

    >>> find_game("oware")().parse_move("seven")
    Traceback (most recent call last):
    spielwerk.errors.NotationError: 'seven' is no Oware move: expected the number of a house, 0 to 5
    """

    what: str  # it should have been
    text: str  # that was read
    problem: str  # what is wrong with it

    def __str__(self) -> str:
        return f"{quote(self.text)} is no {self.what}: {self.problem}"


@dataclass(eq=False)
class OptionError(SpielwerkError, ValueError):
    """An option that the game does not have, or a value outside its range."""

    option: str
    value: str
    problem: str

    def __str__(self) -> str:
        return f"{quote(f'{self.option}={self.value}')}: {self.problem}"


@dataclass(eq=False)
class UnknownGame(SpielwerkError, LookupError):
    """A name under which no game is registered."""

    name: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"{quote(self.name)} is no game; there are {', '.join(self.known)}"


class ChanceError(SpielwerkError):
    """Something was asked that has no answer where chance decides."""


class UsageError(SpielwerkError):
    """A command that cannot be carried out as it was given."""


@dataclass(eq=False)
class ProtocolError(SpielwerkError):
    """Something from a peer that the protocol does not know in this place."""

    expected: str
    got: str

    def __str__(self) -> str:
        return f"expected {self.expected}, got {quote(self.got)}"
