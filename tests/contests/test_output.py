"""What programs write: the end of it is kept, and made harmless."""

from __future__ import annotations

import asyncio
import os

from hypothesis import given
from hypothesis.strategies import binary, lists

from spielwerk.contests.programs.output import KEPT, Output, Tail


def tail(*pieces: bytes, kept: int = KEPT) -> Tail:
    made = Tail(kept)
    for piece in pieces:
        made.add(piece)
    return made


def test_little_is_kept_whole() -> None:
    assert tail(b"one\n", b"two\n").text == "one\ntwo"


def test_of_much_the_last_whole_lines_are_kept() -> None:
    kept = tail(*(b"line %d\n" % number for number in range(1000)), kept=20)
    assert kept.text == "line 998\nline 999"
    assert kept.total == 8890


def test_of_one_long_line_the_end_is_kept() -> None:
    assert tail(b"x" * 100 + b"end", kept=10).text == "xxxxxxxend"


def test_a_character_in_two_pieces_is_one_character() -> None:
    ü = "ü".encode()
    assert tail(ü[:1], ü[1:]).text == "ü"


def test_what_is_no_text_is_replaced() -> None:
    assert tail(b"a\xffb").text == "a\N{REPLACEMENT CHARACTER}b"


def test_what_a_terminal_would_obey_is_shown_instead() -> None:
    assert tail(b"\x1b[2J\x07\x00").text == r"\x1b[2J\x07\x00"
    assert tail("\N{RIGHT-TO-LEFT OVERRIDE}abc".encode()).text == r"\u202eabc"


def test_line_ends_and_tabs_are_no_garbage() -> None:
    assert tail(b"a\tb\r\nc\rd").text == "a       b\nc\\rd"


@given(lists(binary(max_size=50)))
def test_whatever_comes_the_text_is_printable(pieces: list[bytes]) -> None:
    kept = tail(*pieces, kept=40)
    assert all(line.isprintable() for line in kept.text.split("\n"))
    assert kept.total == sum(map(len, pieces))


async def written(size: int, limit: int) -> tuple[Output, list[str]]:
    """A pipe into which so much was written before its writer ended, and what was told."""
    told: list[str] = []
    output = Output(limit, lambda: told.append("flood"))
    writing = os.dup(output.writer)
    output.started()
    os.set_blocking(writing, False)
    while size:
        try:
            size -= os.write(writing, b"x" * size)
        except BlockingIOError:
            if told:
                break
            await asyncio.sleep(0)
    os.close(writing)
    return output, told


def test_what_is_still_in_the_pipe_is_read_before_it_is_closed() -> None:
    async def run() -> None:
        output, told = await written(5000, 5000)
        output.close()
        assert output.tail.total == 5000
        assert not told

    asyncio.run(run())


def test_a_pipe_may_be_closed_twice() -> None:
    async def run() -> None:
        output, _ = await written(1, 5000)
        output.close()
        output.close()

    asyncio.run(run())


def test_a_flood_is_told_once_and_not_read_any_further() -> None:
    async def run() -> None:
        output, told = await written(10_000_000, 500_000)
        assert told == ["flood"]
        output.close()
        assert 500_000 < output.tail.total < 1_000_000

    asyncio.run(run())
