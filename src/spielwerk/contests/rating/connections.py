"""Who can be compared with whom.

Entrants that no chain of games links are in different pools: their ratings say nothing about each
other. Within a pool, entrants that chains of wins and draws link in both directions make a group.
Between two groups one side has always won, so how far they are apart has no upper bound: Ford's
condition, that there is one group only, does not hold. The largest group is then the body that the
others are measured by; one alone in its group has won or lost everything against the others.

When a bot fails at dice, both others count as better than it here. A bot that never won itself may
owe that to the other one: it has no lower end, even if it lost nothing either. If games refute that
nevertheless is for `tournament.rating.open_ends` to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spielwerk.contests.rating.evidence import Flags, Known

Members: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """Entrants whose ratings have no end on one side: they won (or lost) all against the others."""

    members: Members
    others: Members
    upwards: bool


@dataclass(frozen=True, slots=True)
class Connections:
    """How the games link the entrants."""

    pools: tuple[Members, ...]  # the largest first
    groups: tuple[Members, ...]  # the better first, as far as that is known
    ends: tuple[OpenEnd, ...]
    winners: Members  # who won every game
    losers: Members  # who lost some and neither won nor drew any

    def group(self, entrant: int) -> Members:
        """Those who are linked with an entrant in both directions, and the entrant."""
        return next(group for group in self.groups if entrant in group)

    def open(self, *, upwards: bool) -> frozenset[int]:
        """Whose ratings have no end on that side."""
        ends = (end.members for end in self.ends if end.upwards == upwards)
        return frozenset(entrant for members in ends for entrant in members)


def connections(games: Sequence[Known]) -> Connections:
    """Find the pools and groups of these games."""
    results = sorted({(game.seats, game.best) for game in games})
    everybody = tuple(sorted({entrant for seats, _ in results for entrant in seats}))
    met = _Links(everybody, ((a, b) for seats, _ in results for a in seats for b in seats))
    better = _Links(everybody, (pair for result in results for pair in _beaten(*result)))
    pools = sorted(met.classes(), key=lambda pool: (-len(pool), pool))
    groups = sorted(better.classes(), key=lambda group: (-len(better.below(group)), group))
    won = {seats[best[0]] for seats, best in results if len(best) == 1}
    drew = {entrant for seats, best in results if not best for entrant in seats}
    lost = {
        entrant
        for seats, best in results
        for seat, entrant in enumerate(seats)
        if best and seat not in best
    }
    unsettled = {entrant for seats, best in results if len(best) != 1 for entrant in seats}
    winless = tuple(entrant for entrant in everybody if entrant not in won | drew)
    return Connections(
        pools=tuple(pools),
        groups=tuple(groups),
        ends=tuple(_ends(pools, groups, better, winless)),
        winners=tuple(entrant for entrant in everybody if entrant not in lost | unsettled),
        losers=tuple(entrant for entrant in winless if entrant in lost),
    )


def _beaten(seats: Members, best: Members) -> Iterator[tuple[int, int]]:
    """Who was at least as good as whom."""
    for a, first in enumerate(seats):
        for b, second in enumerate(seats):
            if not best or (a in best and b not in best):
                yield first, second


class _Links:
    """Whom everybody reaches by a chain of links."""

    def __init__(self, everybody: Members, pairs: Iterable[tuple[int, int]]) -> None:
        self._everybody = everybody
        self._place = {entrant: place for place, entrant in enumerate(everybody)}
        self._reach: Flags = np.eye(len(everybody), dtype=np.bool_)
        for a, b in pairs:
            self._reach[self._place[a], self._place[b]] = True
        for middle in range(len(everybody)):  # Warshall
            self._reach |= np.outer(self._reach[:, middle], self._reach[middle])

    def classes(self) -> list[Members]:
        """Those who reach each other."""
        mutual = self._reach & self._reach.T
        return sorted({self._named(row) for row in mutual})

    def below(self, members: Members) -> Members:
        """All others whom these reach."""
        return self._without(members, self._reach[self._place[members[0]]])

    def above(self, members: Members) -> Members:
        """All others who reach these."""
        return self._without(members, self._reach[:, self._place[members[0]]])

    def _named(self, row: Flags) -> Members:
        return tuple(self._everybody[place] for place in np.flatnonzero(row))

    def _without(self, members: Members, row: Flags) -> Members:
        return tuple(entrant for entrant in self._named(row) if entrant not in members)


def _ends(
    pools: Sequence[Members], groups: Sequence[Members], better: _Links, winless: Members
) -> Iterator[OpenEnd]:
    down: set[int] = set()
    for pool in pools:
        parts = [group for group in groups if group[0] in pool]
        body = _body(parts)
        for group in parts:
            for end in [] if group == body else _ends_of(group, body, better):
                down |= set() if end.upwards else {*end.members}
                yield end
        for entrant in winless:
            if entrant in pool and entrant not in down:
                others = tuple(one for one in pool if one != entrant)
                yield OpenEnd((entrant,), others, upwards=False)


def _body(groups: Sequence[Members]) -> Members | None:
    """The largest group, if there is one."""
    largest = max(map(len, groups))
    candidates = [group for group in groups if len(group) == largest]
    return candidates[0] if len(candidates) == 1 else None


def _ends_of(group: Members, body: Members | None, better: _Links) -> Iterator[OpenEnd]:
    """On which sides a group is open: away from the body, or from all if there is none."""
    below, above = better.below(group), better.above(group)
    over = body[0] in below if body else not above
    under = body[0] in above if body else not below
    if over or not under:
        yield OpenEnd(group, below, upwards=True)
    if under or not over:
        yield OpenEnd(group, above, upwards=False)
