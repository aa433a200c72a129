"""Open seats: entrants that come by themselves, and their games, which are played here.

A game begins when all its guests are there, and a guest plays one game at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.contests.playing.referee import play
from spielwerk.servers.mnm import MnmService
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from spielwerk.contests.assignment import Assignment, Played, Tell
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.store.contest_records import EntrantRecord, Pairing


class Guests:
    """The entrants that come by themselves."""

    def __init__(self, facilities: Facilities, door: OpenDoor) -> None:
        self.places: dict[str, tuple[str, int]] = {}  # where they come to, by service
        self._facilities = facilities
        self._door = door
        self._names: dict[int, str] = {}  # by their numbers

    def admit(self, entrant: EntrantRecord) -> str:
        """Expect this entrant; the result is the name it has to give."""
        self._names[entrant.number] = entrant.name
        return self._door.admit(entrant.name)

    def invite(
        self, entrants: Iterable[EntrantRecord], *, newcomers: bool = False
    ) -> Iterator[str]:
        """Expect all guests; the result is what each of them has to be told, in a line."""
        where = ", ".join(f"{name} {host}:{port}" for name, (host, port) in self.places.items())
        for entrant in entrants:
            if entrant.kind is Kind.OPEN:
                yield f"open seat {entrant.name}: {where}, {self._called(self.admit(entrant))}"
        if newcomers:
            yield f"newcomers: {where}, under any name"

    def _called(self, word: str) -> str:
        """What the word is that an entrant has to say: a ticket, or its name."""
        return f"Game-ID {word} (secret)" if MnmService.name in self.places else f"as {word}"

    def watch(self, changed: Callable[[], None]) -> None:
        """Have this called whenever a guest comes or goes."""
        self._door.watch(changed)

    def welcome(self, newcomer: Callable[[str], bool]) -> None:
        """Have this decide whether an unknown guest takes part."""
        self._door.welcome(newcomer)

    def concerned(self, pairing: Pairing) -> bool:
        """Whether a guest has to come for this game."""
        return any(number in self._names for number in pairing.seats)

    def missing(self, busy: Collection[int]) -> set[int]:
        """The guests that are not there, or are busy."""
        present = {*self._door.present()}
        return {
            number for number, name in self._names.items() if number in busy or name not in present
        }

    def names(self, numbers: Collection[int]) -> list[str]:
        """What these entrants are called."""
        return [self._names[number] for number in sorted(numbers)]

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Play a game with guests."""
        return await play(assignment, tell, self._facilities, self._door)

    async def close(self) -> None:
        """Send all guests away."""
        await self._door.close()
        await self._facilities.close()
