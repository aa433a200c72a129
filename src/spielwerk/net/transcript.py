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
    from collections.abc import Iterator

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


class Transcript:
    """Takes pieces of traffic and keeps as much as it may."""

    def __init__(self, limit: int) -> None:
        self._part = limit // 3
        self._beginning = bytearray()
        self._older = bytearray()
        self._newest = self._beginning  # until that is full
        self._missing = 0

    def add(self, at: float, direction: Direction, data: bytes) -> None:
        """Keep a piece; `at` is in seconds since the connection opened."""
        if len(data) > LONGEST:
            self.add(at, direction, data[:LONGEST])
            self.add(at, Direction.LEFT_OUT, str(len(data) - LONGEST).encode())
            return
        if len(self._newest) + _HEADER.size + len(data) > self._part:
            self._turn_page()
        self._newest += _HEADER.pack(max(0, round(at * 1_000_000)), direction, len(data))
        self._newest += data

    def _turn_page(self) -> None:
        """Begin a new part; of the parts after the beginning only the last two are kept."""
        if self._newest is not self._beginning:
            self._missing += sum(map(_told, unpack(bytes(self._older))))
            self._older = self._newest
        self._newest = bytearray()

    def pack(self) -> bytes:
        """Everything kept, to be stored or shown."""
        packed = bytes(self._beginning)
        if self._missing:
            count = str(self._missing).encode()
            packed += _HEADER.pack(0, Direction.LEFT_OUT, len(count)) + count
        if self._newest is not self._beginning:
            packed += self._older + self._newest
        return packed


def _told(piece: Piece) -> int:
    """How many bytes of traffic a piece stands for."""
    return int(piece.data) if piece.direction is Direction.LEFT_OUT else len(piece.data)


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
