"""A match between two programs, or a program and an engine: is the new version better?

Groups of games are played by workers as those of a contest are, and counted in the order of the
groups, not as they come to their ends: long games would count less in a match that stops by itself.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.contests.running.assigning import assign
from spielwerk.contests.schedule import allows_openings, game_of
from spielwerk.contests.workers.slot import WorkerLost
from spielwerk.engines.match import Tally
from spielwerk.errors import SpielwerkError
from spielwerk.games.playing import opening
from spielwerk.store.contest_records import FORFEITS, End, Pairing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from spielwerk.contests.assignment import Assignment, Played
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.workers.local import Pool
    from spielwerk.engines.sprt import Sprt

    Playing = asyncio.Task[list[Played]]

ATTEMPTS: Final = 3  # at a game that we ourselves could not play
SAID: Final = 400  # characters of a program's last words
AHEAD: Final = 4  # groups a worker that may be begun and not yet counted

A: Final = 0
"""The entrant whose points are counted; the other one is B."""


class MatchBroken(SpielwerkError):
    """The match cannot go on, and why."""


@dataclass
class Match:
    """A contest of two, played until enough games are counted or the test is decided."""

    contest: Contest
    pool: Pool
    games: int
    test: Sprt | None = None
    tally: Tally = field(default_factory=Tally)
    forfeits: Counter[tuple[str, End]] = field(default_factory=Counter)
    """In how many games each of the two was at fault, and by which."""

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Every way in which the two can fill the seats."""
        ways = product((0, 1), repeat=game_of(self.contest).players)
        return [seats for seats in ways if len({*seats}) == 2]

    async def run(self, show: Callable[[Tally], None]) -> None:
        """Play, and show the tally after every group."""
        groups = self._groups()
        begun: deque[Playing] = deque()
        try:
            while not self._decided():
                for group in islice(groups, self._room(begun)):
                    begun.append(asyncio.create_task(self._play_all(group)))
                if begun[0].done():
                    self._count(begun.popleft().result())
                    show(self.tally)
                else:
                    await asyncio.wait(_unfinished(begun), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in begun:
                task.cancel()
            await asyncio.gather(*begun, return_exceptions=True)

    def _room(self, begun: deque[Playing]) -> int:
        """How many groups can be begun: while the oldest one lasts, the other workers play on."""
        jobs = max(1, self.pool.jobs)
        return max(0, min(jobs - len(_unfinished(begun)), AHEAD * jobs - len(begun)))

    def _decided(self) -> bool:
        verdict = self.test and self.test.verdict(self.tally.groups)
        return self.tally.games >= self.games or bool(verdict)

    def _groups(self) -> Iterator[list[Assignment]]:
        """As many groups as may count: all seatings of the two, from one opening, with one seed."""
        turns = self.contest.opening if allows_openings(self.contest) else 0
        for number in range(math.ceil(self.games / len(self.seatings))):
            seed = f"{self.contest.seed}/{number}"
            moves = opening(game_of(self.contest), turns, Random(f"{seed}/opening")).moves
            first = number * len(self.seatings)
            yield [
                assign(self.contest, Pairing("match", nth, 0, number, seats, moves, seed))
                for nth, seats in enumerate(self.seatings, first)
            ]

    async def _play_all(self, group: list[Assignment]) -> list[Played]:
        return [await self._play(assignment) for assignment in group]

    async def _play(self, assignment: Assignment) -> Played:
        """The game as it was played; what is our own fault is tried again."""
        problem = ""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                played = await self.pool.play(replace(assignment, attempt=attempt), lambda _: None)
            except WorkerLost as error:
                problem = str(error)
                continue
            if played.outcome.end is not End.SERVER_ERROR:
                return played
            problem = played.outcome.detail
        raise MatchBroken(f"a game could not be played: {problem}")

    def _count(self, group: list[Played]) -> None:
        games = [*zip(group, self.seatings, strict=True)]
        for played, seats in games:
            self._blame(played, seats)
        self.tally.add([_points(played, seats) for played, seats in games])

    def _blame(self, played: Played, seats: tuple[int, ...]) -> None:
        """Count what was somebody's fault; who does not even start has no version to compare."""
        outcome = played.outcome
        culprits = outcome.culprits if outcome.end in FORFEITS else ()
        for number in dict.fromkeys(seats[seat] for seat in culprits):  # it may have two seats
            name = self.contest.entrants[number].name
            self.forfeits[name, outcome.end] += 1
            if outcome.end is End.NO_START:
                own = [seat for seat in culprits if seats[seat] == number]
                why = f"{_said_once(name, outcome.detail)}{_last_words(played, own)}"
                raise MatchBroken(f"{name} does not play: {why}")


def _said_once(name: str, detail: str) -> str:
    """Why somebody failed, though it failed alike at two seats."""
    parts = (part.removeprefix(f"{name}: ") for part in detail.split("; "))
    return "; ".join(dict.fromkeys(parts))


def _last_words(played: Played, seats: Collection[int]) -> str:
    """What the program wrote, where it wrote something."""
    said = [report.output for report in played.reports if report.seat in seats and report.output]
    return f"; it wrote: {' '.join(said[0].split())[-SAID:]}" if said else ""


def _unfinished(begun: Iterable[Playing]) -> list[Playing]:
    return [task for task in begun if not task.done()]


def _points(played: Played, seats: tuple[int, ...]) -> float:
    """A's points from one game: one for a win, a half if nobody has won."""
    outcome = played.outcome
    at_fault = {seats[seat] for seat in outcome.culprits}
    if outcome.winner is None:
        return 0.5 if len(at_fault) != 1 else float(A not in at_fault)
    return float(seats[outcome.winner] == A)
