from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.games.interface import number


@given(value=st.integers(0, 999_999_999))
def test_a_number_is_read(value: int) -> None:
    assert number(str(value)) == value


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "01", "1 ", " 1", "1_0", "1\n", "٣", "²", "1" * 10]
)
def test_everything_else_is_none(text: str) -> None:
    assert number(text) is None


@given(text=st.text())
def test_no_text_raises(text: str) -> None:
    value = number(text)
    assert value is None or str(value) == text
