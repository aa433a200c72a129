"""Bytes as text in which nothing is hidden, long lines shortened around what matters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

SEAM: Final = "\N{BROKEN BAR}"  # where a piece of a line ended; bytes never look like it
_NAMED: Final = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord("\\"): "\\\\"}
HUGE: Final = 10_000  # bytes of a line, each of which is taken to need the most columns
WIDEST: Final = 5
_GAP: Final = "...({} bytes)..."


class Room(NamedTuple):
    """How many columns of a long line are shown: at its ends, and on both sides of a byte."""

    longest: int  # that is still shown in full
    head: int  # if there is a byte to be seen behind it
    around: int
    tail: int


WIDE: Final = Room(160, 60, 30, 20)
LONG: Final = WIDE.longest


def room_of(columns: int) -> Room:
    """A room that fits into so many columns, gaps included."""
    left = max(24, columns - 2 * len(_GAP.format("100")))
    return Room(columns, left // 2, left // 6, left - left // 2 - 2 * (left // 6))


class LinePart(NamedTuple):
    """Some bytes of a line as text.

    The kind is `text`, `end` (a newline), `byte` (not ASCII), `odd` (what authors overlook: control
    characters, blanks at the end), `gap` or `seam`.
    """

    kind: str
    text: str
    marked: bool = False  # the byte that was asked for; its text is empty behind the line's end


def visible(data: bytes) -> str:
    """Printable ASCII as it is, everything else and the backslash escaped as in Python."""
    return "".join(map(_shown, data))


def _shown(byte: int) -> str:
    return _NAMED.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}")


def line_parts(
    line: bytes, focus: int | None = None, room: Room = WIDE, seams: Collection[int] = ()
) -> Iterator[LinePart]:
    """A line made visible part by part, with the focused byte apart and seams before bytes."""
    inner = len(line.removesuffix(b"\n").rstrip(b" \r"))
    seams, end = frozenset(seams), 0
    columns: Sequence[int] = range(0, WIDEST * len(line) + 1, WIDEST)
    if len(line) <= HUGE:
        widths = [len(_shown(byte)) + (at in seams) for at, byte in enumerate(line)]
        columns = [0, *accumulate(widths)]
    for start, stop in _windows(columns, focus, room):
        if start > end:
            yield LinePart("gap", _GAP.format(start - end))
        for at in range(start, stop):
            if at in seams:
                yield LinePart("seam", SEAM)
            yield LinePart(_kind(line[at], inner=at < inner), _shown(line[at]), at == focus)
        end = stop
    if focus is not None and focus >= len(line):
        yield LinePart("text", "", marked=True)


def _kind(byte: int, *, inner: bool) -> str:
    if byte == ord("\n"):
        return "end"
    if byte > 126:
        return "odd" if byte == 127 else "byte"
    return "text" if byte > 32 or (byte == 32 and inner) else "odd"


def _windows(columns: Sequence[int], focus: int | None, room: Room) -> list[tuple[int, int]]:
    """The parts of a line that are shown, in order and without overlap; where its bytes begin."""
    length, total = len(columns) - 1, columns[-1]
    if total <= room.longest:
        return [(0, length)]
    head = room.head if focus is not None else room.longest - room.tail - len(_GAP.format("1000"))
    parts = [
        (0, bisect_right(columns, head) - 1),
        (bisect_left(columns, total - room.tail), length),
    ]
    if focus is not None:
        at = columns[min(focus, length)]
        stop = bisect_right(columns, at + room.around) - 1
        parts.append((bisect_left(columns, at - room.around), min(length, max(stop, focus + 1))))
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(parts):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def excerpt(
    line: bytes, focus: int | None = None, room: Room = WIDE, seams: Collection[int] = ()
) -> tuple[str, int | None]:
    """A line made visible, long ones with gaps, and the column where the focused byte stands."""
    text, column = "", None
    for part in line_parts(line, focus, room, seams):
        if part.marked:
            column = len(text)
        text += part.text
    return text, column


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their newlines; what follows the last newline is a line too."""
    *lines, rest = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([rest] if rest else [])


def locate(data: bytes, position: int) -> tuple[int, int]:
    """Line and column, both from 0, of a byte; behind the last one is a place as well."""
    before = data[:position]
    return before.count(b"\n"), position - (before.rfind(b"\n") + 1)


def alike(one: bytes | str, other: bytes | str) -> int:
    """How many bytes or characters are the same from the start."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
