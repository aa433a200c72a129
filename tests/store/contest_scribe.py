"""Plays a contest that takes no time, and prints all that was acknowledged; made to be killed.

Run as `python -m tests.store.contest_scribe URL`. It goes on with the contest that it finds in the
store, and ends when that is over.
"""

from __future__ import annotations

import asyncio
import sys

from spielwerk.store import scheduling
from spielwerk.store.contests import contest, pairings
from spielwerk.store.opening import open_store
from spielwerk.store.records import ContestEntry, PairingState, Settled
from spielwerk.store.scheduling import ContestJournal, ScheduleWriter
from tests.store.contest_samples import CONTEST, LATE, begun, scheduled, settled

GAMES = 400
AT_ONCE = 8


def settling(number: int, attempt: int) -> Settled:
    """What becomes of an attempt: every seventh game is repeated once."""
    if number % 7 == 0 and attempt == 1:
        return settled(number, attempt, PairingState.REPEAT, LATE, repeated=True)
    return settled(number, attempt)


class Scribe:
    """Plays one game after the other; several scribes share what waits."""

    def __init__(self, journal: ContestJournal, waiting: list[tuple[int, int]]) -> None:
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
            if entry.pairing.state is PairingState.REPEAT:
                self._waiting.append((number, attempt))


async def write(journal: ContestJournal, entry: ContestEntry) -> None:
    """Have the entry written, or end."""
    if await journal.add(entry) is None:
        sys.exit("it came at the wrong time")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def run(url: str) -> None:
    with open_store(url) as store:
        scheduling.put_back(store, CONTEST)
        journal = ContestJournal(ScheduleWriter(store).write)
        if contest(store, CONTEST) is None:
            await write(journal, scheduled(GAMES))
        say("scheduled")
        found = [
            one
            for one in pairings(store, CONTEST)
            if one.state in (PairingState.NEW, PairingState.REPEAT)
        ]
        waiting = [(game.number, game.attempt) for game in found]
        await asyncio.gather(*(Scribe(journal, waiting).play() for _ in range(AT_ONCE)))


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
