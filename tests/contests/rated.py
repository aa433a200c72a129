"""Contests whose games were drawn by lot, for the tests of ratings, rankings and reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, Final

import numpy as np

from spielwerk.contests.book import Book
from spielwerk.contests.contest import Contest, Entrant, Order
from spielwerk.contests.ranking import Ranking, rank
from spielwerk.contests.rating import Floats, RatedGame
from spielwerk.contests.reviewing import RegretTable, added_up
from spielwerk.engines.regret import PHASES, Regret
from spielwerk.store.records import (
    ContestRecord,
    Ending,
    EntrantRecord,
    Kind,
    Pairing,
    PairingState,
    Reason,
)

MOMENT: Final = 1_750_000_000_000  # 15 June 2025, 15:06:40 UTC


def a_contest(names: Sequence[str], game: str = "oware", order: Order = Order.RATING) -> Contest:
    entrants = tuple(Entrant(name, Kind.ENGINE, "level=1") for name in names)
    return Contest("Test", game, entrants, order=order, seed=7)


@dataclass(frozen=True)
class Kept(Book):
    """A contest that no store has; what would be read of its games is given by their numbers."""

    reports_by: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    moves_by: Mapping[int, Sequence[str]] = field(default_factory=dict)
    wires_by: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    attempts: Mapping[int, Sequence[str]] = field(default_factory=dict)
    reviews: Mapping[int, Sequence[Any]] = field(default_factory=dict)

    @cached_property
    def regrets(self) -> RegretTable:
        return added_up(self.reviews, self.pairings)

    @cached_property
    def ranking(self) -> Ranking:
        return rank(self.contest, self.entrants, self.pairings)

    @cached_property
    def move_counts(self) -> Mapping[int, int]:
        return {number: len(moves) for number, moves in self.moves_by.items()}

    @cached_property
    def earlier(self) -> Mapping[int, Sequence[str]]:
        return self.attempts

    def reports(self, number: int) -> Sequence[Any]:
        return self.reports_by.get(number, ())

    def moves(self, number: int) -> Sequence[str]:
        return self.moves_by.get(number, ())

    def wires(self, number: int) -> Sequence[Any]:
        return self.wires_by.get(number, ())


def a_book(
    pairings: Sequence[Pairing],
    names: Sequence[str],
    contest: Contest | None = None,
    entrants: Sequence[EntrantRecord] = (),
    **kept: Mapping[int, Sequence[Any]],
) -> Kept:
    """The games as they would be read; `kept` is what more there is, by numbers."""
    of = contest or a_contest(names)
    who = entrants or some_entrants(names)
    return Kept(a_record(of), of, who, pairings, store=None, **kept)  # type: ignore[arg-type]


def a_review(*mistakes: int) -> list[dict[str, Any]]:
    """The phases of players with so many mistakes at the end, of ten moves in each phase."""
    kept = Regret(moves=10, exact=10, held=10.0).told()
    bad = [Regret(10, 10, count, count, count, 0, 10.0, float(count)).told() for count in mistakes]
    return [{**dict.fromkeys(PHASES, kept), "end": one} for one in bad]


def a_record(contest: Contest) -> ContestRecord:
    return ContestRecord("test", contest.name, contest.game, contest.options, {}, MOMENT)


def some_entrants(names: Sequence[str]) -> list[EntrantRecord]:
    return [
        EntrantRecord("test", number, name, Kind.ENGINE, "level=1")
        for number, name in enumerate(names)
    ]


def a_pairing(
    number: int,
    seats: tuple[int, ...],
    winner: int | None = None,
    end: Reason = Reason.WIN,
    culprits: tuple[int, ...] = (),
    bundle: int | None = None,
    detail: str = "",
    begins: int = 0,
) -> Pairing:
    """A game that is done."""
    outcome = Ending(end, winner, detail, at=MOMENT + 1000, culprits=culprits)
    of = number if bundle is None else bundle
    opening, seed, game = ("A1",), f"7/{of}", f"game{number:07}"
    played = (PairingState.DONE, 1, False, game, outcome, MOMENT, False, begins)
    return Pairing("test", number, 0, of, seats, opening, seed, *played)


def ended(pairing: Pairing, **changes: Any) -> Pairing:
    """The same game with another outcome."""
    outcome = pairing.ending or Ending(Reason.WIN)
    return replace(pairing, ending=replace(outcome, **changes))


def drawn(number: int, seats: tuple[int, ...], bundle: int | None = None) -> Pairing:
    return a_pairing(number, seats, end=Reason.DRAW, bundle=bundle)


def pairs(
    strengths: Sequence[float],
    rounds: int,
    seed: int,
    advantage: float = 0.2,
    draws: float = 0.5,
    luck: float = 0.0,
) -> list[RatedGame]:
    """Everybody against everybody, both sides; openings favour one side by `luck`."""
    generator = np.random.default_rng(seed)
    games = []
    for bundle, (a, b) in enumerate([*combinations(range(len(strengths)), 2)] * rounds):
        favour = advantage + luck * generator.normal()
        for first, second in ((a, b), (b, a)):
            ahead = strengths[first] + favour
            middle = (ahead + strengths[second]) / 2
            weights = np.exp([ahead, strengths[second], middle]) * [1, 1, draws]
            best = _one_of(weights, generator)
            games.append(RatedGame((first, second), () if best == 2 else (best,), bundle))
    return games


def triples(
    strengths: Sequence[float],
    bundles: int,
    seed: int,
    seats: Sequence[float] = (0.1, 0.0, -0.1),
    failing: float = 0.0,
) -> list[RatedGame]:
    """Three by three, in all six orders; the strongest fail as often as the others."""
    generator = np.random.default_rng(seed)
    return [
        RatedGame(order, _best(order, strengths, seats, failing, generator), bundle)
        for bundle, three in zip(range(bundles), _endless(len(strengths)), strict=False)
        for order in permutations(three)
    ]


def _best(
    order: tuple[int, ...],
    strengths: Sequence[float],
    seats: Sequence[float],
    failing: float,
    generator: np.random.Generator,
) -> tuple[int, ...]:
    weights = np.exp([strengths[one] + seat for one, seat in zip(order, seats, strict=True)])
    if generator.random() >= failing:
        return (_one_of(weights, generator),)
    culprit = _one_of(np.exp(-np.log(weights)), generator)
    return tuple(seat for seat in range(3) if seat != culprit)


def _endless(entrants: int) -> Iterator[tuple[int, ...]]:
    while True:
        yield from combinations(range(entrants), 3)


def _one_of(weights: Floats, generator: np.random.Generator) -> int:
    return int(generator.choice(len(weights), p=weights / weights.sum()))


def as_pairings(games: Sequence[RatedGame]) -> list[Pairing]:
    """The same games as a store has them."""
    return [_as_pairing(number, game) for number, game in enumerate(games)]


def _as_pairing(number: int, game: RatedGame) -> Pairing:
    if not game.best:
        return drawn(number, game.seats, game.bundle)
    if len(game.best) == 1:
        return a_pairing(number, game.seats, game.best[0], bundle=game.bundle)
    culprits = tuple(seat for seat in range(len(game.seats)) if seat not in game.best)
    return a_pairing(number, game.seats, None, Reason.CONNECTION_LOST, culprits, game.bundle)
