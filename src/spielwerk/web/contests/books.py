"""A contest read whole: what was fixed, who takes part, every game, and the ranking of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spielwerk.tournament.describing.packing import unpack
from spielwerk.tournament.ranking import rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.store.contest_records import ContestRecord, EntrantRecord, Pairing
    from spielwerk.tournament.contest import Contest
    from spielwerk.tournament.results import Ranking
    from spielwerk.web.contests.archive import ContestArchive


@dataclass(frozen=True, slots=True)
class Book:
    """A contest as it stood at one moment."""

    record: ContestRecord
    contest: Contest
    entrants: Sequence[EntrantRecord]
    pairings: Sequence[Pairing]
    ranking: Ranking


def read(archive: ContestArchive, record: ContestRecord) -> Book:
    """Read it and work out its ranking: long work, for a thread."""
    contest = unpack(record.description)
    entrants, pairings = archive.entrants(record.id), archive.pairings(record.id)
    return Book(record, contest, entrants, pairings, rank(contest, entrants, pairings))
