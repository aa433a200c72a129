"""A contest as data: JSON Lines with everything, CSV for spreadsheets.

All of it comes line by line, so that ten thousand games need no more room than their records.

CSV is that of RFC 4180: commas, quotes where they are needed, lines that end with CR LF, one line
of headings. A text (not a number) that begins with `=`, `+`, `-` or `@`, blanks before it or not,
or with a tab or a line end, gets an apostrophe in front, because a spreadsheet would take it for a
formula and carry it out; a program that reads the file takes the apostrophe off again.
Times are UTC in the manner of ISO 8601. What is not known is empty in CSV and null in JSON.
"""

from __future__ import annotations

import asyncio
import csv
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from io import StringIO
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, Final

from spielwerk.contests.agenda import why_dropped
from spielwerk.contests.book import read
from spielwerk.engines.regret import PHASES
from spielwerk.games import find_game
from spielwerk.store.records import ENDS, FORFEITS, Reason

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from spielwerk.contests.book import Book
    from spielwerk.contests.ranking import Encounter, Standing
    from spielwerk.contests.reviewing import RegretTable
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import ContestRecord, Pairing, SeatReport

FILES: Final = {  # how the name ends, and the type
    "jsonl": ("games.jsonl", "application/jsonl; charset=utf-8"),
    "csv": ("games.csv", "text/csv; charset=utf-8"),
    "standings": ("standings.csv", "text/csv; charset=utf-8"),
    "crosstable": ("crosstable.csv", "text/csv; charset=utf-8"),
    "html": ("report.html", "text/html; charset=utf-8"),
}
CHUNK: Final = 65536  # bytes of a file that are sent at once

FORMULA: Final = tuple("=+-@＝＋－＠")  # noqa: RUF001 (spreadsheets take the wide ones too)
CONTROL: Final = ("\t", "\r", "\n")

STANDING: Final = (
    *("rank", "name", "kind", "rating", "low", "high", "bounded", "better"),
    *("points", "games", "wins", "draws", "losses"),
    *FORFEITS,
    *("disqualified", "disqualified_in", "bonus"),
)
REGRET: Final = {  # of the games that were reviewed: what columns are called, and their figures
    "judged": "moves",
    "judged_exactly": "exact",
    "mistakes": "mistakes",
    "proven": "proven",
    "wins_lost": "wins",
    "draws_lost": "draws",
    "accuracy": "accuracy",
}
RULES: Final = (
    *("game", "options", "format", "phase", "order"),
    *("rounds", "seed", "opening", "move_time"),
)
PAIRED: Final = ("number", "round", "bundle", "state")  # of a game, before the seats,
PLAYED: Final = (  # and after them
    *("opening", "seed", "began", "end", "winner", "culprits", "detail", "overloaded"),
    *("started", "ended", "game", "attempts", "repeated", "earlier", "moves"),
)
TIMES: Final = ("took", "cpu")  # of each seat: milliseconds of the clock, and of processors
REPORT: Final = ("seat", "moves", "took", "cpu", "memory", "status")
CELL: Final = ("name", "against", "points", "games", "wins", "draws", "forfeits", "numbers")


_ONE_AT_A_TIME: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="export")


async def streamed(
    store: Readable, record: ContestRecord, kind: str, language: str, *, live: bool
) -> AsyncIterator[bytes]:
    """The file's content; however many ask, one file is made at a time, and kept on the disk.

    So a slow reader holds up no other, and one that leaves while it waits costs nothing.
    """

    def make(file: IO[bytes]) -> None:
        for piece in pieces(store, record, kind, language, live=live):
            file.write(piece.encode())
        file.seek(0)

    with TemporaryFile() as file:
        await asyncio.get_running_loop().run_in_executor(_ONE_AT_A_TIME, make, file)
        while data := await asyncio.to_thread(file.read, CHUNK):
            yield data


def pieces(
    store: Readable, record: ContestRecord, kind: str, language: str, *, live: bool = False
) -> Iterator[str]:
    """The file's content piece by piece, each of which may take a while.

    Where the contest is not `live` nothing is being played.
    """
    book = read(store, record, live=live)
    if kind == "html":
        from spielwerk.contests.report import chunks  # its template is for this alone

        yield from chunks(book, language)
        return
    lines = {
        "jsonl": json_lines,
        "csv": games_csv,
        "standings": standings_csv,
        "crosstable": crosstable_csv,
    }
    yield from lines[kind](book)


# JSON


def json_lines(book: Book) -> Iterator[str]:
    """First the contest with its standings, then a line for each game of the schedule."""
    yield _line(_contest(book))
    for pairing in book.pairings:
        told = [
            {column: getattr(report, column) for column in REPORT}
            for report in _reports(book, pairing)
        ]
        yield _line({**_game(book, pairing), "reports": told})


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False) + "\n"


def _contest(book: Book) -> dict[str, Any]:
    contest, ranking = book.contest, book.ranking
    return {
        "contest": contest.name,
        **{rule: getattr(contest, rule) for rule in RULES},
        "rated": ranking.rated,
        "first_move": ranking.first_move,
        "draws": ranking.draws,
        "notes": [
            {"code": note.code, "names": note.names, "count": note.count} for note in ranking.notes
        ],
        "reviewed": book.regrets.games,
        "standings": [_standing(standing, book) for standing in ranking.standings],
    }


def _standing(standing: Standing, book: Book) -> dict[str, Any]:
    forfeits = {end: standing.forfeits.get(end, 0) for end in FORFEITS}
    told = {
        column: forfeits[column] if column in forfeits else getattr(standing, column)
        for column in STANDING
    }
    return {**told, **_regret(standing.entrant, book.regrets)}


def _regret(entrant: int, regrets: RegretTable) -> dict[str, Any]:
    """What the entrant's moves cost; nothing is known without a game that was reviewed."""
    total = regrets.total(entrant)
    known = {column: getattr(total, name) for column, name in REGRET.items()}
    known |= {f"mistakes_{phase}": regrets.phase(entrant, phase).mistakes for phase in PHASES}
    return known if total.moves else dict.fromkeys(known)


def _game(book: Book, pairing: Pairing) -> dict[str, Any]:
    """A game by its columns; what is not known is None."""
    seats = [book.entrants[number].name for number in pairing.seats]
    ending = pairing.ending
    told: dict[str, Any] = {
        "number": pairing.number,
        "round": pairing.round,
        "bundle": pairing.bundle,
        "state": pairing.state,
        "seats": seats,
        "opening": [*pairing.opening],
        "seed": pairing.seed,
        "culprits": [],
        "overloaded": False,
        "game": pairing.game,
        "attempts": pairing.attempt,
        "repeated": pairing.repeated,
        "earlier": [*book.earlier.get(pairing.number, ())],
        "moves": book.move_counts.get(pairing.number),
    }
    if ending is None:
        told["detail"] = why_dropped(pairing, book.entrants) or None
    else:
        told |= {
            "began": seats[pairing.begins],
            "end": ENDS[ending.reason],
            "winner": None if ending.winner is None else seats[ending.winner],
            "culprits": [seats[seat] for seat in ending.culprits],
            "detail": ending.detail,
            "overloaded": pairing.overloaded,
            "started": time_of(pairing.started),
            "ended": time_of(ending.at),
        }
    return {column: told.get(column) for column in (*PAIRED, "seats", *PLAYED)}


def _reports(book: Book, pairing: Pairing) -> Sequence[SeatReport]:
    """What is known of the players after a game that was played."""
    return book.reports(pairing.number) if pairing.ending else ()


def time_of(milliseconds: int) -> str | None:
    """A time as text; None if it is not known."""
    if not milliseconds:
        return None
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# CSV


def games_csv(book: Book) -> Iterator[str]:
    """A line for each game of the schedule, with a column for each seat."""
    seats = range(len(find_game(book.contest.game).sides))
    times = [f"{time} {seat}" for time in TIMES for seat in seats]
    yield row([*PAIRED, *(f"seat {seat}" for seat in seats), *PLAYED, *times])
    for pairing in book.pairings:
        game, reports = _game(book, pairing), {one.seat: one for one in _reports(book, pairing)}
        cells = [game[column] for column in PAIRED] + game["seats"]
        for column in PLAYED:
            value = game[column]
            cells.append("; ".join(value) if isinstance(value, list) else value)
        cells += [getattr(reports.get(seat), time, None) for time in TIMES for seat in seats]
        yield row(cells)


def standings_csv(book: Book) -> Iterator[str]:
    """A line for every entrant, in the order of the ranking."""
    yield row([*STANDING, *_regret(-1, book.regrets)])
    for standing in book.ranking.standings:
        yield row(_standing(standing, book).values())


def crosstable_csv(book: Book) -> Iterator[str]:
    """A line for every two who have met, from the side of each; in the order of the ranking."""
    yield row(CELL)
    names = {standing.entrant: standing.name for standing in book.ranking.standings}
    for entrant, name in names.items():
        met = book.ranking.crosstable.get(entrant, {})
        for other in names:
            if other in met:
                yield row([name, names[other], *_cell(met[other])])


def _cell(games: Sequence[Encounter]) -> list[object]:
    return [
        sum(game.points for game in games),
        len(games),
        sum(game.points == 1 for game in games),
        sum(game.reason is Reason.DRAW for game in games),
        sum(game.fault for game in games),
        " ".join(str(game.number) for game in games),
    ]


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
