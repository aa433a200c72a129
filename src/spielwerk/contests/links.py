"""Which entrants the games of a contest compare with each other.

Entrants that no chain of games links are in different pools: their ratings say nothing about each
other. Within a pool, entrants that chains of wins and draws link in both directions make a group.
Between two groups one side has always won, so nothing says how far they are apart at most (Ford
1957). When a player of three fails, both others count as better here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from spielwerk.contests.rating import RatedGame

Members: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """How the games link the entrants."""

    pools: tuple[Members, ...]  # the largest first
    groups: tuple[Members, ...]  # the better first, as far as that is known
    winners: Members  # those that won every game
    losers: Members  # those that lost some and neither won nor drew any
    winless: Members  # the losers, and those that only saw others fail

    def pool(self, entrant: int) -> Members:
        """All that an entrant can be compared with."""
        return next(pool for pool in self.pools if entrant in pool)

    def group(self, entrant: int) -> Members:
        """Those that are linked with an entrant in both directions, and the entrant."""
        return next(group for group in self.groups if entrant in group)

    def body(self, pool: Members) -> Members:
        """The largest group of a pool, by which the others are measured; none if two are."""
        groups = self.groups_of(pool)
        largest = max(map(len, groups))
        found = [group for group in groups if len(group) == largest]
        return found[0] if len(found) == 1 else ()

    def groups_of(self, pool: Members) -> list[Members]:
        """The groups of a pool."""
        return [group for group in self.groups if group[0] in pool]

    @property
    def open(self) -> frozenset[int]:
        """Those whose ratings need not have an end on both sides."""
        firm = {entrant for pool in self.pools for entrant in self.body(pool)}
        every = {entrant for pool in self.pools for entrant in pool}
        return frozenset(every - firm | {*self.winless})


def links(games: Sequence[RatedGame]) -> Links:
    """Find the pools and groups of these games."""
    results = sorted({(game.seats, game.best) for game in games})
    entrants = tuple(sorted({entrant for seats, _ in results for entrant in seats}))
    met = _Chains(entrants, ((a, b) for seats, _ in results for a in seats for b in seats))
    better = _Chains(entrants, (pair for result in results for pair in _beaten(*result)))
    won = {seats[best[0]] for seats, best in results if len(best) == 1}
    drew = {entrant for seats, best in results if not best for entrant in seats}
    lost = {
        entrant
        for seats, best in results
        for seat, entrant in enumerate(seats)
        if best and seat not in best
    }
    unsettled = {entrant for seats, best in results if len(best) != 1 for entrant in seats}
    winless = tuple(entrant for entrant in entrants if entrant not in won | drew)
    return Links(
        pools=tuple(sorted(met.classes(), key=lambda pool: (-len(pool), pool))),
        groups=tuple(sorted(better.classes(), key=lambda group: (-better.below(group), group))),
        winners=tuple(entrant for entrant in entrants if entrant not in lost | unsettled),
        losers=tuple(entrant for entrant in winless if entrant in lost),
        winless=winless,
    )


def _beaten(seats: Members, best: Members) -> Iterator[tuple[int, int]]:
    """Pairs of entrants of which the first was at least as good as the second."""
    for a, first in enumerate(seats):
        for b, second in enumerate(seats):
            if not best or (a in best and b not in best):
                yield first, second


class _Chains:
    """Which entrants every entrant reaches by a chain of pairs."""

    def __init__(self, entrants: Members, pairs: Iterable[tuple[int, int]]) -> None:
        self._entrants = entrants
        self._place = {entrant: place for place, entrant in enumerate(entrants)}
        self._reach: npt.NDArray[np.bool_] = np.eye(len(entrants), dtype=np.bool_)
        for a, b in pairs:
            self._reach[self._place[a], self._place[b]] = True
        for middle in range(len(entrants)):  # Warshall
            self._reach |= np.outer(self._reach[:, middle], self._reach[middle])

    def classes(self) -> list[Members]:
        """Those that reach each other."""
        mutual = self._reach & self._reach.T
        rows = (np.flatnonzero(row) for row in mutual)
        return sorted({tuple(self._entrants[place] for place in row) for row in rows})

    def below(self, members: Members) -> int:
        """How many others these reach."""
        return int(self._reach[self._place[members[0]]].sum()) - len(members)
