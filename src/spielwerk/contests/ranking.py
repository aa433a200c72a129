"""Who stands where: ratings, points and what must be said about them, from the games alone.

The order of the games does not matter, nor does when somebody was disqualified. By rating, equal
ratings share a rank; by points, the rating decides between equal points. Who has no rating comes
after all who have, the disqualified come last.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Order
from spielwerk.contests.notes import notes
from spielwerk.contests.rating.bootstrap import RESAMPLES, spread
from spielwerk.contests.rating.chances import better
from spielwerk.contests.rating.connections import connections
from spielwerk.contests.rating.evidence import Evidence, known
from spielwerk.contests.rating.open_ends import believable
from spielwerk.contests.rating.ratings import fit
from spielwerk.contests.results import Ranking, Standing
from spielwerk.contests.tallies import Tally, crosstable, tallies

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.rating.evidence import Known
    from spielwerk.store.contest_records import EntrantRecord, Pairing

DIGITS: Final = 6  # of a rating after the point; what is equal so far is equal
EVEN: Final = 0.5  # the chance of equals


def rank(
    contest: Contest,
    entrants: Sequence[EntrantRecord],
    pairings: Sequence[Pairing],
    *,
    resamples: int = RESAMPLES,
) -> Ranking:
    """The ranking after all games that are done; without resamples there are no intervals."""
    struck = frozenset(entrant.number for entrant in entrants if entrant.disqualified)
    games = [game for pairing in pairings if (game := known(pairing, struck)) is not None]
    verdict = Verdict(games, contest.seed, resamples) if games else None
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
    """What the rated games say about everybody, and how sure that is."""

    def __init__(self, games: Sequence[Known], seed: int, resamples: int) -> None:
        self.fit = fit(Evidence(games))
        self.links = believable(self.fit, connections(games))
        self._spread = spread(self.fit, seed, resamples, self.links.ends)
        self.loose = self._spread.loose
        self._ratings = self.fit.ratings
        self._open = self.links.open(upwards=True) | self.links.open(upwards=False)
        self._pool = {
            entrant: number for number, pool in enumerate(self.links.pools) for entrant in pool
        }

    @property
    def advantage(self) -> float | None:
        """What the first seat is worth; None if games do not tell."""
        return None if self.loose.advantage else self.fit.advantage

    @property
    def draws(self) -> float | None:
        """The share of draws between equals; None if games do not tell."""
        return None if self.loose.draws else self.fit.draws

    def rating(self, entrant: int) -> float | None:
        """In Elo; None for somebody without rated games."""
        return _rounded(self._ratings.get(entrant))

    def interval(self, entrant: int) -> tuple[float | None, float | None]:
        """The ends of the 95 % interval; None where it has none, or is not known."""
        if entrant not in self._ratings:
            return None, None
        low, high = self._spread.interval(entrant)
        return _rounded(low), _rounded(high)

    def bounded(self, entrant: int) -> bool:
        """Whether the rating has an end on both sides."""
        return entrant not in self._open

    def better(self, entrant: int, other: int) -> float | None:
        """The chance to be better than another; None if that is not known.

        It does not contradict the ratings: the higher one has at least even chances.
        """
        ours, theirs = self.rating(entrant), self.rating(other)
        if ours is None or theirs is None or self._pool[entrant] != self._pool[other]:
            return None
        chance = better(self.fit, self.links, self._spread, entrant, other)
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
