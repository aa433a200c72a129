"""Clocks: how long the players of a table have, and who has run out of time.

A table may limit every move (`move_time`), all moves of a player together (`game_time`, to which
every finished turn adds `increment`), or both; then the smaller one counts. What a player has left
follows from the moves as they are kept, so it is right after moves are taken back, and a server
that is down takes no player's time.

A game with a game clock begins when all players are there. From then on the clock of the player to
move runs, whether or not that player is still there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.errors import OptionError, UsageError
from spielwerk.games import CHANCE
from spielwerk.messages import english
from spielwerk.store.records import Reason, SeatKind
from spielwerk.tables.parts import TurnClock
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    from spielwerk.store.records import GameRecord
    from spielwerk.tables.parts import Seat, SetTimer, Timer
    from spielwerk.tables.table import Table

DAY: Final = 24 * 3_600_000
MOVE_TIMES: Final = range(10, DAY + 1)  # milliseconds, and 0 for no limit
GAME_TIMES: Final = range(1000, DAY + 1)  # and 0 for no limit
INCREMENTS: Final = range(3_600_001)
MOVES: Final = 25  # that a player should always have time for
THRIFT: Final = 0.8  # of the increment that may be spent at once
AGAIN: Final = 1.0  # seconds before the time is checked again, after the journal has failed


def check_times(record: GameRecord) -> None:
    """Raise what is wrong with the times of a new game."""
    for name, value, allowed in (
        ("time", record.move_time, MOVE_TIMES),
        ("clock time", record.game_time, GAME_TIMES),
    ):
        if value and value not in allowed:
            problem = f"must be {allowed[0]} to {allowed[-1]} milliseconds, or 0 for no limit"
            raise OptionError(name, str(value), problem)
    added = str(record.increment)
    if record.increment not in INCREMENTS:
        problem = f"must be {INCREMENTS[0]} to {INCREMENTS[-1]} milliseconds"
        raise OptionError("clock increment", added, problem)
    if record.increment and not record.game_time:
        raise OptionError("clock increment", added, "must be 0 where the clock has no time")
    clients = any(seat.kind is SeatKind.CLIENT for seat in record.seats)
    if record.game_time and clients and record.game not in game_kinds():
        problem = "clients are not told how much time they have left; limit each move instead"
        raise UsageError(f"no game clock for {record.game} with clients: its {problem}")


def begins_together(record: GameRecord) -> bool:
    """Whether no player is asked before all have come: in a new game with a game clock."""
    return record.game_time > 0 and all(move.seat == CHANCE for move in record.moves)


class Clocks:
    """The clocks of one table, and the one place where a player's time runs out.

    Only a client that is connected is not watched here: its session tells it the limit, with what
    the network may take, and lets it go when that has passed.
    """

    def __init__(self, table: Table, set_timer: SetTimer) -> None:
        self._table = table
        self._set_timer = set_timer
        self._timer: Timer | None = None
        self._watched: tuple[Seat, float] | None = None  # what the timer was set for
        self._earliest = 0.0  # when a time that is up may be said again
        self._closed = False

    @property
    def running(self) -> TurnClock | None:
        """Who is thinking, for how long already, and how long it may take."""
        table = self._table
        if table.asked is None or table.over:
            return None
        seat, since = table.asked
        elapsed = max(0, round(1000 * (table.now - since)))
        return TurnClock(seat.number, elapsed, self.limit(seat.number))

    def left(self, seat: int) -> int | None:
        """Milliseconds of the game's time when the seat's turn began; None without a game clock."""
        record = self._table.record
        if not record.game_time:
            return None
        turns, spent = self._table.history.spent(seat)
        return max(0, record.game_time + record.increment * turns - spent)

    def limit(self, seat: int) -> int:
        """Milliseconds for the seat's whole turn; 0: as long as one likes."""
        move_time, left = self._table.record.move_time, self.left(seat)
        return move_time if left is None else max(1, min(move_time or left, left))

    def rest(self, seat: int) -> int:
        """Milliseconds for a move that is asked for now; 0: as long as one likes."""
        limit, clock = self.limit(seat), self.running
        runs = clock is not None and clock.seat == seat and self._table.record.game_time
        return max(1, limit - clock.elapsed) if clock and runs else limit

    def share(self, seat: int) -> float:
        """Seconds after which a player moves who wants to keep enough for the rest of the game."""
        left = self.left(seat)
        if left is None:
            return float("inf")
        saved = left / MOVES + THRIFT * self._table.record.increment
        return min(saved, left / 2) / 1000

    def runs_on(self, seat: Seat) -> bool:
        """Whether the seat's game clock runs already: coming back does not set it anew."""
        asked = self._table.asked
        return bool(self._table.record.game_time and asked and asked[0] is seat)

    def look(self) -> None:
        """Something at the table has changed: watch whose time runs now."""
        self._ask_absent()
        asked, limit = self._table.asked, self._watched_limit()
        if asked is not self._watched or not limit:
            self.stop()
        if asked and limit and self._timer is None and not self._closed:
            self._watched = asked
            due = max(asked[1] + limit / 1000, self._earliest)
            self._timer = self._set_timer(due, self._late)

    def stop(self) -> None:
        """Watch no clock."""
        self._watched, self._earliest = None, 0.0
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def close(self) -> None:
        """Watch no clock any more: the server stops."""
        self._closed = True
        self.stop()

    def _ask_absent(self) -> None:
        """Let the game clock of a player run who is away when its turn begins."""
        table = self._table
        waits = table.record.game_time and table.turn >= 0 and table.asked is None
        if waits and table.seats[table.turn].occupant is None:
            table.ask(table.seats[table.turn])

    def _watched_limit(self) -> int:
        """Milliseconds after which the player to move has lost, if that is ours to say; else 0."""
        if self._table.asked is None or self._table.over:
            return 0
        seat = self._table.asked[0]
        if seat.record.kind is SeatKind.PERSON:
            return self.limit(seat.number)
        told = seat.record.kind is SeatKind.CLIENT and seat.occupant is not None
        left = None if told else self.left(seat.number)
        return 0 if left is None else max(1, left)

    def _late(self) -> None:
        """The time is up, unless the move is just being written.

        If the journal fails, there is a moment to move again before this is said again.
        """
        self._timer, self._earliest = None, self._table.now + AGAIN
        table = self._table
        if self._watched and self._watched is table.asked and table.turn >= 0:
            seat = self._watched[0]
            table.lose(seat, Reason.TIME_OUT, self._too_late(seat))

    def _too_late(self, seat: Seat) -> str:
        left, move_time = self.left(seat.number), self._table.record.move_time
        if left is None or self._watched_limit() < left:
            return english("move-too-late", name=seat.name, seconds=f"{move_time / 1000:g}")
        return english("clock-ran-out", name=seat.name)
