"""The games of a ladder, drawn up while it is played: who stands where says who meets next."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Final

from spielwerk.tournament.scheduling.ladder import Ladder

if TYPE_CHECKING:
    from collections.abc import Collection

    from spielwerk.runners.contests.agenda import Agenda
    from spielwerk.store.contest_records import Pairing
    from spielwerk.tournament.contest import Contest

FRESH: Final = 5.0  # seconds that a ranking is good for


class Climbing:
    """Says which games come next in a ladder."""

    def __init__(self, contest: Contest, identity: str, agenda: Agenda) -> None:
        self.endless = contest.rounds == 0
        self._agenda = agenda
        self._ladder = Ladder(contest, identity, agenda)
        self._ranking: tuple[int, ...] = ()
        self._ranked = -FRESH

    async def more(self, available: Collection[int]) -> tuple[Pairing, ...]:
        """The next meeting of some who are available; nothing if there is none."""
        if monotonic() - self._ranked >= FRESH:
            pairings = list(self._agenda)
            self._ranking = await asyncio.to_thread(strongest_first, pairings)
            self._ranked = monotonic()
        return self._ladder.next_bundle(self._ranking, available)


def strongest_first(pairings: Collection[Pairing]) -> tuple[int, ...]:
    """Everybody who has played, by what the games say so far."""
    from spielwerk.tournament.rating.evidence import Evidence, known
    from spielwerk.tournament.rating.ratings import fit

    games = [game for game in map(known, pairings) if game]
    if not games:
        return ()
    ratings = fit(Evidence(games)).ratings
    return tuple(sorted(ratings, key=lambda entrant: (-ratings[entrant], entrant)))
