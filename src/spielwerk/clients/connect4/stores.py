"""Databases for programs that run side by side: each has its own, for a store has one owner.

connect4.db is taken if nobody has it, else connect4-2.db, and so on. A game that a dead program
has left unfinished is over: nobody can come back to it.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from itertools import count
from typing import IO, TYPE_CHECKING, Final

from spielwerk.store.locking import try_to_lock
from spielwerk.store.opening import open_store
from spielwerk.store.problems import StoreError, explained
from spielwerk.store.reading import unfinished
from spielwerk.store.records import Ended, Reason, ResultRecord
from spielwerk.store.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST: Final = 1000
TORN: Final = "the program stopped in the middle of the game"


@contextmanager
def own_database(folder: Path) -> Iterator[Path]:
    """The first database in the folder that no program of this kind has; ours in the block."""
    with explained(str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        path, lock = _first_free(folder)
    with lock:
        yield path


def _first_free(folder: Path) -> tuple[Path, IO[str]]:
    for number in count(1):
        if number > MOST:
            break
        path = folder / ("connect4.db" if number == 1 else f"connect4-{number}.db")
        # Not the store's own lock: between two openings somebody else could take that.
        lock = path.with_suffix(".program").open("a")
        if try_to_lock(lock):
            return path, lock
        lock.close()
    raise StoreError(str(folder), f"more than {MOST} programs play here")


def settle(url: str) -> int:
    """End the games that are torn apart; how many there were."""
    with open_store(url) as store:
        torn = unfinished(store)
        result = ResultRecord(Reason.SERVER_ERROR, None, TORN, time.time_ns() // 1_000_000)
        errors = Writer(store).write([Ended(record.id, result) for record in torn])
    for error in errors:
        if error is not None:
            raise error
    return len(torn)
