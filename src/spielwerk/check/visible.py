"""Bytes as text in which nothing is hidden."""

from __future__ import annotations

from typing import Final

LONG: Final = 160  # bytes of a line that are still shown in full
HEAD: Final = 60
AROUND: Final = 30
TAIL: Final = 20

_NAMED: Final = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord("\\"): "\\\\"}


def visible(data: bytes) -> str:
    """Printable ASCII as it is, everything else and the backslash escaped as in Python."""
    return "".join(_NAMED.get(byte) or _shown(byte) for byte in data)


def _shown(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"


def excerpt(line: bytes, focus: int | None = None) -> tuple[str, int | None]:
    """A line made visible, long ones with gaps, and the column where the focused byte stands."""
    text, column, end = "", None, 0
    for start, stop in _windows(len(line), focus):
        if start > end:
            text += f"...({start - end} bytes)..."
        if focus is not None and start <= focus < stop:
            column = len(text) + len(visible(line[start:focus]))
        text += visible(line[start:stop])
        end = stop
    return text, len(text) if focus is not None and column is None else column


def _windows(length: int, focus: int | None) -> list[tuple[int, int]]:
    """The parts of a line that are shown, in order and without overlap."""
    if length <= LONG:
        return [(0, length)]
    parts = [(0, HEAD), (length - TAIL, length)]
    if focus is not None:
        parts.append((max(0, focus - AROUND), min(length, focus + AROUND)))
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(parts):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their newlines; what follows the last newline is a line too."""
    *lines, rest = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([rest] if rest else [])


def locate(data: bytes, position: int) -> tuple[int, int]:
    """Line and column, both from 0, of a byte; behind the last one is a place as well."""
    before = data[:position]
    return before.count(b"\n"), position - (before.rfind(b"\n") + 1)
