"""What every game is: a Game (players, options, notation), its States (positions), and its Kit.

A Game holds what is fixed before the first move, a State everything that matters for the moves to
come. Both are immutable. A state says whose decision it is, which moves are legal, and what follows
when one is played; chance is a decision like any other, that no player takes: every chance
decision in these games draws one of its legal moves with equal probability.

A Kit is a game as the rest of the house sees it: its name, a few facts, and parts loaded when asked
for. A game is a package with these modules, of which only the rules are needed:

rules.py      the Game and its States
engine.py     `engine_for(game)`, or a package of that name; without it only random players play
terminal.py   `draw(state)`, perhaps `mark(state, move)`, `frames(state, move)`, `typed_position`
analysis.py   `JUDGE`: how positions are judged, if not by the engine alone
view.py       `board(state, last)`, perhaps `legal(state)`, `steps(state, move)` and what a move
              collects, `gain(state, move)`; for reports perhaps `told(options, moves, who)` and
              `variant(options)`
mnm.py        `BOARD` and `READER`: how the game server shows positions, and clients read them
numbers.py    moves and positions as numbers, for `spielwerk.adapters`: `moves(game)`,
              `chance(game)`, `longest(game)`, `highest(game)`, `numbers(state)`
web.py        what only this game does in the web: see `spielwerk.web.api`
check.toml    prepared positions, in which programs are checked
messages.json the sentences of the rules in English and German
page/         what the browser loads
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar, cast

from spielwerk.errors import IllegalMove, NotationError, OptionError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable
    from types import ModuleType
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
    """How a game ended, and by which rule.

    >>> Outcome(winner=None, reason="the board is full").sentence(("White", "Black"))
    'draw: the board is full'
    """

    winner: int | None  # a player's number
    reason: str  # the rule, as a plain sentence
    score: tuple[int, ...] = ()  # of each player, where points count
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
    """A game with its options chosen: where it starts, and how its moves and states are written.

    >>> game = find_game("morris")()
    >>> move = game.parse_move("A0")
    >>> game.start().play(move).turn
    1
    >>> game.format_move(move)
    'A0'
    """

    name: ClassVar[str]  # by which it is found
    title: ClassVar[str]  # for people
    sides: ClassVar[tuple[str, ...]]  # what each player is called
    move_help: ClassVar[str]  # how moves are written
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

    @classmethod
    def read_written(cls, line: str) -> list[str]:
        """The decisions that a line of `written` tells."""
        return (line.partition(" ")[2] or line).split(";")


@dataclass(frozen=True, slots=True)
class State(ABC, Generic[MoveT]):
    """A position: immutable, hashable, and equal to every other with the same future.

    >>> state = find_game("connect4")(width=4, height=4).start().play(3)
    >>> state.turn, state.legal_moves(), state.outcome
    (1, (0, 1, 2, 7), None)
    >>> state.play(3)
    Traceback (most recent call last):
    spielwerk.errors.IllegalMove: 3: The field is already occupied
    """

    game: Game[MoveT]  # with its options
    outcome: Outcome | None = field(compare=False)  # None while the game goes on

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

    def play_turn(self, moves: Iterable[MoveT]) -> Self:
        """The state after decisions given at once, all of which must belong to one turn."""
        return [self, *self.course(moves)][-1]

    def course(self, moves: Iterable[MoveT]) -> Iterator[Self]:
        """The states after each of the decisions of one turn."""
        state, player = self, self.turn
        for move in moves:
            if state.turn != player:
                raise state.illegal(move, "The turn is over, this decision is left over")
            state = state.play(move)
            yield state

    @abstractmethod
    def __str__(self) -> str:
        """The position as text; `game.parse_state` reads it back."""

    def illegal(self, move: MoveT, rule: str) -> IllegalMove:
        """The error that says which rule the move breaks here."""
        return IllegalMove(self.game.format_move(move), str(self), rule)


# a game as the rest of the house sees it

MNM: Final = "mnm"  # the section for games that the game server offers


@dataclass(frozen=True, slots=True)
class PlayedMoves:
    """What was played in a game, as reports and the command line tell it."""

    opening: str
    count: int  # moves after the opening, or turns
    lines: Sequence[str]  # the same moves; turns are a line each
    score: Sequence[int] = ()  # the points of each seat at the end, where they count


@dataclass(frozen=True, slots=True)
class ContestFacts:
    """What contests must know of a game, where it differs from the usual."""

    move_time: int = 3000  # milliseconds
    by_points: bool = False  # what the ranking goes by
    disqualify: tuple[str, ...] = ("protocol error",)  # ends that cost a competition
    bonus: tuple[int, ...] = ()  # points of the course for the first places of a competition
    section: str = ""  # of a description, for how the game is spoken
    wire: tuple[str, ...] = ()  # table options that the section, or an entrant, may set
    newcomers: bool = False  # a ladder may take programs that are not in the description
    has_index: bool = False  # programs find their games at an index server, or offer one there
    asks_servers: bool = False  # programs are servers that are asked for moves
    engine_is_loaded: bool = False  # to check it: it may lack tables
    why_no_opening: str = ""  # if programs cannot be told of an opening, or no player can
    letter: re.Pattern[str] = re.compile("[^;]")  # that a name may be made of
    instead: str = ","  # of a letter that it may not
    name_rule: str = ""  # what is said of a name with other letters; empty: they are allowed
    name_is_called: bool = False  # the rule is for programs that say their names themselves
    example: Mapping[str, str] = field(default_factory=dict)  # parts of the example description


@dataclass(frozen=True)
class Kit:
    """What is known of a game without importing its parts."""

    package: str  # where the parts are
    rules: str  # the name of the Game in `rules.py`
    service: str = ""  # where programs take their seats; `spielwerk.wire` has a package for it
    servers: tuple[str, ...] = ()  # the modules of `spielwerk.servers` that it needs
    record_is_session: bool = False  # `record.txt` has what was said at the table, not the moves
    mnm_kind: str = ""  # what the game server calls the game, if it offers it
    commands: tuple[str, ...] = ()  # of its own, like `solve=MODULE:FUNCTION` for `solve NAME`
    bot: str = ""  # `MODULE:FUNCTION` that lets a BotPlayer play one game on a server
    checks: tuple[str, ...] = ()  # of programs that play it, `MODULE:NAME` each
    remote: str = ""  # `MODULE:FUNCTION` that makes players on other machines, if there are any
    strategies: tuple[str, ...] = ()  # of its engine, by number, if people may choose one
    hint_player: str = "level=10"  # who gives hints unless another player is asked for
    why_no_start: str = ""  # if clients cannot be told that a game starts elsewhere
    perspective: int | None = None  # for whom scores are shown; None: the player who decides
    contest: ContestFacts = field(default_factory=ContestFacts)

    @property
    def name(self) -> str:
        """The name by which the game is found."""
        return self.package.rpartition(".")[2]

    @cached_property
    def game(self) -> type[Game[Any]]:
        """The rules."""
        found: type[Game[Any]] = getattr(import_module(f"{self.package}.rules"), self.rules)
        return found

    @cached_property
    def page(self) -> Traversable:
        """The folder of what the browser loads; it need not exist."""
        return files(self.package).joinpath("page")

    @property
    def has_page(self) -> bool:
        """Whether the game brings a page module of its own."""
        return self.page.joinpath("page.js").is_file()

    @staticmethod
    def load(where: str) -> Any:
        """What a text `MODULE:NAME` names."""
        module, _, name = where.partition(":")
        return getattr(import_module(module), name)

    def part(self, name: str) -> ModuleType | None:
        """One module of the game's package, or None if the game does without."""
        module = f"{self.package}.{name}"
        return import_module(module) if find_spec(module) else None
