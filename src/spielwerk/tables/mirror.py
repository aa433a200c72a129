"""A table at which a game is only shown: it is played somewhere else, and told here.

Pages and watchers see no difference. Nobody can sit down, nothing is written to the journal, and no
rule of this server ends the game; whoever plays it writes it down when it is over.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.store.records import Reason, ResultRecord
from spielwerk.tables.parts import NotNow
from spielwerk.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.store.records import Entry, GameRecord, MoveRecord, WireRecord
    from spielwerk.tables.parts import Clock, Done
    from spielwerk.tables.seat import Seat

ELSEWHERE: Final = "this game is part of a contest and is only shown here"
ANEW: Final = "the game was broken off and will be played anew"


class _Absent:
    """Whoever sits at the real table; here it has nothing to do."""

    def look(self) -> None:
        """The real table tells its players itself."""

    def dismiss(self, why: str) -> None:
        """It is not ours to send away."""


class _NoJournal:
    """Nothing is written of a game that somebody else writes down."""

    def add(self, _entry: Entry, done: Callable[[BaseException | None], None], /) -> None:
        """Refuse."""
        done(NotNow(ELSEWHERE))


class MirrorTable(Table):
    """A game that is played elsewhere, as far as it has been told."""

    def __init__(self, record: GameRecord, clock: Clock) -> None:
        super().__init__(record, _NoJournal(), clock, Random(0))
        for seat in self.seats:
            seat.occupant = _Absent()
        self.gather()
        self._await()

    @property
    def deserted(self) -> bool:
        """Never: nobody has to come here."""
        return False

    # what is told

    def follow_moves(self, moves: Sequence[MoveRecord]) -> None:
        """These decisions were made; what is known already, or comes before its time, is not."""
        known = len(self.history)
        for move in moves:
            if move.number == len(self.history):
                self.history.add(self.game.parse_move(move.move), move)
        if len(self.history) > known:
            self.changed = self.now
            self._await()
            self.tell_watchers()

    def finish(self, record: GameRecord) -> None:
        """The game is over and written down."""
        self.follow_moves(record.moves)
        self._show(record.result)

    def break_off(self) -> None:
        """There will be no end to this: the game begins anew, under another ID."""
        self._show(ResultRecord(Reason.ABORTED, None, ANEW, self.wall))

    def _show(self, result: ResultRecord | None) -> None:
        if not self.over:
            self.result = result
            self.asked = None
            self.tell_watchers()

    def _await(self) -> None:
        """The clock of whoever has to move runs from now."""
        turn = self.state.turn
        moving = turn >= 0 and not self.over  # else it is chance's, or nobody's
        self.asked = (self.seats[turn], self.now) if moving else None

    # what cannot be done here; sitting down cannot, because every seat is taken

    def play(self, seat: Seat, text: str, done: Done) -> None:  # noqa: ARG002
        """Nobody here can move."""
        raise NotNow(ELSEWHERE)

    def resign(self, seat: Seat) -> None:  # noqa: ARG002
        """Nobody here can give up."""
        raise NotNow(ELSEWHERE)

    def end(self, result: ResultRecord) -> None:  # noqa: ARG002
        """Nobody here can end the game."""
        raise NotNow(ELSEWHERE)

    def keep(self, wire: WireRecord) -> None:
        """Nothing is said here."""
