"""What can be chosen for a table's wire, and what is refused."""

from __future__ import annotations

import pytest

from spielwerk.errors import OptionError
from spielwerk.wire import checked_options, chosen


def test_choices_are_kept_in_one_order_and_empty_ones_are_none() -> None:
    wanted = ("version=V1", "spelling=variant")
    assert checked_options("connect4", wanted) == ("spelling=variant", "version=V1")
    assert checked_options("quarto", ("pace=",)) == ()
    assert checked_options("connect4", ("only=Zoë = ich", "ask=yes")) == (
        "ask=yes",
        "only=Zoë = ich",
    )


@pytest.mark.parametrize(
    ("game", "choice", "problem"),
    [
        ("quarto", "pace=slow", "must be first-then-rest or block or line"),
        ("morris", "spelling=variant", "there are pace"),
        ("dice", "pace=block", "it has none"),
        ("connect4", "ask=maybe", "must be yes or no"),
        ("connect4", "only=a;b", "without semicolons and line breaks"),
        ("connect4", "only=a\nb", "without semicolons and line breaks"),
    ],
)
def test_a_choice_that_is_not_there_is_refused(game: str, choice: str, problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        checked_options(game, (choice,))


def test_a_choice_can_be_asked_for() -> None:
    assert chosen(("pace=block",), "pace") == "block"
    assert chosen((), "pace") == ""
