"""Several faults in one request: the order of section 5.4 decides which one is told."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.cases.making import OwareCase, asking, cut_short, message
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import Iterator

RIGHT: Final = ("0", "1", words.STANDARD_BOARD, "33")
WRONG: Final = (
    ("2147483648", "-1", "Teststrategie"),
    ("0", "10", "x"),
    ("0 0 4 4 4 4 4 4 4 4 4 4 4 5", "0 0 4 4 4 4", "x"),
    ("38", "6", "33x"),
)
OVER: Final = "25 0 4 4 4 4 4 3 0 0 0 0 0 0"


def cases() -> Iterator[OwareCase]:
    """Every pair of tests, and everything wrong at once."""
    for place in range(4):
        yield _unread(place)
    for first, second in combinations(range(4), 2):
        yield _both(first, second)
    yield asking(
        "precedence/everything-wrong",
        "The first wrong line is told, whatever follows",
        "5.4",
        [message(*RIGHT[:place], *(wrong[0] for wrong in WRONG[place:])) for place in range(4)],
    )
    yield asking(
        "precedence/move-history-before-finish",
        "A wrong history is told even if the game is over where it begins",
        "5.4.5, 5.4.6",
        [message(board=OVER, history=history) for history in ("0", "6", "x")],
    )
    yield asking(
        "precedence/faults-before-finish",
        "The end of the game is tested last",
        "5.4",
        [message("x", board=OVER), message("0", "0", OVER), message("0", "1", OVER + " 0")],
    )


def _unread(place: int) -> OwareCase:
    """Three lines or fewer of which one is wrong: that one is missing comes first."""
    lines = [wrong[0] for wrong in WRONG]
    name = words.REQUEST_LINES[place]
    rule = f"That four lines are there is tested before <{name}>"
    requests = [cut_short(*lines[:count]) for count in range(place + 1, 4)]
    alone = [*RIGHT[:place], lines[place], *RIGHT[place + 1 :]]
    requests += [cut_short(*alone[:3], rest=alone[3])]
    return asking(
        f"precedence/read-failure-before-{name}",
        rule,
        "5.4.1",
        requests,
        decided=place == 3,
    )


def _both(first: int, second: int) -> OwareCase:
    """Two wrong lines, in all their ways."""
    names = words.REQUEST_LINES
    requests = []
    for one, other in product(WRONG[first], WRONG[second]):
        lines = list(RIGHT)
        lines[first], lines[second] = one, other
        requests.append(message(*lines))
    return asking(
        f"precedence/{names[first]}-before-{names[second]}",
        f"<{names[first]}> is tested before <{names[second]}>",
        "5.4",
        requests,
    )
