"""A contest as files: its games, its tables, and a report that stands by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from spielwerk.tournament import exports
from spielwerk.web.contests.books import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.store.contest_records import ContestRecord
    from spielwerk.web.contests.archive import ContestArchive
    from spielwerk.web.contests.books import Book

ValueT = TypeVar("ValueT")

FILES: Final = {  # how the name ends, and the type
    "jsonl": ("games.jsonl", "application/jsonl; charset=utf-8"),
    "csv": ("games.csv", "text/csv; charset=utf-8"),
    "standings": ("standings.csv", "text/csv; charset=utf-8"),
    "crosstable": ("crosstable.csv", "text/csv; charset=utf-8"),
    "html": ("report.html", "text/html; charset=utf-8"),
}


class Lazily(Mapping[int, ValueT]):
    """Something about every game that is read when it is asked for."""

    def __init__(self, games: Mapping[int, str | None], found: Callable[[int], ValueT]) -> None:
        self._games = games
        self._found = found

    def __getitem__(self, number: int) -> ValueT:
        if number not in self._games:
            raise KeyError(number)
        return self._found(number)

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
    match kind:
        case "jsonl":
            yield from exports.json_lines(contest, entrants, pairings, ranking)
        case "csv":
            yield from exports.games_csv(entrants, pairings)
        case "standings":
            yield from exports.standings_csv(ranking)
        case "crosstable":
            yield from exports.crosstable_csv(ranking)
        case _:
            yield from _report(archive, book, language)


def _report(archive: ContestArchive, book: Book, language: str) -> Iterator[str]:
    from spielwerk.tournament.report import chunks  # its template is for this alone

    games = {pairing.number: pairing.game for pairing in book.pairings}
    yield from chunks(
        book.contest,
        book.record,
        book.entrants,
        book.pairings,
        book.ranking,
        Lazily(games, lambda number: archive.reports(book.record.id, number)),
        Lazily(games, lambda number: archive.moves(games[number])),
        language,
    )
