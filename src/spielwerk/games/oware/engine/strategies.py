"""The numbered strategies of the Oware task: the ways in which a search may judge a situation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spielwerk.games.oware.engine.evaluation import SIMPLE, TUNED, simple_value, tuned_value

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to judge situations that nobody has won yet."""

    name: str
    description: str
    judgement: int  # the kernel's number for it
    value: Callable[[int], float]  # of the kernel's score, from -1 to 1


_STRATEGIES: Final = (
    Strategy(
        "tuned",
        "stones, captures, moves in hand and every house, weighed by games against itself",
        TUNED,
        tuned_value,
    ),
    Strategy("simple", "only the stones both still need (Oware task, 4.3)", SIMPLE, simple_value),
)


def strategies() -> tuple[Strategy, ...]:
    """The strategies in the order of their numbers; 0 is the strongest."""
    return _STRATEGIES
