from __future__ import annotations

import pickle

import pytest

from spielwerk import errors
from spielwerk.errors import (
    IllegalMove,
    NotationError,
    OptionError,
    SpielwerkError,
    UnknownGame,
    cause,
    quote,
)

EXAMPLES = [
    IllegalMove("B4,3", "* * next 3", "Destination is already occupied"),
    NotationError("Oware move", "x\n", "expected the number of a house, 0 to 5"),
    OptionError("n", "9", "must be from 2 to 8"),
    UnknownGame("go", ("quarto", "morris")),
]


def test_there_is_one_base() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert len(kinds) >= 6
    assert all(issubclass(kind, SpielwerkError) for kind in kinds)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_are_one_line_and_survive_pickling(error: SpielwerkError) -> None:
    assert "\n" not in str(error)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_an_illegal_move_carries_the_move_the_state_and_the_rule() -> None:
    error = EXAMPLES[0]
    assert isinstance(error, IllegalMove)
    assert (error.move, error.state) == ("B4,3", "* * next 3")
    assert str(error) == "B4,3: Destination is already occupied"


def test_what_was_wrong_is_quoted() -> None:
    assert str(EXAMPLES[1]) == r"'x\n' is no Oware move: expected the number of a house, 0 to 5"
    assert str(EXAMPLES[2]) == "'n=9': must be from 2 to 8"
    assert str(EXAMPLES[3]) == "'go' is no game; there are quarto, morris"


def test_a_very_long_quote_is_cut() -> None:
    assert quote("a" * 200) == repr("a" * 200)
    assert quote("a" * 1000).endswith("... (1000 characters)")
    assert len(quote("\x00" * 10**6)) < 1000


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(2, "No such file or directory"), "No such file or directory"),
        (OSError("gone"), "gone"),
        (ValueError("not a number"), "not a number"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_the_system_is_quoted_in_its_words(error: Exception, told: str) -> None:
    assert cause(error) == told
