"""The running ladder of the training phase: whoever has played least meets its neighbours."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from spielwerk.contests.scheduling.openings import game_of
from spielwerk.contests.scheduling.schedule import Bundles, last_of_bundles

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.scheduling.schedule import Seats
    from spielwerk.store.contest_records import EntrantRecord, Pairing


def meetings(entrants: Iterable[EntrantRecord], pairings: Iterable[Pairing]) -> dict[int, int]:
    """How often everybody who is not disqualified meets others in these games."""
    met = Counter(number for last in last_of_bundles(pairings) for number in last.seats)
    return {one.number: met[one.number] for one in entrants if not one.disqualified}


class Ladder:
    """Counts who has met whom, and says who should meet next.

    Neighbours in the ranking meet often, others the less often the farther apart they are. What is
    said depends only on the contest and on what was said and given before.
    """

    def __init__(self, contest: Contest, contest_id: str, pairings: Iterable[Pairing] = ()) -> None:
        self._rounds = contest.rounds
        self._players = game_of(contest).players
        self._bundles = Bundles(contest, contest_id)
        self._meetings: Counter[int] = Counter()  # of each entrant
        self._common: Counter[frozenset[int]] = Counter()  # of every two
        for last in last_of_bundles(pairings):
            self._bundles.skip(last)
            self._count(last.seats)

    def meetings(self, entrants: Iterable[EntrantRecord]) -> dict[int, int]:
        """How often everybody of these who is not disqualified meets others."""
        return {one.number: self._meetings[one.number] for one in entrants if not one.disqualified}

    def _count(self, seats: Seats) -> None:
        self._meetings.update(seats)
        self._common.update(map(frozenset, combinations(seats, 2)))

    def next_bundle(
        self, ranking: Sequence[int], available: Collection[int]
    ) -> tuple[Pairing, ...]:
        """The next meeting of some who are available, counted already; nothing if there is none.

        `ranking` has the best first; who is not in it, because it has not played, stands last.
        """
        ready = sorted(available)
        if len(ready) < self._players:
            return ()
        first = min(ready, key=lambda entrant: self._meetings[entrant])
        nth = self._meetings[first]
        if self._rounds and nth >= self._rounds:
            return ()
        seats = (first, *self._opponents(first, ranking, ready))
        self._count(seats)
        return self._bundles.next(nth, seats)

    def _opponents(self, first: int, ranking: Sequence[int], ready: list[int]) -> list[int]:
        """The nearest in the ranking, but each meeting counts as if they were farther away."""
        ranked = set(ranking)
        order = [*ranking, *(entrant for entrant in ready if entrant not in ranked)]
        places = {entrant: place for place, entrant in enumerate(order)}

        def price(other: int) -> tuple[int, int, int]:
            distance = abs(places[other] - places[first])
            common = self._common[frozenset((first, other))]
            return distance * (1 + common), self._meetings[other], distance

        others = [entrant for entrant in ready if entrant != first]
        return sorted(others, key=price)[: self._players - 1]
