"""The rules of a move: sowing, starvation, collecting, grand slam (2.5, appendix A.3 to A.7).

Most requests put a house 6 behind the moves: the error shows the board that the server has then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.cases.making import OwareCase, asking, houses, plays, shows
from spielwerk.games.oware.rules import HOUSES, STANDARD, STONES, format_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

START: Final = format_board(STANDARD)
ALL: Final = "012345"
A5: Final = "23 23 1 0 0 0 0 1 0 0 0 0 0 0"
A6: Final = "16 16 0 0 0 0 3 5 2 1 0 1 2 2"
A7: Final = "17 18 1 0 0 0 0 5 1 2 1 2 1 0"


def cases() -> Iterator[OwareCase]:
    """All of them."""
    yield from _sowing()
    yield from _starvation()
    yield from _collecting()
    yield from _grand_slam()


def _sowing() -> Iterator[OwareCase]:
    source = "2.5.1"
    yield asking(
        "sowing/A.3",
        "The examples: A sows from house 4, then B from house 5",
        "A.3",
        [shows(START, "4"), shows(START, "45")],
    )
    yield asking(
        "sowing/every-house",
        "Stones are sown counterclockwise, one into each house",
        source,
        [shows(START, a) for a in ALL] + [shows(START, a + b) for a in ALL for b in ALL],
    )
    yield asking(
        "sowing/A.4",
        "The example: 12 stones skip the chosen house",
        "A.4",
        [shows("0 0 1 2 12 1 4 4 4 4 6 0 6 4", "2")],
    )
    yield _laps("eleven-stones", "11 stones go once round, the chosen house stays empty", (11,))
    yield _laps(
        "twelve-stones", "With 12 to 22 stones the chosen house is skipped once", (12, 13, 17, 22)
    )
    yield _laps(
        "twenty-three-stones",
        "With 23 to 33 stones the chosen house is skipped twice",
        (23, 24, 28, 33),
    )
    yield _laps(
        "thirty-four-stones",
        "With 34 stones and more the chosen house is skipped each time",
        (34, 40, 44, 45, 48),
    )


def _laps(name: str, rule: str, counts: Sequence[int]) -> OwareCase:
    """So many stones in each house of both players; the others hold too many to be collected."""
    requests = []
    for stones in counts:
        for house in range(HOUSES):
            requests.append(shows(_heap(stones, house), str(house)))
            later = _later(_heap(stones, HOUSES + house))
            requests += [shows(later, f"0{house}")] if later else []
    return asking(f"sowing/{name}", rule, "2.5.1", requests)


def _heap(stones: int, place: int) -> str:
    """A board with that many stones in one house and as many as can be alike in the others."""
    row = [(STONES - stones) // (2 * HOUSES - 1)] * (2 * HOUSES)
    row[place] = stones
    return houses(row[:HOUSES], row[HOUSES:])


def _later(board: str) -> str | None:
    """A board from which A's move 0 leads to nearly this one: A's first house is empty then."""
    numbers = [int(word) for word in board.split(" ")]
    taken, first, second = numbers[1], numbers[2], numbers[3]
    if not second:
        return None
    numbers[1:4] = taken + first, 1, second - 1
    return format_board(tuple(numbers))


def _starvation() -> Iterator[OwareCase]:
    source = "2.5.2"
    yield asking(
        "starvation/A.5",
        "The example: house 0 is forbidden, house 5 allowed",
        "A.5",
        [plays(A5, "0"), shows(A5, "5")],
    )
    near = [
        houses([5 - house if h == house else int(h == 5) for h in range(6)], [0] * 6)
        for house in range(5)
    ]
    yield asking(
        "starvation/forbidden",
        "While the opponent has no stones, a move that brings none is wrong",
        source,
        [plays(board, str(house)) for house, board in enumerate(near)],
    )
    enough = [
        houses([6 - house if h == house else int(h == 0) for h in range(6)], [0] * 6)
        for house in range(1, 6)
    ]
    yield asking(
        "starvation/allowed",
        "A move that just reaches the opponent is allowed",
        source,
        [shows(board, str(house)) for house, board in enumerate(enough, 1)]
        + [
            shows(houses([6, 0, 0, 0, 0, 1], [0] * 6), "0"),
            shows(houses([14, 0, 0, 0, 0, 0], [0] * 6), "0"),
        ],
    )
    b = houses([0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 1, 1])
    yield asking(
        "starvation/player-b",
        "The rule holds for B as well",
        source,
        [plays(b, "54"), plays(b, "50"), shows(b, "55")],
    )
    fed = "23 22 1 0 0 0 0 1 0 0 1 0 0 0"
    b_free = houses([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1])
    yield asking(
        "starvation/not-binding",
        "While the opponent has stones, every house may be chosen",
        source,
        [
            shows(fed, "0"),
            shows(fed, "5"),
            shows(b_free, "00"),
            shows(b_free, "05"),
            shows("10 10 1 1 1 1 1 1 0 0 0 0 0 22", "0"),
        ],
    )
    yield asking(
        "starvation/own-move",
        "The server's own move keeps the rule",
        source,
        [plays(A5, "", strategy, depth) for strategy in "01" for depth in "123"]
        + [
            plays(b, "5"),
            plays(near[0]),
            plays(near[3]),
            plays(houses([1, 1, 1, 1, 1, 1], [0] * 6)),
        ],
    )


def _collecting() -> Iterator[OwareCase]:
    source = "2.5.3"
    yield asking(
        "collecting/A.6-first",
        "The example: two houses, then one that does not fit",
        "A.6",
        [shows(A6, "5")],
    )
    yield asking(
        "collecting/A.6-second",
        "The example: two houses, then the own side",
        "A.6",
        [shows(A6, "4")],
    )
    ends = [houses([0, 0, 0, 0, 0, 1], [before, 0, 0, 0, 5, 0]) for before in range(6)]
    yield asking(
        "collecting/two-or-three",
        "Two or three stones are collected, never 1, 4, 5 or 6",
        source,
        [shows(board, "5") for board in ends],
    )
    backs = [houses([0, 0, 0, 0, 0, 3], [1, before, 1, 0, 5, 0]) for before in range(5)]
    yield asking(
        "collecting/goes-on",
        "It goes on backwards while houses hold two or three, and ends at the first that does not",
        source,
        [shows(board, "5") for board in backs],
    )
    rows = [houses([0] * 5 + [n], [1] * n + [0] * (5 - n) + [5]) for n in range(1, 6)]
    yield asking(
        "collecting/chains",
        "As many houses as fit, one after the other",
        source,
        [shows(board, "5") for board in rows],
    )
    own = [houses([0, 0, 0, 0, 3, mine], [1, 1, 0, 0, 5, 0]) for mine in (1, 2)]
    yield asking(
        "collecting/stops-at-own-side",
        "It ends where the own side is reached",
        source,
        [shows(board, "4") for board in own],
    )
    inside = houses([1, 1, 2, 1, 0, 0], [2, 2, 1, 1, 0, 0])
    yield asking(
        "collecting/own-side",
        "Nothing is collected if the last stone falls on the own side",
        source,
        [
            shows(inside, "0"),
            shows(inside, "1"),
            shows(inside, "10"),
            shows(inside, "12"),
            shows(houses([13, 1, 1, 0, 0, 0], [0] * 6), "0"),
        ],
    )
    beyond = houses([0, 0, 0, 0, 2, 0], [1, 2, 2, 3, 0, 0])
    yield asking(
        "collecting/nothing-beyond",
        "Houses behind the last stone are not collected",
        source,
        [shows(beyond, "4")],
    )
    yield asking(
        "collecting/after-a-lap",
        "The same holds when the stones went round",
        source,
        [
            shows(houses([0] * h + [n] + [0] * (5 - h), [0, 0, 1, 0, 0, 4]), str(h))
            for h in (0, 3, 5)
            for n in (17, 18, 19, 20, 21)
        ],
    )
    b_side = "16 16 1 1 0 1 2 2 0 0 0 0 3 5"
    b_own = houses([1, 1, 0, 1, 5, 0], [0, 0, 0, 0, 3, 1])
    yield asking(
        "collecting/player-b",
        "B collects from A in the same way",
        source,
        [
            shows(b_side, "05"),
            shows(b_side, "04"),
            shows(b_side, "25"),
            shows(b_own, "34"),
            shows(b_own, "35"),
        ],
    )


def _grand_slam() -> Iterator[OwareCase]:
    source = "2.5.4"
    yield asking(
        "grand-slam/A.7", "The example: all stones stay where they are", "A.7", [shows(A7, "5")]
    )
    slams = [houses([1] + [0] * 4 + [n], [1] * n + [0] * (6 - n)) for n in range(1, 7)]
    yield asking(
        "grand-slam/nothing-collected",
        "If the opponent had no stones left, nothing is collected",
        source,
        [shows(board, "5") for board in slams],
    )
    yield asking(
        "grand-slam/legal",
        "The move itself is allowed, and the game goes on",
        source,
        [
            shows(A7, "50"),
            shows(A7, "51"),
            plays(A7, "5"),
            plays(slams[0], "5"),
            plays(houses([0, 0, 0, 0, 0, 2], [1, 1, 0, 0, 0, 0])),
        ],
    )
    saved = [houses([1] + [0] * 4 + [n], [1] * n + [0] * (5 - n) + [1]) for n in range(1, 5)]
    split = [houses([1, 0, 0, 0, 0, 3], [first, 1, 1, 0, 0, 0]) for first in (0, 3, 4)]
    yield asking(
        "grand-slam/one-stone-left",
        "If one stone stays, the others are collected",
        source,
        [shows(board, "5") for board in saved + split],
    )
    b = houses([1, 2, 1, 2, 1, 1], [0, 0, 0, 0, 1, 5])
    b_single = houses([1, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1])
    b_saved = houses([1, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 1])
    yield asking(
        "grand-slam/player-b",
        "The rule holds for B as well",
        source,
        [shows(board, "55") for board in (b, b_single, b_saved)],
    )
