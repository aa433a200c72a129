"""Who stands where: ratings, points and what must be said about them, from the games alone.

The order of the games does not matter, nor does when an entrant was disqualified. By rating, equal
ratings share a rank; by points, the rating decides between equal points. Entrants without a rating
come after all that have one, the disqualified come last.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Order, allows_openings
from spielwerk.contests.intervals import NOWHERE, Certainty, links
from spielwerk.contests.rating import PAIR, fit, rated, settled
from spielwerk.games import find_game
from spielwerk.store.records import ENDS, PairingState, Reason

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.intervals import Members
    from spielwerk.store.records import Ending, EntrantRecord, Kind, Pairing

FEW: Final = 10
"""With fewer bundles of an entrant its interval is rough."""

MOST: Final = 2 / 3
"""Who begins so large a part of its games has an advantage by that."""

DIGITS: Final = 6  # of a rating after the point; what is equal so far is equal
EVEN: Final = 0.5  # the chance of equals


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's place."""

    rank: int  # from 1; equal results share it; the disqualified come last
    entrant: int  # its number
    name: str
    kind: Kind
    rating: float | None  # in Elo, the mean of all is 0; None: no game that could be rated
    low: float | None  # 95 % interval; None: it has no end on that side, or is not known
    high: float | None
    bounded: bool  # False: an end that is None is open; both are if games tell neither
    better: float | None  # chance to be better than the next in the list; None: not known
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: Mapping[str, int]  # by its own fault, in the words of ENDS
    disqualified: str = ""
    disqualified_in: int | None = None
    bonus: int | None = None  # for the place; None: the contest has none to give


@dataclass(frozen=True, slots=True)
class Encounter:
    """One game from an entrant's side; in a crosstable."""

    number: int  # in the schedule
    points: float
    reason: Reason
    fault: bool  # the entrant's own


@dataclass(frozen=True, slots=True)
class Note:
    """Something that must be said about the ranking; `code` is the key of its sentence.

    all-won, all-lost (names): of the rated games; the rating has no end on that side
    groups (names of each, a line each): none of a later one took a point from an earlier one
    pools (names of each, a line each): they have not met, so they cannot be compared
    loose: draws, or moving first, cannot be told from strength, so distances are not known
    few (names, count): with fewer bundles than that, so the intervals are rough
    struck (names, count): games of the disqualified, which do not count
    unrated, overloaded (count): games
    spoilt (count): games that are neither won nor lost for those who did not fail
    began (names): hosts that began most of their games
    repeats (count): games that are like an earlier one of the same players in the same seats
    replaced (names): whose programs were replaced in a competition
    """

    code: str
    names: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """All of it; crosstable[a][b] are the games of a against b, from a's side."""

    standings: tuple[Standing, ...]
    crosstable: Mapping[int, Mapping[int, tuple[Encounter, ...]]]
    first_move: float | None  # Elo that moving first is worth; None: not known, or three players
    draws: float | None  # share of games between equals that are drawn, by the fit; None: likewise
    notes: tuple[Note, ...]
    rated: int  # games that the fit rests on


# what is counted


@dataclass(slots=True)
class Tally:
    """What an entrant has to show."""

    points: float = 0.0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)

    def add(self, ending: Ending, seat: int, players: int) -> None:
        """Count a game from the side of a seat."""
        self.games += 1
        self.points += points_of(ending, seat, players)
        if seat in ending.culprits:
            self.forfeits[ENDS[ending.reason]] += 1
        if seat == ending.winner:
            self.wins += 1
        elif ending.reason is Reason.DRAW:
            self.draws += 1
        elif ending.winner is not None or seat in ending.culprits:
            self.losses += 1


def points_of(ending: Ending, seat: int, players: int) -> float:
    """What a seat gets for a game."""
    if ending.reason is Reason.DRAW:
        return 0.5 if players == PAIR else 0.0
    return float(seat == ending.winner)


def tallies(pairings: Iterable[Pairing], struck: Container[int] = ()) -> Mapping[int, Tally]:
    """What each entrant has to show; those who have not played have an empty tally."""
    counted: dict[int, Tally] = defaultdict(Tally)
    for pairing in pairings:
        ending = settled(pairing)
        if ending is None:
            continue
        void = any(entrant in struck for entrant in pairing.seats)
        for seat, entrant in enumerate(pairing.seats):
            if not void or entrant in struck:
                counted[entrant].add(ending, seat, len(pairing.seats))
    return counted


def crosstable(pairings: Iterable[Pairing]) -> dict[int, dict[int, tuple[Encounter, ...]]]:
    """The games of all against all, in the order of the schedule."""
    table: dict[int, dict[int, list[Encounter]]] = defaultdict(lambda: defaultdict(list))
    for pairing in sorted(pairings, key=lambda pairing: pairing.number):
        if pairing.state != PairingState.DONE or pairing.ending is None:
            continue
        ending = pairing.ending
        for seat, entrant in enumerate(pairing.seats):
            points, fault = points_of(ending, seat, len(pairing.seats)), seat in ending.culprits
            encounter = Encounter(pairing.number, points, ending.reason, fault)
            for other in pairing.seats:
                if other != entrant:
                    table[entrant][other].append(encounter)
    return {
        entrant: {other: tuple(games) for other, games in sorted(row.items())}
        for entrant, row in sorted(table.items())
    }


# who stands where


def rank(
    contest: Contest, entrants: Sequence[EntrantRecord], pairings: Sequence[Pairing]
) -> Ranking:
    """The ranking after all games that are done."""
    struck = frozenset(entrant.number for entrant in entrants if entrant.disqualified)
    games = [game for pairing in pairings if (game := rated(pairing, struck)) is not None]
    certainty = Certainty(fit(games), links(games)) if games else None
    counted = tallies(pairings, struck)
    lines = [
        _standing(entrant, counted.get(entrant.number, Tally()), certainty)
        for entrant in sorted(entrants, key=lambda entrant: entrant.number)
    ]
    first_move, draws = (certainty.fit.advantage, certainty.fit.draws) if certainty else NOWHERE
    loose = certainty.loose if certainty else (False, False)
    said = [*_on_ratings(certainty, lines, loose=any(loose))] if certainty else []
    return Ranking(
        standings=tuple(_ranked(contest, lines, certainty)),
        crosstable=crosstable(pairings),
        first_move=None if loose[0] else first_move,
        draws=None if loose[1] else draws,
        notes=(*said, *_on_games(entrants, pairings)),
        rated=len(games),
    )


def _standing(entrant: EntrantRecord, tally: Tally, certainty: Certainty | None) -> Standing:
    rating = certainty.fit.ratings.get(entrant.number) if certainty else None
    low = high = None
    if certainty and rating is not None:
        low, high = certainty.interval(entrant.number)
    may_be_open = certainty is not None and entrant.number in certainty.links.open
    return Standing(
        rank=0,
        entrant=entrant.number,
        name=entrant.name,
        kind=entrant.kind,
        rating=_rounded(rating),
        low=_rounded(low),
        high=_rounded(high),
        bounded=not may_be_open or None not in (low, high),
        better=None,
        points=tally.points,
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        forfeits=dict(tally.forfeits),
        disqualified=entrant.disqualified,
        disqualified_in=entrant.disqualified_in,
    )


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, DIGITS) + 0.0  # there is no -0.0


def _ranked(
    contest: Contest, lines: Sequence[Standing], certainty: Certainty | None
) -> Iterator[Standing]:
    """The lines in their order, with ranks, bonus, and the chance to be better than the next."""
    ordered = sorted(lines, key=lambda line: _key(contest.order, line))
    rank = 1
    for place, line in enumerate(ordered):
        if place and _key(contest.order, line) != _key(contest.order, ordered[place - 1]):
            rank = place + 1
        after = ordered[place + 1 : place + 2]
        better = _better(certainty, line, after[0]) if certainty and after else None
        placed = replace(line, rank=rank, better=better)
        yield replace(placed, bonus=_bonus(contest, placed))


def _key(order: Order, line: Standing) -> tuple[float, ...]:
    if line.disqualified:
        return (1,)
    rating = (1.0, 0.0) if line.rating is None else (0.0, -line.rating)
    return (0, *rating) if order is Order.RATING else (0, -line.points, *rating)


def _better(certainty: Certainty, line: Standing, other: Standing) -> float | None:
    """The chance to be better, if it is known; the higher rating has at least even chances."""
    if line.rating is None or other.rating is None:
        return None
    chance = certainty.better(line.entrant, other.entrant)
    if chance is None:
        return None
    if line.rating == other.rating:
        return EVEN
    return max(chance, EVEN) if line.rating > other.rating else min(chance, EVEN)


def _bonus(contest: Contest, line: Standing) -> int | None:
    """What the place brings; those who share one get as much each, and the next ones fall away."""
    if not contest.bonus:
        return None
    none = line.disqualified or not line.games or line.rank > len(contest.bonus)
    return 0 if none else contest.bonus[line.rank - 1]


# what must be said


def _on_ratings(certainty: Certainty, lines: Sequence[Standing], *, loose: bool) -> Iterator[Note]:
    links, names = certainty.links, {line.entrant: line.name for line in lines}
    losers = [one.entrant for one in lines if one.entrant in links.losers and one.low is None]
    explained = {*links.winners, *losers}
    unexplained = {one.entrant for one in lines if not one.bounded} - explained
    if len(links.pools) > 1:
        yield Note("pools", _together(links.pools, names))
    for pool in links.pools:
        if unexplained.intersection(pool):
            yield Note("groups", _together(links.groups_of(pool), names))
    if links.winners:
        yield Note("all-won", tuple(names[entrant] for entrant in links.winners))
    if losers:
        yield Note("all-lost", tuple(names[entrant] for entrant in losers))
    if loose:
        yield Note("loose")
    bundles = sorted(certainty.fit.model.bundles_of.items())
    if few := [names[entrant] for entrant, count in bundles if count < FEW]:
        yield Note("few", tuple(few), FEW)


def _together(classes: Sequence[Members], names: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(", ".join(names[entrant] for entrant in members) for members in classes)


def _on_games(entrants: Sequence[EntrantRecord], pairings: Sequence[Pairing]) -> Iterator[Note]:
    out = {entrant.number: entrant.name for entrant in entrants if entrant.disqualified}
    ended = (PairingState.DONE, PairingState.FAILED)
    over = [pairing for pairing in pairings if pairing.state in ended]
    valid = [pairing for pairing in over if not out.keys() & pairing.seats]
    done = sum(pairing.state is PairingState.DONE for pairing in over)
    counts = {
        "unrated": sum(rated(pairing) is None for pairing in valid),
        "spoilt": sum(map(_is_spoilt, valid)),
        "struck": done - sum(pairing.state is PairingState.DONE for pairing in valid),
    }
    for code, count in counts.items():
        if count:
            yield Note(code, tuple(out.values()) if code == "struck" else (), count)
    if hosts := [*_began_most(entrants, over)]:
        yield Note("began", tuple(hosts))
    if overloaded := sum(bool(one.ending and one.overloaded) for one in over):
        yield Note("overloaded", count=overloaded)


def _is_spoilt(pairing: Pairing) -> bool:
    """Whether a player failed so that the others neither won nor lost."""
    ending = settled(pairing)
    failed = len(ending.culprits) if ending and ending.winner is None else 0
    return 0 < failed < len(pairing.seats)


def _began_most(entrants: Sequence[EntrantRecord], over: Sequence[Pairing]) -> Iterator[str]:
    """Who began far more than half of its games, because it decided that itself."""
    played = [pairing for pairing in over if settled(pairing)]
    games = Counter(entrant for pairing in played for entrant in pairing.seats)
    began = Counter(pairing.seats[pairing.begins] for pairing in played)
    deciding = {pairing.seats[pairing.begins] for pairing in played if pairing.begins}
    for entrant in entrants:
        if entrant.number in deciding and began[entrant.number] >= MOST * games[entrant.number]:
            yield entrant.name


def may_repeat(contest: Contest) -> bool:
    """Whether nothing random is in its games, so that the same players may play the same again."""
    opened = contest.opening > 0 and allows_openings(contest)
    return not opened and not find_game(contest.game).throws_dice


def on_repeats(pairings: Sequence[Pairing], traces: Mapping[int, int]) -> Iterator[Note]:
    """How many games tell nothing new; the trace of a game is another if its moves are others."""
    played = [
        (pairing.seats, traces[pairing.number])
        for pairing in pairings
        if pairing.number in traces and settled(pairing)
    ]
    repeats = len(played) - len({*played})
    if repeats:
        yield Note("repeats", count=repeats)
