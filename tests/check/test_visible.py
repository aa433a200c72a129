"""Nothing is hidden, and long lines are cut where readers do not need them."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.check.visible import LONG, excerpt, line_parts, locate, room_of, visible


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"OK\n", "OK\\n"),
        (b"0\r\n", "0\\r\\n"),
        (b"\t\x00\x7f\xff", "\\t\\x00\\x7f\\xff"),
        (b"\\n", "\\\\n"),
        (b"4 4 ", "4 4 "),
        ("ö".encode(), "\\xc3\\xb6"),
        (b"", ""),
    ],
)
def test_what_cannot_be_seen_is_escaped(data: bytes, text: str) -> None:
    assert visible(data) == text


@given(st.binary())
def test_the_text_is_printable_and_tells_the_bytes(data: bytes) -> None:
    text = visible(data)
    assert text.isascii()
    assert text.isprintable()
    assert ast.literal_eval("b'" + text.replace("'", "\\'") + "'") == data


def test_the_middle_of_long_lines_is_left_out() -> None:
    text, column = excerpt(b"a" * 1000 + b"z\n")
    assert text == "a" * 122 + "...(861 bytes)..." + "a" * 17 + "z\\n"
    assert column is None


@given(st.binary(max_size=2000), st.data())
def test_a_line_fits_into_its_room(line: bytes, data: st.DataObject) -> None:
    focus = data.draw(st.integers(0, len(line)) | st.none())
    seams = data.draw(st.sets(st.integers(0, len(line))))
    text, column = excerpt(line, focus, room_of(66), seams)
    assert len(text) <= 66 + 8  # what is focused is shown whole, and counts may be long
    assert (column is None) == (focus is None)


def test_what_authors_overlook_has_a_kind_of_its_own() -> None:
    parts = list(line_parts(b"a b \r\n", 3))
    assert [part.text for part in parts if part.kind == "odd"] == [" ", "\\r"]
    assert [part.text for part in parts if part.marked] == [" "]
    assert [part.kind for part in line_parts("ö\0".encode())] == ["byte", "byte", "odd"]


def test_seams_stand_before_their_bytes() -> None:
    assert excerpt(b"abc\n", 2, seams=(1, 2)) == ("a¦b¦c\\n", 4)


def test_the_column_counts_what_is_shown() -> None:
    assert excerpt(b"\t\tx\n", 2) == ("\\t\\tx\\n", 4)
    assert excerpt(b"ab", 2) == ("ab", 2)


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_the_focused_byte_is_always_shown(before: int, after: int) -> None:
    text, column = excerpt(b"." * before + b"#" + b"." * after, before)
    assert column is not None
    assert text[column] == "#"
    assert len(text) < LONG + 100


@pytest.mark.parametrize(
    ("position", "place"), [(0, (0, 0)), (1, (0, 1)), (2, (0, 2)), (3, (1, 0)), (5, (1, 2))]
)
def test_where_a_byte_stands(position: int, place: tuple[int, int]) -> None:
    assert locate(b"ab\ncd", position) == place


def test_huge_lines_are_soon_cut() -> None:
    line = b"a" * 20_000_000
    text, column = excerpt(line, 10_000_000, room_of(66), range(0, 20_000_000, 1000))
    assert column is not None
    assert text[column] == "a"
    assert len(text) < 80
