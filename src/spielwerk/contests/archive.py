"""What is read of contests in the store; called in threads, because databases make one wait."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from spielwerk.contests.contest import unpack
from spielwerk.contests.ranking import may_repeat, on_repeats, rank
from spielwerk.contests.results import Note
from spielwerk.contests.schedule import meetings, to_come
from spielwerk.store import contests as reading
from spielwerk.store import keys
from spielwerk.store import reading as games
from spielwerk.store.contest_records import PairingState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.results import Ranking
    from spielwerk.store.contest_records import (
        ContestRecord,
        EntrantRecord,
        Pairing,
        SeatReport,
    )
    from spielwerk.store.contests import Far
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import Reason, WireRecord


class ContestArchive:
    """The contests of a store."""

    def __init__(self, store: Readable) -> None:
        self._store = store

    def contests(self) -> Sequence[ContestRecord]:
        """All of them, the newest first."""
        return reading.contests(self._store)

    def contest(self, contest: str) -> ContestRecord | None:
        """The one with this ID."""
        return reading.contest(self._store, contest)

    def far(self, contest: str) -> Far:
        """How far it is."""
        return reading.far(self._store, contest)

    def growing(self, contest: str, rules: Contest) -> bool:
        """Whether games will still be drawn up."""
        return to_come(rules, lambda: reading.meetings(self._store, contest)) != 0

    def games(
        self, contest: str, most: int, after: int, entrants: Collection[int], end: Reason | None
    ) -> Sequence[Pairing]:
        """The first games after a number in which all these sit, and that ended so; by number."""
        return reading.some_pairings(
            self._store, contest, most, after=after, entrants=entrants, end=end
        )

    def latest(self, contest: str, most: int) -> Sequence[Pairing]:
        """The games that ended last, the newest first."""
        return reading.latest(self._store, contest, most)

    def schedule(self, contest: str) -> tuple[Sequence[EntrantRecord], Sequence[Pairing]]:
        """Who takes part and every game, as they were at one moment."""
        return reading.schedule(self._store, contest)

    def pairing(self, contest: str, number: int) -> Pairing | None:
        """One game of the schedule."""
        return reading.pairing(self._store, contest, number)

    def earlier(self, contest: str) -> Mapping[int, list[str]]:
        """The Game-IDs of attempts that did not count, by the games' numbers."""
        return reading.earlier(self._store, contest)

    def reports(self, contest: str, number: int) -> Sequence[SeatReport]:
        """What is known of the players after the last attempt at a game."""
        return reading.reports(self._store, contest, number)

    def reports_on(self, contest: str, games: range) -> Mapping[int, Sequence[SeatReport]]:
        """The same of many games, by number."""
        return reading.reports_on(self._store, contest, games)

    def wires(self, game_id: str) -> Sequence[WireRecord]:
        """What was said at the table with this Game-ID."""
        return games.wires(self._store, game_id)

    def moves(self, contest: str, games: range) -> Mapping[int, Sequence[str]]:
        """What was played in games with these numbers, of which something is kept, by number."""
        return reading.moves(self._store, contest, games)

    def move_counts(self, contest: str) -> Mapping[int, int]:
        """How many moves every game had of which something is kept, by number."""
        return reading.move_counts(self._store, contest)

    def traces(self, contest: str) -> Mapping[int, int]:
        """A number for what was played in every game of which something is kept, by number."""
        return reading.traces(self._store, contest)

    def replaced(self, contest: str) -> Sequence[str]:
        """Whose programs were replaced while it was played."""
        return keys.replaced(self._store, contest)

    def pairing_of_game(self, game_id: str) -> Pairing | None:
        """The game of a schedule that was played under this Game-ID."""
        return reading.pairing_of_game(self._store, game_id)


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
    running = pairing.state is PairingState.RUNNING
    return replace(pairing, state=PairingState.NEW) if running else pairing
