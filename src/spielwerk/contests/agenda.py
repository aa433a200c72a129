"""The schedule of a contest in memory: what is played next, and how far everything is."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import replace
from heapq import heapify, heappop, heappush, heapreplace
from time import monotonic
from typing import TYPE_CHECKING, Final

from spielwerk.store.contest_records import PairingState, Scheduled, seat_that_begins
from spielwerk.store.records import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.journal import ContestJournal
    from spielwerk.store.contest_records import Disqualified, EntrantRecord, Pairing, Settled

    Place = tuple[int, int]  # in the order; the second number tells games at the same place apart

WAITING: Final = (PairingState.NEW, PairingState.REPEAT)
READY: Final = -1  # in place of an entrant: these games wait for none
LATER: Final = 10  # games that come before one which is put back: what was wrong may pass
FRESH: Final = 5.0  # seconds that the ranking of a ladder is good for


class Agenda:
    """All games of a contest, in their order; those to be played again come soon."""

    def __init__(self, pairings: Iterable[Pairing], entrants: Iterable[EntrantRecord] = ()) -> None:
        self._pairings: dict[int, Pairing] = {}
        self._counts: Counter[PairingState] = Counter()
        self._failed: set[int] = set()
        self._queue = GameQueue()
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
        """Add these games after all others."""
        for pairing in pairings:
            self._put(pairing)
            if pairing.state in WAITING and not self._is_out(pairing):
                self._queue.append(pairing)

    def _put(self, pairing: Pairing) -> None:
        """Replace what was known of the game; counts are kept, as there may be a million games."""
        number, state = pairing.number, pairing.state
        if known := self._pairings.get(number):
            self._counts[known.state] -= 1
        self._counts[state] += 1
        (self._failed.add if state is PairingState.FAILED else self._failed.discard)(number)
        self._pairings[number] = pairing

    def enrol(self, entrant: EntrantRecord) -> None:
        """Add an entrant."""
        self._entrants[entrant.number] = entrant

    def _is_out(self, pairing: Pairing) -> bool:
        return not self._out.isdisjoint(pairing.seats)

    # what is next

    def take(self, missing: AbstractSet[int] = frozenset()) -> Pairing | None:
        """The next game without a missing entrant; it counts as running, for one more time."""
        pairing = self._queue.take(missing)
        if pairing is None:
            return None
        running = replace(pairing, state=PairingState.RUNNING, attempt=pairing.attempt + 1)
        self._put(running)
        return running

    def settle(self, settled: Settled) -> None:
        """Take over what became of a game, which may have to be played again."""
        known, record = self._pairings[settled.number], settled.record
        now = replace(
            known,
            state=settled.state,
            repeated=settled.repeated,
            game=record.id if record else None,
            ending=settled.ending,
            started=settled.started,
            overloaded=settled.overloaded,
            begins=seat_that_begins(record.options) if record else 0,
        )
        self._put(now)
        if now.state in WAITING and self._is_out(known):
            self._drop(now)
        elif now.state in WAITING:
            self._queue.put_back(now)

    def disqualify(self, entry: Disqualified) -> None:
        """The entrant is out: none of its games that wait will be played."""
        self._out.add(entry.entrant)
        if known := self._entrants.get(entry.entrant):
            out = replace(known, disqualified=entry.why, disqualified_in=entry.number)
            self._entrants[entry.entrant] = out
        for pairing in self._queue.remove(entry.entrant):
            self._drop(pairing)

    def _drop(self, pairing: Pairing) -> None:
        self._put(replace(pairing, state=PairingState.FAILED, game=None, ending=None, begins=0))

    # how far it is

    @property
    def entrants(self) -> list[EntrantRecord]:
        """All entrants, by number."""
        return list(self._entrants.values())

    @property
    def disqualified(self) -> frozenset[int]:
        """The entrants that are out."""
        return frozenset(self._out)

    @property
    def waiting(self) -> int:
        """How many games are still to be begun."""
        return len(self._queue)

    def counts(self) -> Counter[PairingState]:
        """How many games are in each state."""
        return +self._counts

    def given_up(self) -> list[Pairing]:
        """The games that failed, without those that fell away with a disqualified entrant."""
        failed = (self._pairings[number] for number in sorted(self._failed))
        return [pairing for pairing in failed if pairing.ending or not self._is_out(pairing)]


def _was_ours(pairing: Pairing) -> bool:
    """Whether the game could not be played before: those that can be must not wait for it."""
    ending = pairing.ending
    error = ending is not None and ending.reason is Reason.SERVER_ERROR
    return error and pairing.state is PairingState.REPEAT


class GameQueue:
    """Games in their order; the next one is the first in which no entrant is missing.

    A game that cannot begin is laid aside for one entrant that is missing, and is not looked at
    again before that one is there: a million games may wait for guests that never come.
    """

    def __init__(self) -> None:
        self._aside: defaultdict[int, list[tuple[Place, Pairing]]] = defaultdict(list)  # heaps
        self._end = 0  # the place after all others,
        self._reached = 0  # and how far games were taken
        self._put_back = 0

    def __len__(self) -> int:
        return sum(map(len, self._aside.values()))

    def append(self, pairing: Pairing) -> None:
        """Add a game after all others."""
        heappush(self._aside[READY], ((self._end, 0), pairing))
        self._end += 1

    def put_back(self, pairing: Pairing) -> None:
        """Add a game after the next few."""
        self._put_back += 1
        place = min(self._reached + LATER, self._end - 1)
        heappush(self._aside[READY], ((place, self._put_back), pairing))

    def take(self, missing: AbstractSet[int]) -> Pairing | None:
        """Remove and return the next game in which none of these has a seat."""
        foremost = [
            (heap[0][0], who) for who, heap in self._aside.items() if heap and who not in missing
        ]
        heapify(foremost)
        while foremost:
            heap = self._aside[foremost[0][1]]
            place, pairing = heappop(heap)
            absent = next((seat for seat in pairing.seats if seat in missing), None)
            if absent is None:
                self._reached = max(self._reached, place[0])
                return pairing
            heappush(self._aside[absent], (place, pairing))
            if heap:
                heapreplace(foremost, (heap[0][0], foremost[0][1]))
            else:
                heappop(foremost)
        return None

    def remove(self, entrant: int) -> list[Pairing]:
        """Remove and return the games of this entrant."""
        removed: list[Pairing] = []
        for heap in self._aside.values():
            removed += (pairing for _, pairing in heap if entrant in pairing.seats)
            heap[:] = (entry for entry in heap if entrant not in entry[1].seats)
            heapify(heap)
        return removed


# games that fell away with a disqualified entrant


def is_dropped(pairing: Pairing) -> bool:
    """Whether the game fell away; one that failed by our own fault has an ending."""
    return pairing.state is PairingState.FAILED and pairing.ending is None


def dropped_by(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> list[str]:
    """The names of the entrants because of whom the game fell away; none if it did not."""
    if not is_dropped(pairing):
        return []
    seated = [entrants[number] for number in pairing.seats]
    return [entrant.name for entrant in seated if entrant.disqualified]


def why_dropped(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> str:
    """The same in a sentence; empty if it did not."""
    names = dropped_by(pairing, entrants)
    if not names:
        return ""
    return f"not played: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} disqualified"


# the games of a ladder


class LadderDraw:
    """Draws up the games of a ladder while it is played, one meeting at a time."""

    def __init__(self, contest: Contest, identity: str, agenda: Agenda) -> None:
        from spielwerk.contests.schedule import Ladder

        self._contest = contest
        self._identity = identity
        self._agenda = agenda
        self._ladder = Ladder(contest, identity, agenda)
        self._ranking: tuple[int, ...] = ()
        self._ranked = -FRESH
        self._busy = False
        self._drawn = 0  # games that are not in the agenda yet
        self._asleep = False  # no two entrants could meet, and nothing has changed since

    @property
    def ready(self) -> bool:
        """Whether the next meeting may be drawn now."""
        return not self._busy and not self._asleep

    @property
    def exhausted(self) -> bool:
        """Whether there will be no more games than those in the agenda."""
        if not self._asleep or not self._contest.has_open_seats:
            return self._asleep
        return not self._contest.newcomers and self._to_come() == 0

    @property
    def coming(self) -> int | None:
        """About how many games there will be besides those in the agenda; None: not known."""
        more = 0 if self.exhausted else self._to_come()
        return None if more is None else self._drawn + more

    def _to_come(self) -> int | None:
        from spielwerk.contests.schedule import to_come

        return to_come(self._contest, lambda: self._ladder.meetings(self._agenda.entrants))

    def wake(self) -> None:
        """Look again who can meet; only where guests come by themselves can that change."""
        if self._contest.has_open_seats:
            self._asleep = False

    def draw(
        self, journal: ContestJournal, available: Callable[[], Collection[int]]
    ) -> Coroutine[Any, Any, None]:
        """Add the next meeting of available entrants to the agenda, if there is one."""
        self._busy = True  # from now on, not only when that begins
        return self._draw(journal, available)

    async def _draw(
        self, journal: ContestJournal, available: Callable[[], Collection[int]]
    ) -> None:
        try:
            if monotonic() - self._ranked >= FRESH:
                self._ranking = await asyncio.to_thread(strongest_first, list(self._agenda))
                self._ranked = monotonic()
            games = self._ladder.next_bundle(self._ranking, available())
            self._asleep = not games  # at once: a guest that comes from now on wakes it
            self._drawn = len(games)
            if games:
                await journal.add(Scheduled(self._identity, pairings=games))
                self._agenda.add(games)
        finally:
            self._busy, self._drawn = False, 0


def strongest_first(pairings: Collection[Pairing]) -> tuple[int, ...]:
    """All entrants that have played, in the order of their ratings so far."""
    from spielwerk.contests.rating import fit, rated

    games = [game for game in map(rated, pairings) if game]
    if not games:
        return ()
    ratings = fit(games).ratings
    return tuple(sorted(ratings, key=lambda entrant: (-ratings[entrant], entrant)))
