"""Plays a contest that takes no time, and prints all that was acknowledged; made to be killed.

Run as `python -m tests.store.contest_scribe URL`. It goes on with the contest that it finds in the
store, and ends when that is over.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from spielwerk.store import writing
from spielwerk.store.contest_records import State
from spielwerk.store.contests import contest, pairings
from spielwerk.store.journal import StoreJournal
from spielwerk.store.opening import open_store
from tests.store.contest_samples import CONTEST, LATE, begun, scheduled, settled

if TYPE_CHECKING:
    from spielwerk.store.contest_records import Settled
    from spielwerk.store.records import Entry

GAMES = 400
AT_ONCE = 8


def settling(number: int, attempt: int) -> Settled:
    """What becomes of an attempt: every seventh game is repeated once."""
    if number % 7 == 0 and attempt == 1:
        return settled(number, attempt, State.REPEAT, LATE, repeated=True)
    return settled(number, attempt)


class Scribe:
    """Plays one game after the other; several scribes share what waits."""

    def __init__(self, journal: StoreJournal, waiting: list[tuple[int, int]]) -> None:
        self._journal = journal
        self._waiting = waiting  # numbers, and how often each was begun

    async def play(self) -> None:
        while self._waiting:
            number, attempts = self._waiting.pop()
            attempt = attempts + 1
            await write(self._journal, begun(number, attempt))
            say(f"begun {number} {attempt}")
            entry = settling(number, attempt)
            await write(self._journal, entry)
            say(f"settled {number} {attempt}")
            if entry.state is State.REPEAT:
                self._waiting.append((number, attempt))


async def write(journal: StoreJournal, entry: Entry) -> None:
    """Have the entry written, or end."""
    written: asyncio.Future[BaseException | None] = asyncio.get_running_loop().create_future()
    journal.add(entry, written.set_result)
    if error := await written:
        sys.exit(str(error))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def run(url: str) -> None:
    with open_store(url) as store:
        writing.put_back(store, CONTEST)
        journal = StoreJournal(store)
        if contest(store, CONTEST) is None:
            await write(journal, scheduled(GAMES))
        say("scheduled")
        found = [one for one in pairings(store, CONTEST) if one.state in (State.NEW, State.REPEAT)]
        waiting = [(game.number, game.attempt) for game in found]
        await asyncio.gather(*(Scribe(journal, waiting).play() for _ in range(AT_ONCE)))
        await journal.close()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
