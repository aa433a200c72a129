"""A contest in a terminal: its standings and its games as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spielwerk.contests.results import Note, Ranking, Standing
    from spielwerk.store.contest_records import End, State

HEAD: Final = (
    "",
    "name",
    "Elo",
    "95 %",
    "better",
    "points",
    "games",
    "W",
    "D",
    "L",
    "by its fault",
)
LEFT: Final = (1, 10)  # columns that begin on the left
LONGEST: Final = 30  # characters of a name
HELD: Final = "held: 0 games at once"
NO_WORKER: Final = "waiting for a worker of the cluster"
SECONDS: Final = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def standings(ranking: Ranking) -> list[str]:
    """Who stands where, a line each under a head."""
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
        "" if one.better is None else _chance(one.better),
        f"{one.points:g}",
        str(one.games),
        str(one.wins),
        str(one.draws),
        str(one.losses),
        _faults(one),
    )


def _chance(share: float) -> str:
    """As the page and the report say it: never as if it were certain."""
    from spielwerk.contests.words import Words

    return Words("en").chance(share)


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
    return ", ".join([*told, *forfeits(one.forfeits)])


def forfeits(counts: Mapping[End, int]) -> list[str]:
    """What went wrong and how often."""
    return [f"{number} {end}" for end, number in counts.items() if number]


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name as it can stand in a line."""
    name = printable(name)
    return name if len(name) <= longest else f"{name[: longest - 3]}..."


# what must be said


def notes(found: Iterable[Note]) -> Iterator[str]:
    """What must be said about the ranking."""
    from spielwerk.contests.words import Words

    words = Words("en")
    for note in found:
        yield printable(words.note(note, str))


def ending_workers(names: Iterable[str]) -> str:
    """Whose games are lost because something ends the workers, which others' games do not."""
    return f"workers are lost in the games of {', '.join(map(shortened, names))}"


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
    counts: Mapping[State, int],
    rate: float | None,
    left: float | None,
    *,
    lost: int = 0,
    unwritten: int = 0,
    coming: int | None = 0,
) -> str:
    """How far a contest is, in a line; `lost` are the games that were given up by our own fault.

    Of those that run, `unwritten` are over. Of a ladder about so many are `coming` besides those
    that are drawn up; None: nobody knows.
    """
    from spielwerk.store.contest_records import State

    parts = [f"{counts.get(State.DONE, 0)}{of_all(sum(counts.values()), coming)} games done"]
    others = {
        "running": counts.get(State.RUNNING, 0) - unwritten,
        "waiting to be written": unwritten,
        "to be repeated": counts.get(State.REPEAT, 0),
        "dropped by disqualification": counts.get(State.FAILED, 0) - lost,
        "given up by our own fault": lost,
    }
    parts += [f"{number} {word}" for word, number in others.items() if number]
    parts += [f"{rate:.0f} a minute" if rate >= 10 else f"{rate:.1f} a minute"] if rate else []
    parts += [f"{duration(left)} left"] if left else []
    return ", ".join(parts)
