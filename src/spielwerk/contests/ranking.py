"""Who stands where: ratings, points and what must be said about them, from the games alone.

The order of the games does not matter, nor does when somebody was disqualified. By rating, equal
ratings share a rank; by points, the rating decides between equal points. Who has no rating comes
after all who have, the disqualified come last.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Order
from spielwerk.contests.intervals import NOWHERE, Certainty
from spielwerk.contests.links import links
from spielwerk.contests.rating import fit, rated
from spielwerk.contests.results import (
    Note,
    Ranking,
    Standing,
    Tally,
    crosstable,
    settled,
    tallies,
)
from spielwerk.contests.schedule import allows_openings
from spielwerk.games import find_game
from spielwerk.store.contest_records import PairingState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.intervals import Interval
    from spielwerk.contests.links import Members
    from spielwerk.contests.rating import RatedGame
    from spielwerk.store.contest_records import EntrantRecord, Pairing


FEW: Final = 10
"""With fewer bundles of an entrant its interval is rough."""

MOST: Final = 2 / 3
"""Who begins so large a part of its games has an advantage by that."""

DIGITS: Final = 6  # of a rating after the point; what is equal so far is equal
EVEN: Final = 0.5  # the chance of equals


def rank(
    contest: Contest,
    entrants: Sequence[EntrantRecord],
    pairings: Sequence[Pairing],
    *,
    intervals: bool = True,
) -> Ranking:
    """The ranking after all games that are done; with intervals it is longer work."""
    struck = frozenset(entrant.number for entrant in entrants if entrant.disqualified)
    games = [game for pairing in pairings if (game := rated(pairing, struck)) is not None]
    verdict = Verdict(games, intervals=intervals) if games else None
    counted = tallies(pairings, struck)
    lines = [
        _standing(entrant, counted.get(entrant.number, Tally()), verdict)
        for entrant in sorted(entrants, key=lambda entrant: entrant.number)
    ]
    ranked = _ranked(contest.order, lines, verdict)
    return Ranking(
        standings=tuple(replace(line, bonus=_bonus(contest, line)) for line in ranked),
        crosstable=crosstable(pairings),
        first_move=verdict.advantage if verdict else None,
        draws=verdict.draws if verdict else None,
        notes=tuple(notes(entrants, pairings, verdict)),
        rated=len(games),
    )


class Verdict:
    """What the rated games say about every entrant, and how sure that is."""

    def __init__(self, games: Sequence[RatedGame], *, intervals: bool) -> None:
        self.fit = fit(games)
        self.links = links(games)
        self._ratings = self.fit.ratings
        self._certainty = Certainty(self.fit, self.links) if intervals else None
        self._intervals = {
            entrant: self._certainty.interval(entrant) if self._certainty else NOWHERE
            for entrant in self._ratings
        }
        self._loose = self._certainty.loose if self._certainty else (False, False)

    @property
    def loose(self) -> bool:
        """Whether moving first, or drawing, cannot be told from strength."""
        return any(self._loose)

    @property
    def advantage(self) -> float | None:
        """What the first seat is worth; None if games do not tell."""
        return None if self._loose[0] else self.fit.advantage

    @property
    def draws(self) -> float | None:
        """The share of draws between equals; None if games do not tell."""
        return None if self._loose[1] else self.fit.draws

    def rating(self, entrant: int) -> float | None:
        """In Elo; None for an entrant without rated games."""
        return _rounded(self._ratings.get(entrant))

    def interval(self, entrant: int) -> Interval:
        """The ends of the 95 % interval; None where it has none, or is not known."""
        low, high = self._intervals.get(entrant, NOWHERE)
        return _rounded(low), _rounded(high)

    def bounded(self, entrant: int) -> bool:
        """Whether an end that is None is not known, rather than open."""
        return entrant not in self.links.open or None not in self._intervals[entrant]

    def better(self, entrant: int, other: int) -> float | None:
        """The chance to be better than another; None if that is not known.

        It does not contradict the ratings: the higher one has at least even chances.
        """
        ours, theirs = self.rating(entrant), self.rating(other)
        if ours is None or theirs is None or self._certainty is None:
            return None
        chance = self._certainty.better(entrant, other)
        if chance is None:
            return None
        if ours == theirs:
            return EVEN
        return max(chance, EVEN) if ours > theirs else min(chance, EVEN)


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, DIGITS) + 0.0  # there is no -0.0


def _standing(entrant: EntrantRecord, tally: Tally, verdict: Verdict | None) -> Standing:
    low, high = verdict.interval(entrant.number) if verdict else (None, None)
    return Standing(
        rank=0,
        entrant=entrant.number,
        name=entrant.name,
        kind=entrant.kind,
        rating=verdict.rating(entrant.number) if verdict else None,
        low=low,
        high=high,
        bounded=verdict is None or verdict.bounded(entrant.number),
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


def _ranked(order: Order, lines: Sequence[Standing], verdict: Verdict | None) -> Iterator[Standing]:
    """The lines in their order, each with its rank and the chance to be better than the next."""
    ordered = sorted(lines, key=lambda line: _key(order, line))
    rank = 1
    for place, line in enumerate(ordered):
        if place and _key(order, line) != _key(order, ordered[place - 1]):
            rank = place + 1
        after = ordered[place + 1 : place + 2]
        better = verdict.better(line.entrant, after[0].entrant) if verdict and after else None
        yield replace(line, rank=rank, better=better)


def _bonus(contest: Contest, line: Standing) -> int | None:
    """What the place brings; those who share one get as much each, and the next ones fall away."""
    if not contest.bonus:
        return None
    none = line.disqualified or not line.games or line.rank > len(contest.bonus)
    return 0 if none else contest.bonus[line.rank - 1]


def _key(order: Order, line: Standing) -> tuple[float, ...]:
    if line.disqualified:
        return (1,)
    rating = (1.0, 0.0) if line.rating is None else (0.0, -line.rating)
    return (0, *rating) if order is Order.RATING else (0, -line.points, *rating)


def notes(
    entrants: Sequence[EntrantRecord],
    pairings: Sequence[Pairing],
    verdict: Verdict | None,
) -> Iterator[Note]:
    """All notes, those on the ratings first; there is no verdict without rated games."""
    names = {entrant.number: entrant.name for entrant in entrants}
    if verdict:
        yield from _on_links(verdict, names)
        yield from _on_ratings(verdict, names)
    yield from _on_games(entrants, pairings)


def _on_ratings(verdict: Verdict, names: Mapping[int, str]) -> Iterator[Note]:
    if verdict.loose:
        yield Note("loose")
    bundles = sorted(verdict.fit.model.bundles_of.items())
    few = [names[entrant] for entrant, count in bundles if count < FEW]
    if few:
        yield Note("few", tuple(few), FEW)


def _on_links(verdict: Verdict, names: Mapping[int, str]) -> Iterator[Note]:
    links = verdict.links
    winners = links.winners
    losers = [entrant for entrant in links.losers if verdict.interval(entrant)[0] is None]
    if len(links.pools) > 1:
        yield Note("pools", _lines(links.pools, names))
    for pool in links.pools:
        unexplained = {one for one in pool if not verdict.bounded(one)}.difference(winners, losers)
        if unexplained:
            yield Note("groups", _lines(links.groups_of(pool), names))
    if winners:
        yield Note("all-won", tuple(names[entrant] for entrant in winners))
    if losers:
        yield Note("all-lost", tuple(names[entrant] for entrant in losers))


def _lines(classes: Sequence[Members], names: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(", ".join(names[entrant] for entrant in members) for members in classes)


def _on_games(entrants: Sequence[EntrantRecord], pairings: Sequence[Pairing]) -> Iterator[Note]:
    out = {entrant.number: entrant.name for entrant in entrants if entrant.disqualified}
    over = [
        pairing for pairing in pairings if pairing.state in (PairingState.DONE, PairingState.FAILED)
    ]
    struck = sum(
        pairing.state is PairingState.DONE for pairing in over if out.keys() & pairing.seats
    )
    unrated = sum(rated(pairing) is None for pairing in over if not out.keys() & pairing.seats)
    spoilt = sum(_is_spoilt(pairing) for pairing in over if not out.keys() & pairing.seats)
    if unrated:
        yield Note("unrated", count=unrated)
    if spoilt:
        yield Note("spoilt", count=spoilt)
    if struck:
        yield Note("struck", tuple(out.values()), struck)
    if hosts := [*_began_most(entrants, over)]:
        yield Note("began", tuple(hosts))
    overloaded = sum(pairing.ending is not None and pairing.overloaded for pairing in over)
    if overloaded:
        yield Note("overloaded", count=overloaded)


def _began_most(entrants: Sequence[EntrantRecord], over: Sequence[Pairing]) -> Iterator[str]:
    """Who began far more than half of its games, because it decided that itself."""
    played = [pairing for pairing in over if settled(pairing)]
    games = Counter(entrant for pairing in played for entrant in pairing.seats)
    began = Counter(pairing.seats[pairing.begins] for pairing in played)
    deciding = {pairing.seats[pairing.begins] for pairing in played if pairing.begins}
    for entrant in entrants:
        if entrant.number in deciding and began[entrant.number] >= MOST * games[entrant.number]:
            yield entrant.name


def _is_spoilt(pairing: Pairing) -> bool:
    """Whether a player failed so that the others neither won nor lost."""
    outcome = settled(pairing)
    if outcome is None or outcome.winner is not None:
        return False
    return 0 < len(outcome.culprits) < len(pairing.seats)


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
