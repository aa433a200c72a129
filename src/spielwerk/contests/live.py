"""Who is around a contest being played: spectators, and guests at its open seats."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from spielwerk.contests.playing.referee import play
from spielwerk.errors import SpielwerkError
from spielwerk.servers.mnm import MnmService
from spielwerk.store.records import Kind
from spielwerk.tables.mirror import MirrorTable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from spielwerk.contests.contest import Assignment, Played, Progress, Tell
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.store.records import EntrantRecord, GameRecord, Pairing
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Clock

log = logging.getLogger(__name__)

SHOWN: Final = 12  # games that are shown at once


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
        number, record = news.number, news.record
        try:
            if record and not self._shows(number, record):
                self.drop(number)
                if len(self._shown) < SHOWN:
                    table = self._shown[number] = MirrorTable(record, self._clock)
                    self._arena.show(table)
            if number in self._shown:
                self._shown[number].follow_moves(news.moves)
        except SpielwerkError as error:
            log.warning("cannot show a running game error=%r", str(error))
            self.drop(number)

    def _shows(self, number: int, record: GameRecord) -> bool:
        return number in self._shown and self._shown[number].id == record.id

    def finish(self, number: int, record: GameRecord | None) -> None:
        """The game is over and written, or it came to nothing."""
        if record and self._shows(number, record):
            try:
                self._shown[number].finish(record)
                del self._shown[number]
            except SpielwerkError as error:
                log.warning("cannot show a game to its end error=%r", str(error))
        self.drop(number)

    def drop(self, number: int) -> None:
        """The game was broken off, if it is shown."""
        if table := self._shown.pop(number, None):
            table.break_off()


class Guests:
    """Open seats: entrants that come by themselves, and their games, which are played here.

    A game begins when all its guests are there, and a guest plays one game at a time.
    """

    def __init__(self, facilities: Facilities, door: OpenDoor) -> None:
        self.places: dict[str, tuple[str, int]] = {}  # where they come to, by service
        self.door = door
        self._facilities = facilities
        self._names: dict[int, str] = {}  # by their numbers

    def admit(self, entrant: EntrantRecord) -> str:
        """Expect this entrant; the result is the name it has to give."""
        self._names[entrant.number] = entrant.name
        return self.door.admit(entrant.name)

    def invite(
        self, entrants: Iterable[EntrantRecord], *, newcomers: bool = False
    ) -> Iterator[str]:
        """Expect all guests; the result is what each of them has to be told, in a line."""
        where = ", ".join(f"{name} {host}:{port}" for name, (host, port) in self.places.items())
        for entrant in entrants:
            if entrant.kind is Kind.OPEN:
                word = self.admit(entrant)  # a ticket, or its name
                secret = MnmService.name in self.places
                called = f"Game-ID {word} (secret)" if secret else f"as {word}"
                yield f"open seat {entrant.name}: {where}, {called}"
        if newcomers:
            yield f"newcomers: {where}, under any name"

    def concerned(self, pairing: Pairing) -> bool:
        """Whether a guest has to come for this game."""
        return any(number in self._names for number in pairing.seats)

    def missing(self, busy: Collection[int]) -> dict[int, str]:
        """The guests that are not there, or are busy, with their names."""
        present = {*self.door.present()}
        return {
            number: name
            for number, name in self._names.items()
            if number in busy or name not in present
        }

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Play a game with guests."""
        return await play(assignment, tell, self._facilities, self.door)

    async def close(self) -> None:
        """Send all guests away."""
        await self.door.close()
        await self._facilities.close()
