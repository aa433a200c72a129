"""A contest as data: JSON Lines with everything, CSV for spreadsheets.

All of it comes line by line, so that ten thousand games need no more room than their records.

CSV is that of RFC 4180: commas, quotes where they are needed, lines that end with CR LF, one line
of headings. A text (not a number) that begins with `=`, `+`, `-` or `@`, blanks before it or not,
or with a tab or a line end, gets an apostrophe in front, because a spreadsheet would take it for a
formula and carry it out; whoever reads the file with a program takes the apostrophe off again.
Times are UTC in the manner of ISO 8601. What is not known is empty in CSV and null in JSON.
"""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import lru_cache, partial
from io import StringIO
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

from spielwerk.contests.agenda import why_dropped
from spielwerk.contests.archive import read
from spielwerk.games import find_game
from spielwerk.store.contest_records import ENDS, FORFEITS
from spielwerk.store.records import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.results import Encounter, Ranking, Standing
    from spielwerk.store.contest_records import EntrantRecord, Pairing, SeatReport
    from spielwerk.store.records import Ending

    Reports = Mapping[int, Sequence[SeatReport]]
    from collections.abc import AsyncIterator, Callable

    from spielwerk.contests.archive import Book, ContestArchive
    from spielwerk.store.contest_records import ContestRecord, SeatReport
    from spielwerk.store.records import WireRecord


FORMULA: Final = tuple("=+-@＝＋－＠")  # noqa: RUF001 (spreadsheets take the wide ones too)
CONTROL: Final = ("\t", "\r", "\n")

STANDING: Final = (
    *("rank", "name", "kind", "rating", "low", "high", "bounded", "better"),
    *("points", "games", "wins", "draws", "losses"),
    *FORFEITS,
    *("disqualified", "disqualified_in", "bonus"),
)
PAIRED: Final = ("number", "round", "bundle", "state")  # of a game, before the seats,
PLAYED: Final = (  # and after them
    *("opening", "seed", "began", "end", "winner", "culprits", "detail", "overloaded"),
    *("started", "ended", "game", "attempts", "repeated", "earlier", "moves"),
)
TIMES: Final = ("took", "cpu")  # of each seat: milliseconds of the clock, and of processors
REPORT: Final = ("seat", "moves", "took", "cpu", "memory", "status")
CELL: Final = ("name", "against", "points", "games", "wins", "draws", "forfeits", "numbers")


def json_lines(
    contest: Contest,
    entrants: Sequence[EntrantRecord],
    pairings: Iterable[Pairing],
    ranking: Ranking,
    moves: Mapping[int, int] | None = None,
    reports: Reports | None = None,
    earlier: Mapping[int, Sequence[str]] | None = None,
) -> Iterator[str]:
    """First the contest with its standings, then a line for each game of the schedule.

    `moves` says how many moves a game had, by its number, where that is known, `reports` what its
    players needed for them, and `earlier` the Game-IDs of attempts that did not count.
    """
    yield json.dumps(_contest(contest, ranking), ensure_ascii=False) + "\n"
    for pairing in pairings:
        game = _game(pairing, entrants, moves or {}, earlier or {})
        told = [_report(report) for report in _reports(pairing, reports)]
        yield json.dumps({**game, "reports": told}, ensure_ascii=False) + "\n"


def games_csv(
    contest: Contest,
    entrants: Sequence[EntrantRecord],
    pairings: Iterable[Pairing],
    moves: Mapping[int, int] | None = None,
    reports: Reports | None = None,
    earlier: Mapping[int, Sequence[str]] | None = None,
) -> Iterator[str]:
    """A line for each game of the schedule, with a column for each seat."""
    seats = range(len(find_game(contest.game).sides))
    times = [f"{column} {seat}" for column in TIMES for seat in seats]
    columns = [*PAIRED, *(f"seat {seat}" for seat in seats), *PLAYED, *times]
    yield row(columns)
    for pairing in pairings:
        game = _flat(_game(pairing, entrants, moves or {}, earlier or {}))
        game |= _times(_reports(pairing, reports))
        yield row(game.get(column) for column in columns)


def standings_csv(ranking: Ranking) -> Iterator[str]:
    """A line for every entrant, in the order of the ranking."""
    yield row(STANDING)
    for standing in ranking.standings:
        line = _standing(standing)
        yield row(line[column] for column in STANDING)


def crosstable_csv(ranking: Ranking) -> Iterator[str]:
    """A line for every two who have met, from the side of each; in the order of the ranking."""
    yield row(CELL)
    names = {standing.entrant: standing.name for standing in ranking.standings}
    for entrant, name in names.items():
        met = ranking.crosstable.get(entrant, {})
        for other in names:
            if other in met:
                yield row([name, names[other], *_cell(met[other])])


def row(values: Iterable[object]) -> str:
    """A line of CSV, with its end."""
    line = StringIO()
    csv.writer(line).writerow([_harmless(value) for value in values])
    return line.getvalue()


def _harmless(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and (value.startswith(CONTROL) or value.lstrip().startswith(FORMULA)):
        return f"'{value}"
    return value


# one thing


def _contest(contest: Contest, ranking: Ranking) -> dict[str, Any]:
    return {
        "contest": contest.name,
        "game": contest.game,
        "options": [*contest.options],
        "format": contest.format,
        "phase": contest.phase,
        "order": contest.order,
        "rounds": contest.rounds,
        "seed": contest.seed,
        "opening": contest.opening,
        "move_time": contest.move_time,
        "rated": ranking.rated,
        "first_move": ranking.first_move,
        "draws": ranking.draws,
        "notes": [
            {"code": note.code, "names": [*note.names], "count": note.count}
            for note in ranking.notes
        ],
        "standings": [_standing(standing) for standing in ranking.standings],
    }


def _standing(standing: Standing) -> dict[str, Any]:
    forfeits = {end: standing.forfeits.get(end, 0) for end in FORFEITS}
    return {
        column: forfeits[column] if column in FORFEITS else getattr(standing, column)
        for column in STANDING
    }


def _cell(games: Sequence[Encounter]) -> list[object]:
    return [
        sum(game.points for game in games),
        len(games),
        sum(game.points == 1 for game in games),
        sum(game.reason is Reason.DRAW for game in games),
        sum(game.fault for game in games),
        " ".join(str(game.number) for game in games),
    ]


def _game(
    pairing: Pairing,
    entrants: Sequence[EntrantRecord],
    moves: Mapping[int, int],
    earlier: Mapping[int, Sequence[str]],
) -> dict[str, Any]:
    seats = [entrants[number].name for number in pairing.seats]
    return {
        "number": pairing.number,
        "round": pairing.round,
        "bundle": pairing.bundle,
        "state": pairing.state,
        "seats": seats,
        "opening": [*pairing.opening],
        "seed": pairing.seed,
        "began": seats[pairing.begins] if pairing.ending else None,
        **(_ending(pairing, pairing.ending, seats) if pairing.ending else _none(pairing, entrants)),
        "game": pairing.game,
        "attempts": pairing.attempt,
        "repeated": pairing.repeated,
        "earlier": [*earlier.get(pairing.number, ())],
        "moves": moves.get(pairing.number),
    }


def _flat(game: dict[str, Any]) -> dict[str, Any]:
    """The game with a column for each seat, and other lists as one text."""
    flat: dict[str, Any] = {}
    for column, value in game.items():
        if column == "seats":
            flat |= {f"seat {seat}": name for seat, name in enumerate(value)}
        else:
            flat[column] = "; ".join(value) if isinstance(value, list) else value
    return flat


def _reports(pairing: Pairing, reports: Reports | None) -> Sequence[SeatReport]:
    """What is known of the players after a game that was played."""
    return reports.get(pairing.number, ()) if reports and pairing.ending else ()


def _report(report: SeatReport) -> dict[str, Any]:
    return {column: getattr(report, column) for column in REPORT}


def _times(reports: Sequence[SeatReport]) -> dict[str, Any]:
    return {f"{time} {one.seat}": getattr(one, time) for one in reports for time in TIMES}


def _ending(pairing: Pairing, ending: Ending, seats: Sequence[str]) -> dict[str, Any]:
    return {
        "end": ENDS[ending.reason],
        "winner": None if ending.winner is None else seats[ending.winner],
        "culprits": [seats[seat] for seat in ending.culprits],
        "detail": ending.detail,
        "overloaded": pairing.overloaded,
        "started": time_of(pairing.started),
        "ended": time_of(ending.at),
    }


def _none(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> dict[str, Any]:
    """The same of a game without an ending; of one that fell away, why."""
    return {
        "end": None,
        "winner": None,
        "culprits": [],
        "detail": why_dropped(pairing, entrants) or None,
        "overloaded": False,
        "started": None,
        "ended": None,
    }


def time_of(milliseconds: int) -> str | None:
    """A time as text; None if it is not known."""
    if not milliseconds:
        return None
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# files

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


class LazyRecords(Mapping[int, Sequence[Kept]]):
    """What is kept of every game; read when it is asked for, which for some is never."""

    def __init__(self, games: int, read: Callable[[int], Sequence[Kept]]) -> None:
        self._games = range(games)
        self._read = read

    def __getitem__(self, number: int) -> Sequence[Kept]:
        return self._read(number)

    def __iter__(self) -> Iterator[int]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


def _in_blocks(
    book: Book, read: Callable[[str, range], Mapping[int, Sequence[Kept]]]
) -> LazyRecords[Kept]:
    """Something that is read of many games at once."""

    @lru_cache(maxsize=1)
    def block(number: int) -> Mapping[int, Sequence[Kept]]:
        return read(book.record.id, range(number * BLOCK, (number + 1) * BLOCK))

    return LazyRecords(len(book.pairings), lambda number: block(number // BLOCK).get(number, ()))


def _wires(archive: ContestArchive, book: Book) -> LazyRecords[WireRecord]:
    """What was said at every game."""

    def read(number: int) -> Sequence[WireRecord]:
        game = book.pairings[number].game
        return archive.wires(game) if game else ()

    return LazyRecords(len(book.pairings), read)


async def streamed(
    archive: ContestArchive, record: ContestRecord, kind: str, language: str, *, live: bool
) -> AsyncIterator[bytes]:
    """The file's content; however many ask, one file is made at a time, and kept on the disk.

    So a slow reader holds up no other, and one that leaves while it waits costs nothing.
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
            yield from json_lines(*games, book.ranking, *_kept(archive, book))
        case "csv":
            games = book.contest, book.entrants, book.pairings
            yield from games_csv(*games, *_kept(archive, book))
        case "standings":
            yield from standings_csv(book.ranking)
        case "crosstable":
            yield from crosstable_csv(book.ranking)
        case _:
            yield from _report_of(archive, book, language)


def _kept(
    archive: ContestArchive, book: Book
) -> tuple[Mapping[int, int], LazyRecords[SeatReport], Mapping[int, Sequence[str]]]:
    """What is told of every game besides its result: moves, reports, earlier attempts."""
    contest = book.record.id
    reports = _in_blocks(book, archive.reports_on)
    return archive.move_counts(contest), reports, archive.earlier(contest)


def _report_of(archive: ContestArchive, book: Book, language: str) -> Iterator[str]:
    from spielwerk.contests.report import chunks  # its template is for this alone

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
