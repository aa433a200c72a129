"""A match of two players, engines or programs, from random openings, until the difference shows.

For two players an opening is played twice with the sides swapped. For three, where A and B fill the
seats, the six ways to do so (ABB, BAB, BBA, BAA, ABA, AAB) make a group, all with the same throws.
So equal players score one half in either case. The games of a group count as one observation,
because they are not independent of each other: A's share of the points of a pair is 0, 1/4, 1/2,
3/4 or 1 (the pentanomial).

The test is the generalized sequential probability ratio test on the mean share. Under a hypothesis
the shares are taken as normal, with its mean and the variance that fits best; so the logarithm of
the likelihood ratio is N/2 log(variance around mean 0 / variance around mean 1).

A few pairs that were all alike prove nothing: half an observation is added to each of the five
shares (Jeffreys' prior). With a thousandth instead, the variance is so small that six even pairs
end a test of 0 against 10 Elo; simulated, between players of whose pairs nine of ten are even, such
tests of 0 against 20 accept H0 wrongly more often than not.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import ContestError, WorkerLost, allows_openings, assign, ignore
from spielwerk.errors import UsageError
from spielwerk.games.interface import CHANCE
from spielwerk.games.playing import TURNS, opening, random_move
from spielwerk.store.records import ENDS, Pairing, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Assignment, Contest, Played
    from spielwerk.contests.pool import Pool
    from spielwerk.engines.players import Player
    from spielwerk.games import Game, Outcome, State

ATTEMPTS: Final = 3  # at a game that we ourselves could not play
LAST_WORDS: Final = 400  # characters of a program's output
AHEAD: Final = 4  # groups a worker that may be begun and not yet counted

A: Final = 0
"""The number of the player whose points are counted; the other one is 1."""

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What A can get of the two points of a pair."""

PRIOR: Final = 0.5
"""How often each share is taken as seen before the first pair."""

LARGEST_ELO: Final = 1000.0
"""Beyond this a hypothesis says nothing: the weaker side gets three points of a thousand."""

CHI_SQUARE: Final = 1.959964**2  # 95 % of it, one degree of freedom


@dataclass
class MatchTally:
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


class Match:
    """Counts groups of games until there are enough of them, or the test is decided."""

    def __init__(self, game: Game[Any], games: int, test: Sprt | None = None) -> None:
        self.tally = MatchTally()
        self.forfeits: Counter[tuple[str, str]] = Counter()  # by player and fault
        self._game = game
        self._games = games
        self._test = test
        ways = product((0, 1), repeat=game.players)
        self._seatings = [seats for seats in ways if len({*seats}) == 2]

    @property
    def decided(self) -> bool:
        """Whether no more games are needed."""
        verdict = self._test and self._test.verdict(self.tally.groups)
        return self.tally.games >= self._games or bool(verdict)

    # engines, in this process

    def play(self, players: Sequence[Player], seed: int) -> Iterator[MatchTally]:
        """Let two players play, and yield the tally after every group."""
        rng = Random(seed)
        turns = 0 if self._game.throws_dice else TURNS
        while not self.decided:
            start = opening(self._game, turns, rng).state
            throws = rng.getrandbits(64)
            points = []
            for seats in self._seatings:
                seated = [players[number] for number in seats]
                winner = play_out(start, seated, rng, Random(throws)).winner
                points.append(0.5 if winner is None else float(seats[winner] == A))
            self.tally.add(points)
            yield self.tally

    # programs, in worker processes

    async def referee(
        self, contest: Contest, pool: Pool, show: Callable[[MatchTally], None]
    ) -> None:
        """Have the two entrants of a contest play, and show the tally after every group.

        Groups are counted in their order, not as they end: otherwise long games would count less
        in a match that stops by itself.
        """
        groups, jobs = self._groups(contest), max(1, pool.jobs)
        workers = asyncio.Semaphore(jobs)
        begun: deque[asyncio.Task[list[Played]]] = deque()
        try:
            while not self.decided:
                for group in islice(groups, AHEAD * jobs - len(begun)):
                    begun.append(asyncio.create_task(_play_all(group, pool, workers)))
                self._count(contest, await begun[0])
                begun.popleft()
                show(self.tally)
        finally:
            for task in begun:
                task.cancel()
            await asyncio.gather(*begun, return_exceptions=True)

    def _groups(self, contest: Contest) -> Iterator[list[Assignment]]:
        """As many groups as may count."""
        turns = contest.opening if allows_openings(contest) else 0
        for number in range(math.ceil(self._games / len(self._seatings))):
            seed = f"{contest.seed}/{number}"
            moves = opening(self._game, turns, Random(f"{seed}/opening")).moves
            first = number * len(self._seatings)
            yield [
                assign(contest, Pairing("match", nth, 0, number, seats, moves, seed))
                for nth, seats in enumerate(self._seatings, first)
            ]

    def _count(self, contest: Contest, group: list[Played]) -> None:
        games = [*zip(group, self._seatings, strict=True)]
        for played, seats in games:
            self._blame(contest, played, seats)
        self.tally.add([_points(played, seats) for played, seats in games])

    def _blame(self, contest: Contest, played: Played, seats: tuple[int, ...]) -> None:
        """Count a player's fault; one that does not even start has no version to compare."""
        ending = played.ending
        for number in dict.fromkeys(
            seats[seat] for seat in ending.culprits
        ):  # it may have two seats
            name = contest.entrants[number].name
            self.forfeits[name, ENDS[ending.reason]] += 1
            if ending.reason is Reason.NO_START:
                own = [seat for seat in ending.culprits if seats[seat] == number]
                why = f"{_said_once(name, ending.detail)}{_last_words(played, own)}"
                raise ContestError(f"{name} does not play: {why}")


def play_out(state: State[Any], seats: Sequence[Player], rng: Random, throws: Random) -> Outcome:
    """Let the players at these seats play to the end; throws have a generator of their own."""
    while not state.outcome:
        if state.turn == CHANCE:
            state = state.play(random_move(state, throws))
        else:
            state = state.play(seats[state.turn].choose(state, rng))
    return state.outcome


async def _play_all(
    group: list[Assignment], pool: Pool, workers: asyncio.Semaphore
) -> list[Played]:
    async with workers:
        return [await _play(assignment, pool) for assignment in group]


async def _play(assignment: Assignment, pool: Pool) -> Played:
    """The game as it was played; what is our own fault is tried again."""
    problem = ""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            played = await pool.play(replace(assignment, attempt=attempt), ignore)
        except WorkerLost as error:
            problem = str(error)
            continue
        if played.ending.reason is not Reason.SERVER_ERROR:
            return played
        problem = played.ending.detail
    raise ContestError(f"a game could not be played: {problem}")


def _points(played: Played, seats: tuple[int, ...]) -> float:
    """A's points from one game: one for a win, a half without a winner, if no one is at fault."""
    ending = played.ending
    at_fault = {seats[seat] for seat in ending.culprits}
    if ending.winner is None:
        return 0.5 if len(at_fault) != 1 else float(A not in at_fault)
    return float(seats[ending.winner] == A)


def _said_once(name: str, detail: str) -> str:
    """Why a player failed, though it failed alike at two seats."""
    parts = (part.removeprefix(f"{name}: ") for part in detail.split("; "))
    return "; ".join(dict.fromkeys(parts))


def _last_words(played: Played, seats: Collection[int]) -> str:
    """What the program wrote, where it wrote something."""
    said = [report.output for report in played.reports if report.seat in seats and report.output]
    return f"; it printed: {' '.join(said[0].split())[-LAST_WORDS:]}" if said else ""


# how sure it is


class SprtVerdict(StrEnum):
    """Which hypothesis was accepted."""

    H0 = "H0 accepted"
    H1 = "H1 accepted"


def score_of(elo: float) -> float:
    """The share of the points that a player so many Elo stronger is expected to get."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """How many Elo stronger a player is who gets this share of the points."""
    if 0 < score < 1:
        return 400 * math.log10(score / (1 - score))
    return math.inf if score >= 1 else -math.inf


def interval(shares: Mapping[float, int]) -> tuple[float, float]:
    """The 95 % interval of the mean share: the means that are not much less likely than the best.

    It follows the likelihood of the test, so it is wide after few observations, like Student's.
    """
    count = sum(shares.values())
    if not count:
        return 0.0, 1.0
    mean, variance = _moments(shares)
    reach = math.sqrt(variance * math.expm1(CHI_SQUARE / count))
    return max(mean - reach, 0.0), min(mean + reach, 1.0)


@dataclass(frozen=True)
class Sprt:
    """The test of Elo `elo0` (H0) against `elo1` (H1), and how often it may err either way."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance to accept H1 though H0 is true."""
    beta: float = 0.05
    """The chance to accept H0 though H1 is true."""

    def __post_init__(self) -> None:
        if not -LARGEST_ELO <= self.elo0 < self.elo1 <= LARGEST_ELO:
            raise UsageError(
                f"sprt {self.elo0:g},{self.elo1:g}: the first must be less than the second, "
                f"both from {-LARGEST_ELO:g} to {LARGEST_ELO:g} Elo"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise UsageError(f"{name} {chance:g}: must be more than 0 and less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where H0 and where H1 is accepted (Wald)."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, shares: Mapping[float, int]) -> float:
        """The log-likelihood ratio of H1 to H0 after these pairs; above 0 speaks for H1."""
        mean, variance = _moments(shares)
        around0, around1 = (
            variance + (mean - score_of(elo)) ** 2 for elo in (self.elo0, self.elo1)
        )
        return sum(shares.values()) / 2 * math.log(around0 / around1)

    def verdict(self, shares: Mapping[float, int]) -> SprtVerdict | None:
        """What is decided after these pairs, if anything is."""
        (lower, upper), llr = self.bounds, self.llr(shares)
        if llr >= upper:
            return SprtVerdict.H1
        return SprtVerdict.H0 if llr <= lower else None


def _moments(shares: Mapping[float, int]) -> tuple[float, float]:
    """Mean and variance of what was seen, with the prior."""
    weights = [(share, PRIOR) for share in SHARES] + [*shares.items()]
    count = sum(weight for _, weight in weights)
    mean = sum(share * weight for share, weight in weights) / count
    return mean, sum(weight * (share - mean) ** 2 for share, weight in weights) / count
