"""The course of a game: its positions, the decisions made in them, and when they were made.

Tables, mirrors and pages read it; only the table or the mirror that owns it adds to it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from spielwerk.games import find_game
from spielwerk.games.record import Record
from spielwerk.store.records import MoveRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.games import Game, State
    from spielwerk.store.records import GameRecord

    Step = tuple[State[Any], Any]


class History(Sequence["Step"]):
    """Each position with the move played in it, and in `state` the position reached."""

    def __init__(self, game: Game[Any], moves: Iterable[MoveRecord] = ()) -> None:
        self.game = game
        self.state = game.start()
        self._steps: list[Step] = []
        self._times = array("q")  # of each step: when it was made, and how long it took
        for move in moves:
            self.add(game.parse_move(move.move), move)

    @classmethod
    def of(cls, record: GameRecord) -> History:
        """The course of a game from the store; IllegalMove if these rules cannot replay it."""
        return cls(find_game(record.game).from_text(record.options), record.moves)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        return self._steps[index]

    def __len__(self) -> int:
        return len(self._steps)

    def records(self, first: int = 0, end: int | None = None) -> list[MoveRecord]:
        """The decisions as the store keeps them, from number `first` to before `end`."""
        return [
            MoveRecord(number, state.turn, self.game.format_move(move), *self._times_of(number))
            for number, (state, move) in enumerate(self._steps[first:end], first)
        ]

    def _times_of(self, number: int) -> array[int]:
        return self._times[2 * number : 2 * number + 2]

    def record(self) -> Record:
        """All positions and moves, as players and files take them."""
        states = [state for state, _ in self._steps]
        return Record((*states, self.state), tuple(move for _, move in self._steps))

    def add(self, move: Any, kept: MoveRecord) -> None:
        """Play a move; for the owner only."""
        after = self.state.play(move)
        self._steps.append((self.state, move))
        self._times.extend((kept.at, kept.took))
        self.state = after
