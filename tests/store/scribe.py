"""Writes moves as fast as it can and prints each that was acknowledged; made to be killed.

Run as `python -m tests.store.scribe URL`. It goes on with the games that it finds in the store.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial

from spielwerk.store.journal import StoreJournal
from spielwerk.store.opening import open_store
from spielwerk.store.reading import unfinished
from tests.store.samples import created, moved

GAMES = ["one", "two", "three", "four"]


class Scribe:
    """Plays one game for ever: the next move as soon as the last has been acknowledged."""

    def __init__(self, journal: StoreJournal, game: str) -> None:
        self._journal = journal
        self._game = game

    def begin(self) -> None:
        self._journal.add(created(self._game), self._created)

    def go_on(self, number: int) -> None:
        self._journal.add(moved(self._game, number), partial(self._written, number))

    def _created(self, error: BaseException | None) -> None:
        self._written(-1, error)

    def _written(self, number: int, error: BaseException | None) -> None:
        if error:
            sys.exit(str(error))
        sys.stdout.write(f"{self._game} {number}\n")
        sys.stdout.flush()
        self.go_on(number + 1)


async def write(url: str) -> None:
    store = open_store(url)
    journal = StoreJournal(store)
    known = {record.id: len(record.moves) for record in unfinished(store)}
    for game in GAMES:
        scribe = Scribe(journal, game)
        if game in known:
            scribe.go_on(known[game])
        else:
            scribe.begin()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1]))
