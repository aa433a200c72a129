"""Descriptions of contests that somebody has spoilt: nonsense behind every key, and torn files."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from spielwerk.contests.drafts import example
from spielwerk.games import kits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

TOP = (
    "name",
    "game",
    "options",
    "format",
    "phase",
    "rounds",
    "seed",
    "opening",
    "order",
    "disqualify",
    "bonus",
    "newcomers",
    "time",
    "limits",
    "mnm",
    "entrant",
    "nmae",
    '"\\u001b[2J"',
    '""',
)
SECTIONS = {
    "time": ("move", "start", "game", "ende"),
    "limits": ("memory", "processes", "cpu", "output", "files"),
    "mnm": ("dialect", "pace"),
}
ENTRANT = (
    "name",
    "engine",
    "command",
    "remote",
    "open",
    "folder",
    "strategy",
    "depth",
    "role",
    "reference",
)

NONSENSE = (
    *("-1", "0", "true", "nan", "-inf", "1e400", "07:32:00", "1979-05-27", "[]", "{}", "{a = 1}"),
    *('""', '" "', '"x"', '"\\u0000"', '"\\u001b[31m"', '"\\u202e"', '"\\n"', '"<b>"', '"=1+1"'),
    *('["\\u0000"]', "[[1]]", "[nan]", '["a", "a"]', '"level=99"', '"{"', '"{name.__class__}"'),
    *('"{0}"', '"{name!r}"', '"\'"', '"/"', '"~"', '"/dev/null"', '"[::1]:99999"', '"x,depth=0"'),
    *('"999999999999999 TB"', '"-1 MB"', "9223372036854775808", f'"./{"a" * 300}"'),
    *(f'"{"a/" * 3000}"', f'"{"💥" * 100}"', f'["{"y" * 3000}"]', f'"{"a" * 64}.de:1"'),
    *("9" * 5000, "1" + "0" * 400, "0x" + "f" * 5000, f"[0x{'f' * 5000}]"),
    *("[" * 50 + "]" * 50, "[" * 5000 + "]" * 5000, "{a = " * 200 + "1" + "}" * 200),
)

ENGINES = "".join(f'[[entrant]]\nname = "{name}"\nengine = "random"\n' for name in "abc")


def spoilt(number: int, random: Random) -> Iterator[bytes]:
    """So many descriptions in which one value is nonsense."""
    for text in random.sample([*_wrong_values()], number):
        yield text.encode()


def _wrong_values() -> Iterator[str]:
    for game, value in product(kits(), NONSENSE):
        head = f'name = "T"\ngame = "{game}"\n'
        for key in TOP:
            twice = {"name": 'game = "quarto"\n', "game": 'name = "T"\n'}.get(key, head)
            yield f"{twice}{key} = {value}\n{ENGINES}"
        for section, keys in SECTIONS.items():
            yield from (f"{head}[{section}]\n{key} = {value}\n{ENGINES}" for key in keys)
        for key in ENTRANT:
            for program in ("", 'command = "/bin/true"\n'):
                yield f'{head}{ENGINES}[[entrant]]\nname = "d"\n{program}{key} = {value}\n'


def torn(number: int, random: Random) -> Iterator[bytes]:
    """So many examples in which a few bytes are missing, doubled or others."""
    whole = [example(game).encode() for game in kits()]
    pieces = (
        b"[[entrant]]",
        b"{",
        b"}",
        b'"',
        b"\\",
        b"\0",
        b"\xff",
        b"\n",
        b"=",
        b"[",
        b"\x1b[2J",
    )
    for _ in range(number):
        text = bytearray(random.choice(whole))
        for _ in range(random.randint(1, 6)):
            place, length = random.randrange(len(text)), random.randint(0, 20)
            change = (b"", text[place - 30 : place], random.choice(pieces), random.randbytes(1))
            text[place : place + length] = random.choice(change)
        yield bytes(text)
