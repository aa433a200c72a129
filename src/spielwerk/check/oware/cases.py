"""All cases for an Oware move server: those of `cases.txt`, of `cases.toml`, and drawn up here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.oware import demands, drawn, network
from spielwerk.check.oware.requests import cut_short, ended, houses, message, shows
from spielwerk.check.oware.trial import script
from spielwerk.check.texts import toml_of
from spielwerk.games.oware.rules import HOUSES, STONES, format_board
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spielwerk.check.case import Case
    from spielwerk.check.oware.requests import Sending
    from spielwerk.check.oware.trial import OwareTrial

PACKAGE: Final = __package__ or ""
SCRIPTS: Final = (demands, drawn, network)  # modules that have the scripts of `cases.toml`
Entry = Mapping[str, Any]
LONGEST: Final = 65536
EVERY_BYTE: Final = bytes(byte for byte in range(256) if byte != ord("\n"))

_HEADER: Final = re.compile(r"(\S+) \(([^)]*(?:\(.*?\))?)\)(\*?) (.*)")
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
    entries = {one["name"]: one for one in toml_of(PACKAGE, "cases.toml")["case"]}
    listed = [*_listed(entries)]
    given = {"random": {"seed": seed}, "time": {"seed": seed}, "strength": {"seed": seed}}
    for name, one in entries.items():
        unwanted = (name == "network/silence" and silence is None) or (
            name == "strength/reference" and not strength
        )
        if not unwanted and one not in listed:
            more = {"seconds": silence} if name == "network/silence" else {}
            more |= given.get(name.partition("/")[0], {})
            listed.append({**one, "with": {**one.get("with", {}), **more}})
    cases = map(script.case, listed)
    return [case for case in cases if not (document_only and case.decided)]


@cache
def german_rules() -> dict[str, str]:
    """The German of every rule by its English."""
    return dict(block.split("\n") for block in _blocks("rules.de.txt"))


def asking(
    name: str, rule: str, source: str, requests: Iterable[bytes | Sending], *, decided: bool = False
) -> Entry:
    """A case of requests that are made one after the other."""
    return {
        "name": name,
        "rule": rule,
        "rule_de": german_rules()[rule],
        "source": f"oware {source}",
        "decided": decided,
        "does": "asks",
        "with": {"requests": tuple(requests)},
    }


@script
async def _asks(trial: OwareTrial, requests: tuple[bytes | Sending, ...]) -> None:
    for request in requests:
        if not trial.gave_up:
            await trial.ask(request)


# the file


def _listed(entries: Mapping[str, Entry]) -> Iterator[Entry]:
    """The cases of the file, in its order."""
    for block in _blocks("cases.txt"):
        head, *lines = block.split("\n")
        name = head.removeprefix("+ ")
        if name in _DRAWN_UP:
            yield from _DRAWN_UP[name]()
        elif name != head:
            yield entries[name]
        else:
            yield _case(head, lines)


def _blocks(name: str) -> list[str]:
    """The parts of a file that blank lines separate, but for the first, which explains it."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [block.strip("\n") for block in text.split("\n\n")[1:]]


def _case(head: str, lines: Sequence[str]) -> Entry:
    match = _HEADER.fullmatch(head)
    if match is None:
        raise ValueError(f"{head!r} is no case")
    name, source, decided, rule = match.groups()
    requests = [request for line in lines for request in _requests(line.strip(" "))]
    return asking(name, rule, source, requests, decided=bool(decided))


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


# wrong values of the first three lines


def _wrong(group: str, source: str, kind: str, good: str) -> Iterator[Entry]:
    """What is wrong in any of the first three lines; a good value is spoiled."""
    marks = {"GOOD": good, "FIRST": good[0], "REST": good[1:], "PAD": str(LONGEST - len(good))}
    for block in _blocks("wrong.txt"):
        for mark, text in marks.items():
            block = block.replace(mark, text)
        head, *values = block.split("\n")
        name, _, rule = head.partition(" ")
        requests = [one for value in values for one in _requests(f"{kind} {value.strip(' ')}")]
        decided = name.endswith("*")
        yield asking(f"{group}/{name.rstrip('*')}", rule, source, requests, decided=decided)


# two wrong lines at once

RIGHT: Final = ("0", "1", words.STANDARD_BOARD, "33")
WRONG: Final = (
    ("2147483648", "-1", "Teststrategie"),
    ("0", "10", "x"),
    ("0 0 4 4 4 4 4 4 4 4 4 4 4 5", "0 0 4 4 4 4", "x"),
    ("38", "6", "33x"),
)


def _precedence() -> Iterator[Entry]:
    """Every pair of tests, in the order of section 5.4."""
    for place in range(4):
        yield _unread(place)
    for first, second in combinations(range(4), 2):
        yield _both(first, second)


def _unread(place: int) -> Entry:
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


def _both(first: int, second: int) -> Entry:
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


# heaps that go round

LAPS: Final = (
    ("eleven-stones", "11 stones go once round, the chosen house stays empty", (11,)),
    (
        "twelve-stones",
        "With 12 to 22 stones the chosen house is skipped once",
        (12, 13, 17, 22),
    ),
    (
        "twenty-three-stones",
        "With 23 to 33 stones the chosen house is skipped twice",
        (23, 24, 28, 33),
    ),
    (
        "thirty-four-stones",
        "With 34 stones and more the chosen house is skipped each time",
        (34, 40, 44, 45, 48),
    ),
)


def _laps(name: str, rule: str, counts: Sequence[int]) -> Entry:
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


_DRAWN_UP: Final[dict[str, Callable[[], Iterable[Entry]]]] = {
    "wrong-strategy": lambda: _wrong("strategy", "5.4.2", "strategy", "0"),
    "wrong-search-depth": lambda: _wrong("search-depth", "5.4.3", "depth", "1"),
    "wrong-initial-board": lambda: _wrong(
        "initial-board", "5.2, 5.4.4", "board", words.STANDARD_BOARD
    ),
    "precedence": _precedence,
    "heaps": lambda: (_laps(*lap) for lap in LAPS),
}
"""The cases that `+ NAME` stands for in the file; other names are in `cases.toml`."""
