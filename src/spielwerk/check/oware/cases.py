"""All cases for an Oware move server: those of `cases.toml`, and the requests that they make."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.oware import demands, drawn, network
from spielwerk.check.oware.requests import cut_short, ended, houses, message, shows
from spielwerk.check.oware.trial import script
from spielwerk.check.texts import toml_of
from spielwerk.games.oware.rules import HOUSES, STONES, format_board
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spielwerk.check.case import Case
    from spielwerk.check.oware.requests import Sending
    from spielwerk.check.oware.trial import OwareTrial

    Entry = Mapping[str, Any]

SCRIPTS: Final = (demands, drawn, network)  # modules that have the other scripts of `cases.toml`
SEEDED: Final = ("random", "time", "strength")  # groups whose cases are drawn
LONGEST: Final = 65536
EVERY_BYTE: Final = bytes(byte for byte in range(256) if byte != ord("\n"))

_PART: Final = re.compile(r"\{every\}|\{(.[^*]*)\*([0-9]+)\}|([^{]+)")


def all_cases(
    seed: int = 0,
    silence: float | None = None,
    *,
    strength: bool = False,
    document_only: bool = False,
) -> list[Case]:
    """The cases in the order of the report; without those that the document leaves open, if so.

    Games take long and have to be asked for, and so does silence, by how long it takes.
    """
    wanted = {"strength/reference": strength, "network/silence": silence is not None}
    cases = []
    for one in _entries():
        name = one["name"]
        given: dict[str, float | None] = {"seed": seed} if name.partition("/")[0] in SEEDED else {}
        given |= {"seconds": silence} if name == "network/silence" else {}
        case = script.case({**one, "with": {**one.get("with", {}), **given}})
        if wanted.get(name, True) and not (document_only and case.decided):
            cases.append(case)
    return cases


def _entries() -> Iterator[Entry]:
    """The entries of the file, with what they stand for."""
    listed = toml_of(__package__ or "", "cases.toml")
    for one in listed["case"]:
        if "wrong" in one:
            yield from (_spoiled(one, wrong) for wrong in listed["wrong"])
        else:
            yield _asking(one, one["asks"]) if "asks" in one else one


def _asking(one: Entry, lines: list[str]) -> Entry:
    return {**one, "does": "asks", "with": {"lines": lines}}


def _spoiled(line: Entry, wrong: Entry) -> Entry:
    """A case about what is wrong in one of the first three lines; a good value is spoiled."""
    good = line["good"]
    marks = {"GOOD": good, "FIRST": good[0], "REST": good[1:], "PAD": str(LONGEST - len(good))}
    name = re.compile("|".join(marks))
    values = [name.sub(lambda mark: marks[mark[0]], value) for value in wrong["values"]]
    entry = {**wrong, "name": f"{line['group']}/{wrong['name']}", "source": line["source"]}
    return _asking(entry, [f"{line['wrong']} {value}" for value in values])


# requests as the file has them


@script
async def _asks(trial: OwareTrial, lines: list[str]) -> None:
    for line in lines:
        for request in _requests(line):
            await _ask(trial, request)


async def _ask(trial: OwareTrial, request: bytes | Sending) -> None:
    if not trial.gave_up:
        await trial.ask(request)


def _requests(line: str) -> Iterator[bytes | Sending]:
    kind, _, text = line.partition(" ")
    if kind in ("plays", "shows"):
        board, _, histories = text.partition(" /")
        board = board.replace("start", words.STANDARD_BOARD)
        for history in histories.split():
            moves = b"" if history == "-" else _unescaped(history)
            yield (
                shows(board, moves.decode()) if kind == "shows" else message("0", "1", board, moves)
            )
    elif kind == "cut":
        yield ended(b"\n".join(_unescaped(part.strip(" ")) for part in text.split("|")))
    elif kind == "asks":
        yield message(*(_unescaped(part.strip(" ")) for part in text.split("|")))
    else:
        usual = {"strategy": "0", "depth": "1", "board": words.STANDARD_BOARD}
        yield message(**(usual | {kind: _unescaped(text)}))


def _unescaped(text: str) -> bytes:
    """The bytes that are meant by a text of the file."""

    def plain(part: str) -> bytes:
        return part.encode("latin-1").decode("unicode_escape").encode("latin-1")

    return b"".join(
        plain(rest) if rest else plain(byte) * int(count) if byte else EVERY_BYTE
        for byte, count, rest in _PART.findall(text)
    )


# two wrong lines at once: every pair of tests, in the order of section 5.4

RIGHT: Final = ("0", "1", words.STANDARD_BOARD, "33")
WRONG: Final = (
    ("2147483648", "-1", "Teststrategie"),
    ("0", "10", "x"),
    ("0 0 4 4 4 4 4 4 4 4 4 4 4 5", "0 0 4 4 4 4", "x"),
    ("38", "6", "33x"),
)


@script
async def _unread(trial: OwareTrial, place: int) -> None:
    """Three lines or fewer of which one is wrong: that one is missing comes first."""
    lines = [wrong[0] for wrong in WRONG]
    alone = [*RIGHT[:place], lines[place], *RIGHT[place + 1 :]]
    for count in range(place + 1, 4):
        await _ask(trial, cut_short(*lines[:count]))
    await _ask(trial, cut_short(*alone[:3], rest=alone[3]))


@script
async def _both_wrong(trial: OwareTrial, first: int, second: int) -> None:
    """Two wrong lines, in all their ways."""
    for one, other in product(WRONG[first], WRONG[second]):
        lines = list(RIGHT)
        lines[first], lines[second] = one, other
        await _ask(trial, message(*lines))


# heaps that go round


@script
async def _heaps(trial: OwareTrial, stones: list[int]) -> None:
    """So many stones in each house of both players; the others hold too many to be collected."""
    for count in stones:
        for house in range(HOUSES):
            await _ask(trial, shows(_heap(count, house), str(house)))
            if later := _later(_heap(count, HOUSES + house)):
                await _ask(trial, shows(later, f"0{house}"))


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
