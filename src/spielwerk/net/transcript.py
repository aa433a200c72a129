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
        self._newest = bytearray()
        self._missing = 0

    def add(self, at: float, direction: Direction, data: bytes) -> None:
        """Keep a piece; `at` is in seconds since the connection opened."""
        kept = data[:LONGEST]
        record = _HEADER.pack(_micros(at), direction, len(kept)) + kept
        if len(data) > LONGEST:
            record += _missing(at, len(data) - LONGEST)
        if not self._older and len(self._beginning) + len(record) <= self._part:
            self._beginning += record
            return
        if len(self._newest) + len(record) > self._part:
            self._missing += sum(len(piece.data) for piece in unpack(bytes(self._older)))
            self._older, self._newest = self._newest, bytearray()
        self._newest += record

    def pack(self) -> bytes:
        """Everything kept, to be stored or shown."""
        gap = _missing(0, self._missing) if self._missing else b""
        return bytes(self._beginning + gap + self._older + self._newest)


def _missing(at: float, count: int) -> bytes:
    text = str(count).encode()
    return _HEADER.pack(_micros(at), Direction.LEFT_OUT, len(text)) + text


def _micros(seconds: float) -> int:
    return max(0, round(seconds * 1_000_000))


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
