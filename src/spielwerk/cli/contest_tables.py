"""A contest in a terminal: its standings and its games as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spielwerk.store.contest_records import End, State
    from spielwerk.tournament.results import Note, Ranking, Standing

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
SECONDS: Final = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def standings(ranking: Ranking) -> list[str]:
    """Who stands where, a line each under a head."""
    return columns([HEAD, *map(_cells, ranking.standings)], LEFT)


def columns(rows: Sequence[Sequence[str]], left: Iterable[int]) -> list[str]:
    """The cells under each other, as wide as the widest."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = {*left}
    return [
        "  ".join(
            cell.ljust(width) if place in aligned else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


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
    from spielwerk.tournament.reporting.wording import Words

    return Words("en").chance(share)


def _interval(one: Standing) -> str:
    """From where to where; an end that is missing is open, without both nothing is known."""
    low, high = (None if end is None else f"{end:+z.0f}" for end in (one.low, one.high))
    if low and high:
        return f"{low} to {high}"
    if low or high:
        return f"from {low}" if low else f"to {high}"
    return "" if one.rating is None else "not known yet"


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
    from spielwerk.tournament.reporting.wording import Words

    words = Words("en")
    for note in found:
        yield printable(words.note(note, str))


# how far it is


def duration(seconds: float) -> str:
    """A time in its two largest units."""
    left, told = max(1, round(seconds)), list[str]()
    for length, unit in SECONDS:
        count, left = divmod(left, length)
        if count or told:
            told.append(f"{count} {unit}")
    return " ".join(told[:2])


def progress(
    counts: Mapping[State, int],
    rate: float | None,
    left: float | None,
    *,
    lost: int = 0,
    endless: bool = False,
) -> str:
    """How far a contest is, in a line; `lost` are the games that were given up by our own fault."""
    from spielwerk.store.contest_records import State

    done, total = counts.get(State.DONE, 0), sum(counts.values())
    parts = [f"{done} games done" if endless else f"{done} of {total} games done"]
    others = {
        "running": counts.get(State.RUNNING, 0),
        "to be repeated": counts.get(State.REPEAT, 0),
        "dropped by disqualification": counts.get(State.FAILED, 0) - lost,
        "given up by our own fault": lost,
    }
    parts += [f"{number} {word}" for word, number in others.items() if number]
    parts += [f"{rate:.0f} a minute" if rate >= 10 else f"{rate:.1f} a minute"] if rate else []
    parts += [f"{duration(left)} left"] if left else []
    return ", ".join(parts)
