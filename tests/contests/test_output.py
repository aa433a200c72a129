"""What programs write: the end of it is kept, and made harmless."""

from __future__ import annotations

import asyncio
import os

import pytest
from hypothesis import given, settings
from hypothesis.strategies import binary, lists

from spielwerk.contests.programs.program import KEPT, Output


def written(*pieces: bytes, kept: int = KEPT) -> Output:
    """What there is of a pipe into which this was written before its writer ended."""

    async def write() -> Output:
        output = Output(5000, lambda: None, kept)
        for piece in pieces:
            os.write(output.writer, piece)
            output.catch_up()
        os.close(output.writer)
        output.close()
        output.close()  # twice does no harm
        return output

    return asyncio.run(write())


@pytest.mark.parametrize(
    ("pieces", "kept", "text"),
    [
        ([b"one\n", b"two\n"], KEPT, "one\ntwo"),
        ([b"line %d\n" % number for number in range(400)], 20, "line 398\nline 399"),
        ([b"x" * 100 + b"end"], 10, "xxxxxxxend"),
        ([b"\xc3", b"\xbc"], KEPT, "ü"),
        ([b"a\xffb"], KEPT, "a\N{REPLACEMENT CHARACTER}b"),
        ([b"\x1b[2J\x07\x00"], KEPT, r"\x1b[2J\x07\x00"),
        (["\N{RIGHT-TO-LEFT OVERRIDE}abc".encode()], KEPT, r"\u202eabc"),
        ([b"a\tb\r\nc\rd"], KEPT, "a       b\nc\\rd"),
    ],
)
def test_the_last_whole_lines_are_kept(pieces: list[bytes], kept: int, text: str) -> None:
    output = written(*pieces, kept=kept)
    assert output.text == text
    assert output.total == sum(map(len, pieces))


@settings(max_examples=30)
@given(lists(binary(max_size=50), max_size=20))
def test_whatever_comes_the_text_is_printable(pieces: list[bytes]) -> None:
    assert all(line.isprintable() for line in written(*pieces, kept=40).text.split("\n"))


def test_a_flood_is_told_once_and_not_read_any_further() -> None:
    async def run() -> None:
        told: list[str] = []
        output = Output(500_000, lambda: told.append("flood"))
        os.set_blocking(output.writer, False)
        while not told:
            try:
                os.write(output.writer, b"x" * 100_000)
            except BlockingIOError:
                await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        assert told == ["flood"]
        os.close(output.writer)
        output.close()
        assert 500_000 < output.total < 1_000_000

    asyncio.run(run())
