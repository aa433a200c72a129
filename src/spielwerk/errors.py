"""The errors that are part of the interface: a small tree under one base."""

from __future__ import annotations

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
    """The base of all errors that are part of the interface."""


class IllegalMove(SpielwerkError, ValueError):
    """A move that the rules forbid in this position."""

    def __init__(self, move: str, state: str, rule: str) -> None:
        super().__init__(move, state, rule)
        self.move = move
        self.state = state
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.move}: {self.rule}"


class NotationError(SpielwerkError, ValueError):
    """A text that does not say what it should: a move, a position, a saved game."""

    def __init__(self, what: str, text: str, problem: str) -> None:
        super().__init__(what, text, problem)
        self.what = what
        self.text = text
        self.problem = problem

    def __str__(self) -> str:
        return f"{quote(self.text)} is no {self.what}: {self.problem}"


class OptionError(SpielwerkError, ValueError):
    """An option that the game does not have, or a value outside its range."""

    def __init__(self, option: str, value: str, problem: str) -> None:
        super().__init__(option, value, problem)
        self.option = option
        self.value = value
        self.problem = problem

    def __str__(self) -> str:
        return f"{quote(f'{self.option}={self.value}')}: {self.problem}"


class UnknownGame(SpielwerkError, LookupError):
    """A name under which no game is registered."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known

    def __str__(self) -> str:
        return f"{quote(self.name)} is no game; there are {', '.join(self.known)}"


class ChanceError(SpielwerkError):
    """Something was asked that has no answer where chance decides."""


class UsageError(SpielwerkError):
    """A command that cannot be carried out as it was given."""


class ProtocolError(SpielwerkError):
    """Something from a peer that the protocol does not know in this place."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"expected {self.expected}, got {quote(self.got)}"
