"""The lines of a request: too few of them, or wrong ones (5.4.1 to 5.4.4, appendix B)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.cases.making import (
    OwareCase,
    Text,
    as_bytes,
    asking,
    cut_short,
    message,
    plays,
)
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LONGEST: Final = 65536
CYCLE: Final = "23 23 1 0 0 0 0 0 1 0 0 0 0 0"  # one legal move at every turn: quick at any depth
EVERY_BYTE: Final = bytes(byte for byte in range(256) if byte != ord("\n"))
REPEATED: Final = "The rejected line is repeated byte for byte"
VALID: Final = ("0", "1", words.STANDARD_BOARD, "5")


def cases() -> Iterator[OwareCase]:
    """All of them."""
    yield from _reading()
    yield from _strategy()
    yield from _depth()
    yield from _board()


def _reading() -> Iterator[OwareCase]:
    source = "5.4.1"
    named = ("no-line", "one-line", "two-lines", "three-lines")
    for count, name in enumerate(named):
        where = words.REQUEST_LINES[count]
        rule = f"After {name.replace('-', ' ')} the first one missing is {where}"
        yield asking(f"read-failure/{name}", rule, source, [cut_short(*VALID[:count])])
    b1 = cut_short("0", "10 0 4 4 4 4 4 4 4 4 4 4 4 4", "5")
    yield asking("read-failure/B.1", "The example: a missing line end", "B.1", [b1])
    yield asking(
        "read-failure/empty-lines",
        "An empty line is a line that has been read",
        source,
        [cut_short(*[""] * count) for count in range(1, 4)],
    )
    for count in range(4):
        yield asking(
            f"read-failure/unterminated-{words.REQUEST_LINES[count]}",
            "A last line without \\n has not been read",
            "5.1, 5.4.1",
            [cut_short(*VALID[:count], rest=VALID[count])],
            decided=True,
        )
    yield asking(
        "read-failure/cr-ends-no-line",
        "Only \\n ends a line; \\r alone does not",
        "5.1",
        [
            cut_short(rest=b"\r".join(as_bytes(line) for line in VALID) + b"\r"),
            cut_short("0", "1", rest=f"{words.STANDARD_BOARD}\r5\r"),
        ],
        decided=True,
    )


def _wrong(
    group: str, source: str, make: Callable[[Text], bytes], good: str
) -> Iterator[OwareCase]:
    """What is wrong in any of the first three lines; a good value is spoiled."""

    def case(name: str, rule: str, values: Sequence[Text], *, decided: bool = False) -> OwareCase:
        return asking(f"{group}/{name}", rule, source, map(make, values), decided=decided)

    first, rest = good[0], good[1:]
    yield case("empty", "An empty line is wrong", [""])
    yield case("blank", "Blanks around the value are wrong", [f" {good}", f"{good} ", " ", "  "])
    yield case(
        "tab",
        "Tabs and other white space are wrong",
        [f"\t{good}", f"{good}\t", f"{good}\v", f"{good}\f"],
    )
    yield case("negative", "No number is below 0", ["-1", f"-1{rest}"])
    yield case("sign", "A number has no sign", [f"+{good}", f"-{good}"], decided=True)
    zeros = [f"0{good}", f"00{good}", "01", "00"]
    yield case("leading-zero", "A number has no leading zero", zeros, decided=True)
    yield case("text", "Words are wrong", ["Teststrategie", "abc", f"{good}x", f"x{good}", "OK"])
    yield case(
        "not-whole",
        "Only whole decimal numbers",
        [f"{good}.0", f"{good},", f"{good}e0", f"0x{good}", f"{first}_0{rest}"],
    )
    yield case(
        "cr",
        "A \\r is part of the line, and the line wrong",
        [f"{good}\r", f"\r{good}", "\r"],
        decided=True,
    )
    yield case(
        "foreign-digit",
        f"Only ASCII digits; {REPEATED.lower()}",
        [
            f"\N{ARABIC-INDIC DIGIT ONE}{rest}",
            f"\N{FULLWIDTH DIGIT ONE}{rest}",
            f"{good}\N{NO-BREAK SPACE}",
        ],
        decided=True,
    )
    yield case(
        "umlaut",
        REPEATED,
        ["Glöckner", "Glöckner".encode("latin-1"), "\ufeff" + good],
        decided=True,
    )
    yield case(
        "any-byte",
        REPEATED,
        [EVERY_BYTE, b"\x00", as_bytes(good) + b"\x00", b"\xff\xfe", b"\x80\r\x81 "],
        decided=True,
    )
    yield case(
        "long",
        f"{REPEATED}, also a line of 64 KiB",
        [b"x" * LONGEST, as_bytes(good) + b" " * (LONGEST - len(good))],
        decided=True,
    )


def _strategy() -> Iterator[OwareCase]:
    source = "5.4.2"
    b2 = message("Teststrategie", "1", "0 0 0 5 5 5 5 4 0 5 5 5 5 4", "5")
    yield asking("strategy/B.2", "The example: a name instead of a number", "B.2", [b2])
    yield asking(
        "strategy/too-large",
        "A strategy that the server does not have",
        source,
        map(message, ["1000", "32768", "65536", "2147483647", "999999999"]),
    )
    yield asking(
        "strategy/overflow",
        "A large number is not taken for a small one",
        source,
        map(message, ["4294967296", "4294967297", "18446744073709551616", "9" * 100]),
    )
    yield from _wrong("strategy", source, message, "0")


def _depth() -> Iterator[OwareCase]:
    source = "5.4.3"
    b3 = message("0", "0", "0 0 0 5 5 5 5 4 0 5 5 5 5 4", "5")
    yield asking("search-depth/B.3", "The example: depth 0", "B.3", [b3])
    yield asking(
        "search-depth/one-to-nine",
        "The digits 1 to 9 are accepted",
        "5.2, 5.4.3",
        [plays(CYCLE, depth=str(depth)) for depth in words.DEPTHS],
    )
    depth = partial(message, "0")
    yield asking("search-depth/zero", "0 is no search depth", source, [depth("0")])
    yield asking(
        "search-depth/ten",
        "Only one digit is accepted",
        source,
        map(depth, ["10", "11", "19", "20", "99", "100"]),
    )
    yield asking(
        "search-depth/overflow",
        "A large number is not taken for a small one",
        source,
        map(depth, ["257", "4294967297", "18446744073709551617", "1" * 100]),
    )
    yield from _wrong("search-depth", source, depth, "1")


def _board() -> Iterator[OwareCase]:
    board = partial(message, "0", "1")

    def case(name: str, rule: str, values: Sequence[Text], *, decided: bool = False) -> OwareCase:
        return asking(
            f"initial-board/{name}", rule, "5.2, 5.4.4", map(board, values), decided=decided
        )

    b4 = board("0 0 4 4 4 4 4 4 4 4 4 4 4 5", "5")
    yield asking("initial-board/B.4", "The example: 49 stones", "B.4", [b4])
    yield case(
        "sum-49",
        "The numbers add up to 48, not 49",
        ["1 0 4 4 4 4 4 4 4 4 4 4 4 4", "0 0 4 4 4 5 4 4 4 4 4 4 4 4", "49 0" + " 0" * 12],
    )
    yield case(
        "sum-47",
        "The numbers add up to 48, not 47",
        [
            "0 0 4 4 4 4 4 4 4 4 4 4 4 3",
            "0 0 3 4 4 4 4 4 4 4 4 4 4 4",
            "47 0" + " 0" * 12,
            "0 0" + " 0" * 12,
        ],
    )
    yield case(
        "numbers-13",
        "14 numbers, not 13",
        ["0 4 4 4 4 4 4 4 4 4 4 4 4", "48" + " 0" * 12, "48", "0 0"],
    )
    yield case(
        "numbers-15",
        "14 numbers, not 15",
        [f"{words.STANDARD_BOARD} 0", f"0 {words.STANDARD_BOARD}", f"{words.STANDARD_BOARD} 5"],
    )
    yield case(
        "beyond-48",
        "No number is above 48 or below 0, even if the sum is right",
        ["49 -1" + " 0" * 12, "0 0 -4 12 4 4 4 4 4 4 4 4 4 4", "100 0 4 4 4 4 4 4 4 4 4 4 4 -52"],
    )
    yield case(
        "overflow",
        "A large number is not taken for a small one",
        [
            "4294967296 0 4 4 4 4 4 4 4 4 4 4 4 4",
            "0 0 4 4 4 4 4 4 4 4 4 4 4 4294967300",
            "0 256 4 4 4 4 4 4 4 4 4 4 4 4",
            f"0 {2**64} 4 4 4 4 4 4 4 4 4 4 4 4",
            f"{'9' * 400} 0 4 4 4 4 4 4 4 4 4 4 4 4",
        ],
    )
    yield case(
        "double-blank",
        "Single blanks stand between the numbers",
        ["0  0 4 4 4 4 4 4 4 4 4 4 4 4", "0 0 4 4 4 4 4 4 4 4 4 4 4  4"],
    )
    yield case(
        "other-separator",
        "Nothing but blanks separates the numbers",
        [words.STANDARD_BOARD.replace(" ", mark) for mark in "\t,;-"] + ["00444444444444"],
    )
    yield case(
        "sign-inside",
        "A number has no sign",
        [
            "+0 0 4 4 4 4 4 4 4 4 4 4 4 4",
            "0 -0 4 4 4 4 4 4 4 4 4 4 4 4",
            "0 0 4 4 4 4 4 +4 4 4 4 4 4 4",
        ],
        decided=True,
    )
    yield case(
        "zero-inside",
        "A number has no leading zero",
        ["0 00 4 4 4 4 4 4 4 4 4 4 4 4", "0 0 4 4 4 4 4 04 4 4 4 4 4 4"],
        decided=True,
    )
    yield case(
        "text-inside",
        "Nothing but numbers",
        ["0 0 4 4 4 4 4 x 4 4 4 4 4 4", "0 0 4 4 4 4 4 4. 4 4 4 4 4 4"],
    )
    yield from _wrong("initial-board", "5.2, 5.4.4", board, words.STANDARD_BOARD)
    yield asking(
        "initial-board/any-distribution",
        "Every distribution of 48 stones is accepted",
        "5.2",
        map(
            board,
            [
                "0 0 48" + " 0" * 11,
                "24 23 0 0 0 0 0 1" + " 0" * 6,
                "0 0 0 0 0 0 0 24 0 0 0 0 0 24",
                "24 0 0 0 0 12 0 0 0 0 12 0 0 0",
            ],
        ),
    )
