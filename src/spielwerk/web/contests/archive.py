"""What is read of contests in the store; called in threads, because databases make one wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.store import contest_reading as reading
from spielwerk.store import reading as games
from spielwerk.store.contest_records import State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spielwerk.store.contest_records import (
        ContestRecord,
        EntrantRecord,
        Pairing,
        SeatReport,
    )
    from spielwerk.store.readable import Readable
    from spielwerk.store.records import WireRecord


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

    def entrants(self, contest: str) -> Sequence[EntrantRecord]:
        """Who takes part, by number."""
        return reading.entrants(self._store, contest)

    def far(self, contest: str) -> tuple[Mapping[State, int], int]:
        """How many games are how far, and how many of them were given up by our own fault."""
        counts = reading.counts(self._store, contest)
        return counts, reading.given_up(self._store, contest) if counts[State.FAILED] else 0

    def pairings(self, contest: str) -> Sequence[Pairing]:
        """The whole schedule, by number."""
        return reading.pairings(self._store, contest)

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

    def moves(self, contest: str) -> Mapping[int, Sequence[str]]:
        """What was played in every game of which something is kept, by number."""
        return reading.moves(self._store, contest)

    def pairing_of_game(self, game_id: str) -> Pairing | None:
        """The game of a schedule that was played under this Game-ID."""
        return reading.pairing_of_game(self._store, game_id)
