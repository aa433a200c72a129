"""The schedule of a contest in memory: what is to be played next, and how far everything is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from spielwerk.contests.running.waiting import Waiting
from spielwerk.store.contest_records import End, State, seat_that_begins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from spielwerk.store.contest_records import Disqualified, EntrantRecord, Pairing, Settled


class Agenda:
    """All games of a contest, in their order; what has to be played again comes soon."""

    def __init__(self, pairings: Iterable[Pairing], entrants: Iterable[EntrantRecord] = ()) -> None:
        self._pairings: dict[int, Pairing] = {}
        self._counts: Counter[State] = Counter()
        self._failed: set[int] = set()
        self._waiting = Waiting()
        self._entrants = {one.number: one for one in entrants}
        self._out = {one.number for one in self.entrants if one.disqualified}
        self.add(sorted(pairings, key=lambda one: (_was_ours(one), one.number)))

    def __iter__(self) -> Iterator[Pairing]:
        return iter(self._pairings.values())

    def __len__(self) -> int:
        return len(self._pairings)

    def __getitem__(self, number: int) -> Pairing:
        return self._pairings[number]

    def add(self, pairings: Iterable[Pairing]) -> None:
        """Have these games too."""
        for pairing in pairings:
            self._put(pairing)
            if pairing.state in (State.NEW, State.REPEAT) and not self._is_out(pairing):
                self._waiting.put_last(pairing)

    def _put(self, pairing: Pairing) -> None:
        """Have this in the place of what was known of the game; there may be a million of them."""
        number, state = pairing.number, pairing.state
        if known := self._pairings.get(number):
            self._counts[known.state] -= 1
        self._counts[state] += 1
        (self._failed.add if state is State.FAILED else self._failed.discard)(number)
        self._pairings[number] = pairing

    def enrol(self, entrant: EntrantRecord) -> None:
        """Somebody else takes part."""
        self._entrants[entrant.number] = entrant

    def _is_out(self, pairing: Pairing) -> bool:
        return not self._out.isdisjoint(pairing.seats)

    # what is next

    def take(self, missing: AbstractSet[int] = frozenset()) -> Pairing | None:
        """The next game in which nobody is missing; it counts as running, for one more time."""
        pairing = self._waiting.take(missing)
        if pairing is None:
            return None
        running = replace(pairing, state=State.RUNNING, attempt=pairing.attempt + 1)
        self._put(running)
        return running

    def settle(self, settled: Settled) -> None:
        """Know what became of a game, and when to play it again if it has to be."""
        known = self._pairings[settled.number]
        state = settled.state
        again = state in (State.NEW, State.REPEAT)
        game = settled.record.id if settled.record else None
        repeated, outcome = settled.repeated, settled.outcome
        begins = seat_that_begins(settled.record.options) if settled.record else 0
        now = replace(
            known, state=state, repeated=repeated, game=game, outcome=outcome, begins=begins
        )
        self._put(now)
        if again and self._is_out(known):
            self._drop(now)
        elif again:
            self._waiting.put_back(now)

    def disqualify(self, entry: Disqualified) -> None:
        """The entrant is out: none of its games that wait will be played."""
        self._out.add(entry.entrant)
        if known := self._entrants.get(entry.entrant):
            out = replace(known, disqualified=entry.why, disqualified_in=entry.number)
            self._entrants[entry.entrant] = out
        for pairing in self._waiting.drop(entry.entrant):
            self._drop(pairing)

    def _drop(self, pairing: Pairing) -> None:
        self._put(replace(pairing, state=State.FAILED, game=None, outcome=None, begins=0))

    # how far it is

    @property
    def entrants(self) -> list[EntrantRecord]:
        """Who takes part, by number."""
        return list(self._entrants.values())

    @property
    def disqualified(self) -> frozenset[int]:
        """The entrants that are out."""
        return frozenset(self._out)

    @property
    def waiting(self) -> int:
        """How many games are still to be begun."""
        return len(self._waiting)

    def counts(self) -> Counter[State]:
        """How many games are in each state."""
        return +self._counts

    def given_up(self) -> list[Pairing]:
        """The games that failed, without those that fell away with a disqualified entrant."""
        failed = (self._pairings[number] for number in sorted(self._failed))
        return [pairing for pairing in failed if pairing.outcome or not self._is_out(pairing)]


def _was_ours(pairing: Pairing) -> bool:
    """Whether the game could not be played before: those that can be must not wait for it."""
    error = pairing.outcome is not None and pairing.outcome.end is End.SERVER_ERROR
    return error and pairing.state is State.REPEAT
