"""A game from its start to where it stands, and its plain text form: what `save` writes.

    Spielwerk game, version 1
    game: NAME
    option: n=4
    option: begins=0

    chance: 7
    0: A1,3
    1: B2,12

Lines may end in LF or CRLF; blank lines and lines that start with # are for people. A game that did
not start where its rules say names its first position in a line `start: ...`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import NotationError, SpielwerkError
from spielwerk.games import find_game
from spielwerk.games.interface import CHANCE, Game, State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

TITLE: Final = "Spielwerk game"
HEADER: Final = f"{TITLE}, version 1"


@dataclass(frozen=True)
class Record:
    """The states of a game in their order, and the moves between them.

    >>> record = Record((find_game("connect4")().start(),)).play(3).play(10)
    >>> list(record.lines())
    ['0: 3', '1: 10']
    >>> Record.from_text(record.to_text()) == record
    True
    """

    states: tuple[State[Any], ...]  # the first one at least
    moves: tuple[Any, ...] = ()  # one fewer than there are states

    @property
    def game(self) -> Game[Any]:
        """The game that is recorded."""
        return self.states[0].game

    @property
    def state(self) -> State[Any]:
        """Where the game stands."""
        return self.states[-1]

    def play(self, move: Any) -> Record:
        """The record with one more move, or IllegalMove."""
        return Record((*self.states, self.state.play(move)), (*self.moves, move))

    def back_to(self, ply: int) -> Record:
        """The record as it was after that many moves."""
        return Record(self.states[: ply + 1], self.moves[:ply])

    def lines(self) -> Iterator[str]:
        """The moves as the record writes them: who decided, and what."""
        for state, move in zip(self.states, self.moves, strict=False):
            yield f"{_decider(state)}: {self.game.format_move(move)}"

    def to_text(self) -> str:
        """The whole record as text."""
        head = [HEADER, f"game: {self.game.name}"]
        head += [f"option: {assignment}" for assignment in self.game.assignments()]
        if self.states[0] != self.game.start():
            head.append(f"start: {self.states[0]}")
        return "\n".join([*head, "", *self.lines()]) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a record back, playing every move; or NotationError with the line that is wrong."""
        first, *lines = [
            line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")
        ]
        if first != HEADER:
            raise NotationError("saved game", first, f"the first line must be {HEADER!r}")
        reader = _Reader()
        for number, line in enumerate(lines, start=2):
            if line.strip() and not line.startswith("#"):
                try:
                    reader.read(line)
                except SpielwerkError as error:
                    problem = f"line {number}: {error}"
                    raise NotationError("saved game", line, problem) from None
        return cls(*reader.finished())


def _decider(state: State[Any]) -> str:
    return "chance" if state.turn == CHANCE else str(state.turn)


class _Reader:
    """Takes the lines of a record after its header, and plays the moves as they come."""

    def __init__(self) -> None:
        self.head: dict[str, str] = {}
        self.options: list[str] = []
        self.states: list[State[Any]] = []
        self.moves: list[Any] = []

    def read(self, line: str) -> None:
        """Take one line, or raise the error that says what is wrong with it."""
        key, colon, value = line.partition(": ")
        if not colon:
            raise NotationError("line", line, "expected a word, a colon and a value")
        if key in ("game", "option", "start"):
            self._take(key, value)
        else:
            self._play(key, value)

    def _take(self, key: str, value: str) -> None:
        if self.states:
            raise NotationError("line", f"{key}: {value}", "it must stand before the moves")
        if key == "option":
            self.options.append(value)
        elif key in self.head:
            raise NotationError("line", f"{key}: {value}", "there can be only one of its kind")
        else:
            self.head[key] = value

    def _play(self, key: str, value: str) -> None:
        if not self.states:
            self.states.append(self._start())
        state = self.states[-1]
        if key != _decider(state):
            raise NotationError("move", f"{key}: {value}", f"it is {_decider(state)}'s decision")
        move = state.game.parse_move(value)
        self.states.append(state.play(move))
        self.moves.append(move)

    def _start(self) -> State[Any]:
        """The first state, from the lines `game`, `option` and `start`."""
        if "game" not in self.head:
            raise NotationError("saved game", HEADER, "there is no line game: NAME")
        game = find_game(self.head["game"]).from_text(self.options)
        return game.parse_state(self.head["start"]) if "start" in self.head else game.start()

    def finished(self) -> tuple[tuple[State[Any], ...], tuple[Any, ...]]:
        """All states and moves, at least the first state."""
        return tuple(self.states or [self._start()]), tuple(self.moves)


# other forms that we export


def read_game(text: str, game: Game[Any]) -> Record:
    """A game as `save` wrote it or as a page's `record.json` or `record.txt` has it.

    Only `record.txt` does not say which options it was played with: those of `game`.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        record = Record.from_text("\n".join([HEADER, *_lines_of_json(text)]))
    elif text.startswith(TITLE):  # of whatever version
        record = Record.from_text(text)
    else:
        return _from_written(text, game)
    if record.game.name != game.name:
        raise NotationError(f"game of {game.name}", f"game: {record.game.name}", "another game")
    return record


def _lines_of_json(text: str) -> list[str]:
    """What a `record.json` says, as lines of a record."""
    try:
        told = json.loads(text)
        lines = [f"game: {told['game']}", *(f"option: {option}" for option in told["options"])]
        lines += [f"start: {told['start']}"] if told["start"] else []
        for move in told["moves"]:
            decider = "chance" if move["seat"] == CHANCE else move["seat"]
            lines.append(f"{decider}: {move['move']}")
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        problem = f"expected a record.json of ours: {type(error).__name__}: {error}"
        raise NotationError("saved game", text[:40], problem) from None
    return lines


def _from_written(text: str, game: Game[Any]) -> Record:
    """The moves of a `record.txt`, whose first line may say where the game started."""
    lines = [line.strip() for line in text.split("\n")]
    start = lines.pop(0).removeprefix("start: ") if lines[0].startswith("start: ") else None
    record = Record((game.parse_state(start) if start else game.start(),))
    for line in filter(None, lines):
        for move in game.read_written(line):
            try:
                record = record.play(game.parse_move(move))
            except SpielwerkError as error:
                problem = f"{error}; record.json has games of every kind, with their options"
                raise NotationError("saved game", line, problem) from None
    return record
