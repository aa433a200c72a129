"""Two players against each other, from paired random openings, until the difference shows.

For two players an opening is played twice with the sides swapped. For three, where A and B fill the
seats, the six ways to do so (ABB, BAB, BBA, BAA, ABA, AAB) make a group, all with the same chance.
So equal players score one half in either case. The interval is that of the mean over the groups,
whose games are not independent of each other; `spielwerk.engines.sprt` has the mathematics.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

from spielwerk.engines.sprt import SHARES, elo_of, interval
from spielwerk.games.interface import CHANCE
from spielwerk.games.playing import TURNS, opening, random_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.engines.players import Player
    from spielwerk.engines.sprt import Sprt
    from spielwerk.games import Game, Outcome, State


@dataclass
class Tally:
    """What A has scored so far."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    groups: Counter[float] = field(default_factory=Counter)
    """How many groups have given A which share of their points."""

    @property
    def games(self) -> int:
        """All games that count."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """A's share of the points."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of A's share; never a point: groups that are all alike prove little."""
        return interval(self.groups)

    @property
    def pairs(self) -> list[int]:
        """How many pairs have given A 0, 0.5, 1, 1.5 and 2 points (two players)."""
        return [self.groups[share] for share in SHARES]

    @property
    def elo(self) -> tuple[float, float, float]:
        """How much stronger A is, and the 95 % interval of that; infinite where all was won."""
        lower, upper = self.interval
        return elo_of(self.score), elo_of(lower), elo_of(upper)

    def add(self, points: list[float]) -> None:
        """Count a group of games by A's points in each."""
        self.wins += points.count(1.0)
        self.draws += points.count(0.5)
        self.losses += points.count(0.0)
        self.groups[sum(points) / len(points)] += 1

    def __str__(self) -> str:
        least, most = (100 * end for end in self.interval)
        share = f"{100 * self.score:.1f} % ({least:.1f} to {most:.1f} %)"
        return f"+{self.wins} ={self.draws} -{self.losses}  {share}"


def match(
    game: Game[Any], a: Player, b: Player, games: int, seed: int, test: Sprt | None = None
) -> Iterator[Tally]:
    """Play at least that many games, and yield the tally after every group of them.

    A test, which needs a game for two, ends the match as soon as it is decided.
    """
    tally = Tally()
    rng = Random(seed)
    turns = 0 if game.throws_dice else TURNS
    seatings = [seats for seats in product((a, b), repeat=game.players) if len({*seats}) == 2]
    while tally.games < games and not (test and test.verdict(tally.groups)):
        start = opening(game, turns, rng).state
        chance = rng.getrandbits(64)
        outcomes = [(seats, play_out(start, seats, rng, Random(chance))) for seats in seatings]
        tally.add([_points(outcome, seats, a) for seats, outcome in outcomes])
        yield tally


def _points(outcome: Outcome, seats: tuple[Player, ...], a: Player) -> float:
    """A's points from one game: one for a win, a half for a draw."""
    return 0.5 if outcome.winner is None else float(seats[outcome.winner] is a)


def play_out(state: State[Any], seats: tuple[Player, ...], rng: Random, chance: Random) -> Outcome:
    """Let the players at these seats play to the end; chance has a generator of its own."""
    while not state.outcome:
        if state.turn == CHANCE:
            state = state.play(random_move(state, chance))
        else:
            state = state.play(seats[state.turn].choose(state, rng))
    return state.outcome
