"""A match of two players, engines or programs, from random openings, until the difference shows.

For two players an opening is played twice with the sides swapped. For three, where A and B fill the
seats, the six ways to do so (ABB, BAB, BBA, BAA, ABA, AAB) make a group, all with the same throws.
So equal players score one half in either case. The interval is that of the mean over the groups,
whose games are not independent of each other; `spielwerk.engines.sprt` has the mathematics.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.assignment import assign
from spielwerk.contests.pool import WorkerLost
from spielwerk.contests.schedule import allows_openings
from spielwerk.engines.sprt import SHARES, elo_of, interval
from spielwerk.errors import SpielwerkError
from spielwerk.games.interface import CHANCE
from spielwerk.games.playing import TURNS, opening, random_move
from spielwerk.store.contest_records import ENDS, Pairing
from spielwerk.store.records import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from spielwerk.contests.assignment import Assignment, Played
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.pool import Pool
    from spielwerk.engines.players import Player
    from spielwerk.engines.sprt import Sprt
    from spielwerk.games import Game, Outcome, State

    Playing = asyncio.Task[list[Played]]

ATTEMPTS: Final = 3  # at a game that we ourselves could not play
LAST_WORDS: Final = 400  # characters of a program's output
AHEAD: Final = 4  # groups a worker that may be begun and not yet counted

A: Final = 0
"""The number of the player whose points are counted; the other one is 1."""


class MatchBroken(SpielwerkError):
    """The match cannot go on, and why."""


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
        groups = self._groups(contest)
        begun: deque[Playing] = deque()
        try:
            while not self.decided:
                for group in islice(groups, _room(begun, max(1, pool.jobs))):
                    begun.append(asyncio.create_task(_play_all(group, pool)))
                if begun[0].done():
                    self._count(contest, begun.popleft().result())
                    show(self.tally)
                else:
                    await asyncio.wait(_unfinished(begun), return_when=asyncio.FIRST_COMPLETED)
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
                raise MatchBroken(f"{name} does not play: {why}")


def play_out(state: State[Any], seats: Sequence[Player], rng: Random, throws: Random) -> Outcome:
    """Let the players at these seats play to the end; throws have a generator of their own."""
    while not state.outcome:
        if state.turn == CHANCE:
            state = state.play(random_move(state, throws))
        else:
            state = state.play(seats[state.turn].choose(state, rng))
    return state.outcome


async def _play_all(group: list[Assignment], pool: Pool) -> list[Played]:
    return [await _play(assignment, pool) for assignment in group]


async def _play(assignment: Assignment, pool: Pool) -> Played:
    """The game as it was played; what is our own fault is tried again."""
    problem = ""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            played = await pool.play(replace(assignment, attempt=attempt), lambda _: None)
        except WorkerLost as error:
            problem = str(error)
            continue
        if played.ending.reason is not Reason.SERVER_ERROR:
            return played
        problem = played.ending.detail
    raise MatchBroken(f"a game could not be played: {problem}")


def _room(begun: deque[Playing], jobs: int) -> int:
    """How many groups can begin: while the oldest one lasts, the other workers play on."""
    return max(0, min(jobs - len(_unfinished(begun)), AHEAD * jobs - len(begun)))


def _unfinished(begun: Iterable[Playing]) -> list[Playing]:
    return [task for task in begun if not task.done()]


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
    return f"; it wrote: {' '.join(said[0].split())[-LAST_WORDS:]}" if said else ""
