"""What the games of a contest say about strengths, put together so that their order is lost.

Rated is every game that is done and of which is known who was better: one seat, or one of several
(dice: when a bot fails, one of the others would have won), or nobody (two players: a draw). A
program that cannot finish a game is weaker than one that can, so a forfeit is a game lost. Not
rated are our own failures, dice games that ran out of rounds, games in which everybody failed, and
all games of the disqualified, so that it does not matter when they were.

Games of one bundle have the opening or the dice in common. They are kept together as a pattern, for
`spielwerk.contests.rating.bootstrap` draws whole bundles; equal bundles are counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from spielwerk.store.contest_records import End, State

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from spielwerk.store.contest_records import Outcome, Pairing

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

PAIR: Final = 2  # seats of a game that can be drawn


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """A rated game: the entrants by seat, and the seats of which one was better than the rest.

    Of two the first has really begun, even if the schedule had it otherwise.
    """

    seats: tuple[int, ...]
    best: tuple[int, ...]  # one: the winner; several: one of them; none: a draw
    bundle: int = 0

    @property
    def decided(self) -> bool:
        """Whether it is known who won, or that nobody did."""
        return len(self.best) <= 1


def settled(pairing: Pairing) -> Outcome | None:
    """What came of a game that counts: one that is done, and not ended by our own fault."""
    outcome = pairing.outcome
    if pairing.state != State.DONE or outcome is None or outcome.end == End.SERVER_ERROR:
        return None
    return outcome


def known(pairing: Pairing, struck: Container[int] = ()) -> Known | None:
    """What a game says, or None if it is not rated; the games of the struck never are."""
    outcome = settled(pairing)
    if outcome is None or any(entrant in struck for entrant in pairing.seats):
        return None
    best = _best(outcome, len(pairing.seats))
    if best is None:
        return None
    if pairing.begins and len(pairing.seats) == PAIR:
        return Known(pairing.seats[::-1], tuple(1 - seat for seat in best), pairing.bundle)
    return Known(pairing.seats, best, pairing.bundle)


def _best(outcome: Outcome, count: int) -> tuple[int, ...] | None:
    """The seats of which one was better than the rest; None if that is not known."""
    if outcome.end == End.DRAW:
        return () if count == PAIR else None
    if outcome.winner is not None:
        return (outcome.winner,)
    others = tuple(seat for seat in range(count) if seat not in outcome.culprits)
    return others if 0 < len(others) < count else None


@dataclass(frozen=True, slots=True)
class Scheme:
    """How the chances of a game follow from parameters: a row an alternative, a column each.

    The first columns are the strengths of those who sit there, the others are common to all games.
    """

    features: Floats
    seats: int
    advantage: bool  # two players: there is a parameter for moving first
    draws: bool  # there is one for drawing

    @property
    def common(self) -> int:
        """How many parameters all games share."""
        return len(self.features.T) - self.seats


def scheme_of(games: Sequence[Known]) -> Scheme:
    """The scheme that these games need: Davidson's for two seats, Plackett and Luce's for more."""
    seats = len(games[0].seats)
    if seats != PAIR:
        effects = np.eye(seats, seats - 1)  # the last seat is what the others are compared with
        return Scheme(np.hstack([np.eye(seats), effects]), seats, advantage=False, draws=False)
    draws, advantage = any(not game.best for game in games), _sides_told(games)
    columns = [True, True, advantage, draws]
    features = np.array([[1, 0, 1, 0], [0, 1, 0, 0], [0.5, 0.5, 0.5, 1]])
    return Scheme(features[: PAIR + draws, columns], seats, advantage, draws)


def _sides_told(games: Iterable[Known]) -> bool:
    """Whether moving first can be told from being strong.

    It cannot if there are heights such that in every game the first stands one above the second:
    being strong could be all of it.
    """
    steps: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for first, second in {(game.seats[0], game.seats[1]) for game in games}:
        steps[first].add((second, -1))
        steps[second].add((first, 1))
    heights: dict[int, int] = {}
    for start in steps:
        waiting = [(start, heights.get(start, 0))]
        while waiting:
            entrant, height = waiting.pop()
            if entrant not in heights:
                heights[entrant] = height
                waiting += [(other, height + step) for other, step in steps[entrant]]
            elif heights[entrant] != height:
                return True
    return False


class Evidence:
    """All rated games of a contest as arrays; the same for the same games in any order."""

    def __init__(self, games: Sequence[Known]) -> None:
        self.entrants = tuple(sorted({entrant for game in games for entrant in game.seats}))
        self.scheme = scheme_of(games)
        self.parameters = len(self.entrants) + self.scheme.common
        patterns = _patterns(games)
        self.bundles: Floats = np.array([float(count) for _, count in patterns])
        self._index = {entrant: place for place, entrant in enumerate(self.entrants)}
        situations = sorted({_situation(game) for pattern, _ in patterns for game in pattern})
        self.seats = self._places(situations)
        self.hidden, self.open = self._open(situations)
        numbers = {situation: number for number, situation in enumerate(situations)}
        pairs = [
            (number, numbers[_situation(game)])
            for number, (pattern, _) in enumerate(patterns)
            for game in pattern
        ]
        self.pattern_of, self.situation_of = np.array(pairs, dtype=np.int64).T
        self._chosen = self._chosen_in([pattern for pattern, _ in patterns])
        self._played = self._played_in()
        counts = (self.bundles @ self._played).astype(int).tolist()
        self.bundles_of = dict(zip(self.entrants, counts, strict=True))  # everybody

    @property
    def situations(self) -> int:
        """How many there are that differ in who sits where."""
        return len(self.seats.T)

    def weights(self, parameters: Floats, situations: Integers | slice = slice(None)) -> Floats:
        """The weights of the outcomes: a row an alternative, a column a situation."""
        features, seats = self.scheme.features, self.scheme.seats
        common = features[:, seats:] @ parameters[len(self.entrants) :]
        own = features[:, :seats] @ parameters[self.seats[:, situations]]
        weights: Floats = np.exp(own + common[:, None])
        return weights

    def counts(self, weights: Floats) -> Floats:
        """How often each situation was there, if each pattern was there so often."""
        counts: Floats = np.bincount(
            self.situation_of, weights[self.pattern_of], self.situations
        ).astype(np.float64, copy=False)
        return counts

    def chosen(self, weights: Floats) -> Floats:
        """The sum of the features of all winners that are known; a row of weights each."""
        return weights @ self._chosen

    def met(self, entrant: int, other: int) -> Flags:
        """In which patterns two have met and had each side equally often."""
        one, two = self._index[entrant], self._index[other]
        sides = np.zeros((len(self.bundles), len(self.entrants)))
        for side, seat in enumerate(self.seats):
            np.add.at(sides, (self.pattern_of, seat[self.situation_of]), side)
        both = (self._played[:, one] * self._played[:, two]).astype(np.bool_)
        met: Flags = both & (sides[:, one] == sides[:, two])
        return met

    def lead(self, entrant: int, other: int) -> Floats:
        """By how many points one did better than the other where they so met, in each pattern."""
        ahead: Floats = self._chosen[:, self._index[entrant]] - self._chosen[:, self._index[other]]
        return ahead * self.met(entrant, other)

    def _played_in(self) -> Floats:
        """Who has played in which pattern: a row a pattern, a column for everybody."""
        played = np.zeros((len(self.bundles), len(self.entrants)))
        for seat in self.seats:
            played[self.pattern_of, seat[self.situation_of]] = 1.0
        return played

    def _places(self, situations: Sequence[_Situation]) -> Integers:
        """Where the strengths of those who sit there stand: a row a seat."""
        own = [[self._index[entrant] for entrant in seats] for seats, _ in situations]
        return np.array(own, dtype=np.int64).T

    def _open(self, situations: Sequence[_Situation]) -> tuple[Integers, Flags]:
        """The situations whose winner is not known, and who it may have been."""
        hidden = [number for number, (_, best) in enumerate(situations) if best]
        seats = range(len(self.scheme.features))
        may = [[seat in situations[number][1] for number in hidden] for seat in seats]
        return np.array(hidden, dtype=np.int64), np.array(may, dtype=np.bool_)

    def _chosen_in(self, patterns: Sequence[_Pattern]) -> Floats:
        chosen = np.zeros((len(patterns), self.parameters))
        for row, pattern in zip(chosen, patterns, strict=True):
            for game in pattern:
                if game.decided:
                    alternative = game.best[0] if game.best else PAIR
                    own = [self._index[entrant] for entrant in game.seats]
                    features = self.scheme.features[alternative]
                    np.add.at(row, own, features[: len(own)])
                    row[len(self.entrants) :] += features[len(own) :]
        return chosen


_Pattern: TypeAlias = tuple[Known, ...]
_Situation: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def _situation(game: Known) -> _Situation:
    """Who sits where, and between whom it is open."""
    return game.seats, () if game.decided else game.best


def _patterns(games: Iterable[Known]) -> list[tuple[_Pattern, int]]:
    """The bundles without their numbers, and how often each is there."""
    bundles: dict[int, list[Known]] = defaultdict(list)
    for game in games:
        bundles[game.bundle].append(Known(game.seats, game.best))
    return sorted(Counter(tuple(sorted(bundle)) for bundle in bundles.values()).items())
