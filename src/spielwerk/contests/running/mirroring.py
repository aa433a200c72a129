"""Running games of a contest, shown in the arena so that anybody can watch them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError
from spielwerk.tables.mirror import MirrorTable

if TYPE_CHECKING:
    from spielwerk.contests.assignment import Progress
    from spielwerk.store.records import GameRecord
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Clock

log = logging.getLogger(__name__)

SHOWN: Final = 12  # games at once; nobody looks at more


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
        """The game is over and written down, or it came to nothing."""
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
