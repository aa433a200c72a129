"""The history: wrong moves at any place, <m>, and the board before them (5.4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.cases.lines import EVERY_BYTE, LONGEST, REPEATED
from spielwerk.check.oware.cases.making import OwareCase, Text, as_bytes, asking, message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SOURCE: Final = "5.4.5"
GAME: Final = "002215242305"  # from the usual start; nothing is ever collected


def cases() -> Iterator[OwareCase]:
    """All of them."""
    yield asking(
        "move-history/B.5", "The example: there is no house 8", "B.5", [message(history="38")]
    )
    yield asking(
        "move-history/empty",
        "An empty history is allowed: A is to move",
        "5.2",
        [message(), message("1", "2")],
    )
    yield asking(
        "move-history/B.7", "The example: a move is chosen after 33", "B.7", [message(history="33")]
    )
    digits = "6789"
    yield _case("first", "A wrong move at the start is move 0", [*digits, "x", "x33", "6" + GAME])
    yield _case(
        "middle",
        "The first wrong move counts, from 0",
        [f"{GAME[:at]}{digit}{GAME[at:]}" for at in (1, 4, 7) for digit in digits],
    )
    yield _case(
        "last",
        "A wrong move at the end",
        [f"{GAME[:at]}{digit}" for at in (1, 2, 9, 12) for digit in digits],
    )
    yield _case(
        "several",
        "Only the first of several wrong moves is told",
        ["39x7", "3x9", f"{GAME}66666", "7777"],
    )
    yield _case(
        "other-characters",
        "Only the digits 0 to 5 are moves",
        [f"33{mark}" for mark in "-+.,:;/aAoO!\"'"] + ["3,3", "3;3", "-3", "+3", "A3B3"],
    )
    yield _case("blanks", "Blanks are no moves", [" ", " 33", "33 ", "3 3", "3 3 "])
    yield _case("tab", "Other white space is no move", ["\t", "33\t", "3\v3", "3\f3"])
    yield _case(
        "empty-house",
        "A house without stones cannot be chosen",
        [*(f"{house}0{house}" for house in "012345"), "333", "0545"],
    )
    yield _case(
        "cr", "A \\r is part of the history, and no move", ["33\r", "\r", "3\r3"], decided=True
    )
    yield _case(
        "umlaut",
        REPEATED,
        [
            "33ä",
            "33ä".encode("latin-1"),
            "\N{ARABIC-INDIC DIGIT THREE}",
            "\ufeff33",
            "3\N{FULLWIDTH DIGIT THREE}",
        ],
        decided=True,
    )
    yield _case(
        "any-byte",
        REPEATED,
        [EVERY_BYTE, b"33" + EVERY_BYTE, b"\x00", b"33\x00", b"33\xff\xfe\r\t "],
        decided=True,
    )
    yield _case(
        "long",
        f"{REPEATED}, also a line of 64 KiB",
        ["3" * LONGEST, "33" + " " * (LONGEST - 2)],
        decided=True,
    )
    yield asking(
        "move-history/other-strategies",
        "Strategy and depth do not change what is wrong",
        SOURCE,
        [message(strategy, depth, history=GAME + "9") for strategy in "01" for depth in "159"],
    )


def _case(name: str, rule: str, values: Sequence[Text], *, decided: bool = False) -> OwareCase:
    requests = [message(history=as_bytes(value)) for value in values]
    return asking(f"move-history/{name}", rule, SOURCE, requests, decided=decided)
