"""A table: the one place where a game's state changes.

The players offer moves; the table asks the rules, writes to the journal, and only when the journal
has the move are the new state and its consequences told. What happens meanwhile waits its turn.
What has been played is the table's `history`, which everything else only reads.

Subclasses may override `ask`, `lose`, `leave`, `end`, `play`, `resign`, `keep`, `deserted` and
`processor_time`, and use `begun`, `agreed`, `forfeit` and `asked`.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from spielwerk.games import NOBODY
from spielwerk.messages import english
from spielwerk.store.records import (
    Ended,
    Ending,
    Moved,
    MoveRecord,
    Reason,
    Seated,
    SeatKind,
    TakenBack,
)
from spielwerk.tables.clocks import Clocks
from spielwerk.tables.offers import Offers
from spielwerk.tables.parts import (
    UNKNOWN,
    History,
    NoFreeSeat,
    NotNow,
    Rules,
    Seat,
    draw,
    ending_in,
    shown,
)
from spielwerk.tables.persons import SeatOwners

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from spielwerk.games import State
    from spielwerk.net.connection import Line
    from spielwerk.store.records import Entry, GameRecord, WireRecord
    from spielwerk.tables.parts import Clock, Done, Journal, Occupant

log = logging.getLogger(__name__)


class Table:
    """A game being played, in memory; the journal has all of it that was told."""

    def __init__(
        self,
        record: GameRecord,
        journal: Journal,
        clock: Clock,
        rng: Random,
        rules: Rules | None = None,
    ) -> None:
        self.record, self.id = record, record.id
        self.history = History.of(record)
        self.game = self.history.game
        self.seats = tuple(Seat(number, seat) for number, seat in enumerate(record.seats))
        self.result = record.result
        self.creator, self.viewers = UNKNOWN, 0  # who set it up, and pages that look
        self.watchers: list[Callable[[Table], None]] = []
        self.changed = self.deserted_since = clock.monotonic()  # the position, and the players
        self.offers = Offers(self)
        self.hints: Counter[int] = Counter()  # that seats have asked for since their last moves
        self._journal, self._clock, self._rng = journal, clock, rng
        self._rules = rules or Rules()
        self.clocks = Clocks(self, self._rules.timer)
        self._writing = self._announcing = False
        self._waiting: deque[Callable[[], None]] = deque()
        self.begun = not (self.game.one_sitting or self._rules.together)  # all players have come
        self.asked: tuple[Seat, float] | None = None  # whose clock runs, and since when
        self.forfeit: Ending | None = None  # lost already, told when the other has moved
        self._confirmed: set[int] = set()  # seats that agree on the end
        self._unwritten: Ending | None = None  # an end that the journal would not take

    def __str__(self) -> str:
        return f"game={shown(self.id)}"

    @cached_property
    def owners(self) -> SeatOwners:
        """Gives persons their seats, at tables that have some."""
        return SeatOwners(self, self._journal)

    @property
    def state(self) -> State[Any]:
        """The position."""
        return self.history.state

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    @property
    def gathering(self) -> bool:
        """Whether it waits for players, so that it can begin."""
        return not (self.begun or self._writing or self.over)

    @property
    def closed(self) -> bool:
        """Whether no person can take a seat any more."""
        return self.over or (self.game.one_sitting and self.begun)

    @property
    def turn(self) -> int:
        """The seat that has to decide; NOBODY before and after the game, and during a write."""
        waiting = self.result is not None or self._writing or not self.begun
        return NOBODY if waiting else self.history.state.turn

    @property
    def now(self) -> float:
        """The time by the table's clock, in seconds that only go forward."""
        return self._clock.monotonic()

    @property
    def open(self) -> bool:
        """Whether a player is missing."""
        return not self.over and not all(seat.ready for seat in self.seats)

    @property
    def deserted(self) -> bool:
        """Whether no client sits here and no person looks."""
        return not any(seat.present for seat in self.seats)

    @property
    def wall(self) -> int:
        """Milliseconds since 1970."""
        return self._clock.wall()

    def agreed(self, number: int) -> bool:
        """Whether this seat's player has agreed on the end."""
        return number in self._confirmed

    def processor_time(self, seat: int) -> int | None:  # noqa: ARG002
        """Milliseconds of processor time for the seat's latest move, where they are known."""
        return None

    def lines(self) -> list[Line]:
        """The transcripts of those who sit here and are connected."""
        lines = [getattr(seat.occupant, "line", lambda: None)() for seat in self.seats]
        return [line for line in lines if line is not None]

    def keep(self, wire: WireRecord) -> None:
        """Have written down what was said on a connection."""
        self._journal.add(wire, self.note)

    # seats

    def sit(self, occupant: Occupant, wanted: int | None = None, name: str = "") -> Seat:
        """Give a client the wanted seat or the first free one, or raise NoFreeSeat."""
        closed = self.game.one_sitting and not self.gathering  # no player comes in later
        for seat in self.seats if not closed else ():
            if wanted in (None, seat.number) and seat.open_to_clients(self.now):
                self._take(seat, occupant, name)
                return seat
        code = "no-free-seat" if wanted is None else "seat-taken"
        raise NoFreeSeat(english(code, number=wanted))

    def _take(self, seat: Seat, occupant: Occupant, name: str) -> None:
        seat.occupant = occupant
        if name and name != seat.name:
            seat.record = replace(seat.record, name=name)
            self._journal.add(Seated(self.id, seat.number, name), self.note)
        self.visited()
        self.gather()
        self.announce()

    def gather(self) -> None:
        """Begin a game that waits for all players, if they are there."""
        if not self.begun and all(seat.ready for seat in self.seats):
            self.begun = True
            self.announce()

    def note(self, error: BaseException | None) -> None:
        """Say in the log that something was not kept, if so."""
        if error:
            log.error("journal failed %s error=%r", self, str(error))

    def leave(self, seat: Seat, reason: Reason, detail: str) -> None:
        """The occupant is gone: what that means depends on the game and on the tournament."""
        seat.occupant = None
        if self.asked and self.asked[0] is seat and not self.clocks.runs_on(seat):
            self.asked = None
        self.visited()
        if self.over:
            return
        blameless = reason in (Reason.ABORTED, Reason.SERVER_ERROR)
        if self.game.one_sitting:
            # A player who has agreed on the end may go: the game counts all the same.
            if self.begun and not self.agreed(seat.number):
                culprits = () if blameless else (seat.number,)
                self.end(Ending(reason, None, detail, self.wall, culprits))
        else:
            if seat.record.kind is SeatKind.CLIENT:
                seat.reserved_until = self.now + self._rules.reservation
            if self.forfeit or (self.record.tournament and not blameless):
                self.lose(seat, reason, detail)
        self.announce()

    def visited(self) -> None:
        """A player came, went or did something: the time without players counts from here."""
        self.deserted_since = self.now

    def resign(self, seat: Seat) -> None:
        """The seat's player gives the game up."""
        if self.over or self.forfeit:
            raise NotNow(english("already-over"))
        if not self.begun:
            raise NotNow(english("not-begun"))
        self.lose(seat, Reason.RESIGNATION, english("resigned", name=seat.name))

    # moves

    def ask(self, seat: Seat, since: float | None = None) -> None:
        """The seat's player has been asked to move; the clock runs from now, or from `since`."""
        if not self.clocks.runs_on(seat):
            self.asked = (seat, self.now if since is None else since)
        self.clocks.look()
        if not self._announcing:  # those who look at the clock must hear of it
            self.tell_watchers()

    def play(self, seat: Seat, text: str, done: Done) -> None:
        """Offer the decisions of a turn, or raise what is wrong; `done` when they are kept."""
        if seat.number != self.turn:
            raise NotNow(english("not-the-turn", name=seat.name))
        moves = [*self.game.parse_turn(text)]
        states = [self.state, *self.state.course(moves)]
        for move, after in draw(states[-1], self._rng):
            moves.append(move)
            states.append(after)
        records = self._records(states, moves)
        result = self.forfeit or self._settled(states[-1])

        def committed() -> None:
            self.asked = None
            for move, after, record in zip(moves, states[1:], records, strict=True):
                self.history.add(move, after, record)
            self.hints[seat.number] = 0
            self.changed, self.result = self.now, result
            if seat.record.kind is not SeatKind.ENGINE:
                self.visited()
            if self.forfeit:
                self.end(self.forfeit)
            done(None)

        self._write(Moved(self.id, records, result), committed, done)

    def _records(
        self, states: Sequence[State[Any]], moves: Sequence[Any]
    ) -> tuple[MoveRecord, ...]:
        """The moves in these states as they are kept; times and hints are the first one's."""
        seat, at, written = states[0].turn, self.wall, self.game.format_move
        took = max(0, round(1000 * (self.now - self.asked[1]))) if self.asked else 0
        facts = (took, self.processor_time(seat), self.hints[seat])
        first = len(self.history)
        return tuple(
            MoveRecord(first + n, state.turn, written(move), at, *(() if n else facts))
            for n, (state, move) in enumerate(zip(states, moves, strict=False))
        )

    def take_back(self, kept: int, done: Done) -> None:
        """Let only the first so many decisions count; `done` when that is kept. Not in a write."""

        def committed() -> None:
            self.asked = None
            for move in self.history.take_back(kept):  # what was learnt then is not forgotten
                self.hints[move.seat] += move.hints
            self.changed = self.deserted_since = self.now
            done(None)

        self._write(TakenBack(self.id, kept), committed, done)

    def _settled(self, state: State[Any]) -> Ending | None:
        """The result, if the rules end the game in this state and no player has to agree first."""
        counts = state.outcome and (state.outcome.void or self._all_confirmed())
        return ending_in(state, self.wall) if counts else None

    def confirm(self, seat: Seat) -> None:
        """The seat's player agrees on the end; with the last one the result counts."""
        self._confirmed.add(seat.number)
        result = ending_in(self.state, self.wall)
        if result and self._all_confirmed():
            self.end(result)

    def _all_confirmed(self) -> bool:
        """Whether no player has to agree any more; only clients keep a score of their own."""
        clients = (seat for seat in self.seats if seat.record.kind is SeatKind.CLIENT)
        return not self.game.one_sitting or all(self.agreed(seat.number) for seat in clients)

    # other ends

    def lose(self, seat: Seat, reason: Reason, detail: str) -> None:
        """This seat has lost, whatever the board says; the first to do so counts.

        A client that is just thinking may finish its move: the protocols have no place to tell the
        end before that.
        """
        if self.over:
            return
        at, winner = self.wall, 1 - seat.number if len(self.seats) == 2 else None
        self.forfeit = self.forfeit or Ending(reason, winner, detail, at, (seat.number,))
        if not self._awaits_client(seat):
            self.end(self.forfeit)

    def settle(self) -> bool:
        """Whether the game is decided; if its end was only to be told after a move, it is now."""
        if self.forfeit and not self.over:
            self.asked = None
            self.end(self.forfeit)
        return self.over or self.forfeit is not None

    def _awaits_client(self, besides: Seat | None = None) -> bool:
        """Whether a client is thinking that can be told the end only after its move."""
        if self.asked is None or self.asked[0] is besides:
            return False
        return self.asked[0].occupant is not None and self.asked[0].record.kind is SeatKind.CLIENT

    def fail(self, seat: Seat, reason: Reason, detail: str) -> None:
        """This seat's player cannot go on: a tournament's game is lost, another has no winner."""
        if self.record.tournament:
            self.lose(seat, reason, detail)
        else:
            self.end(Ending(reason, None, detail, self.wall, (seat.number,)))

    def abort(self, reason: Reason, detail: str) -> None:
        """End the game without a winner."""
        self.end(Ending(reason, None, detail, self.wall))

    def end(self, result: Ending) -> None:
        """End the game with this result, unless it has one."""
        if self._writing:
            self._waiting.append(lambda: self.end(result))
            return
        if self.over:
            return

        def committed() -> None:
            self.asked = None
            self.result = result

        def failed(_error: BaseException | None) -> None:
            self._unwritten = self._unwritten or result

        self._write(Ended(self.id, result), committed, failed)

    def retry(self) -> None:
        """Try again to write an end that could not be written, unless a move will bring it."""
        if self.forfeit and self._awaits_client():
            return
        result, self._unwritten = self._unwritten, None
        if result:
            self.end(result)

    # the journal

    def _write(self, entry: Entry, committed: Callable[[], None], failed: Done) -> None:
        self._writing = True

        def written(error: BaseException | None) -> None:
            self._writing = False
            self._announcing = True  # a player may be asked meanwhile: watchers hear of it below
            self.note(error)
            if error is None:
                committed()
            else:
                failed(error)
            self.announce()
            if self._waiting:
                self._waiting.popleft()()

        self._journal.add(entry, written)

    def announce(self) -> None:
        """Let all players and watchers look."""
        self._announcing = True
        for seat in self.seats:
            if seat.occupant:
                seat.occupant.look()
        self.clocks.look()
        self._announcing = False
        self.tell_watchers()

    def tell_watchers(self) -> None:
        """Let the watchers look."""
        for watcher in list(self.watchers):
            watcher(self)
