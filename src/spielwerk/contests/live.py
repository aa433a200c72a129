"""What is seen of a contest being played: its games in the arena, and its pace."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError
from spielwerk.tables.mirror import MirrorTable

if TYPE_CHECKING:
    from spielwerk.contests.assignment import Progress
    from spielwerk.store.records import GameRecord
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Clock

log = logging.getLogger(__name__)

SHOWN: Final = 12  # games that are shown at once
LAST: Final = 50  # games that the estimate rests on
FEWEST: Final = 3  # without which there is none
QUICK: Final = 0.5  # seconds; games that are shorter are begun ahead of time


class Mirrors:
    """The games that are shown at the moment, by their numbers in the schedule."""

    def __init__(self, arena: Arena, clock: Clock) -> None:
        self._arena = arena
        self._clock = clock
        self._shown: dict[int, MirrorTable] = {}

    def running(self) -> dict[str, int]:
        """The numbers of the games that can be watched, by Game-ID."""
        return {table.id: number for number, table in self._shown.items()}

    def tell(self, news: Progress) -> None:
        """Show what has happened in a game; one that begins anew is another game."""
        try:
            if news.record and not self._known(news.number, news.record):
                self.drop(news.number)
                self._show(news.number, news.record)
            if table := self._shown.get(news.number):
                table.follow_moves(news.moves)
        except SpielwerkError as error:
            log.warning("cannot show a running game error=%r", str(error))
            self.drop(news.number)

    def _known(self, number: int, record: GameRecord) -> bool:
        table = self._shown.get(number)
        return table is not None and table.id == record.id

    def _show(self, number: int, record: GameRecord) -> None:
        if len(self._shown) < SHOWN:
            table = self._shown[number] = MirrorTable(record, self._clock)
            self._arena.show(table)

    def finish(self, number: int, record: GameRecord | None) -> None:
        """The game is over and written, or it came to nothing."""
        table = self._shown.get(number)
        if table and record and table.id == record.id:
            self._finish(table, record)
            del self._shown[number]
        else:
            self.drop(number)

    def _finish(self, table: MirrorTable, record: GameRecord) -> None:
        try:
            table.finish(record)
        except SpielwerkError as error:
            log.warning("cannot show a game to its end error=%r", str(error))
            table.break_off()

    def drop(self, number: int) -> None:
        """The game was broken off."""
        if table := self._shown.pop(number, None):
            table.break_off()


class GamePace:
    """The time that the last games took, each of them, and from one end to the next."""

    def __init__(self) -> None:
        self._lengths: deque[float] = deque(maxlen=LAST)
        self._gaps: deque[float] = deque(maxlen=LAST)  # times the games that were played at once
        self._last: float | None = None

    def note(self, now: float, seconds: float, jobs: int) -> None:
        """A game has ended that took so long, while so many were played at once."""
        self._lengths.append(seconds)
        if self._last is not None:
            self._gaps.append((now - self._last) * max(jobs, 1))
        self._last = now

    def pause(self) -> None:
        """The time until the next end says nothing."""
        self._last = None

    @property
    def quick(self) -> bool:
        """Whether games are so short that writing them takes a part of the time."""
        known = len(self._lengths) >= FEWEST
        return known and sum(self._lengths) / len(self._lengths) < QUICK

    def rate(self, jobs: int) -> float | None:
        """Games a minute with so many at once; None while that is not known."""
        if len(self._lengths) < FEWEST or jobs < 1:
            return None
        # The first games end together, or nearly: what lies between says too little. Later it
        # says more, because it includes all that is not play.
        each = sum(self._lengths) / len(self._lengths)
        between = sum(self._gaps) / len(self._gaps) if self._gaps else 0.0
        return 60 * jobs / max(each, between, 0.0001)

    def left(self, games: int, jobs: int) -> float | None:
        """Seconds for so many more games; the last ones do not fill all places."""
        rate = self.rate(min(jobs, games))
        return 0.0 if games == 0 else None if rate is None else 60 * games / rate
