"""A contest as files: its games, its tables, and a report that stands by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from spielwerk.store.contest_records import SeatReport
from spielwerk.tournament.reporting import exports
from spielwerk.web.contests.books import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.store.contest_records import ContestRecord
    from spielwerk.web.contests.archive import ContestArchive
    from spielwerk.web.contests.books import Book

FILES: Final = {  # how the name ends, and the type
    "jsonl": ("games.jsonl", "application/jsonl; charset=utf-8"),
    "csv": ("games.csv", "text/csv; charset=utf-8"),
    "standings": ("standings.csv", "text/csv; charset=utf-8"),
    "crosstable": ("crosstable.csv", "text/csv; charset=utf-8"),
    "html": ("report.html", "text/html; charset=utf-8"),
}


class Reports(Mapping[int, Sequence[SeatReport]]):
    """The reports on every game; read when they are asked for, which is seldom."""

    def __init__(self, archive: ContestArchive, contest: str, games: int) -> None:
        self._archive = archive
        self._contest = contest
        self._games = range(games)

    def __getitem__(self, number: int) -> Sequence[SeatReport]:
        if number not in self._games:
            raise KeyError(number)
        return self._archive.reports(self._contest, number)

    def __iter__(self) -> Iterator[int]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


def pieces(
    archive: ContestArchive, record: ContestRecord, kind: str, language: str
) -> Iterator[str]:
    """The file's content piece by piece, each of which may take a while."""
    book = read(archive, record)
    contest, entrants, pairings, ranking = book.contest, book.entrants, book.pairings, book.ranking

    def counts() -> dict[int, int]:
        return {number: len(moves) for number, moves in archive.moves(record.id).items()}

    match kind:
        case "jsonl":
            yield from exports.json_lines(contest, entrants, pairings, ranking, counts())
        case "csv":
            yield from exports.games_csv(entrants, pairings, counts())
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
        Reports(archive, book.record.id, len(book.pairings)),
        archive.moves(book.record.id),
        language,
    )
