"""Games that we could not play: whether it is the machine, or a program that ends its workers."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spielwerk.errors import quote
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spielwerk.contests.contest import Entrant

log = logging.getLogger(__name__)

HOPELESS: Final = 10  # games in a row that we could not play, besides all that are lost at once
SUSPICIOUS: Final = 3  # games of a program that were lost, and none that was played
LATER: Final = 20  # games of others before its next one: it may have been somebody else
HINT: Final = "--sandbox keeps programs from ending their workers"


@dataclass(slots=True)
class _Row:
    """The losses of a program since the last game of it that was played."""

    began: int  # how many games were played before the first of them,
    last: int  # and before the last
    losses: int = 0


class Trouble:
    """Counts the games that we could not play, and remembers whose they were.

    Whoever was in all games that were lost, while games of others are played, is to blame; then it
    is not the machine that is in trouble. Only somebody with a program can be.
    """

    def __init__(self, entrants: Sequence[Entrant], *, sandbox: bool = False) -> None:
        programs = {n: one.name for n, one in enumerate(entrants) if one.kind is Kind.COMMAND}
        self._programs = programs
        self._sandbox = sandbox
        self._rows: dict[int, _Row] = {}
        self._played = 0
        self._lost = 0  # since the last game that was played, and nobody's fault, as it seems

    def played(self, seats: Iterable[int]) -> None:
        """A game of these was played."""
        self._played += 1
        self._lost = 0
        for entrant in seats:
            self._rows.pop(entrant, None)

    def lost(self, seats: Iterable[int]) -> None:
        """A game of these could not be played."""
        for entrant in self._programs.keys() & set(seats):
            row = self._rows.setdefault(entrant, _Row(self._played, self._played))
            row.losses += 1
            row.last = self._played
            if row.losses == SUSPICIOUS:
                name = self._programs[entrant]
                log.warning("games are lost, others come first of=%r%s", name, self._advice)
        if not self.blamed.intersection(seats):
            self._lost += 1

    def is_hopeless(self, jobs: int) -> bool:
        """Whether nothing can be played here, with so many games at once."""
        return self._lost >= HOPELESS + jobs

    @property
    def blamed(self) -> set[int]:
        """Those whose games are lost, while games of others are played."""
        return {n for n in self._suspects if self._rows[n].began < self._played}

    @property
    def avoided(self) -> set[int]:
        """Those whose games come after others."""
        return {n for n in self._suspects if self._played < self._rows[n].last + LATER}

    @property
    def _suspects(self) -> set[int]:
        """Those of whom several games were lost in a row."""
        return {n for n, row in self._rows.items() if row.losses >= SUSPICIOUS}

    def names(self, numbers: Iterable[int]) -> list[str]:
        """What these are called who have programs."""
        return [self._programs[number] for number in sorted(numbers)]

    @property
    def hint(self) -> str:
        """Who was in all the games that could not be played since the last that was, if anybody."""
        common = (n for n in self._suspects if self._rows[n].losses >= self._lost)
        names = ", ".join(map(quote, self.names(common)))
        return f"; in all of these games: {names}{self._advice}" if names else ""

    @property
    def _advice(self) -> str:
        return "" if self._sandbox else f"; {HINT}"
