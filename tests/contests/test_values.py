"""Values of descriptions: how they are shown, and which word was probably meant."""

from __future__ import annotations

import tomllib
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.contests.describing.values import (
    Choice,
    Flag,
    List,
    Milliseconds,
    Seconds,
    Size,
    Text,
    Unfit,
    Value,
    Whole,
    likely,
    shown,
    sized,
)


def test_the_likely_word_is_named_or_all_of_them() -> None:
    assert likely("Roundes", ["round", "rounds"]) == "did you mean rounds?"
    assert likely("x", ["round", "rounds"]) == "there are round, rounds"


# what is shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        ("a\n", "'a\\n'"),
        (3, "3"),
        (True, "true"),
        ([True, ["a", False]], "[true, ['a', false]]"),
        (date(1979, 5, 27), "1979-05-27"),
        (["a\n", 1], "['a\\n', 1]"),
    ],
)
def test_a_value_is_shown_as_it_stands(value: object, text: str) -> None:
    assert shown(value) == text


def huge() -> int:
    """A number that Python does not write."""
    return 2**20_000


def test_a_number_that_cannot_be_written_is_only_mentioned() -> None:
    for value in (huge(), [huge()], {"a": [huge()]}):
        assert shown(value) == "a very large number"


@pytest.mark.parametrize("value", ["x" * 1000, ["x" * 996], 10**999])
def test_a_long_value_is_cut_and_its_length_told(value: object) -> None:
    assert shown(value).endswith("... (1000 characters)")
    assert len(shown(value)) < 230


def test_a_value_without_bottom_is_not_shown() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    assert shown(value) == "a very deep table"


# every kind reads what it writes

KINDS = [
    (Text(10), st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=10)),
    (Whole(-5, 10**18), st.integers(-5, 10**18)),
    (Seconds(0.1, 1e6), st.floats(0.1, 1e6)),
    (Milliseconds(0.01, 1e6), st.integers(10, 10**9)),
    (Size(1, 10**12), st.integers(1, 10**12)),
    (Choice(("a", "b", 3)), st.sampled_from(["a", "b", 3])),
    (Flag(), st.booleans()),
    (List(Whole(0, 9)), st.lists(st.integers(0, 9)).map(tuple)),
]


@pytest.mark.parametrize(("kind", "kept"), KINDS, ids=[type(kind).__name__ for kind, _ in KINDS])
@given(data=st.data())
def test_what_is_written_is_read_again(
    kind: Value, kept: st.SearchStrategy[object], data: st.DataObject
) -> None:
    value = data.draw(kept)
    again = tomllib.loads(f"key = {kind.written(value)}")["key"]
    assert kind.accept(again) == value


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.builds(huge),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.parametrize("kind", [kind for kind, _ in KINDS], ids=lambda kind: type(kind).__name__)
@given(value=ANYTHING)
def test_whatever_stands_there_is_accepted_or_unfit(kind: Value, value: object) -> None:
    try:
        kind.written(kind.accept(value))
    except Unfit as unfit:
        assert len(str(unfit)) < 500


@pytest.mark.parametrize(
    ("size", "text"), [(1, "1 B"), (1024, "1 kiB"), (1500, "1500 B"), (2 * 1000**3, "2 GB")]
)
def test_a_size_is_told_in_the_largest_unit_that_it_fills(size: int, text: str) -> None:
    assert sized(size) == text
