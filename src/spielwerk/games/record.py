"""A game from its start to where it stands, and its plain text form: what `save` writes.

    Spielwerk game, version 1
    game: quarto
    option: n=4
    option: begins=0

    chance: 7
    0: A1,3
    1: B2,12

Lines may end in LF or CRLF; blank lines and lines that start with # are for people. A game that did
not start where its rules say names its first position in a line `start: ...`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import IllegalMove, NotationError
from spielwerk.games import find_game
from spielwerk.games.interface import CHANCE, Game, State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

HEADER: Final = "Spielwerk game, version 1"


@dataclass(frozen=True)
class Record:
    """The states of a game in their order, and the moves between them."""

    states: tuple[State[Any], ...]
    moves: tuple[Any, ...] = ()

    @property
    def game(self) -> Game[Any]:
        """The game that is recorded."""
        return self.states[0].game

    @property
    def state(self) -> State[Any]:
        """Where the game stands."""
        return self.states[-1]

    def play(self, move: Any) -> Record:  # noqa: ANN401
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
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        if lines[0] != HEADER:
            raise NotationError("saved game", lines[0], f"the first line must be {HEADER!r}")
        pairs = [_pair(line) for line in lines[1:] if line.strip() and not line.startswith("#")]
        head = [(key, value) for key, value in pairs if key in ("game", "option", "start")]
        start = _start(head)
        return cls(*_replay(start, pairs[len(head) :]))


def _decider(state: State[Any]) -> str:
    return "chance" if state.turn == CHANCE else str(state.turn)


def _pair(line: str) -> tuple[str, str]:
    key, colon, value = line.partition(": ")
    if not colon:
        raise NotationError("line of a saved game", line, "expected a word, a colon and a value")
    return key, value


def _start(head: list[tuple[str, str]]) -> State[Any]:
    """The first state, from the lines `game`, `option` and `start`."""
    names = [value for key, value in head if key == "game"]
    if len(names) != 1:
        raise NotationError("saved game", ", ".join(names), "expected exactly one line game: NAME")
    game = find_game(names[0]).from_text(value for key, value in head if key == "option")
    starts = [value for key, value in head if key == "start"]
    if len(starts) > 1:
        raise NotationError("saved game", starts[1], "expected at most one line start: POSITION")
    return game.parse_state(starts[0]) if starts else game.start()


def _replay(
    start: State[Any], pairs: list[tuple[str, str]]
) -> tuple[tuple[State[Any], ...], tuple[Any, ...]]:
    states, moves = [start], []
    for key, value in pairs:
        state = states[-1]
        line = f"{key}: {value}"
        if key != _decider(state):
            raise NotationError("move of this game", line, f"it is {_decider(state)}'s decision")
        try:
            move = state.game.parse_move(value)
            states.append(state.play(move))
        except IllegalMove as error:
            raise NotationError("move of this game", line, error.rule) from None
        moves.append(move)
    return tuple(states), tuple(moves)
