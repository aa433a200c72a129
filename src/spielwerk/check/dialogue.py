"""A transcript as rows that can be read: a line each, shortened far from the fault."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import Side
from spielwerk.check.visible import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spielwerk.check.case import CaseFault, CaseVerdict, TranscriptEntry

ALL: Final = 28  # rows of a dialogue that is shown in full
BEGINNING: Final = 4  # rows that are always shown
BEFORE: Final = 12  # and those around the fault
AFTER: Final = 4


@dataclass(frozen=True, slots=True)
class DialogueRow:
    """A line that one side sent, an event, or a number of rows that are left out.

    Lines of one segment have one time, which stands at the first; a line that came in several
    pieces is one row, and the seams are told.
    """

    side: Side
    at: float | None = None
    channel: str = ""
    data: bytes = b""
    seams: tuple[int, ...] = ()
    event: str = ""
    mark: int | None = None  # the first wrong byte
    here: bool = False  # the fault showed here
    left_out: int = 0


def dialogue(verdict: CaseVerdict, fault: CaseFault | None) -> list[DialogueRow]:
    """The rows of a case's transcript, with the place of a fault in them."""
    several = len({one.channel for one in verdict.transcript if one.side is not Side.EVENT}) > 1
    in_lines = any(b"\n" in one.data for one in verdict.transcript if one.side is not Side.EVENT)
    rows: list[DialogueRow] = []
    for number, entry in enumerate(verdict.transcript):
        found = fault if fault is not None and fault.entry == number else None
        for row in _rows(entry, found, named=several):
            if in_lines and row.at is not None and rows and _goes_on(rows[-1], row):
                rows[-1] = _joined(rows[-1], row)
            else:
                rows.append(row)
    return rows


def _rows(entry: TranscriptEntry, fault: CaseFault | None, *, named: bool) -> Iterator[DialogueRow]:
    if entry.side is Side.EVENT:
        event = entry.told or entry.data.decode(errors="backslashreplace")
        yield DialogueRow(entry.side, entry.at, event=event, here=fault is not None)
        return
    channel = entry.channel if named else ""
    at: float | None = entry.at
    lines = lines_of(entry.data)
    places = _places(lines, fault.position if fault and entry.side is Side.PROGRAM else None)
    last = len(lines) - 1
    wrong = next((number for number, place in enumerate(places) if place is not None), last)
    for number, (line, place) in enumerate(zip(lines, places, strict=True)):
        here = fault is not None and number == wrong
        yield DialogueRow(entry.side, at, channel, line, mark=place, here=here)
        at = None


def _places(lines: Sequence[bytes], position: int | None) -> list[int | None]:
    """For each line where in it the byte at this position of all of them stands, if in it."""
    places: list[int | None] = []
    start = 0
    for number, line in enumerate(lines, 1):
        stop = start + len(line) + (number == len(lines))  # behind the last byte is a place too
        inside = position is not None and start <= position < stop
        places.append(position - start if inside and position is not None else None)
        start += len(line)
    return places


def _goes_on(last: DialogueRow, row: DialogueRow) -> bool:
    """Whether a row is the next piece of the same line."""
    same = (last.side, last.channel) == (row.side, row.channel)
    return same and row.side is not Side.EVENT and not last.data.endswith(b"\n")


def _joined(last: DialogueRow, row: DialogueRow) -> DialogueRow:
    seam = len(last.data)
    mark = last.mark if row.mark is None else seam + row.mark
    return replace(
        last,
        data=last.data + row.data,
        seams=(*last.seams, seam),
        mark=mark,
        here=last.here or row.here,
    )


def shortened(rows: Sequence[DialogueRow], most: int = ALL) -> list[DialogueRow]:
    """The beginning and what is near the fault, or the end where no row has one."""
    if len(rows) <= most:
        return list(rows)
    place = next((number for number, row in enumerate(rows) if row.here), len(rows) - 1)
    kept = {*range(BEGINNING), *range(place - BEFORE, place + AFTER + 1)}
    return list(_with_gaps(rows, kept))


def _with_gaps(rows: Iterable[DialogueRow], kept: set[int]) -> Iterator[DialogueRow]:
    missing = 0
    for number, row in enumerate(rows):
        if number not in kept:
            missing += 1
            continue
        if missing:
            yield DialogueRow(Side.EVENT, left_out=missing)
        missing = 0
        yield row
    if missing:
        yield DialogueRow(Side.EVENT, left_out=missing)
