"""Tables that are only looked at: nothing of them is kept here, and no player can sit down.

Pages and watchers see no difference. The game of a mirror is played elsewhere and told here, and
no rule of this server ends it; the process that plays it writes it down when it is over.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from spielwerk.messages import english
from spielwerk.store.records import Ending, Reason
from spielwerk.tables.parts import NotNow
from spielwerk.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.store.records import Entry, GameRecord, MoveRecord, WireRecord
    from spielwerk.tables.parts import Clock, Done, Journal, Seat


class AbsentOccupant:
    """Stands for a player who is not here; it has nothing to do."""

    def look(self) -> None:
        """The real table tells its players itself."""

    def dismiss(self, why: str) -> None:
        """It is not ours to send away."""


class NoJournal:
    """Refuses everything: another process writes the game down."""

    def add(self, _entry: Entry, done: Callable[[BaseException | None], None], /) -> None:
        """Refuse."""
        done(NotNow(english("only-shown")))


class ForgetfulJournal:
    """Agrees to everything and keeps nothing."""

    def add(self, _entry: Entry, done: Callable[[BaseException | None], None], /) -> None:
        """Agree."""
        done(None)


class ShownTable(Table):
    """A game that is there to be looked at."""

    def __init__(
        self, record: GameRecord, clock: Clock, rng: Random, journal: Journal | None = None
    ) -> None:
        super().__init__(record, journal or ForgetfulJournal(), clock, rng)
        for seat in self.seats:
            seat.occupant = AbsentOccupant()
        self.gather()

    @property
    def deserted(self) -> bool:
        """Never: no player has to come here."""
        return False


class MirrorTable(ShownTable):
    """A game that is played elsewhere, as far as it has been told."""

    def __init__(self, record: GameRecord, clock: Clock) -> None:
        super().__init__(record, clock, Random(0), NoJournal())
        self._await()

    # what is told

    def follow_moves(self, moves: Sequence[MoveRecord]) -> None:
        """These decisions were made; what is known already, or comes before its time, is not."""
        known = len(self.history)
        for move in moves:
            if move.number == len(self.history):
                self.history.replay(move)
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
        self._show(Ending(Reason.ABORTED, None, english("played-anew"), self.wall))

    def _show(self, result: Ending | None) -> None:
        if not self.over:
            self.result = result
            self.asked = None
            self.tell_watchers()

    def _await(self) -> None:
        """Start the clock of the player who has to move."""
        turn = self.state.turn
        moving = turn >= 0 and not self.over  # else chance decides, or the game is over
        self.asked = (self.seats[turn], self.now) if moving else None

    # what cannot be done here; sitting down cannot, because every seat is taken

    def play(self, seat: Seat, text: str, done: Done) -> None:  # noqa: ARG002
        """No player here can move."""
        raise NotNow(english("only-shown"))

    def resign(self, seat: Seat) -> None:  # noqa: ARG002
        """No player here can give up."""
        raise NotNow(english("only-shown"))

    def end(self, result: Ending) -> None:  # noqa: ARG002
        """The game does not end here."""
        raise NotNow(english("only-shown"))

    def keep(self, wire: WireRecord) -> None:
        """Nothing is said here."""
