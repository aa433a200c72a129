"""A contest in a terminal: its standings, how far it is, and one of its games."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Final

import typer

from spielwerk.contests import words
from spielwerk.contests.agenda import GamePace, is_lost, why_dropped
from spielwerk.contests.book import read
from spielwerk.contests.stored import jobs_of
from spielwerk.errors import UsageError, printable
from spielwerk.net.connection import Direction, unpack
from spielwerk.store import contests as reading
from spielwerk.store import reading as games
from spielwerk.store.opening import open_reader
from spielwerk.store.records import ENDS, FORFEITS, WAITING, PairingState
from spielwerk.store.sqlite import is_locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spielwerk.contests.book import Book
    from spielwerk.contests.ranking import Note, Ranking, Standing
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import (
        ContestRecord,
        EntrantRecord,
        GameRecord,
        Pairing,
        SeatReport,
        WireRecord,
    )

HEAD: Final = (
    "",
    "name",
    "Elo",
    "95%",
    "better",
    "points",
    "games",
    "W",
    "D",
    "L",
    "by its fault",
)
LEFT: Final = (1, 10)  # columns that begin on the left
LONGEST_NAME: Final = 30  # characters
HELD: Final = "held: 0 games at once"
NO_WORKER: Final = "waiting for a worker of the cluster"
SECONDS: Final = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))
SHOWN: Final = 12  # games that are begun
WIDTH: Final = 100  # characters of a line of moves
LONGEST: Final = 200  # lines of a transcript, the last ones
ARROWS: Final = {Direction.RECEIVED: "<", Direction.SENT: ">", Direction.LEFT_OUT: "..."}
ENGLISH: Final = words.Words("en")


# standings


def standings(ranking: Ranking) -> list[str]:
    """The ranking, a line for each entrant under a head."""
    return columns([HEAD, *map(_cells, ranking.standings)], LEFT)


def columns(rows: Sequence[Sequence[str]], left: Iterable[int]) -> list[str]:
    """The cells under each other, as wide as the widest on a terminal."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    aligned = {*left}

    def filled(place: int, cell: str) -> str:
        blanks = " " * (widths[place] - cell_len(cell))
        return cell + blanks if place in aligned else blanks + cell

    return ["  ".join(filled(*pair) for pair in enumerate(row)).rstrip() for row in rows]


def _cells(one: Standing) -> tuple[str, ...]:
    return (
        f"{one.rank}.",
        shortened(one.name),
        "" if one.rating is None else f"{one.rating:+z.0f}",
        _interval(one),
        "" if one.better is None else ENGLISH.chance(one.better),
        f"{one.points:g}",
        str(one.games),
        str(one.wins),
        str(one.draws),
        str(one.losses),
        _faults(one),
    )


def _interval(one: Standing) -> str:
    """From where to where; a single end that is missing is open, and both if it says so."""
    low, high = (None if end is None else f"{end:+z.0f}" for end in (one.low, one.high))
    if low and high:
        return f"{low} to {high}"
    if low or high:
        return f"from {low}" if low else f"to {high}"
    if one.rating is None:
        return ""
    return "not known yet" if one.bounded else "open on both sides"


def _faults(one: Standing) -> str:
    told = [f"disqualified in game {one.disqualified_in}"] if one.disqualified else []
    told += [f"{number} {end}" for end, number in one.forfeits.items() if number]
    return ", ".join(told)


def shortened(name: str, longest: int = LONGEST_NAME) -> str:
    """A name as it can stand in a line."""
    name = printable(name)
    return name if len(name) <= longest else f"{name[: longest - 3]}..."


# what must be said


def notes(found: Iterable[Note]) -> Iterator[str]:
    """What must be said about the ranking."""
    for note in found:
        yield printable(ENGLISH.note(note, str))


def show_ranking(ranking: Ranking) -> None:
    """Print the ranking, and what must be said about it."""
    for line in (*standings(ranking), *notes(ranking.notes)):
        typer.echo(line)


# how far it is


def duration(seconds: float) -> str:
    """A time in its two largest units."""
    left, told = max(1, round(seconds)), list[str]()
    for length, unit in SECONDS:
        count, left = divmod(left, length)
        if count or told:
            told.append(f"{count} {unit}")
    return " ".join(told[:2])


def of_all(drawn_up: int, coming: int | None) -> str:
    """Of how many games, as far as that is known."""
    if coming is None:
        return ""
    return f" of about {drawn_up + coming}" if coming else f" of {drawn_up}"


def progress(
    counts: Mapping[PairingState, int],
    rate: float | None,
    left: float | None,
    *,
    lost: int = 0,
    coming: int | None = 0,
) -> str:
    """How far a contest is, in a line; `lost` games were given up through our own fault.

    Of a ladder about so many are `coming` besides those that are drawn up; None: not known.
    """
    parts = [f"{counts.get(PairingState.DONE, 0)}{of_all(sum(counts.values()), coming)} games done"]
    others = {
        "running": counts.get(PairingState.RUNNING, 0),
        "to be repeated": counts.get(PairingState.REPEAT, 0),
        "dropped by disqualification": counts.get(PairingState.FAILED, 0) - lost,
        "given up through our own fault": lost,
    }
    parts += [f"{number} {word}" for word, number in others.items() if number]
    parts += [f"{rate:.0f} a minute" if rate >= 10 else f"{rate:.1f} a minute"] if rate else []
    parts += [f"{duration(left)} left"] if left else []
    return ", ".join(parts)


# a contest in its store


def show_status(store: Readable, record: ContestRecord, goes_on: str) -> None:
    """Print how far a contest is, and the command that goes on with it if it is not played now."""
    owned = is_owned(store.label)
    book = read(store, record, live=owned)
    entrants, pairings = book.entrants, book.pairings
    counts = Counter(pairing.state for pairing in pairings)
    lost, coming = sum(map(is_lost, pairings)), book.coming
    waiting, playing = sum(counts[state] for state in WAITING), counts[PairingState.RUNNING]
    known = playing > 0 and coming is not None
    left = _pace(pairings).left(waiting + playing + (coming or 0)) if known else None
    typer.echo(f"{record.name}: {progress(counts, None, left, lost=lost, coming=coming)}")
    for line in (*_forfeits(pairings), *_begun(pairings, entrants)):
        typer.echo(line)
    if owned and jobs_of(store, record.id) == 0:
        typer.echo(HELD)
    if not owned and (coming != 0 or waiting):
        typer.echo(f"not running; continue with: {goes_on}")
    show_ranking(book.ranking)
    for line in _mistakes(book):
        typer.echo(line)


def _mistakes(book: Book) -> Iterator[str]:
    """What the moves of the entrants cost in the games that were reviewed, as the report has it."""
    from spielwerk.contests.report import ESTIMATED, mistakes  # and all that makes HTML

    found = mistakes(book, ENGLISH)
    rows = [(shortened(name), *map(str, cells)) for name, cells in found["rows"]]
    head = ("name", *(ENGLISH(f"cost.{one}") for one in found["heads"]))
    if rows:
        yield f"mistakes in {found['games']} reviewed games ({ESTIMATED} not all values proven):"
        yield from columns([head, *rows], (0,))


def _pace(pairings: Iterable[Pairing]) -> GamePace:
    """How fast games are played, by what is in the store."""
    done = [one for one in pairings if one.state is PairingState.DONE]
    pace = GamePace()
    for ended, began in sorted((one.ending.at, one.started) for one in done if one.ending):
        pace.note(began / 1000, ended / 1000)
    return pace


def is_owned(label: str) -> bool:
    """Whether a process has the store open to write to it; of a server that is not known."""
    lock = Path(f"{label}.lock")
    try:
        with lock.open("r+", encoding="utf-8") as file:
            return is_locked(file)
    except FileNotFoundError:
        return not Path(label).exists()
    except OSError:
        return True


def _forfeits(pairings: Iterable[Pairing]) -> Iterator[str]:
    done = [one.ending for one in pairings if one.state is PairingState.DONE and one.ending]
    counts = Counter(ENDS[ending.reason] for ending in done)
    told = [f"{counts[end]} {end}" for end in FORFEITS if counts[end]]
    if told:
        yield f"by a player's fault: {', '.join(told)}"


def _begun(pairings: Iterable[Pairing], entrants: Sequence[EntrantRecord]) -> Iterator[str]:
    begun = [one for one in pairings if one.state is PairingState.RUNNING]
    for one in begun[:SHOWN]:
        yield f"playing: game {one.number}, {_players(one, entrants)}"
    if len(begun) > SHOWN:
        yield f"playing: and {len(begun) - SHOWN} more"


def _players(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> str:
    return " - ".join(shortened(entrants[number].name) for number in pairing.seats)


def ranking_in(url: str, identity: str) -> Ranking:
    """The ranking of a contest in the store at this address."""
    with open_reader(url) as store:
        record = reading.contest(store, identity)
        if record is None:
            raise UsageError(f"there is no contest {identity}")
        return read(store, record).ranking


# one game


def show_game(store: Readable, record: ContestRecord, number: int) -> None:
    """Print everything about a game of the schedule."""
    pairing = reading.pairing(store, record.id, number)
    if pairing is None:
        games = sum(reading.counts(store, record.id).values())
        there = f"the games of {record.id} are 0 to {games - 1}" if games else "there are none yet"
        raise UsageError(f"--game {number}: {there}")
    for line in _game(store, pairing, reading.entrants(store, record.id)):
        typer.echo(printable(line))


def _game(store: Readable, pairing: Pairing, entrants: Sequence[EntrantRecord]) -> Iterator[str]:
    names = [shortened(entrants[number].name) for number in pairing.seats]
    yield f"game {pairing.number}: {_players(pairing, entrants)}"
    state = why_dropped(pairing, entrants) or pairing.state
    yield f"state: {state}{', repeated' if pairing.repeated else ''}"
    yield from _outcome(pairing, entrants)
    yield from _reports(pairing, entrants, reading.reports(store, pairing.contest, pairing.number))
    for game in reading.earlier(store, pairing.contest).get(pairing.number, ()):
        yield f"earlier attempt, which does not count: spielwerk games show {game}"
    if pairing.game:
        kept = games.game(store, pairing.game)
        yield from _moves(kept, len(pairing.opening), names) if kept else ()
        yield from _transcripts(games.wires(store, pairing.game), names)


def _outcome(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> Iterator[str]:
    ending = pairing.ending
    if ending is None:
        return
    names = [entrants[number].name for number in pairing.seats]
    yield f"end: {ENDS[ending.reason]}{f', {ending.detail}' if ending.detail else ''}"
    if ending.winner is not None:
        yield f"winner: {names[ending.winner]}"
    if ending.culprits:
        yield f"by the fault of: {', '.join(names[seat] for seat in ending.culprits)}"
    if pairing.overloaded:
        yield "the machine was overloaded"
    seconds = (ending.at - pairing.started) / 1000
    took = f"{seconds:.1f} s" if seconds < 60 else duration(seconds)
    yield f"took: {took}, attempt {pairing.attempt}"


def _reports(
    pairing: Pairing, entrants: Sequence[EntrantRecord], reports: Sequence[SeatReport]
) -> Iterator[str]:
    head = ("seat", "name", "moves", "time", "CPU", "memory", "ended")
    names = {one.seat: shortened(entrants[pairing.seats[one.seat]].name) for one in reports}
    rows = [_report(one, names[one.seat]) for one in reports]
    yield from columns([head, *rows], (1, 6)) if rows else ()
    for one in reports:
        for line in one.output.splitlines():
            yield f"{names[one.seat]} wrote: {line}"


def _report(report: SeatReport, name: str) -> tuple[str, ...]:
    cpu = "" if report.cpu is None else f"{report.cpu / 1000:.1f} s"
    memory = "" if report.memory is None else f"{report.memory / 1e6:.0f} MB"
    took = f"{report.took / 1000:.1f} s"
    seat, moves = str(report.seat), str(report.moves)
    return (seat, name, moves, took, cpu, memory, report.status)


def _moves(game: GameRecord, opening: int, names: Sequence[str]) -> Iterator[str]:
    """The moves, as the report tells them."""
    yield f"Game-ID: {game.id}"
    moves = [move.move for move in game.moves]
    played = words.told(game.game, game.options, moves, opening, names)
    if played.opening:
        yield from wrap(f"opening: {played.opening}", WIDTH)
    if played.score:
        yield from ("moves:", *(f"  {line}" for line in played.lines))
    elif played.lines:
        yield from wrap(f"moves: {played.lines[0]}", WIDTH)


def _transcripts(wires: Iterable[WireRecord], names: Sequence[str]) -> Iterator[str]:
    from spielwerk.web.matches import visible  # and with it half the web

    seated = [(len(names) if wire.seat is None else wire.seat, wire) for wire in wires]
    for seat, wire in sorted(seated, key=lambda pair: pair[0]):
        who = [*names, "without a seat"][seat]
        yield f"{who}, {wire.service}, {wire.peer}:"
        lines = [
            f"  {at / 1000:9.3f} {ARROWS[direction]} {visible(data)}"
            for at, direction, data in unpack(wire.traffic)
        ]
        yield from lines[-LONGEST:]
