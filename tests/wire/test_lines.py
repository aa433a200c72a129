"""Bytes into lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.wire.lines import MOST, Lines, LineSplitter, LineTooLong, ReceivedLine


def taken(splitter: LineSplitter) -> list[bytes]:
    lines = []
    while line := splitter.take():
        lines.append(line.content)
    return lines


def test_only_a_newline_ends_a_line() -> None:
    splitter = LineSplitter(100)
    splitter.feed(b"one\r\ntwo\rstill\x85two\n\nlast", 0)
    assert taken(splitter) == [b"one\r", b"two\rstill\x85two", b""]


@given(st.lists(st.binary(max_size=12), min_size=1))
def test_it_does_not_matter_how_the_bytes_were_cut(pieces: list[bytes]) -> None:
    whole, cut = LineSplitter(1000), LineSplitter(1000)
    whole.feed(b"".join(pieces), 0)
    for piece in pieces:
        cut.feed(piece, 0)
    assert taken(whole) == taken(cut)
    assert whole.waiting == cut.waiting == len(b"".join(pieces).rpartition(b"\n")[2])


def test_a_line_knows_when_its_end_came() -> None:
    splitter = LineSplitter(10)
    splitter.feed(b"a", 1)
    splitter.feed(b"b\nc", 2)
    splitter.feed(b"\n", 3)
    assert [splitter.take(), splitter.take()] == [ReceivedLine(b"ab", 2), ReceivedLine(b"c", 3)]


@pytest.mark.parametrize("length", [9, 10])
def test_a_line_may_reach_the_limit(length: int) -> None:
    splitter = LineSplitter(10)
    splitter.feed(b"x" * length, 0)
    splitter.feed(b"\n", 0)
    assert taken(splitter) == [b"x" * length]


@pytest.mark.parametrize("end", [b"", b"\n", b"\nmore\n"])
def test_a_line_beyond_the_limit_is_an_error_after_the_lines_before_it(end: bytes) -> None:
    splitter = LineSplitter(10)
    splitter.feed(b"before\n" + b"x" * 11 + end, 0)
    splitter.feed(b"after\n", 0)
    assert splitter.take() == ReceivedLine(b"before", 0)
    for _ in range(2):
        with pytest.raises(LineTooLong):
            splitter.take()


def test_a_flood_of_lines_is_not_taken_apart_to_its_end() -> None:
    splitter = LineSplitter(10)
    splitter.feed(b"\n" * 1_000_000, 0)
    assert [splitter.take() for _ in range(MOST)] == [ReceivedLine(b"", 0)] * MOST
    with pytest.raises(LineTooLong):
        splitter.take()
    splitter = LineSplitter(10)
    splitter.feed(b"\n" * MOST, 0)
    assert len(taken(splitter)) == MOST


def test_padding_before_a_line_does_not_count() -> None:
    """C programs send the NUL that ends their string, or the whole buffer."""
    splitter = LineSplitter(10, padding=b"\0")
    splitter.feed(b"ab\n" + b"\0" * 1000, 0)
    splitter.feed(b"\0" * 1000 + b"cd\n\0", 0)
    assert taken(splitter) == [b"ab", b"cd"]
    assert splitter.waiting == 0


def test_what_was_not_taken_can_be_discarded() -> None:
    splitter = LineSplitter(10)
    splitter.feed(b"a\nb\nc", 0)
    assert splitter.waiting == 5
    splitter.discard()
    assert splitter.waiting == 0
    assert splitter.take() is None


@given(st.lists(st.binary(max_size=12)), st.integers(1, 8))
def test_lines_are_cut_as_they_should(pieces: list[bytes], limit: int) -> None:
    lines, taken = Lines(limit), []
    for piece in pieces:
        lines.feed(piece)
        while lines.ready:
            try:
                taken.append(lines.take())
            except LineTooLong:
                assert len(b"".join(pieces).split(b"\n")[len(taken)]) > limit
                return
        assert lines.take() is None
    *whole, rest = b"".join(pieces).split(b"\n")
    assert taken == whole
    assert lines.rest() == rest
    assert lines.waiting == len(rest)
