"""The traffic of a connection, both directions, with times, in bounded memory.

What is kept is the beginning and the most recent part; what lies between is counted. Packed, a
record is its microseconds since the connection opened, its direction, its length, and the bytes:
fine enough to put the traffic of several connections in order.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEADER: Final = struct.Struct("<QBI")
LONGEST: Final = 4096  # bytes kept of one piece: a flood is told by its beginning


class Direction(IntEnum):
    """Which way the bytes went; LEFT_OUT stands where bytes are missing."""

    RECEIVED = 0
    SENT = 1
    LEFT_OUT = 2


class Piece(NamedTuple):
    """Some bytes and when they came or went, in milliseconds; or how many are missing here."""

    at: float
    direction: Direction
    data: bytes


class Line(NamedTuple):
    """The transcript of a connection to a game, and who is at its other end."""

    game: str
    seat: int | None  # None for a client that has none yet
    service: str
    peer: str
    opened: int  # milliseconds since 1970
    transcript: Transcript


class Cursor(NamedTuple):
    """How far somebody has read: in pieces, in bytes of traffic, in bytes as they are packed."""

    pieces: int = 0
    traffic: int = 0
    packed: int = 0


class Transcript:
    """Takes pieces of traffic and keeps as much as it may."""

    def __init__(self, limit: int) -> None:
        self._part = limit // 3
        self._beginning = _Page(Cursor())
        self._older = _Page(Cursor())
        self._newest = self._beginning  # until that is full

    def add(self, at: float, direction: Direction, data: bytes) -> None:
        """Keep a piece; `at` is in seconds since the connection opened.

        One function for the usual case: it is called for everything that is ever said.
        """
        page, length = self._newest, len(data)
        if length > LONGEST:
            self._shorten(at, direction, data)
            return
        if len(page.packed) + _HEADER.size + length > self._part:
            page = self._turn_page()
        page.packed += _HEADER.pack(round(at * 1_000_000) if at > 0 else 0, direction, length)
        page.packed += data
        page.pieces += 1
        page.traffic += length

    def _shorten(self, at: float, direction: Direction, data: bytes) -> None:
        """Keep the beginning, and how many bytes are missing after it."""
        missing = len(data) - LONGEST
        told = str(missing).encode()
        self.add(at, direction, data[:LONGEST])
        self.add(at, Direction.LEFT_OUT, told)
        self._newest.traffic += missing - len(told)

    def _turn_page(self) -> _Page:
        """Begin a new part; of the parts after the beginning only the last two are kept."""
        if self._newest is not self._beginning:
            self._older = self._newest
        self._newest = _Page(self._newest.end)
        return self._newest

    def pack(self) -> bytes:
        """Everything kept, to be stored or shown."""
        return b"".join(_packed(self._pages(Cursor())))

    def after(self, place: Cursor) -> tuple[list[Piece], Cursor]:
        """What has come since, as far as it is kept, and how far that is."""
        return unpack(b"".join(_packed(self._pages(place)))), self._newest.end

    def _pages(self, place: Cursor) -> Iterator[tuple[_Page, Cursor]]:
        """The pages that are not read yet, and how far they are."""
        for page in dict.fromkeys((self._beginning, self._older, self._newest)):
            if place.packed < page.end.packed:
                yield page, place
                place = page.end


class _Page:
    """A stretch of traffic, packed."""

    __slots__ = ("packed", "pieces", "start", "traffic")

    def __init__(self, start: Cursor) -> None:
        self.start = start
        self.packed = bytearray()
        self.pieces = 0
        self.traffic = 0

    @property
    def end(self) -> Cursor:
        """How far somebody has read who has read all of it."""
        pieces, traffic, packed = self.start
        return Cursor(pieces + self.pieces, traffic + self.traffic, packed + len(self.packed))


def _packed(pages: Iterable[tuple[_Page, Cursor]]) -> Iterator[bytes]:
    """What is not read yet of each page, and how much is missing before it."""
    for page, place in pages:
        missing = page.start.traffic - place.traffic
        if missing > 0:
            told = str(missing).encode()
            yield _HEADER.pack(0, Direction.LEFT_OUT, len(told)) + told
        yield bytes(page.packed[max(0, place.packed - page.start.packed) :])


def unpack(traffic: bytes) -> list[Piece]:
    """The pieces of a packed transcript."""
    return list(_pieces(traffic))


def _pieces(traffic: bytes) -> Iterator[Piece]:
    start = 0
    while start < len(traffic):
        at, direction, length = _HEADER.unpack_from(traffic, start)
        start += _HEADER.size
        yield Piece(at / 1000, Direction(direction), traffic[start : start + length])
        start += length
