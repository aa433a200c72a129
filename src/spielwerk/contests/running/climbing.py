"""The games of a ladder, drawn up while it is played: who stands where says who meets next."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Final

from spielwerk.contests.schedule import Ladder, to_come
from spielwerk.store.contest_records import Scheduled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine
    from typing import Any

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.running.agenda import Agenda
    from spielwerk.contests.running.keeping import Keeper
    from spielwerk.store.contest_records import Pairing

FRESH: Final = 5.0  # seconds that a ranking is good for


class Climbing:
    """Draws up the next games of a ladder, one meeting at a time."""

    def __init__(self, contest: Contest, identity: str, agenda: Agenda) -> None:
        self.endless = contest.rounds == 0
        self._contest = contest
        self._identity = identity
        self._agenda = agenda
        self._ladder = Ladder(contest, identity, agenda)
        self._ranking: tuple[int, ...] = ()
        self._ranked = -FRESH
        self._busy = False
        self._drawn = 0  # games that are not in the agenda yet
        self._asleep = False  # nobody could meet, and nothing has changed since

    @property
    def ready(self) -> bool:
        """Whether it may climb now."""
        return not self._busy and not self._asleep

    @property
    def exhausted(self) -> bool:
        """Whether there will be no more games than those in the agenda."""
        if not self._asleep or not self._contest.has_open_seats:
            return self._asleep
        return not self._contest.newcomers and self._to_come() == 0

    @property
    def coming(self) -> int | None:
        """About how many games there will be besides those in the agenda; None: nobody knows."""
        more = 0 if self.exhausted else self._to_come()
        return None if more is None else self._drawn + more

    def _to_come(self) -> int | None:
        return to_come(self._contest, lambda: self._ladder.meetings(self._agenda.entrants))

    def wake(self) -> None:
        """Perhaps others can meet now; where nobody comes by itself, there will be no others."""
        if self._contest.has_open_seats:
            self._asleep = False

    def climb(
        self, keeper: Keeper, available: Callable[[], Collection[int]]
    ) -> Coroutine[Any, Any, None]:
        """Have the next meeting of some who are available in the agenda, if there is one."""
        self._busy = True  # from now on, not only when that begins
        return self._climb(keeper, available)

    async def _climb(self, keeper: Keeper, available: Callable[[], Collection[int]]) -> None:
        try:
            await self._rank()
            games = self._ladder.next_bundle(self._ranking, available())
            self._asleep = not games  # at once: whoever comes from now on wakes it
            self._drawn = len(games)
            if games:
                await keeper.keep(Scheduled(self._identity, pairings=games))
                self._agenda.add(games)
        finally:
            self._busy, self._drawn = False, 0

    async def _rank(self) -> None:
        if monotonic() - self._ranked >= FRESH:
            pairings = list(self._agenda)
            self._ranking = await asyncio.to_thread(strongest_first, pairings)
            self._ranked = monotonic()


def strongest_first(pairings: Collection[Pairing]) -> tuple[int, ...]:
    """Everybody who has played, by what the games say so far."""
    from spielwerk.contests.rating import fit, rated

    games = [game for game in map(rated, pairings) if game]
    if not games:
        return ()
    ratings = fit(games).ratings
    return tuple(sorted(ratings, key=lambda entrant: (-ratings[entrant], entrant)))
