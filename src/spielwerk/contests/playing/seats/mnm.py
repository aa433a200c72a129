"""Clients of the MNM game server: each is led to its own seat, whichever it asks for or none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from spielwerk.contests.playing.seats.seating import AtDoor, Doors, TcpSeating
from spielwerk.servers.mnm import MnmService, MnmSession, MnmSettings
from spielwerk.tables.chance import short
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spielwerk.contests.assignment import Terms
    from spielwerk.tables.table import Table

PROLOG, LONGEST = 30.0, 3600.0  # seconds for an answer before the game, and at most


class SeatSession(AtDoor, MnmSession):
    """A client at the door of a seat."""

    def _find(self, game_id: str) -> Table | None:
        table = self._require_table()
        return table if game_id in (table.id, short(table.id)) else None

    def _choose(self, number: int | None) -> None:
        """Whichever seat it asks for, it gets its own: its author may not know which that is."""
        known = number is None or number < len(self._require_table().seats)
        super()._choose(self.seat if known else number)
        if self._seat and self.arrival:
            self.arrival.came()


class SeatService(MnmService, Doors):
    """A port for each of these seats."""

    def __init__(self, seating: MnmSeating) -> None:
        sitting = seating.sitting
        venue, settings = sitting.venue, mnm_settings(sitting.terms)
        super().__init__(venue.arena, sitting.minutes, settings, venue.metrics)
        self._seating = seating

    def endpoints(self) -> Iterator[tuple[int, partial[MnmSession]]]:
        """Any free ports, in the order of the seats."""
        for number in self._seating.numbers:
            yield 0, partial(self._session, number)

    def _session(self, number: int) -> MnmSession:
        ((_, dialect, pace),) = self._settings.listeners()
        session = SeatSession(self, dialect, pace)
        self._seating.lead(session, number)
        return session


class MnmSeating(TcpSeating):
    """Quarto and Nine Men's Morris."""

    def _make_service(self) -> SeatService:
        return SeatService(self)

    def places(self, number: int) -> Mapping[str, str]:
        """The Game-ID is as long as the dialect has it."""
        dialect = DIALECTS[self.sitting.terms.dialect]
        return {**super().places(number), "game": dialect.game_id(self.sitting.id)}


def mnm_settings(terms: Terms, port: int = 0) -> MnmSettings:
    """The settings of a game server for these terms."""
    prolog = min(max(PROLOG, terms.start), LONGEST)  # no answer is due before it has to sit
    return MnmSettings(ports=(str(port),), dialect=terms.dialect, pace=terms.pace, prolog=prolog)
