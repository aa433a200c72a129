"""The games of a contest that wait to be begun, and whom they wait for."""

from __future__ import annotations

from collections import defaultdict
from heapq import heapify, heappop, heappush, heapreplace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from spielwerk.store.contest_records import Pairing

    Place = tuple[int, int]  # in the order; behind it come those that were put there later

NOBODY: Final = -1  # is never missing
LATER: Final = 10  # games that come before one which is put back: what was wrong may pass


class Waiting:
    """Games in their order; the first of them is next in which nobody is missing.

    A game that could not be begun is laid aside for one who was missing, and is not looked at again
    before that one is there: there may be a million games, and half of the guests may never come.
    """

    def __init__(self) -> None:
        self._aside: defaultdict[int, list[tuple[Place, Pairing]]] = defaultdict(list)  # heaps
        self._next = 0  # place at the end of the order,
        self._reached = 0  # and how far games were taken
        self._put_back = 0

    def __len__(self) -> int:
        return sum(map(len, self._aside.values()))

    def put_last(self, pairing: Pairing) -> None:
        """Have this game after all others."""
        heappush(self._aside[NOBODY], ((self._next, 0), pairing))
        self._next += 1

    def put_back(self, pairing: Pairing) -> None:
        """Have this game soon, after a few others."""
        self._put_back += 1
        place = min(self._reached + LATER, self._next - 1)
        heappush(self._aside[NOBODY], ((place, self._put_back), pairing))

    def take(self, missing: AbstractSet[int]) -> Pairing | None:
        """The next game in which nobody is missing; it does not wait any more."""
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
            _go_on(foremost, heap)
        return None

    def drop(self, entrant: int) -> list[Pairing]:
        """The games of this entrant, which do not wait any more."""
        dropped: list[Pairing] = []
        for heap in self._aside.values():
            dropped += (pairing for _, pairing in heap if entrant in pairing.seats)
            heap[:] = (entry for entry in heap if entrant not in entry[1].seats)
            heapify(heap)
        return dropped


def _go_on(foremost: list[tuple[Place, int]], heap: list[tuple[Place, Pairing]]) -> None:
    """Have the next place of the heap from which the foremost game was taken."""
    if heap:
        heapreplace(foremost, (heap[0][0], foremost[0][1]))
    else:
        heappop(foremost)
