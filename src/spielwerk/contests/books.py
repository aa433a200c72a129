"""A contest read whole: what was fixed, who takes part, every game, and the ranking of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from spielwerk.contests.describing.packing import unpack
from spielwerk.contests.notes import may_repeat, on_repeats
from spielwerk.contests.ranking import rank
from spielwerk.contests.results import Note
from spielwerk.contests.scheduling.ladder import meetings
from spielwerk.contests.scheduling.schedule import to_come
from spielwerk.store.contest_records import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spielwerk.contests.archive import ContestArchive
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.results import Ranking
    from spielwerk.store.contest_records import ContestRecord, EntrantRecord, Pairing


@dataclass(frozen=True)
class Book:
    """A contest as it stood at one moment."""

    record: ContestRecord
    contest: Contest
    entrants: Sequence[EntrantRecord]
    pairings: Sequence[Pairing]
    archive: ContestArchive  # where it was read, and more of it can be

    @cached_property
    def ranking(self) -> Ranking:
        """Who stands where; worked out when it is first asked for: long work, for a thread."""
        ranking = rank(self.contest, self.entrants, self.pairings)
        return replace(ranking, notes=(*ranking.notes, *self._more()))

    @cached_property
    def growing(self) -> bool:
        """Whether games will still be drawn up."""
        return to_come(self.contest, lambda: meetings(self.entrants, self.pairings)) != 0

    def _more(self) -> Iterator[Note]:
        """What must be said that results alone do not tell."""
        if may_repeat(self.contest):
            yield from on_repeats(self.pairings, self.archive.traces(self.record.id))
        if names := self.archive.replaced(self.record.id):
            yield Note("replaced", tuple(names))


def read(archive: ContestArchive, record: ContestRecord, *, live: bool = True) -> Book:
    """Read it; where it is not `live`, what was running was left so by somebody who died."""
    entrants, pairings = archive.schedule(record.id)
    if not live:
        pairings = [_put_back(one) for one in pairings]
    return Book(record, unpack(record.description), entrants, pairings, archive)


def _put_back(pairing: Pairing) -> Pairing:
    running = pairing.state is State.RUNNING
    return replace(pairing, state=State.NEW) if running else pairing
