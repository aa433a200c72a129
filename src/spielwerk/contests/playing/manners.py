"""Manners: a player that has to move has the processors, whatever the others compute meanwhile.

To think while others think is allowed. But a program with many threads would take the time away
from whoever has to move. So all who compute while they are not asked share one processor, also with
those of other games; as there are usually fewer games at once than processors, the rest is free.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.contests.programs.program import Program
    from spielwerk.tables.seat import Seat
    from spielwerk.tables.table import Table

CROWDED: Final = "used several processors while another one had to move"

LOOK: Final = 0.1  # seconds between two looks at what the others do
SOME: Final = 0.2  # processors: who uses less is in nobody's way
CROWD: Final = 1.5  # processors: who uses more has not stayed where it was told to


class Manners:
    """Sees to it at one table; programs are by their seats."""

    def __init__(self, table: Table, programs: Mapping[int, Program]) -> None:
        self._table = table
        self._programs = programs
        self._asked: tuple[Seat, float] | None = None  # the last one
        self._seen: tuple[Seat, float] | None = None  # the last one that was looked at
        self._before: dict[int, int] = {}  # milliseconds of each at the first of these looks
        self._since = 0.0
        table.watchers.append(self._turn)
        self._turn(table)

    def _turn(self, table: Table) -> None:
        """Whoever is asked may compute wherever it likes; if nobody is, everybody may."""
        if table.asked is None:
            for program in self._programs.values():
                program.confine(False)
        elif table.asked is not self._asked:
            self._asked = table.asked
            if asked := self._programs.get(table.asked[0].number):
                asked.confine(False)

    async def mind(self) -> None:
        """Look at those who are not asked, again and again; in quick games that is rarely."""
        while True:
            asked, before = self._table.asked, self._spent()
            if asked and asked is not self._seen:
                self._seen, self._before, self._since = asked, before, self._table.now
            await asyncio.sleep(LOOK)
            if asked and asked is self._table.asked:
                for number in _beyond(SOME * LOOK, before, self._spent()) - {asked[0].number}:
                    self._programs[number].confine()

    def crowding(self) -> set[int]:
        """Who has used several processors while the last one was asked to move, besides that one.

        It got away from where it was held, or this system does not hold anybody.
        """
        if self._asked is None or self._asked is not self._seen:
            return set()
        allowed = CROWD * (self._table.now - self._since)
        return _beyond(allowed, self._before, self._spent()) - {self._asked[0].number}

    def _spent(self) -> dict[int, int]:
        return {number: program.cpu() for number, program in self._programs.items()}


def _beyond(seconds: float, before: Mapping[int, int], after: Mapping[int, int]) -> set[int]:
    """Who has used more CPU time than that; it is counted in milliseconds."""
    return {number for number, then in before.items() if after[number] - then > 1000 * seconds}
