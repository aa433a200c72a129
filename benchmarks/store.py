"""The store: journalled moves a second on SQLite, beside what the disk and sqlite3 do alone."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from spielwerk.store.journal import StoreJournal, Writer
from spielwerk.store.opening import open_store
from spielwerk.store.reading import unfinished
from spielwerk.store.records import Created, GameRecord, Moved, MoveRecord, SeatKind, SeatRecord

if TYPE_CHECKING:
    from spielwerk.store.opening import Store

SECONDS = 2.0
GROUPS = (1, 10, 100, 500, 1000)
ASKED = 2000
SEATS = (SeatRecord(SeatKind.CLIENT, "White"), SeatRecord(SeatKind.CLIENT, "Black"))


def rows() -> Iterator[tuple[str, str]]:
    """Moves a second with so many games at once, and the ratio to a bare insert and commit."""
    with TemporaryDirectory(dir=Path.cwd()) as folder:  # /tmp may be no disk at all
        yield "bare write and fsync", f"{_rate(_fsyncs(Path(folder) / 'file')):7.0f} /s"
        bare = _rate(_commits(Path(folder) / "bare.db"))
        yield "bare sqlite3 insert and commit", f"{bare:7.0f} /s"
        for group in GROUPS:
            with open_store(Path(folder) / f"{group}.db") as store:
                yield f"journal, {group} games at once", _journalled(store, group, bare)
        yield from _starting(Path(folder) / "start.db")


def _rate(once: Callable[[], object]) -> float:
    """How often a second it can be done."""
    runs, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        once()
        runs += 1
    return runs / (time.perf_counter() - start)


def _fsyncs(path: Path) -> Callable[[], object]:
    file = path.open("ab", buffering=0)

    def once() -> None:
        file.write(bytes(4096))
        os.fsync(file.fileno())

    return once


def _commits(path: Path) -> Callable[[], object]:
    file = sqlite3.connect(path, isolation_level=None)
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = FULL")
    file.execute("CREATE TABLE moves (game, number, seat, move, at, took)")
    # In autocommit mode each insert is a transaction.
    insert = "INSERT INTO moves VALUES ('abcdefghijk', 1, 0, 'A1,3', 0, 0)"
    return partial(file.execute, insert)


class Player:
    """Makes the next move as soon as the last has been journalled."""

    def __init__(self, journal: StoreJournal, number: int) -> None:
        self._journal = journal
        self._game = f"benchmark{number:05}"
        self._asked = 0.0
        self.waits: list[float] = []

    def begin(self) -> None:
        """Create the game; the moves follow by themselves."""
        record = GameRecord(self._game, "quarto", ("n=4",), "", SEATS, 3000, False, 0)
        self._journal.add(Created(record), self._go_on)

    def _go_on(self, error: BaseException | None) -> None:
        if error is None:
            self._asked = time.perf_counter()
            move = MoveRecord(len(self.waits), 0, "A1,3", at=0)
            self._journal.add(Moved(self._game, (move,)), self._written)

    def _written(self, error: BaseException | None) -> None:
        self.waits.append(time.perf_counter() - self._asked)
        self._go_on(error)


def _journalled(store: Store, group: int, bare: float) -> str:
    waits, batches = asyncio.run(_play(store, group))
    rate = len(waits) / SECONDS
    slow = sorted(waits)[len(waits) * 99 // 100]
    figure = f"{rate:7.0f} /s  {rate / bare:5.1f} x bare  {len(waits) / batches:5.0f} a commit"
    figure += f"  99 % within {slow * 1000:.1f} ms"
    return figure + (f"  asked: {ASKED}" if group >= GROUPS[-2] else "")


async def _play(store: Store, group: int) -> tuple[list[float], int]:
    batches: list[int] = []
    journal = StoreJournal(store, lambda size, *_: batches.append(size))
    players = [Player(journal, number) for number in range(group)]
    for player in players:
        player.begin()
    await asyncio.sleep(SECONDS)
    waits = [wait for player in players for wait in player.waits]
    await journal.close()
    return waits, len(batches)


def _starting(path: Path) -> Iterator[tuple[str, str]]:
    yield "opening a new store", f"{_milliseconds(lambda: open_store(path).close()):7.1f} ms"
    yield "opening it again", f"{_milliseconds(lambda: open_store(path).close()):7.1f} ms"
    moves = tuple(MoveRecord(number, number % 2, "A1,3", at=0) for number in range(30))
    with closing(open_store(path)) as store:
        games = [
            Created(GameRecord(f"{number}", "quarto", (), "", SEATS, 3000, False, 0, moves))
            for number in range(1000)
        ]
        Writer(store).write(games)
        figure = f"{_milliseconds(lambda: unfinished(store)):7.1f} ms"
        yield "reading 1,000 games with 30 moves each", figure


def _milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000
