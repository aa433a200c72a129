"""A match between two programs, or a program and an engine: is the new version better?

Groups of games are played by workers as those of a contest are, and counted in the order of the
groups, not as they come to their ends: long games would count less in a match that stops by itself.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from itertools import count, product
from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.engines.match import Tally
from spielwerk.errors import SpielwerkError
from spielwerk.runners.contests.assigning import assign
from spielwerk.runners.workers.slot import WorkerLost
from spielwerk.store.contest_records import FORFEITS, End, Pairing
from spielwerk.tournament.scheduling.openings import allows_openings, game_of, opening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.engines.sprt import Sprt
    from spielwerk.runners.assignment import Assignment, Played
    from spielwerk.runners.workers.local import Pool
    from spielwerk.tournament.contest import Contest

ATTEMPTS: Final = 3  # at a game that we ourselves could not play
SAID: Final = 400  # characters of a program's last words

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
    """How often each of the two lost by its own fault, and by which."""

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Every way in which the two can fill the seats."""
        ways = product((0, 1), repeat=game_of(self.contest).players)
        return [seats for seats in ways if len({*seats}) == 2]

    async def run(self, show: Callable[[Tally], None]) -> None:
        """Play, and show the tally after every group."""
        running: deque[asyncio.Task[list[Played]]] = deque()
        groups = self._groups()
        try:
            while not self._decided():
                while len(running) < max(1, self.pool.jobs):
                    running.append(asyncio.create_task(self._play_all(next(groups))))
                self._count(await running.popleft())
                show(self.tally)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _decided(self) -> bool:
        verdict = self.test and self.test.verdict(self.tally.groups)
        return self.tally.games >= self.games or bool(verdict)

    def _groups(self) -> Iterator[list[Assignment]]:
        """Groups of games without end: all seatings of the two, from one opening, with one seed."""
        turns = self.contest.opening if allows_openings(self.contest) else 0
        for number in count():
            seed = f"{self.contest.seed}/{number}"
            moves = opening(game_of(self.contest), turns, Random(f"{seed}/opening"))
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
        for seat in outcome.culprits if outcome.end in FORFEITS else ():
            name = self.contest.entrants[seats[seat]].name
            self.forfeits[name, outcome.end] += 1
            if outcome.end is End.NO_START:
                said = "".join(report.output for report in played.reports if report.seat == seat)
                words = f"; it wrote: {' '.join(said.split())[-SAID:]}" if said else ""
                raise MatchBroken(f"{name} does not play: {outcome.detail}{words}")


def _points(played: Played, seats: tuple[int, ...]) -> float:
    """A's points from one game: one for a win, a half if nobody has won."""
    outcome = played.outcome
    at_fault = {seats[seat] for seat in outcome.culprits}
    if outcome.winner is None:
        return 0.5 if len(at_fault) != 1 else float(A not in at_fault)
    return float(seats[outcome.winner] == A)
