"""A contest as files: its games, its tables, and a report that stands by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from spielwerk.tournament.reporting import exports
from spielwerk.web.contests.books import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.store.contest_records import ContestRecord, SeatReport
    from spielwerk.store.records import WireRecord
    from spielwerk.web.contests.archive import ContestArchive
    from spielwerk.web.contests.books import Book

Kept = TypeVar("Kept")

BLOCK: Final = 200  # games whose reports are read at once

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


def _reports(archive: ContestArchive, book: Book) -> Lazily[SeatReport]:
    """The reports on the players of every game, read in blocks."""

    @lru_cache(maxsize=1)
    def block(number: int) -> Mapping[int, Sequence[SeatReport]]:
        games = range(number * BLOCK, (number + 1) * BLOCK)
        return archive.reports_on(book.record.id, games)

    return Lazily(len(book.pairings), lambda number: block(number // BLOCK).get(number, ()))


def _wires(archive: ContestArchive, book: Book) -> Lazily[WireRecord]:
    """What was said at every game."""

    def read(number: int) -> Sequence[WireRecord]:
        game = book.pairings[number].game
        return archive.wires(game) if game else ()

    return Lazily(len(book.pairings), read)


def pieces(
    archive: ContestArchive, record: ContestRecord, kind: str, language: str
) -> Iterator[str]:
    """The file's content piece by piece, each of which may take a while."""
    book = read(archive, record)
    contest, entrants, pairings, ranking = book.contest, book.entrants, book.pairings, book.ranking
    reports, earlier = _reports(archive, book), archive.earlier(record.id)

    def counts() -> dict[int, int]:
        return {number: len(moves) for number, moves in archive.moves(record.id).items()}

    match kind:
        case "jsonl":
            told = counts(), reports, earlier
            yield from exports.json_lines(contest, entrants, pairings, ranking, *told)
        case "csv":
            yield from exports.games_csv(entrants, pairings, counts(), reports, earlier)
        case "standings":
            yield from exports.standings_csv(ranking)
        case "crosstable":
            yield from exports.crosstable_csv(ranking)
        case _:
            yield from _report(archive, book, language)


def _report(archive: ContestArchive, book: Book, language: str) -> Iterator[str]:
    from spielwerk.tournament.reporting.report import chunks  # its template is for this alone

    yield from chunks(
        book.contest,
        book.record,
        book.entrants,
        book.pairings,
        book.ranking,
        _reports(archive, book),
        archive.moves(book.record.id),
        language,
        _wires(archive, book),
    )
