"""The results of a contest as tables: who stands where, and how everybody did against everybody.

Pages, reports and the command line show these; `tournament.ranking` makes them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from spielwerk.store.contest_records import ENDS, PairingState
from spielwerk.store.records import Reason

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from spielwerk.store.contest_records import Kind, Pairing
    from spielwerk.store.records import Ending

PAIR: Final = 2  # seats of a game that can be drawn


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
    forfeits: Mapping[str, int]  # by its own fault, in the words of ENDS
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
    reason: Reason
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


# what is counted


def settled(pairing: Pairing) -> Ending | None:
    """What came of a game that counts: one that is done, and not ended by our own fault."""
    ending = pairing.ending
    if pairing.state != PairingState.DONE or ending is None:
        return None
    return None if ending.reason is Reason.SERVER_ERROR else ending


@dataclass(slots=True)
class Tally:
    """What an entrant has to show."""

    points: float = 0.0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)

    def add(self, ending: Ending, seat: int, players: int) -> None:
        """Count a game from the side of a seat."""
        self.games += 1
        self.points += points_of(ending, seat, players)
        if seat in ending.culprits:
            self.forfeits[ENDS[ending.reason]] += 1
        if seat == ending.winner:
            self.wins += 1
        elif ending.reason is Reason.DRAW:
            self.draws += 1
        elif ending.winner is not None or seat in ending.culprits:
            self.losses += 1


def points_of(ending: Ending, seat: int, players: int) -> float:
    """What a seat gets for a game."""
    if ending.reason is Reason.DRAW:
        return 0.5 if players == PAIR else 0.0
    return float(seat == ending.winner)


def tallies(pairings: Iterable[Pairing], struck: Container[int] = ()) -> Mapping[int, Tally]:
    """What everybody has to show; those who have not played have an empty tally."""
    counted: dict[int, Tally] = defaultdict(Tally)
    for pairing in pairings:
        ending = settled(pairing)
        if ending is None:
            continue
        void = any(entrant in struck for entrant in pairing.seats)
        for seat, entrant in enumerate(pairing.seats):
            if not void or entrant in struck:
                counted[entrant].add(ending, seat, len(pairing.seats))
    return counted


def crosstable(pairings: Iterable[Pairing]) -> dict[int, dict[int, tuple[Encounter, ...]]]:
    """Everybody's games against everybody, in the order of the schedule."""
    table: dict[int, dict[int, list[Encounter]]] = defaultdict(lambda: defaultdict(list))
    for pairing in sorted(pairings, key=lambda pairing: pairing.number):
        if pairing.state != PairingState.DONE or pairing.ending is None:
            continue
        for seat, entrant in enumerate(pairing.seats):
            encounter = _encounter(pairing, pairing.ending, seat)
            for other in pairing.seats:
                if other != entrant:
                    table[entrant][other].append(encounter)
    return {
        entrant: {other: tuple(games) for other, games in sorted(row.items())}
        for entrant, row in sorted(table.items())
    }


def _encounter(pairing: Pairing, ending: Ending, seat: int) -> Encounter:
    return Encounter(
        number=pairing.number,
        game=pairing.game,
        points=points_of(ending, seat, len(pairing.seats)),
        seat=seat,
        reason=ending.reason,
        fault=seat in ending.culprits,
    )
