"""Who plays whom, when and from where: fixed by the entrants' order and one seed.

A bundle is one meeting: the same players from the same opening, with the same chance, in every
order of seats. Bundles come round after round, and within a round so that no entrant is far ahead:
pairs by the circle method, three by three by turning a wheel.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, groupby, permutations
from itertools import count as counting
from math import ceil, comb, factorial
from random import Random
from typing import TYPE_CHECKING

from spielwerk.contests.contest import Format, allows_openings, game_of
from spielwerk.games.playing import opening
from spielwerk.store.records import Pairing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.games.playing import Moves
    from spielwerk.store.records import EntrantRecord

Seats = tuple[int, ...]


def draw_up(contest: Contest, contest_id: str, known: Iterable[Pairing] = ()) -> Iterator[Pairing]:
    """All games in the order of play; a ladder has none before it begins.

    Games that are known already are left out, and the others come after them: so a contest can get
    more rounds, and more entrants behind those that it has.
    """
    bundles = Bundles(contest, contest_id)
    met = set()
    for last in last_of_bundles(known):
        bundles.skip(last)
        met.add((last.round, frozenset(last.seats)))
    for nth in range(contest.rounds):
        for seats in meetings_of_round(contest):
            if (nth, frozenset(seats)) not in met:
                yield from bundles.next(nth, seats)


def last_of_bundles(pairings: Iterable[Pairing]) -> Iterator[Pairing]:
    """The last game of every bundle, in the order of play."""
    in_order = sorted(pairings, key=lambda pairing: pairing.number)
    for _, games in groupby(in_order, key=lambda pairing: pairing.bundle):
        *_, last = games
        yield last


class Bundles:
    """Makes one bundle after the other; those who meet again get another opening."""

    def __init__(self, contest: Contest, contest_id: str) -> None:
        self._contest = contest
        self._id = contest_id
        self._game = game_of(contest)
        self._turns = contest.opening if allows_openings(contest) else 0
        self._number = 0
        self._bundle = 0
        self._openings: defaultdict[frozenset[int], set[Moves]] = defaultdict(set)

    def next(self, nth: int, seats: Seats) -> tuple[Pairing, ...]:
        """A meeting in the nth round: every order of seats, all with one opening and one seed."""
        seed = f"{self._contest.seed}/{self._bundle}"
        known = self._openings[frozenset(seats)]
        moves = opening(self._game, self._turns, Random(f"{seed}/opening"), known).moves
        games = tuple(
            Pairing(self._id, number, nth, self._bundle, order, moves, seed)
            for number, order in enumerate(permutations(seats), self._number)
        )
        self.skip(games[-1])
        return games

    def skip(self, last: Pairing) -> None:
        """Go on after this game, the last of a bundle that is there already."""
        self._number, self._bundle = last.number + 1, last.bundle + 1
        self._openings[frozenset(last.seats)].add(last.opening)


def count(contest: Contest) -> int:
    """How many games the schedule has; 0 for a ladder, which is drawn up as it goes."""
    players, entrants = game_of(contest).players, len(contest.entrants)
    if contest.format is Format.LADDER:
        return 0
    if contest.format is Format.GAUNTLET:
        references = sum(entrant.reference for entrant in contest.entrants)
        bundles = (entrants - references) * comb(references, players - 1)
    else:
        bundles = comb(entrants, players)
    return contest.rounds * bundles * factorial(players)


def to_come(contest: Contest, meetings: Callable[[], Mapping[int, int]]) -> int | None:
    """About how many games a ladder will still get; None if that cannot be known.

    `meetings` says how often every entrant that is not disqualified has met others; that is long
    work, and asked for only where it matters. One that has met enough may be needed once more.
    """
    if contest.format is not Format.LADDER or contest.endless:
        return None if contest.endless else 0
    met, players = meetings(), game_of(contest).players
    lacking = [max(0, contest.rounds - times) for times in met.values()]
    if contest.newcomers:
        return None if any(lacking) or not met else 0
    bundles = max(ceil(sum(lacking) / players), max(lacking, default=0))
    return bundles * factorial(players) if len(met) >= players else 0


def meetings_of_round(contest: Contest) -> Iterator[Seats]:
    """Who meets in a round, in the order of play."""
    players = game_of(contest).players
    if contest.format is Format.ROUND_ROBIN:
        entrants = len(contest.entrants)
        return circle(entrants) if players == 2 else wheel(entrants, players)
    if contest.format is Format.GAUNTLET:
        return _gauntlet(contest, players)
    return iter(())


def circle(entrants: int) -> Iterator[Seats]:
    """Every pair once: all stand in a circle and face each other, then all but one move on."""
    ring = [*range(entrants)] + [-1] * (entrants % 2)  # who faces -1 rests
    for turn in range(len(ring) - 1):
        for place in range(len(ring) // 2):
            pair = ring[place], ring[-1 - place]
            if min(pair) >= 0:
                yield pair if turn % 2 else pair[::-1]
        ring.insert(1, ring.pop())


def wheel(entrants: int, players: int) -> Iterator[Seats]:
    """Every group once: all sit round a wheel, and a pattern of places is turned all the way.

    After each pattern all have played equally often, and meanwhile those who have played
    least come next.
    """
    for others in combinations(range(1, entrants), players - 1):
        pattern = (0, *others)
        if _is_first(pattern, entrants):
            yield from _in_turn(list(_turned(pattern, entrants)), entrants)


def _in_turn(groups: list[Seats], entrants: int) -> Iterator[Seats]:
    """The groups, always one whose members have played least so far."""
    played = [0] * entrants
    while groups:
        group = min(groups, key=lambda group: sum(played[entrant] for entrant in group))
        groups.remove(group)
        for entrant in group:
            played[entrant] += 1
        yield group


def _turned(pattern: Seats, entrants: int) -> Iterator[Seats]:
    """The pattern at every turn of the wheel, until it covers itself again."""
    for turn in counting():
        group = tuple((place + turn) % entrants for place in pattern)
        if turn and set(group) == {*pattern}:
            return
        yield group


def _is_first(pattern: Seats, entrants: int) -> bool:
    """Whether the pattern stands for all that it becomes by turning: its gaps come in order."""
    gaps = [after - before for before, after in zip(pattern, (*pattern[1:], entrants), strict=True)]
    return gaps == min(gaps[first:] + gaps[:first] for first in range(len(gaps)))


def _gauntlet(contest: Contest, players: int) -> Iterator[Seats]:
    """Every challenger against every group of references, in turn from another one on."""
    numbered = list(enumerate(contest.entrants))
    challengers = [number for number, entrant in numbered if not entrant.reference]
    references = [number for number, entrant in numbered if entrant.reference]
    groups = list(combinations(references, players - 1))
    for turn in range(len(groups)):
        for place, challenger in enumerate(challengers):
            yield (challenger, *groups[(place + turn) % len(groups)])


def meetings(entrants: Iterable[EntrantRecord], pairings: Iterable[Pairing]) -> dict[int, int]:
    """How often every entrant that is not disqualified meets others in these games."""
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
        """How often each of these that is not disqualified meets others."""
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
