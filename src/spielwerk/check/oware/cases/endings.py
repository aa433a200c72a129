"""The end of the game: E-1, E-2, E-3, what is collected then, and moves that come too late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.cases.making import OwareCase, asking, houses, plays, shows

if TYPE_CHECKING:
    from collections.abc import Iterator

NONE: Final = (0,) * 6
LATE: Final = "A move after the end of the game is a wrong move"
COLLECTED: Final = "both take the stones on their side"
NOT_YET: Final = "The board after the server's own move is not collected, even if it ends the game"

A8: Final = "13 21 1 0 0 0 0 4 2 2 2 2 0 1"
B6: Final = "20 22 0 0 0 0 0 1 1 1 1 1 1 0"
A10: Final = "23 23 1 0 0 0 0 0 1 0 0 0 0 0"
ROUND: Final = "001122334455"

# Lines that were found by search. In the first A's situation comes back that was not the first one;
# in the second B's, though A's before it never did. In the others a board comes back that only the
# other player has had before.
LATER_CYCLE: Final = ("22 23 0 0 1 0 0 0 0 0 1 1 0 0", "23324455031021")
B_CYCLE: Final = ("22 22 0 0 1 0 0 1 1 0 1 0 0 0", "5223344550011")
FIRST_CYCLE: Final = ("22 23 0 1 0 0 1 0 0 0 0 1 0 0", "134450250132")
CROSSINGS: Final = (
    ("21 22 1 0 0 0 0 0 1 0 1 0 1 1", "04151001122443553001441354"),
    ("21 21 0 1 0 1 0 1 2 0 0 0 1 0", "30112233504054051123300"),
    ("21 22 0 0 1 0 0 0 0 1 1 1 1 0", "22334455102103123425334051001"),
)


def cases() -> Iterator[OwareCase]:
    """All of them."""
    yield from _majority()
    yield from _no_move()
    yield from _cycle()


def _majority() -> Iterator[OwareCase]:
    source = "2.6 (E-1)"
    yield asking(
        "majority/A.8",
        f"The example: with 25 stones the game is over, {COLLECTED}",
        "A.8",
        [plays(A8, "5")],
    )
    a, b = "25 0 4 4 4 4 4 3 0 0 0 0 0 0", "0 25 4 4 4 4 4 3 0 0 0 0 0 0"
    more = [
        "26 0 2 2 2 2 2 2 2 2 2 2 1 1",
        "48 0" + " 0" * 12,
        "0 48" + " 0" * 12,
        "0 30 3 3 3 3 3 3 0 0 0 0 0 0",
    ]
    yield asking(
        "majority/at-the-start",
        "The end is tested before the first move too",
        source,
        [plays(board) for board in (a, b, *more)],
    )
    yield asking(
        "majority/24-is-not-enough",
        "With 24 stones the game goes on",
        source,
        [
            plays("24 0 2 2 2 2 2 2 2 2 2 2 2 2"),
            plays("0 24 2 2 2 2 2 2 2 2 2 2 2 2"),
            shows("24 0 2 2 2 2 2 2 2 2 2 2 2 2", "55"),
            shows("12 24 1 1 1 1 1 1 1 1 1 1 1 1", "00"),
        ],
    )
    yield asking(
        "majority/exactly-25",
        "25 stones are enough, for both players",
        source,
        [
            plays(a),
            plays(b),
            plays("23 20 0 0 0 0 0 1 1 0 0 0 0 3", "5"),
            plays("20 23 1 1 0 0 0 0 1 0 0 0 0 1", "15"),
            plays("20 23 0 1 1 0 0 0 0 0 0 1 0 2", "15"),
        ],
    )
    yield asking(
        "majority/move-after-the-end",
        LATE,
        "2.6, 5.4.5",
        [plays(A8, "50"), plays(A8, "55"), plays(A8, "5x"), plays(a, "0"), plays(b, "5")],
    )
    yield asking(
        "majority/own-move",
        NOT_YET,
        "5.4.7",
        [plays("23 22 0 0 0 0 0 1 1 0 1 0 0 0"), plays("23 20 0 0 0 0 0 1 1 0 0 0 0 3")],
    )


def _no_move() -> Iterator[OwareCase]:
    source = "2.6 (E-2)"
    yield asking(
        "no-move/A.9",
        f"The example: B cannot feed A, the game is over, {COLLECTED}",
        "A.9, B.6",
        [plays(B6, "5")],
    )
    empty = [
        houses(NONE, (1, 0, 0, 0, 0, 0)),
        houses(NONE, (0, 1, 2, 3, 4, 5)),
        "24 20 0 0 0 0 0 0 0 0 0 0 0 4",
    ]
    yield asking(
        "no-move/own-side-empty",
        "A player without stones cannot move",
        source,
        [plays(board) for board in empty]
        + [plays(houses((0, 0, 0, 0, 3, 0), (5, 5, 0, 0, 0, 0)), "40")],
    )
    hungry = [
        houses((5, 4, 3, 2, 1, 0), NONE),
        houses((0, 0, 0, 0, 1, 0), NONE),
        houses((1, 1, 1, 1, 1, 0), NONE),
    ]
    yield asking(
        "no-move/cannot-feed",
        "A player who cannot feed the opponent cannot move",
        source,
        [plays(board) for board in hungry],
    )
    yield asking(
        "no-move/no-stones",
        "Without any stones on the board the game is over",
        source,
        [plays("24 24" + " 0" * 12)],
    )
    yield asking(
        "no-move/goes-on",
        "As long as one move is allowed, the game goes on",
        source,
        [
            plays(houses((5, 4, 3, 2, 1, 1), NONE)),
            plays(houses((0, 0, 0, 0, 0, 1), NONE)),
            plays(houses((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1))),
            plays(houses((6, 0, 0, 0, 0, 0), NONE)),
        ],
    )
    yield asking(
        "no-move/move-after-the-end",
        LATE,
        "2.6, 5.4.5",
        [plays(B6, "5" + move) for move in "01234x"]
        + [plays(hungry[0], "0"), plays(empty[0], "0")],
    )
    last = houses((0, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0))
    yield asking(
        "no-move/own-move", NOT_YET, "5.4.7", [plays(last), plays("20 22 0 0 0 0 0 1 1 1 1 1 1 0")]
    )


def _cycle() -> Iterator[OwareCase]:
    source = "2.6 (E-3)"
    yield asking(
        "cycle/A.10",
        f"The example: the first situation comes back, {COLLECTED}",
        "A.10",
        [plays(A10, ROUND)],
    )
    yield asking(
        "cycle/first-situation",
        "The situation before the first move counts",
        source,
        [plays(A10, ROUND), plays(*FIRST_CYCLE)],
    )
    yield asking(
        "cycle/later-situation", "Any later situation counts as well", source, [plays(*LATER_CYCLE)]
    )
    yield asking(
        "cycle/player-b", "B's situations are remembered as well", source, [plays(*B_CYCLE)]
    )
    before = [(A10, ROUND), FIRST_CYCLE, LATER_CYCLE, B_CYCLE]
    yield asking(
        "cycle/not-before",
        "Before a situation comes back the game goes on",
        source,
        [plays(board, moves[:count]) for board, moves in before for count in range(1, len(moves))],
    )
    yield asking(
        "cycle/per-player",
        "A situation of the other player is no repetition",
        source,
        [plays(board, moves) for board, moves in CROSSINGS]
        + [shows(board, moves) for board, moves in CROSSINGS],
    )
    late = [plays(A10, f"{ROUND}{move}") for move in "01"] + [
        plays(A10, ROUND * 2),
        plays(B_CYCLE[0], B_CYCLE[1] + "2"),
    ]
    yield asking("cycle/move-after-the-end", LATE, "2.6, 5.4.5", late)
    yield asking("cycle/own-move", NOT_YET, "5.4.7", [plays(A10, ROUND[:-1])])
    yield asking(
        "cycle/nothing-kept",
        "Nothing is remembered from one request to the next",
        "3.11",
        [
            plays(A10, ROUND[:5]),
            plays(A10, ROUND[:5]),
            plays(A10),
            plays(A10),
            plays(A10, ROUND[:4]),
        ],
    )
