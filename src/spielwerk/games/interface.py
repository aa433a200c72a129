"""What every game is: a Game (players, options, notation) and its States (positions).

A Game holds what is fixed before the first move, a State everything that matters for the moves to
come. Both are immutable. A state says whose decision it is, which moves are legal, and what follows
when one is played; chance is a decision like any other, that no player takes: every chance
decision in these games draws one of its legal moves with equal probability.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar, cast

from spielwerk.errors import IllegalMove, NotationError, OptionError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import Self

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def number(text: str) -> int | None:
    """The natural number that the text is, or None.

    Stricter than `int`: no sign, blank, underscore, leading zero or foreign digit, and at most nine
    digits, so that no text whatever costs more than its length.
    """
    return int(text) if _NUMBER.fullmatch(text) else None


MoveT = TypeVar("MoveT", bound="Hashable")

CHANCE: Final = -1
"""`State.turn` when chance decides."""

NOBODY: Final = -2
"""`State.turn` when the game is over."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, and by which rule."""

    winner: int | None
    reason: str
    score: tuple[int, ...] = ()
    void: bool = False  # broken off by the rules without any result, not even a draw

    def sentence(self, sides: Sequence[str]) -> str:
        """The outcome in words, the winner by name: `White wins: no move is possible`."""
        score = f" ({':'.join(map(str, self.score))})" if self.score else ""
        if self.winner is not None:
            return f"{sides[self.winner]} wins{score}: {self.reason}"
        return f"{'no result' if self.void else 'draw'}{score}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Option:
    """A number that can be chosen before the game begins; None leaves it to chance."""

    name: str
    default: int | None
    low: int
    high: int
    meaning: str

    def check(self, value: int | None) -> None:
        """Raise OptionError if the value is outside the range."""
        if value is None and self.default is None:
            return
        if value is None or not self.low <= value <= self.high:
            raise OptionError(self.name, str(value), f"must be from {self.low} to {self.high}")

    def parse(self, text: str) -> int:
        """Read the value from text, or raise OptionError."""
        value = number(text)
        if value is None:
            raise OptionError(self.name, text, f"must be a number from {self.low} to {self.high}")
        self.check(value)
        return value


def option(default: int | None, low: int, high: int, meaning: str) -> Any:
    """Declare a field of a Game as an option with its range."""
    return field(default=default, metadata={"low": low, "high": high, "meaning": meaning})


@dataclass(frozen=True)
class Game(ABC, Generic[MoveT]):
    """A game with its options chosen: where it starts, and how its moves and states are written."""

    name: ClassVar[str]
    title: ClassVar[str]
    sides: ClassVar[tuple[str, ...]]
    move_help: ClassVar[str]
    throws_dice: ClassVar[bool] = False  # whether chance decides all along, not only at the start
    long_turns: ClassVar[bool] = False  # a turn may take several decisions
    one_sitting: ClassVar[bool] = False  # all must be there from the start, and agree on the end

    def __post_init__(self) -> None:
        for choice in self.options():
            choice.check(getattr(self, choice.name))

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.sides)

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """The options of this game with their ranges."""
        return tuple(
            Option(f.name, cast("int | None", f.default), **f.metadata) for f in fields(cls)
        )

    @classmethod
    def from_text(cls, assignments: Iterable[str]) -> Self:
        """Make the game from options as they were typed, each as NAME=VALUE."""
        known = {choice.name: choice for choice in cls.options()}
        values: dict[str, int] = {}
        for text in assignments:
            name, equals, value = text.partition("=")
            if not equals:
                raise NotationError("choice of an option", text, "expected NAME=VALUE")
            if name not in known:
                names = ", ".join(known) or "none"
                raise OptionError(name, value, f"{cls.name} has no such option; it has {names}")
            if name in values:
                raise OptionError(name, value, "the option is given twice")
            values[name] = known[name].parse(value)
        return cls(**values)

    def assignments(self) -> list[str]:
        """The options with their values, as `from_text` takes them back."""
        values = {choice.name: getattr(self, choice.name) for choice in self.options()}
        return [f"{name}={value}" for name, value in values.items() if value is not None]

    @abstractmethod
    def start(self) -> State[MoveT]:
        """The position before the first decision."""

    @abstractmethod
    def parse_move(self, text: str) -> MoveT:
        """Read one decision, or raise NotationError."""

    @abstractmethod
    def format_move(self, move: MoveT) -> str:
        """Write one decision as it stands on the wire."""

    def parse_turn(self, text: str) -> tuple[MoveT, ...]:
        """Read all decisions of a turn given at once; for most games that is one."""
        return (self.parse_move(text),)

    @abstractmethod
    def parse_state(self, text: str) -> State[MoveT]:
        """Read a position as `str(state)` writes it, or raise NotationError."""

    @classmethod
    def written(cls, decisions: Iterable[tuple[int, str]]) -> list[str]:
        """The lines of a whole game for `record.txt`, from who decided and what.

        A game whose document has a notation of its own writes that instead.
        """
        return [f"{'-' if turn == CHANCE else turn} {move}" for turn, move in decisions]


@dataclass(frozen=True, slots=True)
class State(ABC, Generic[MoveT]):
    """A position: immutable, hashable, and equal to every other with the same future."""

    game: Game[MoveT]
    outcome: Outcome | None = field(compare=False)

    @property
    @abstractmethod
    def turn(self) -> int:
        """Whose decision it is: a player's number, CHANCE, or NOBODY when the game is over."""

    @abstractmethod
    def legal_moves(self) -> Sequence[MoveT]:
        """All moves the rules allow, in a fixed order; none when the game is over."""

    def winning_candidates(self) -> Sequence[MoveT]:
        """Legal moves among which there is a win at once if there is one at all."""
        return self.legal_moves()

    @abstractmethod
    def play(self, move: MoveT) -> Self:
        """The state after the move, or IllegalMove; this state stays as it is."""

    @abstractmethod
    def __str__(self) -> str:
        """The position as text; `game.parse_state` reads it back."""

    def illegal(self, move: MoveT, rule: str) -> IllegalMove:
        """The error that says which rule the move breaks here."""
        return IllegalMove(self.game.format_move(move), str(self), rule)
