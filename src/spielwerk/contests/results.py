"""The results of a contest as tables: who stands where, and how everybody did against everybody.

Pages, reports and the command line show these; `tournament.ranking` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.store.contest_records import End, Kind


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's place."""

    rank: int  # from 1; equal results share it; the disqualified come last
    entrant: int  # its number
    name: str
    kind: Kind
    rating: float | None  # in Elo, the mean of all is 0; None: no game that could be rated
    low: float | None  # 95 % interval; None: it has no end on that side, or is not known
    high: float | None
    bounded: bool  # False: an end that is None is open; both are if games tell neither
    better: float | None  # chance to be better than the next in the list; None: not known
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: Mapping[End, int]  # by its own fault
    disqualified: str = ""
    disqualified_in: int | None = None
    bonus: int | None = None  # for the place; None: the contest has none to give


@dataclass(frozen=True, slots=True)
class Encounter:
    """One game from an entrant's side; in a crosstable."""

    number: int  # in the schedule
    game: str | None  # its Game-ID
    points: float
    seat: int
    end: End
    fault: bool  # the entrant's own


@dataclass(frozen=True, slots=True)
class Note:
    """Something that must be said about the ranking; `code` is the key of its sentence.

    all-won, all-lost (names): of the rated games; the rating has no end on that side
    groups (names of each, a line each): nobody of a later one took a point from an earlier one
    pools (names of each, a line each): they have not met, so they cannot be compared
    loose: draws, or moving first, cannot be told from strength, so distances are not known
    few (names, count): with fewer bundles than that, so the intervals are rough
    struck (names, count): games of the disqualified, which count for nobody
    unrated, overloaded (count): games
    spoilt (count): games that are neither won nor lost for those who did not fail
    began (names): hosts that began most of their games
    repeats (count): games that are like an earlier one of the same players in the same seats
    replaced (names): whose programs were replaced in a competition
    """

    code: str
    names: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """All of it; crosstable[a][b] are the games of a against b, from a's side."""

    standings: tuple[Standing, ...]
    crosstable: Mapping[int, Mapping[int, tuple[Encounter, ...]]]
    first_move: float | None  # Elo that moving first is worth; None: not known, or three players
    draws: float | None  # share of games between equals that are drawn, by the fit; None: likewise
    notes: tuple[Note, ...]
    rated: int  # games that the fit rests on
