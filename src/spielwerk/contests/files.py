"""A contest as files: its games, its tables, and a report that stands by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import lru_cache, partial
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Final, TypeVar

from spielwerk.contests.books import read
from spielwerk.contests.reporting import exports

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from spielwerk.contests.archive import ContestArchive
    from spielwerk.contests.books import Book
    from spielwerk.store.contest_records import ContestRecord, SeatReport
    from spielwerk.store.records import WireRecord

Kept = TypeVar("Kept")

BLOCK: Final = 200  # games whose reports or moves are read at once
CHUNK: Final = 65536  # bytes of a file that are sent at once
_ONE_AT_A_TIME: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="export")

FILES: Final = {  # how the name ends, and the type
    "jsonl": ("games.jsonl", "application/jsonl; charset=utf-8"),
    "csv": ("games.csv", "text/csv; charset=utf-8"),
    "standings": ("standings.csv", "text/csv; charset=utf-8"),
    "crosstable": ("crosstable.csv", "text/csv; charset=utf-8"),
    "html": ("report.html", "text/html; charset=utf-8"),
}


class Lazily(Mapping[int, Sequence[Kept]]):
    """What is kept of every game; read when it is asked for, which for some is never."""

    def __init__(self, games: int, read: Callable[[int], Sequence[Kept]]) -> None:
        self._games = range(games)
        self._read = read

    def __getitem__(self, number: int) -> Sequence[Kept]:
        if number not in self._games:
            raise KeyError(number)
        return self._read(number)

    def __iter__(self) -> Iterator[int]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


def _in_blocks(
    book: Book, read: Callable[[str, range], Mapping[int, Sequence[Kept]]]
) -> Lazily[Kept]:
    """Something that is read of many games at once."""

    @lru_cache(maxsize=1)
    def block(number: int) -> Mapping[int, Sequence[Kept]]:
        return read(book.record.id, range(number * BLOCK, (number + 1) * BLOCK))

    return Lazily(len(book.pairings), lambda number: block(number // BLOCK).get(number, ()))


def _wires(archive: ContestArchive, book: Book) -> Lazily[WireRecord]:
    """What was said at every game."""

    def read(number: int) -> Sequence[WireRecord]:
        game = book.pairings[number].game
        return archive.wires(game) if game else ()

    return Lazily(len(book.pairings), read)


async def streamed(
    archive: ContestArchive, record: ContestRecord, kind: str, language: str, *, live: bool
) -> AsyncIterator[bytes]:
    """The file's content; however many ask, one file is made at a time, and kept on the disk.

    So whoever reads slowly keeps nobody waiting, and who goes away while waiting costs nothing.
    """
    make = partial(_made, archive, record, kind, language, live=live)
    with await asyncio.get_running_loop().run_in_executor(_ONE_AT_A_TIME, make) as file:
        while data := await asyncio.to_thread(file.read, CHUNK):
            yield data


def _made(
    archive: ContestArchive, record: ContestRecord, kind: str, language: str, *, live: bool
) -> IO[bytes]:
    with ExitStack() as undone:
        file = undone.enter_context(TemporaryFile())
        for piece in pieces(archive, record, kind, language, live=live):
            file.write(piece.encode())
        file.seek(0)
        undone.pop_all()
    return file


def pieces(
    archive: ContestArchive, record: ContestRecord, kind: str, language: str, *, live: bool = False
) -> Iterator[str]:
    """The file's content piece by piece, each of which may take a while.

    Where the contest is not `live` nothing is being played.
    """
    book = read(archive, record, live=live)
    match kind:
        case "jsonl":
            games = book.contest, book.entrants, book.pairings
            yield from exports.json_lines(*games, book.ranking, *_kept(archive, book))
        case "csv":
            games = book.contest, book.entrants, book.pairings
            yield from exports.games_csv(*games, *_kept(archive, book))
        case "standings":
            yield from exports.standings_csv(book.ranking)
        case "crosstable":
            yield from exports.crosstable_csv(book.ranking)
        case _:
            yield from _report(archive, book, language)


def _kept(
    archive: ContestArchive, book: Book
) -> tuple[Mapping[int, int], Lazily[SeatReport], Mapping[int, Sequence[str]]]:
    """What is told of every game besides its result: moves, reports, earlier attempts."""
    contest = book.record.id
    reports = _in_blocks(book, archive.reports_on)
    return archive.move_counts(contest), reports, archive.earlier(contest)


def _report(archive: ContestArchive, book: Book, language: str) -> Iterator[str]:
    from spielwerk.contests.reporting.report import chunks  # its template is for this alone

    yield from chunks(
        book.contest,
        book.record,
        book.entrants,
        book.pairings,
        book.ranking,
        _in_blocks(book, archive.reports_on),
        _in_blocks(book, archive.moves),
        language,
        _wires(archive, book),
    )
