"""A contest as it is read from a store, for reports, exports, pages and the command line.

All of it is read in threads, because databases make one wait.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import unpack
from spielwerk.contests.ranking import Note, may_repeat, on_repeats, rank
from spielwerk.contests.reviewing import added_up
from spielwerk.contests.schedule import meetings, to_come
from spielwerk.store import contests as reading
from spielwerk.store import reading as games
from spielwerk.store import reviews
from spielwerk.store.records import PairingState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.ranking import Ranking
    from spielwerk.contests.reviewing import RegretTable
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import (
        ContestRecord,
        EntrantRecord,
        Pairing,
        SeatReport,
        WireRecord,
    )

BLOCK: Final = 200  # games whose reports or moves are read at once


@dataclass(frozen=True)
class Book:
    """A contest as it stood at one moment; what is kept of its games is read when asked for."""

    record: ContestRecord
    contest: Contest
    entrants: Sequence[EntrantRecord]
    pairings: Sequence[Pairing]
    store: Readable
    _blocks: dict[Any, tuple[int, Mapping[int, Any]]] = field(default_factory=dict)

    @cached_property
    def ranking(self) -> Ranking:
        """Who stands where; worked out when it is first asked for: long work, for a thread."""
        ranking = rank(self.contest, self.entrants, self.pairings)
        return replace(ranking, notes=(*ranking.notes, *self._more()))

    def _more(self) -> Iterator[Note]:
        """What must be said that results alone do not tell."""
        if may_repeat(self.contest):
            yield from on_repeats(self.pairings, reading.traces(self.store, self.record.id))
        if names := reading.replaced(self.store, self.record.id):
            yield Note("replaced", tuple(names))

    @cached_property
    def coming(self) -> int | None:
        """About how many games will still be drawn up; None if that cannot be known."""
        return to_come(self.contest, lambda: meetings(self.entrants, self.pairings))

    @cached_property
    def regrets(self) -> RegretTable:
        """What the entrants' decisions cost in the games that have been reviewed."""
        return added_up(reviews.regrets(self.store, self.record.id), self.pairings)

    # what is kept of games, by their numbers

    @cached_property
    def move_counts(self) -> Mapping[int, int]:
        """How many moves every game had of which something is kept."""
        return reading.move_counts(self.store, self.record.id)

    @cached_property
    def earlier(self) -> Mapping[int, Sequence[str]]:
        """The Game-IDs of attempts that did not count."""
        return reading.earlier(self.store, self.record.id)

    def reports(self, number: int) -> Sequence[SeatReport]:
        """What is known of the players after the last attempt at a game."""
        reports: Sequence[SeatReport] = self._block(reading.reports_on, number).get(number, ())
        return reports

    def moves(self, number: int) -> Sequence[str]:
        """What was played in a game."""
        moves: Sequence[str] = self._block(reading.moves, number).get(number, ())
        return moves

    def wires(self, number: int) -> Sequence[WireRecord]:
        """What was said at a game."""
        game = self.pairings[number].game
        return games.wires(self.store, game) if game else ()

    def _block(
        self, read: Callable[[Readable, str, range], Mapping[int, Any]], number: int
    ) -> Mapping[int, Any]:
        """What is kept of a game and its neighbours; the last block that was read is known."""
        block = number // BLOCK
        if read not in self._blocks or self._blocks[read][0] != block:
            numbers = range(block * BLOCK, (block + 1) * BLOCK)
            self._blocks[read] = block, read(self.store, self.record.id, numbers)
        return self._blocks[read][1]


def read(store: Readable, record: ContestRecord, *, live: bool = True) -> Book:
    """Read it; where it is not `live`, what was running was left so by a process that died."""
    entrants, pairings = reading.schedule(store, record.id)
    if not live:
        pairings = [_put_back(one) for one in pairings]
    return Book(record, unpack(record.description), entrants, pairings, store)


def _put_back(pairing: Pairing) -> Pairing:
    running = pairing.state is PairingState.RUNNING
    return replace(pairing, state=PairingState.NEW) if running else pairing
